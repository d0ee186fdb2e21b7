"""The games that were kept, what they add up to, and the way to each of them.

Rule 1: what is listed is what was kept when this was opened; a check shows at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sobremesa.cli.dates import read_day
from sobremesa.cli.draw.cells import Line, pad_line, wrap
from sobremesa.cli.draw.layout import (
    BELOW,
    LOG_FROM,
    SMALLEST,
    Facts,
    log_width,
    render_status,
    too_small,
)
from sobremesa.cli.session.replay import Replay
from sobremesa.cli.session.tallies import Listing, Wanted
from sobremesa.cli.words.grammar import Word
from sobremesa.cli.words.played import AnyCopy, check
from sobremesa.cli.words.records import NOTHING
from sobremesa.core.errors import LocalError
from sobremesa.net.kept import Kept

from .aside import AsideScreen
from .base import Screen, Stage
from .record_rows import DETAIL, render_chosen, render_games, render_sums
from .replay import ReplayScreen

PAGE = """
# Records
Every game is kept when it is over or broken off. The sign at the end of a row says whether the
record was checked: ✓ it holds, ! it does not.

- Up and Down, Page Up and Page Down, Home and End choose a game.
- Enter, or its number, plays it again before your eyes.
- Tab shows the games of the chosen kind alone, and all again.
- `with NAME`, `since 2026-01-31`, `game NAME` show some; `all` shows all.
- `check` (or `v`) checks every proof of the chosen game, which may take a while.
- F4 shows the sums where only one pane has room. Esc goes back.
"""

EVERYTHING = Wanted()


class RecordsScreen(AsideScreen):
    """The kept games."""

    title = "Records"
    page = PAGE

    def __init__(
        self,
        stage: Stage,
        listing: Listing,
        back: Screen | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> None:
        super().__init__(
            stage,
            back,
            Word("replay", "see a game again", self.take_number, "[NUMBER]"),
            Word("check", "check every proof of a game", self._check, "[NUMBER]", aliases=("v",)),
            Word("game", "only those of a game", lambda rest: self._want(game=rest), "NAME"),
            Word("with", "only those with somebody", lambda rest: self._want(person=rest), "NAME"),
            Word("since", "only those from a day on", self._since, "DATE"),
            Word("all", "all of them again", lambda _: self._show(EVERYTHING)),
        )
        self.wanted = wanted
        self.at = 0
        """Which of the games that are shown is chosen."""
        self.only_sums = False
        self._all = listing

    @property
    def listing(self) -> Listing:
        """The games that are shown."""
        return self._all.only(self.wanted)

    @property
    def _last(self) -> int:
        return max(0, len(self.listing.games) - 1)

    # What is shown.

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        listing = self.listing
        rows = height - BELOW - 2 - DETAIL
        body = self._body(listing, width, height, rows)
        rule: Line = (("rule", self.theme.text("─" * width)),)
        chosen: list[Line] = []
        if listing.games:
            kept = listing.games[self.at][1]
            chosen = render_chosen(kept, listing.own, width, self.theme)
        chosen += [()] * (DETAIL - len(chosen))
        return [render_status(self._facts(listing), width, self.theme), *body, rule, *chosen]

    def _body(self, listing: Listing, width: int, height: int, rows: int) -> list[Line]:
        if not listing.games:
            text = NOTHING if not self._all.games else "None of the kept games is such a one."
            empty: list[Line] = [(), *((("", line),) for line in wrap(text, width))]
            return [*empty, *[()] * (rows - len(empty))]
        pane = log_width(width, height)
        left = width - pane - 1 if pane else width
        if self.only_sums and not pane:
            body = render_sums(listing, width, rows, self.theme)
            return [*body, *[()] * (rows - len(body))]
        games = render_games(listing, self.at, left, rows, self.theme)
        games += [()] * (rows - len(games))
        if width < LOG_FROM:
            return games
        sums = render_sums(listing, pane - 1, rows, self.theme)
        sums += [()] * (rows - len(sums))
        bar = ("rule", self.theme.text("│") + " ")
        return [(*pad_line(a, left), bar, *b) for a, b in zip(games, sums, strict=True)]

    def _facts(self, listing: Listing) -> Facts:
        wanted = self.wanted
        since = f"since {wanted.since:%Y-%m-%d}" if wanted.since is not None else ""
        person = f"with {wanted.person}" if wanted.person is not None else ""
        shown = " ".join(filter(None, (wanted.game, person, since))) or "all games"
        return Facts(game="Records", phase=shown, turn=f"{len(listing.games)} kept")

    def keys(self) -> str:
        return "↑↓ choose  Enter replay  Tab one game only  v check  F4 sums  Esc back  F1 help"

    # What is done.

    def _chosen(self, rest: str = "") -> Kept:
        """The game of a number, or the chosen one.

        :raises LocalError: if there is none
        """
        if rest:
            found = [kept for number, kept in self._all.games if rest == str(number)]
            if not found:
                raise LocalError(f"there is no record {rest[:20]}: {len(self._all.games)} are kept")
            return found[0]
        if not self.listing.games:
            raise LocalError("there is no game to choose")
        return self.listing.games[self.at][1]

    def take_number(self, typed: str) -> None:
        kept = self._chosen(typed)
        try:
            data = kept.path.read_bytes()
        except OSError as error:
            raise LocalError(f"cannot read {kept.path.name}: {error.strerror}") from error
        self.stage.show(ReplayScreen(self.stage, Replay(data, AnyCopy().find), self))

    def _check(self, rest: str) -> None:
        kept = self._chosen(rest)
        self.stage.message("Checking every proof...")
        self.stage.work(self._checked(kept))

    async def _checked(self, kept: Kept) -> None:
        report = await asyncio.to_thread(check, kept.path)
        if report.unchecked is not None:
            self.stage.message(f"It cannot be checked here: {report.unchecked}.", "error")
            return
        self._all = Listing(
            [(n, _judged(one, report.ok) if one is kept else one) for n, one in self._all.games],
            self._all.own,
        )
        good = f"It holds: {report.steps} steps, all signed, all by the rules."
        self.stage.message(good if report.ok else f"NOT VERIFIED: {report.trouble}.")
        self.stage.refresh()

    def _want(self, *, game: str | None = None, person: str | None = None) -> None:
        """:raises LocalError: if no name was typed"""
        if not (game or person):
            raise LocalError("whose? Type a name after it")
        self._show(replace(self.wanted, **({"game": game} if game else {"person": person})))

    def _since(self, rest: str) -> None:
        self._show(replace(self.wanted, since=read_day(rest)))

    def _turn_to_one_game(self) -> None:
        """The games of the chosen kind alone, or of every kind again."""
        summary = self._chosen().summary if self.wanted.game is None else None
        self._show(replace(self.wanted, game=summary.game if summary is not None else None))

    def _show(self, wanted: Wanted) -> None:
        """Show these; what is chosen stays chosen if it is among them."""
        games = self.listing.games
        kept = games[self.at][1] if games else None
        self.wanted = wanted
        found = [place for place, (_, one) in enumerate(self.listing.games) if one is kept]
        self.at = found[0] if found else 0

    def _move(self, to: int) -> None:
        self.at = max(0, min(self._last, to))

    def quick(self, key: str) -> Callable[[], None] | None:
        acts: dict[str, Callable[[], None]] = {
            "up": partial(self._move, self.at - 1),
            "down": partial(self._move, self.at + 1),
            "home": partial(self._move, 0),
            "end": partial(self._move, self._last),
            "tab": self._turn_to_one_game,
        }
        return acts.get(key)

    def scroll(self, pages: int) -> None:
        self._move(self.at - 10 * pages)

    def switch_pane(self) -> None:
        self.only_sums = not self.only_sums

    def enter(self) -> None:
        self.take_number("")


def _judged(kept: Kept, verified: bool) -> Kept:
    summary = kept.summary
    return replace(kept, summary=summary and replace(summary, verified=verified))
