"""Help, over whatever screen there is: its pages, one at a time, turned and scrolled by keys.

Rule 1: the game goes on behind it, and the typed line stays as it was. A row says whose turn it is
and how long; where nobody else waits, time stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.filters import Always
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Float, FormattedTextControl, Window

from sobremesa.cli.draw.cells import Line, Span, fit_line, line_width, pad_line
from sobremesa.cli.draw.theme import Theme

from .base import Page
from .fragments import fragments

KEYS = "Left, Right: pages   Up, Down, PgUp, PgDn: scroll   Esc, q or Enter: close"


class Help:
    """The overlay. `size` gives the terminal's columns and rows at any moment, `standing` how the
    game stands behind it."""

    def __init__(
        self,
        pages: Sequence[Page],
        first: str,
        theme: Theme,
        close: Callable[[], None],
        size: Callable[[], tuple[int, int]],
        standing: Callable[[], str] = lambda: "",
    ) -> None:
        self.pages = pages
        self.theme = theme
        self.size = size
        self.standing = standing
        titles = [page.title.casefold() for page in pages]
        self.shown = titles.index(first.casefold()) if first.casefold() in titles else 0
        self.top = 0
        keys = KeyBindings()

        @keys.add("escape", eager=True)
        @keys.add("q")
        @keys.add("enter")
        @keys.add("f1")
        @keys.add("c-c")
        def _close(event: KeyPressEvent) -> None:
            close()

        @keys.add("right")
        @keys.add("tab")
        def _next(event: KeyPressEvent) -> None:
            self._turn(1)

        @keys.add("left")
        @keys.add("s-tab")
        def _previous(event: KeyPressEvent) -> None:
            self._turn(-1)

        for key, lines in (("up", -1), ("down", 1)):
            keys.add(key)(lambda event, lines=lines: self._scroll(lines))
        for key, pages_ in (("pageup", -1), ("pagedown", 1), (" ", 1)):
            keys.add(key)(lambda event, by=pages_: self._scroll(by * max(1, self._rows() - 1)))
        keys.add("home")(lambda event: self._scroll(-self.top))
        keys.add("end")(lambda event: self._scroll(1 << 16))

        self.window = Window(
            FormattedTextControl(self._text, focusable=Always(), key_bindings=keys),
            always_hide_cursor=True,
        )
        self.float = Float(self.window, left=0, right=0, top=0, bottom=0)

    def _turn(self, by: int) -> None:
        self.shown = (self.shown + by) % len(self.pages)
        self.top = 0

    def _rows(self) -> int:
        """Rows for the page, between titles and keys."""
        return max(0, self.size()[1] - 3)

    def _page(self) -> list[Line]:
        return self.pages[self.shown].lines(max(1, self.size()[0] - 2))

    def _scroll(self, by: int) -> None:
        self.top = max(0, min(self.top + by, len(self._page()) - self._rows()))

    def _text(self) -> StyleAndTextTuples:
        width, height = self.size()
        return fragments([pad_line(line, width) for line in self.lines(width, height)])

    def lines(self, width: int, height: int) -> list[Line]:
        """The whole overlay for a size."""
        if height < 3:
            return [()] * height
        titles: list[Span] = [("status", " Help  ")]
        for place, page in enumerate(self.pages):
            shown = place == self.shown
            name = f"[{page.title}]" if shown else f" {page.title} "
            titles.append(("status bold" if shown else "status", name))
        page_lines = self._page()
        self.top = max(0, min(self.top, len(page_lines) - self._rows()))
        body = page_lines[self.top : self.top + self._rows()]
        body = [(("", " "), *line) for line in body] + [()] * (self._rows() - len(body))
        below = max(0, len(page_lines) - self.top - self._rows())
        more = self.theme.text(f"{below} more lines   " if below else "")
        foot: Line = (("dim", " " + more + KEYS),)
        head = pad_line(titles, width, "status")
        assert line_width(head) == width
        return [
            head,
            (("turn", self.theme.text(f" {standing}")),) if (standing := self.standing()) else (),
            *(fit_line(line, width) for line in body),
            fit_line(foot, width, self.theme.more),
        ]
