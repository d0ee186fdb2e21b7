"""Tables of sealed cards, and the same games on an open table.

Rule 1: a `CardTable` keeps what chance gave, so that a `Twin` can play the same game openly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from support.peers.tabletop import Tabletop

from sobremesa.core.crypto.group import Q, multiply, subtract
from sobremesa.core.game import Game, Options
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Card, Face, Piece, Seat
from sobremesa.core.questions import Answer
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.ledger import Keys
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import (
    Shuffle,
    Toss,
)


class CardTable(Tabletop):
    """Peers at a sealed table, with or without backup of their keys."""

    def __init__(self, *args: Any, backup: bool = True, **more: Any) -> None:
        self._backup = backup
        self.chances: list[Any] = []
        """What chance gave while all were there: numbers tossed, faces of shuffled cards in their
        order."""
        super().__init__(*args, **more)

    @property
    def charter(self) -> Charter:
        return self._charter

    @charter.setter
    def charter(self, charter: Charter) -> None:
        settings = replace(charter.settings, backup=self._backup)
        self._charter = replace(charter, settings=settings)

    def replica(self, peer: int) -> Table:
        table = super().replica(peer)
        if peer == 0:
            self._keep_chances(table)
        return table

    def keys(self, peer: int) -> Keys:
        """The secrets of a peer, which only a test may know of all."""
        return self.tables[peer].replica_state.secrets(peer)

    def face(self, table: Table, card: Card) -> Face:
        """What a live card is, by everybody's secrets."""
        a, b = table.replica_state.ledger.cards[card]
        everybodys = sum(self.keys(peer).x for peer in self.seeds) % Q
        return table.replica_state.ledger.faces[subtract(b, multiply(everybodys, a))]

    def _keep_chances(self, table: Table) -> None:
        run, self.chances = table.replica_state.run, []
        resume = run.resume

        def told(result: Any) -> None:
            if table.departures:
                pass  # the keys of who is gone are in other hands
            elif isinstance(run.request, Shuffle):
                self.chances.append([self.face(table, card) for card in result])
            elif isinstance(run.request, Toss):
                self.chances.append(result)
            resume(result)

        run.resume = told  # type: ignore[method-assign]

    def settle(self) -> None:
        """Deliver everything, so that all rest at the same questions."""
        while full := [way for way, wire in self.lines.items() if wire.queue]:
            self.deliver(full[0])

    def pauses(self, most: int | None = None) -> Iterator[Pause]:
        """Play the game, at most so many pauses of it. Who asks sees each moment at which
        everybody waits for players."""
        self.settle()
        for _ in count() if most is None else range(most):
            asked = [(i, seat) for i, table in enumerate(self.tables) for seat in table.asked]
            if not asked:
                return
            pause = Pause({seat: dict(self.tables[i].faces(seat)) for i, seat in self.owned()})
            yield pause
            for i, seat in asked:
                question, step = self.tables[i].asked[seat], self.tables[i].step
                self.answer(i, seat)
                pause.answers[seat] = question.read_notation(self.recorded[i][step, seat])
            self.settle()

    def owned(self) -> list[tuple[int, Seat]]:
        """Each seat with its peer."""
        return [(plan.peer, plan.name) for plan in self.charter.seats]


@dataclass(slots=True)
class Pause:
    """A moment of a sealed table at which all wait for players: the faces that each seat sees,
    and the answers that were given then."""

    faces: dict[Seat, dict[Piece, Face]]
    answers: dict[Seat, Answer] = field(default_factory=dict)


class Twin(OpenTable):
    """The open table with the chances of a sealed one."""

    def __init__(
        self, game: Game[Any], seats: tuple[Seat, ...], options: Options, chances: list[Any]
    ):
        self._chances = iter(chances)
        super().__init__(game, seats, options, _AsGiven(self._chances))

    def _shuffle(self, shuffle: Shuffle) -> tuple[Card, ...]:
        made = super()._shuffle(shuffle)
        order: Sequence[Face] = next(self._chances)
        assert sorted(order) == sorted(self.all_faces[card] for card in made), "not these cards"
        for card, face in zip(made, order, strict=True):
            self.all_faces[card] = face
            for seen in self._seen.values():
                if card in seen:
                    seen[card] = face
        return made


class _AsGiven:
    """Tosses as they came; shuffles are put right by the twin."""

    def __init__(self, chances: Iterator[Any]) -> None:
        self._chances = chances

    def toss(self, n: int, label: str) -> int:
        tossed: int = next(self._chances)
        return tossed

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("a card game rolls no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        return faces


def play_openly(
    table: CardTable, pauses: Sequence[Pause], look: Callable[[int, Twin], None]
) -> Twin:
    """Play what was played at a sealed table on the open one, with the same chance and answers;
    `look(number, twin)` is called at each pause."""
    charter = table.charter
    twin = Twin(table.game, charter.seat_names, dict(charter.options), table.chances)
    for number, pause in enumerate(pauses):
        assert twin.asked.keys() == pause.answers.keys()
        look(number, twin)
        for seat, answer in pause.answers.items():
            twin.answer(seat, answer)
    return twin
