"""The pictures in docs/ are what the client draws."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.make_pictures import PICTURES, picture

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_screen_as_it_is_drawn_now(name: str) -> None:
    kept = (DOCS / "pictures" / f"{name}.svg").read_text("utf-8")
    assert kept == picture(name), "draw it anew: python docs/make_pictures.py"
    assert ElementTree.fromstring(kept).tag.endswith("svg")


def test_no_picture_is_left_over() -> None:
    kept = {path.stem for path in (DOCS / "pictures").iterdir()}
    assert kept == set(PICTURES)
