"""What happens in a session, as values: the moments that a client lives through, in order.

Rule 1: every moment carries the view of its own instant, so that a client may rest at a reveal
while the table has gone on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sobremesa.core.game import Brief, Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Question
from sobremesa.core.recap import Recap
from sobremesa.core.requests import Event
from sobremesa.core.views import View
from sobremesa.net.events import Absence

if TYPE_CHECKING:  # who only tells what happened needs no table
    from sobremesa.core.replica.table import Table

SOUND = (
    "Every message so far is signed by its peer, follows the ones before it, and obeys the rules. "
    "When the game is over all seeds are revealed and everything is checked once more."
)


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """One seat in the waiting room; `name` is empty while nobody sits there."""

    name: str = ""
    ready: bool = False
    bot: bool = False
    you: bool = False
    opener: bool = False
    slow: bool = False
    """Whether who sits there asks for twice the time."""


@dataclass(frozen=True, slots=True)
class Room:
    """The waiting room. `code` and `addresses` are for the opener's screen, to be read aloud."""

    table: str
    game: str
    options: str
    """In short, as text: "dice 5, palifico on"."""
    seats: tuple[RoomSeat, ...]
    opener: bool
    """Whether this machine opened the table (and may start it, add and remove bots)."""
    code: str = ""
    addresses: tuple[str, ...] = ()
    fingerprint: bytes = b""
    """Of the table's keys: the same on every screen that sees the same keys."""
    awaited: tuple[Seat, ...] = ()
    """Who was at the last game of ours, and is not here for another."""
    warnings: tuple[str, ...] = ()
    """What everybody should know before it signs: sentences."""
    terms: tuple[tuple[str, str], ...] = ()
    """For the opener: what may be changed here, by its name, and how it is now."""


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """Somebody came, left or is ready; or the room opened again."""

    room: Room


@dataclass(frozen=True, slots=True)
class Started:
    """Everybody signed; the game begins, or we come back to it: then `before` are the sentences
    of what happened last. `me` is None for who looks on."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    me: Seat | None
    bots: tuple[Seat, ...] = ()
    """The seats that bots play."""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the game, its sentence as said to us, and what we saw at that instant.

    `rest` is how many seconds the client stays with it: `moments()` waits that long before the
    next moment unless `go_on()` is called.
    """

    event: Event
    sentence: str
    view: View
    rest: float = 0.0
    short: Brief | None = None
    """The sentence where there is little room, if the game has a short form of it."""
    beat: float = 0.0
    """How many seconds each beat of the view's stage has, within the rest."""


@dataclass(frozen=True, slots=True)
class Asked:
    """We are to move. `seconds` 0 is no limit; when time runs out the table plays the default."""

    question: Question
    view: View
    seconds: int = 0

    @property
    def is_window(self) -> bool:
        """Whether it is a moment to react in: short, and one key press does it."""
        return self.seconds > 0 and any(move.quick for move in self.question.moves())


@dataclass(frozen=True, slots=True)
class Seen:
    """What we see changed without an event: our dice were rolled, our cards dealt."""

    view: View


@dataclass(frozen=True, slots=True)
class Working:
    """Something among the peers takes a while, such as a shuffle: `who` is at it now, the
    `number`-th of `of`. When it is over, `who` is empty."""

    who: Seat = ""
    number: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class Settled:
    """The question is over: our answer in notation, and `by` whom it was given.

    Where the rules gave it, `why` says what was wrong with the other moves, as a clause.
    """

    notation: str
    by: Literal["player", "clock", "rules", "bot"]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Chat:
    """Somebody said something. Not a part of the record."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence from the table itself."""

    text: str
    role: Literal["sys", "good", "warn", "bad"] = "sys"


@dataclass(frozen=True, slots=True)
class Absent:
    """Whom the table waits for beyond their turn, for as long as this stands; nobody when that is
    over. `peers` are the machines that are still in the game, ours too; `alone`: none of the others
    can be reached; `unanswered`: nobody has answered since we came back. Who `looks_on` sees it as
    the machine does that shows the game."""

    absences: tuple[Absence, ...] = ()
    peers: int = 0
    alone: bool = False
    unanswered: bool = False
    looks_on: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """The session is over. `places` is None when the game had no result. `status` is the exit
    status of the command (0 done, 1 a check failed, 3 table lost or left)."""

    text: str
    status: int
    places: tuple[tuple[Seat, ...], ...] | None = None
    verified: bool | None = None
    together: Literal["", "won", "lost"] = ""
    """Of a game that all have won or lost together, which."""
    recap: Recap | None = None
    """The game in short, if it came to its end and has words for that."""


Moment = (
    RoomChanged | Started | Told | Seen | Asked | Settled | Working | Chat | Notice | Absent | Over
)


@dataclass(slots=True)
class Status:
    """The facts of the status line, kept up to date by the session."""

    table: str = ""
    seats: int = 0
    verified: bool | None = None
    """None while nothing was checked yet; False names its reason in `proof`."""
    proof: str = ""
    """Why it is (not) verified, a few sentences for F6 and /proof."""
    asked: tuple[Seat, ...] = ()
    """The seats, ours or others', whose answers are missing."""
    asked_at: float = 0.0
    """When they were asked, by the loop's clock, as this machine learned of it."""
    seconds: int = 0
    """How long they may take; 0 is no limit."""
    seconds_left: int | None = None
    """Of our own question."""
    away: list[Seat] = field(default_factory=list)
    gone: frozenset[Seat] = frozenset()
    """Without whom the game goes on."""
    _step: int = -1

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is, if it is that of one seat."""
        return self.asked[0] if len(self.asked) == 1 else None

    def follow(self, table: Table, seconds_left: int | None, now: float) -> None:
        """Take over what a table is like now. Whether it held in the end is for `record` to say."""
        self.table = table.charter.name
        self.seats = len(table.charter.seats)
        if self._step != table.step:
            self._step, self.asked_at = table.step, now
        self.asked, self.seconds = table.asked_seats(), table.seconds()
        self.seconds_left = seconds_left
        if table.fault is None and self.verified is None and table.started:
            self.verified = True
            self.proof = SOUND
