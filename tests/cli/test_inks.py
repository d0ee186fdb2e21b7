"""What is drawn can be read: contrast, computed from the table of inks (WCAG 2.1, 1.4.3)."""

from __future__ import annotations

from typing import Literal

import pytest
from prompt_toolkit.styles import Style

from sobremesa.cli.draw.inks import ROLES, colours, rgb, styles

READ = 4.5
"""The least contrast of what must be read."""
GROUNDS = {
    "dark": ("#000000", "#1c1c1c", "#1e1e2e", "#300a24", "#002b36"),
    "light": ("#ffffff", "#fdf6e3", "#eeeeee"),
}
"""Grounds of terminals that people use."""
TEXT = {"dark": 252, "light": 236}
"""About what a terminal's own text is where a role paints the ground alone, or nothing."""
NEVER_TEXT = {"rule", "faint", "shadow", "die.edge", "die.hit.edge", "die.off.edge", "cup.edge",
              "cup.lip", "card.back", "card.back.small"}  # fmt: skip
"""Lines, edges and backs: shapes that tell nothing which is not said besides."""
Ink = Literal["dark", "light"]


def luminance(colour: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in colour]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def from_hex(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@pytest.mark.parametrize("ink", ["dark", "light"])
@pytest.mark.parametrize("role", [role for role in ROLES if role not in NEVER_TEXT])
def test_what_must_be_read_stands_out_on_every_ground(role: str, ink: Ink) -> None:
    text, ground = colours(role, ink)
    shown = rgb(text if text is not None else TEXT[ink])
    grounds = [rgb(ground)] if ground is not None else [from_hex(g) for g in GROUNDS[ink]]
    for under in grounds:
        assert contrast(shown, under) >= READ, (role, ink, under)


def test_a_known_pair_is_reckoned_as_the_guidelines_do() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(from_hex("#777777"), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ink", ["dark", "light", "dark16", "light16", "mono"])
def test_every_ink_is_one_that_the_toolkit_knows(ink: Literal["dark", "mono"]) -> None:
    Style.from_dict(dict(styles(ink)))
    if ink == "mono":
        assert not any("#" in style or "ansi" in style for style in styles(ink).values())
