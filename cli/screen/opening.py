"""What is shown while a table is being opened or joined."""

from __future__ import annotations

from sobremesa.cli.draw.cells import Line
from sobremesa.cli.draw.layout import SMALLEST, Facts, render_status, too_small

from .base import Page, Screen


class Opening(Screen):
    """Nothing yet."""

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        return [render_status(Facts(game="Sobremesa"), width, self.theme)]

    def keys(self) -> str:
        return "Ctrl-C gives up"

    def submit(self, typed: str) -> None:
        """There is nothing to type for yet."""

    def leave(self) -> None:
        self.stage.home()

    def pages(self) -> list[Page]:
        return [Page("Sobremesa", lambda width: [(("", "On the way to the table."[:width]),)])]
