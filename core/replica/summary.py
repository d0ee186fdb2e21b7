"""What a record tells in short: who played what, and how it ended.

Rule 1: it is computed from what the record itself tells, by the table that lived it or by one that
plays it again.
Rule 2: playing it again for this checks no proof and opens no seed; whether a record holds is for
`audit` to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self

from sobremesa.core.encoding import pack, unpack
from sobremesa.core.errors import BadMessage, SobremesaError, TooFarAhead
from sobremesa.core.game import Game, Outcome
from sobremesa.core.pieces import Seat

from .charter import Charter
from .steps import Body, Step
from .table import Table
from .transcript import read_transcript

End = Literal["over", "broken off", "unknown"]


@dataclass(frozen=True, slots=True)
class Summary:
    """A record in short. `people` are the peers' keys and names, in the charter's order; `end` is
    "unknown" where the game cannot be played again here. `why` is a clause: the outcome's reason,
    or why there is none. `verified` is None while nobody has checked."""

    table: bytes
    name: str
    game: str
    title: str
    people: tuple[tuple[bytes, Seat], ...]
    bots: tuple[Seat, ...]
    messages: int
    end: End
    why: str
    places: tuple[tuple[Seat, ...], ...] = ()
    together: Literal["", "won", "lost"] = ""
    verified: bool | None = None

    @property
    def is_alone(self) -> bool:
        """Whether one machine played every seat."""
        return len(self.people) == 1

    def place(self, seat: Seat) -> int | None:
        """In which place a seat came, from 1; those who share one count before the next."""
        place = 1
        for seats in self.places:
            if seat in seats:
                return place
            place += len(seats)
        return None

    @property
    def is_ranking(self) -> bool:
        """Whether somebody came before somebody else."""
        return len(self.places) > 1

    def won(self, seat: Seat) -> bool:
        """Whether a seat won, with others too; a result that everybody shares is won by nobody."""
        return self.together == "won" or (self.is_ranking and self.place(seat) == 1)

    def encode(self) -> bytes:
        """As bytes, for `decode`."""
        return pack(
            [
                *(self.table, self.name, self.game, self.title),
                [list(person) for person in self.people],
                list(self.bots),
                *(self.messages, self.end, self.why),
                [list(seats) for seats in self.places],
                *(self.together, self.verified),
            ]
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read what `encode` wrote.

        :raises ValueError: if the bytes are anything else
        """
        try:
            table, name, game, title, people, bots, messages, end, why, places, *rest = unpack(data)
            persons = tuple((bytes(key), str(seat)) for key, seat in people)
            ranking = tuple(map(tuple, places))
            return cls(
                *(table, name, game, title, persons, tuple(bots), messages, end, why),
                *(ranking, *rest),
            )
        except TypeError as error:
            raise ValueError("no summary") from error


def summarize(table: Table, verified: bool | None = None) -> Summary:
    """A table as it stands, in short."""
    charter, outcome = table.charter, table.outcome
    count = len(table.messages()) + len(table.evidence)
    if table.fault is not None:
        return _summary(charter, table.game, count, "broken off", str(table.fault), verified)
    if outcome is None:
        why = str(table.ended or "it was left before its end")
        return _summary(charter, table.game, count, "broken off", why, verified)
    return _summary(charter, table.game, count, "over", outcome.reason, verified, outcome)


def summary_of(data: bytes, find_game: Callable[[str], Game[Any]]) -> Summary:
    """A transcript file in short. `find_game` gives the game of an id, or raises a `LocalError`.

    :raises BadTranscript: if the file's form is damaged
    :raises BadCharter: if its charter is
    """
    charter, messages, evidence = read_transcript(data)
    records = [*messages, *evidence]
    try:
        table = Table(charter, find_game(charter.game), check=only_form)
    except SobremesaError as error:
        return _summary(charter, None, len(records), "unknown", str(error), None)
    table.start()
    try:
        for payload, signature in records:
            table.receive(payload, signature)
    except (BadMessage, TooFarAhead):
        pass  # what stands before it is told
    return summarize(table)


def only_form(step: Step, peer: int, body: Body) -> None:
    """Check what can be checked at once: the proofs would be worked off by whoever wants."""
    step.check(peer, body)


def _summary(
    charter: Charter,
    game: Game[Any] | None,
    messages: int,
    end: End,
    why: str,
    verified: bool | None,
    outcome: Outcome | None = None,
) -> Summary:
    return Summary(
        charter.table,
        charter.name,
        charter.game,
        charter.game if game is None else game.title,
        tuple((peer.key, charter.name_of(index)) for index, peer in enumerate(charter.peers)),
        tuple(plan.name for plan in charter.seats if plan.bot),
        messages,
        end,
        why,
        () if outcome is None else outcome.places,
        "" if outcome is None else outcome.together,
        verified,
    )
