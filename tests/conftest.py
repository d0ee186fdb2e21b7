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

settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    on_lan = [item for item in items if item.get_closest_marker("lan")]
    for item in on_lan:
        item.add_marker(pytest.mark.xdist_group("lan"))
    items.sort(key=lambda item: item.get_closest_marker("lan") is None)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    story = pyfuncitem.obj
    if not inspect.iscoroutinefunction(story):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(story).parameters}
    asyncio.run(asyncio.wait_for(story(**given), 60))
    return True
