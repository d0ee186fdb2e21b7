"""What a player of line mode can look at by typing: the table, their hand, the moves, the log,
the help. Nothing here changes anything at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sobremesa.cli.session.pacing import now
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words import grammar
from sobremesa.cli.words.absence import span, speak_absent
from sobremesa.cli.words.controller import Controller
from sobremesa.cli.words.grammar import Word
from sobremesa.cli.words.legal import speak_chances, speak_legal, speak_odds
from sobremesa.cli.words.pages import spoken_page, spoken_parts
from sobremesa.cli.words.speech import speak, speak_hand, speak_keys, speak_room
from sobremesa.plugins.voice import counted, listed

from .output import Output

LOG_LINES = 10

CARDS_HELP = (
    "A card is typed by its face or by its place: KH is the king of hearts, 10D the ten of "
    "diamonds, #2 your second card."
)

NOT_ASKED = "You are not asked for a move now."


class Looking:
    """Shows the session of a controller, as it is now, to `out`. `later` takes what is to be done
    in its turn among all that happens."""

    def __init__(
        self,
        control: Controller,
        out: Output,
        later: Callable[[Callable[[], None]], None],
        own: OwnSettings,
    ) -> None:
        self._control = control
        self._story = control.story
        self._session = control.session
        self._out = out
        self._later = later
        self._own = own
        self._reading: asyncio.Task[None] | None = None

    def words(self) -> tuple[Word, ...]:
        """The words that line mode alone has."""
        return (
            Word("look", "the whole table as it is now", lambda _: self.look()),
            Word("hand", "what you hold", lambda _: self._hand()),
            Word("moves", "every answer that is possible now; Enter alone says it, too",
                 lambda _: self.moves()),
            Word("odds", "what the table can say about your moves and chances",
                 lambda _: self._odds()),
            Word("hint", "what the table can say about a move you think of", self._hint, "MOVE"),
            Word("time", "how long you have, or whom the table waits for", lambda _: self._time()),
            Word("repeat", "the last line once more", lambda _: self._out.repeat()),
            Word("log", "the last things that happened", self.log, "[HOW MANY]"),
            Word("records", "the games that were kept, and what they add up to", self._records),
            Word("settings", "name, looks, pace: all that can be set",
                 lambda _: self._out.answer("settings", self._own.spoken())),
            Word("brief", "say no more than what happens and what is asked",
                 lambda _: self._control.client.choose("speech brief")),
            Word("full", "say moves and odds, too, when you are asked",
                 lambda _: self._control.client.choose("speech full")),
        )  # fmt: skip

    def help(self, page: str, words: Iterable[Word]) -> None:
        """Say how to type, by these words, or one page.

        :raises NotUnderstood: if there is no such page
        """
        name = page.casefold()
        if name == "moves":
            self.moves()
        elif name in grammar.PAGES:
            help = self._session.game.help
            markdown = {"rules": help.rules, "tips": help.tips, "faq": help.faq}[name]
            self._out.answer("help", spoken_page(markdown))
        elif name:
            raise grammar.NotUnderstood(f"There is no page '{page[:40]}'. There are: {_pages()}.")
        else:
            lines = [f"{f'{w.name} {w.args}'.strip()}: {w.about}." for w in words]
            self._out.answer("help", [*lines, CARDS_HELP, f"Pages for help: {_pages()}."])

    def proof(self) -> None:
        """Say why the table is, or is not, verified."""
        self._out.answer("proof", [self._session.status.proof or "Nothing was checked yet."])

    def keys(self) -> None:
        """Say the fingerprint of the table's keys."""
        self._out.answer("keys", speak_keys(self._story.room))

    def look(self) -> None:
        """Say how everything stands."""
        view = self._story.view
        if view is not None:
            lines = [*speak(view, self._story.players), *self._waiting()]
        elif self._story.room is not None:
            lines = speak_room(self._story.room)
        else:
            lines = ["There is nothing to see yet."]
        self._out.answer("look", lines)

    def _waiting(self) -> Iterator[str]:
        """Whom the table waits for, and how long."""
        status = self._session.status
        others = [seat for seat in status.asked if seat != self._session.me]
        if others:
            spent = span(now() - status.asked_at)
            limit = f" of {span(status.seconds)}" if status.seconds else ""
            yield f"The table waits for {listed(others)}: {spent}{limit}."
        if self._story.absent.absences:
            yield speak_absent(self._story.absent)

    def log(self, rest: str = "") -> None:
        """Say the last things that happened, so many or a few."""
        count = int(rest) if rest.isdecimal() and len(rest) < 5 else LOG_LINES
        lines = [line.text for line in self._story.log[-count:]] if count else []
        self._out.answer("log", lines or ["Nothing has happened yet."])

    def _hand(self) -> None:
        view = self._story.view
        hand = speak_hand(view, self._story.players) if view is not None else ""
        self._out.answer("hand", [hand or "You hold nothing now."])

    def moves(self) -> None:
        """Say all that can be answered now."""
        question, story = self._control.question, self._story
        moves = NOT_ASKED
        if question is not None:
            moves = speak_legal(question, self._session.faces(), story.order, story.players)
        self._out.answer("moves", [moves])

    def _odds(self) -> None:
        question, session = self._control.question, self._session
        players = self._story.players
        odds = speak_chances(self._story.view)
        if question is not None:
            odds += speak_odds(question, session.faces(), session.hint_for, players, whole=True)
        self._out.answer("odds", odds or ["The table has no odds to tell now."])

    def _time(self) -> None:
        asked, left = self._story.asked, self._session.seconds_left
        if asked is None:
            lines = list(self._waiting()) or ["The table waits for nobody."]
        elif left is None:
            lines = ["You have as long as you like."]
        else:
            lines = [f"You have {counted(left, 'second')}."]
        self._out.answer("time", lines)

    def _hint(self, rest: str) -> None:
        hint = NOT_ASKED
        if self._control.question is not None:
            hint = self._session.hint(rest) or "The table has no hint for that."
        self._out.answer("hint", [hint])

    def _records(self, rest: str) -> None:
        self._reading = asyncio.get_running_loop().create_task(self._read_records())

    async def _read_records(self) -> None:
        # In a thread: where many an index is missing, it takes a while.
        page = await asyncio.to_thread(_kept_games)
        self._later(partial(self._out.answer, "records", page))


def _kept_games() -> list[str]:
    # Who never asks for them loads no disk and no table.
    from sobremesa.cli.session.tallies import read_listing
    from sobremesa.cli.words.records import records_page
    from sobremesa.plugins.loader import load_games

    return spoken_parts(records_page(read_listing(load_games().find)))


def _pages() -> str:
    return ", ".join(grammar.PAGES)
