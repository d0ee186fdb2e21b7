"""A record as somebody looks at it: what happened, what was seen then, and what everybody held.

Rule 1: it is read in slices, so that the first of it is there at once however long it is.
Rule 2: what can be told of a damaged or unfinished record is told, and then what is wrong.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sobremesa.core.errors import BadMessage, BadTranscript, TooFarAhead
from sobremesa.core.game import Game
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import expect_whole
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.retelling import RevealedSeeds, retell
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Record, read_transcript
from sobremesa.core.requests import Event
from sobremesa.core.views import Block, Cards, Dice, Grid, View

from .moments import Moment, Notice
from .news import News


@dataclass(frozen=True, slots=True)
class Frame:
    """One event: its sentence, what was seen at that instant, what everybody held as far as the
    record tells."""

    text: str
    view: View
    hands: Grid | None


class Replay:
    """A record being read. `frames` grow with each `read`; `trouble` is what is wrong with it."""

    def __init__(self, data: bytes, find_game: Callable[[Charter], Game[Any]]) -> None:
        """:raises BadTranscript: if the file's start is damaged
        :raises BadCharter: if its charter is
        :raises LocalError: if its game is not here
        """
        self.charter, self._records, self._evidence = read_transcript(data)
        self.game = find_game(self.charter)
        self.frames: list[Frame] = []
        self.starts: list[int] = []
        """The first frame of each round."""
        self.trouble: PeerError | BadTranscript | None = None
        self.remarks: list[str] = []
        """What broke of the game's own code, sentences."""
        self.opens = False
        """Whether seeds are there, which tell what was hidden."""
        self.done = 0.0
        """How much of it was read, from 0 to 1."""
        self._size = 2 * len(data)
        self._news = News(self.game, self._hear)
        self._blocks: dict[Block, Block] = {}
        self._marks = 0
        self._work = self._read()

    def read(self, seconds: float) -> bool:
        """Read on for so long; whether there is more."""
        until = time.monotonic() + seconds
        for _ in self._work:
            if time.monotonic() >= until:
                return True
        self.done = 1.0
        return False

    def round_at(self, place: int) -> int:
        """The round of a frame, from 0."""
        return max(0, bisect_right(self.starts, place) - 1)

    def _read(self) -> Iterator[None]:
        try:
            yield from self._tell()
        except (PeerError, BadTranscript) as error:
            self.trouble = error

    def _tell(self) -> Iterator[None]:
        seeds = RevealedSeeds(self.charter)
        records: list[Record] = []
        trouble: BadTranscript | None = None
        try:
            for some in (self._records, self._evidence):
                for record in some:
                    seeds.look(record[0])
                    records.append(record)
                    self._count(record)
                    yield
        except BadTranscript as error:
            trouble = error
        self.opens = bool(seeds.found)
        number = 0
        table: Table | None = None
        try:
            told = retell(self.charter, self.game, records, seeds.found, self._see)
            for number, table in enumerate(told, 1):
                self._count(records[number - 2] if number > 1 else (b"", b""))
                if table.fault is not None:
                    raise table.fault
                yield
        except (BadMessage, TooFarAhead) as error:
            raise trouble or BadTranscript(f"record {number} is {error}") from error
        assert table is not None
        if trouble is not None:
            raise trouble
        if table.ended is not None:
            raise BadTranscript(str(table.ended))
        expect_whole(table)

    def _count(self, record: Record) -> None:
        self.done += sum(map(len, record)) / self._size

    def _see(self, table: Table, event: Event) -> None:
        """An event, while the script rests at it."""
        view = self._news.draw(table, "")
        blocks = tuple(self._blocks.setdefault(block, block) for block in view.blocks)
        run = table.replica_state.run
        if run.rounds != self._marks or not self.starts:
            self._marks = run.rounds
            self.starts.append(len(self.frames))
        text = self._news.describe(event, "")
        self.frames.append(Frame(text, View(view.phase, blocks), self._hands(table)))

    def _hands(self, table: Table) -> Grid | None:
        """What lies before each seat."""
        if table.state is None or not self.opens:
            return None
        known = table.replica_state.known
        try:
            with own_code(self.game.title, "pieces"):
                held = self.game.pieces(table.state)
                grid = hands_grid(self.charter.seat_names, held, known)
        except PartBroke as error:
            self._news.warn(f"{error}; hands are not shown")
            return None
        return grid

    def _hear(self, moment: Moment) -> None:
        if isinstance(moment, Notice):
            self.remarks.append(moment.text)


def hands_grid(
    seats: Sequence[Seat], held: Mapping[Seat, Sequence[Piece | None]], known: Faces
) -> Grid | None:
    """What lies before each seat, as far as its faces are known."""
    rows = tuple(
        (seat, _shown(tuple(None if piece is None else known.get(piece) for piece in pieces)))
        for seat in seats
        if (pieces := held.get(seat))
    )
    return Grid(("", ""), rows, "Hands", area="hand") if rows else None


def _shown(faces: tuple[Face | None, ...]) -> Cards | Dice:
    if any(isinstance(face, int) for face in faces):
        return Dice(tuple(face if isinstance(face, int) else None for face in faces))
    return Cards(tuple(face if isinstance(face, str) else None for face in faces))
