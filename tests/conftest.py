"""How the suite is shared out when it runs in two processes (`-n 2 --dist loadgroup`).

Rule 1: the tests on a LAN of namespaces, which mostly wait, are one group and come first, so that
one process lives through them while the other does the rest.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    on_lan = [item for item in items if item.get_closest_marker("lan")]
    for item in on_lan:
        item.add_marker(pytest.mark.xdist_group("lan"))
    items.sort(key=lambda item: item.get_closest_marker("lan") is None)
