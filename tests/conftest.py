"""How the suite runs: the same every time, in one process or two (`-n 2 --dist loadgroup`).

Rule 1: the tests on a LAN of namespaces, which mostly wait, are one group and come first, so that
one process lives through them while the other does the rest.
Rule 2: property tests try the same examples at every run, and no example has a time limit. To look
for others: `HYPOTHESIS_PROFILE=default`.
Rule 3: an `async def test_...` is run in a loop of its own, and fails if it takes a minute.
Rule 4: what many would reckon from the same values is reckoned once. Code is compiled before a
process that a test starts does it, each anew where Python is told to keep nothing. Peers in one
process share signatures checked and points multiplied, which depend on what is given alone.
"""

from __future__ import annotations

import asyncio
import compileall
import inspect
import os
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import nacl.bindings as sodium
import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler.loadscope import LoadScopeScheduling

from sobremesa.core.replica import transcript

settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

ROOT = Path(__file__).parents[1]

POINTS = ("crypto_scalarmult_ed25519_noclamp", "crypto_core_ed25519_is_valid_point")
"""What takes long to reckon with points."""


def checked_once(check: Callable[[bytes, bytes, bytes], bool]) -> Callable[..., bool]:
    """A check of signatures that knows those which it has seen, and keeps none of the bytes."""
    known: dict[tuple[bytes, bytes, bytes], bool] = {}

    def signed_by(key: bytes, data: bytes, signature: bytes) -> bool:
        seen = key, sha256(data).digest(), signature
        if seen not in known:
            known[seen] = check(key, data, signature)
        return known[seen]

    return signed_by


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        for folder in ("sobremesa", "core", "net", "cli", "plugins"):
            compileall.compile_dir(ROOT / folder, quiet=1)
    patch = pytest.MonkeyPatch()
    patch.setattr(transcript, "signed_by", checked_once(transcript.signed_by))
    for name in POINTS:
        patch.setattr(sodium, name, lru_cache(1 << 16)(getattr(sodium, name)))


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
