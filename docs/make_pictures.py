"""Draw the pictures of tables in docs/pictures: `python docs/make_pictures.py`.

Rule 1: what is drawn is the client's own screen in a situation that a test plays, in the client's
own styles; nothing is painted by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.clients.situations import SITUATIONS, screen_of  # noqa: E402

from sobremesa.cli.draw.cells import Line, text_width  # noqa: E402
from sobremesa.cli.draw.theme import Theme  # noqa: E402

PICTURES = {
    "dudo": ("dudo/asked", 100, 30),
    "dudo-showdown": ("dudo/reveal", 100, 30),
    "cinco-vidas": ("cinco_vidas/trick", 100, 30),
    "house-of-jokers": ("house_of_jokers/turn", 100, 30),
    "intriga": ("intriga/claimed", 100, 30),
    "five-alive": ("five_alive/tight", 100, 30),
}
"""By file: the situation, and the size of the window."""
CELL = (10, 20)
"""Width and height of a cell."""
PAPER = {"dark": ("#1c1c1c", "#d0d0d0"), "light": ("#fdf6e3", "#303030")}
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def svg(lines: list[Line], width: int, height: int, theme: Theme) -> str:
    """A screen as a picture."""
    paper, ink = PAPER["light" if theme.ground == "light" else "dark"]
    wide, high = width * CELL[0], height * CELL[1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-size="16" '
        f'font-family="{FONT}" xml:space="preserve">',
        f'<rect width="{wide}" height="{high}" fill="{paper}"/>',
    ]
    styles = theme.styles()
    for row, line in enumerate(lines):
        parts += _row(line, row, styles, paper, ink)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(line: Line, row: int, styles: Mapping[str, str], paper: str, ink: str) -> Iterator[str]:
    x, y = 0, row * CELL[1]
    for role, text in line:
        wide = text_width(text) * CELL[0]
        style = " ".join(styles.get(name, "") for name in role.split()).split()
        ground = next((word[3:] for word in reversed(style) if word.startswith("bg:")), None)
        fill = next((word for word in reversed(style) if word.startswith("#")), ink)
        if "reverse" in style:
            ground, fill = fill, ground or paper
        if ground:
            yield f'<rect x="{x}" y="{y}" width="{wide}" height="{CELL[1]}" fill="{ground}"/>'
        weight = ' font-weight="bold"' if "bold" in style else ""
        at = x
        for run in text.split(" "):
            if run:
                length = text_width(run) * CELL[0]
                yield (
                    f'<text x="{at}" y="{y + 15}" fill="{fill}"{weight} textLength="{length}" '
                    f'lengthAdjust="spacingAndGlyphs">{escape(run)}</text>'
                )
            at += (text_width(run) + 1) * CELL[0]
        x += wide


def picture(name: str) -> str:
    """One of the pictures."""
    situation, width, height = PICTURES[name]
    theme = Theme()
    screen = screen_of(SITUATIONS[situation](), theme)
    keys: list[Line] = [(("key", " > "),), (("dim", f" {screen.keys()}"),)]
    return svg([*screen.lines(width, height), *keys], width, height, theme)


def main() -> None:
    """Write them all."""
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for name in PICTURES:
        (folder / f"{name}.svg").write_text(picture(name), "utf-8")


if __name__ == "__main__":
    main()
