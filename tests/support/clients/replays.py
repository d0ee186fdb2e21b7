"""Replays and kept games for tests of the screens: what is shown there hangs on no message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from support.clients.sessions import FIVES, FixedChance, OpenSession
from support.peers.tabletop import make_charter

from sobremesa.cli.session.moments import Told
from sobremesa.cli.session.replay import Frame, Replay, hands_grid
from sobremesa.cli.session.tallies import Listing
from sobremesa.core.errors import BadTranscript
from sobremesa.core.replica.summary import End, Summary
from sobremesa.net.kept import Kept
from sobremesa.plugins import cinco_vidas

SEATS = ("Ana", "Bea", "Cai", "Dan")
MOVES = ("bid 1", "bid 2", "bid 1", "bid 2", "play JS", "play 9S", "play QS", "play 4S")


class DealtReplay(Replay):
    """A replay of Cinco Vidas with decided cards, up to the second trick, as two rounds."""

    def __init__(self, *, opens: bool = True, trouble: str = "", done: float = 1.0) -> None:
        self.game = cinco_vidas.GAME
        self.charter = make_charter(self.game, len(SEATS))
        self.frames, self.starts, self.remarks = [], [0], []
        self.opens, self.done = opens, done
        self.trouble = BadTranscript(trouble) if trouble else None
        session = OpenSession(self.game, "Ana", SEATS, FixedChance(3, FIVES))
        self._see_all(session, 0)
        for move in MOVES:
            seen = len(session.moments)
            session.play(move)
            self._see_all(session, seen)
        self.starts.append(5)

    def _see_all(self, session: OpenSession, seen: int) -> None:
        table = session.table
        for moment in session.moments[seen:]:
            if isinstance(moment, Told):
                held = self.game.pieces(table.run.state)
                hands = hands_grid(SEATS, held, table.all_faces) if self.opens else None
                view = self.game.view(table.run.state, None, table.faces(None))
                text = self.game.describe(moment.event, None)
                self.frames.append(Frame(text, view, hands))

    def read(self, seconds: float) -> bool:
        return False


OWN, BEA, CAI = (bytes([n]) * 32 for n in (1, 2, 3))
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def kept(
    number: int,
    *places: str,
    game: tuple[str, str] = ("dudo", "Liar's Dice"),
    end: End = "over",
    verified: bool | None = True,
) -> Kept:
    """A kept game of Ana (whose machine this is), Bea and Cai, in these places."""
    people = ((OWN, "Ana"), (BEA, "Bea"), (CAI, "Cai"))
    why = f"{places[0]} is the last with dice" if end == "over" else "Bea left the table"
    summary = Summary(
        number.to_bytes(16, "big"), "Kitchen", *game, people, (), 90, end, why,
        tuple((seat,) for seat in places) if end == "over" else (), verified=verified,
    )  # fmt: skip
    return Kept(Path(f"{number}.sobremesa"), NOON - timedelta(days=number), summary)


LIVES = ("cinco-vidas", "Cinco Vidas")


def some_games(more: Sequence[Kept] = ()) -> Listing:
    """A few kept games, the newest first."""
    games = (
        kept(1, "Ana", "Bea", "Cai"),
        kept(2, "Bea", "Ana", "Cai", game=LIVES),
        kept(3, "Ana", "Cai", "Bea", game=LIVES, verified=None),
        kept(4, end="broken off", verified=None),
        kept(5, "Cai", "Bea", "Ana", verified=False),
        *more,
    )
    return Listing(list(enumerate(games, 1)), OWN)
