"""How the suite runs: the same every time, in one process or two (`-n 2 --dist loadgroup`).

Rule 1: the tests on a LAN of namespaces, which mostly wait, are one group and come first, so that
one process lives through them while the other does the rest.
Rule 2: property tests try the same examples at every run, and no example has a time limit. To look
for others: `HYPOTHESIS_PROFILE=default`.
Rule 3: an `async def test_...` is run in a loop of its own, and fails if it takes a minute.
"""

from __future__ import annotations

import asyncio
import inspect
import os

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler.loadscope import LoadScopeScheduling

settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("lan") is None)


class OneLan(LoadScopeScheduling):  # type: ignore[misc]
    """Gives all tests on a LAN to one process, and every other test to whoever is free. (Marks of
    groups do not reach the scheduler of pytest-xdist 3.8 under pytest 9.2.)"""

    def _split_scope(self, nodeid: str) -> str:
        return "lan" if nodeid.startswith("tests/lan/") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneLan | None:
    return OneLan(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    story = pyfuncitem.obj
    if not inspect.iscoroutinefunction(story):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(story).parameters}
    asyncio.run(asyncio.wait_for(story(**given), 60))
    return True
