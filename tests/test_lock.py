"""requirements-dev.lock: what development and CI install, to the byte, and what is asked for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = (ROOT / "requirements-dev.lock").read_text("utf-8")
ENTRIES = re.findall(r"^[^#\s].*(?:\n .*)*", LOCK, re.MULTILINE)


def pinned(entry: str) -> Requirement:
    """What an entry of the lock file asks for, without the hashes."""
    return Requirement(entry.split("\\")[0].strip())


def wanted() -> list[Requirement]:
    """All that pyproject.toml names: to run, to test, to develop, to build."""
    extras = SETTINGS["project"]["optional-dependencies"]
    named = [
        *SETTINGS["project"]["dependencies"],
        *SETTINGS["build-system"]["requires"],
        *(text for extra in extras.values() for text in extra),
    ]
    return [Requirement(text) for text in named if not text.startswith("sobremesa[")]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_what_the_project_asks_for_is_locked_at_a_release_that_will_do(
    requirement: Requirement,
) -> None:
    name = canonicalize_name(requirement.name)
    (found,) = [lock for lock in map(pinned, ENTRIES) if canonicalize_name(lock.name) == name]
    (version,) = found.specifier
    assert version.operator == "=="
    assert requirement.specifier.contains(version.version)
    assert found.marker in (None, requirement.marker and Marker(str(requirement.marker)))


def test_every_release_is_held_to_hashes_and_to_no_place() -> None:
    for entry in ENTRIES:
        lines = entry.split("\\\n")
        assert len(lines) > 1, entry
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64} ?", line) for line in lines[1:])
    assert "://" not in LOCK


def test_ci_installs_nothing_else_before_it_looks_at_the_code() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    into_dev = re.findall(r'"\$scratch/dev/bin/pip" install (.*)', ci)
    assert into_dev == [
        "-q --require-hashes -r requirements-dev.lock",
        "-q --no-deps --no-build-isolation .",
    ]
