"""A question before something that cannot be undone.

Rule 1: only the player's own doing opens one; the network never does.
Rule 2: No is the default. Only `y` is yes; Enter is no.
Rule 3: while it is open it has the focus, so that no key reaches the line behind it.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.filters import Always
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Float, FormattedTextControl, Window
from prompt_toolkit.layout.dimension import Dimension

from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.theme import Theme

from .fragments import fragments

WIDTH = 60


class Dialog:
    """One question. `close` is called first, then `act` if the answer was yes."""

    def __init__(
        self,
        question: str,
        theme: Theme,
        act: Callable[[], None],
        close: Callable[[], None],
        width: int,
    ) -> None:
        self.theme = theme
        self.width = max(1, min(WIDTH, width))
        self.rows = self._rows(question)
        keys = KeyBindings()

        @keys.add("y")
        @keys.add("Y")
        def _yes(event: KeyPressEvent) -> None:
            close()
            act()

        @keys.add("n")
        @keys.add("N")
        @keys.add("enter")
        @keys.add("escape", eager=True)
        @keys.add("c-c")
        def _no(event: KeyPressEvent) -> None:
            close()

        self.window = Window(
            FormattedTextControl(self._text, focusable=Always(), key_bindings=keys),
            height=Dimension.exact(len(self.rows)),
            width=Dimension.exact(self.width),
            style="class:selected",
        )
        self.float = Float(self.window)

    def _rows(self, question: str) -> list[Line]:
        inner = max(1, self.width - 2)
        lines = [*wrap(self.theme.text(question), inner), "", "[y] yes   [n] no (Enter is no)"]
        return [(("", f" {line}"[: self.width]),) for line in ["", *lines, ""]]

    def _text(self) -> StyleAndTextTuples:
        return fragments(self.rows)
