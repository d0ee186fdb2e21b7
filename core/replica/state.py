"""What one replica knows and works with: charter, script, cups, cards, and who sees what.

Rule 1: `vault` holds the randomness of those peers whose seeds this replica has: its own at a
table, everybody's in an audit, nobody's in a check from outside. What it lets us compute is kept
apart from what is public.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from sobremesa.core.encoding import Pick, Rand, blocks, frame, pack, picking
from sobremesa.core.errors import Disproof, DisprovedAnswer, DisprovedClaim
from sobremesa.core.parts import own_code
from sobremesa.core.pieces import Die, Face, Faces, Piece, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.script import ScriptRun

from .charter import Charter
from .cups import Cup
from .faults import FalseClaim, PeerError, PlayedIllegally
from .ledger import Keys, Ledger

FAULTS: Mapping[type[Disproof], type[PeerError]] = {
    DisprovedAnswer: PlayedIllegally,
    DisprovedClaim: FalseClaim,
}
"""What a seat's disproof is for the peer that plays it."""


class ReplicaState:
    """One replica's working state. `step` and `head` are those of the step that is due."""

    def __init__(self, charter: Charter, run: ScriptRun, vault: Mapping[int, Rand]) -> None:
        self.charter = charter
        self.run = run
        self.vault = vault
        self.present: tuple[int, ...] = tuple(range(len(charter.peers)))
        """Peers that no certificate declared gone, in order."""
        self.step = 0
        self.head = charter.root()
        self.cups: dict[Die, Cup] = {}
        self.ledger = Ledger()
        self.backup = charter.settings.backup and len(charter.peers) > 2
        """Whether the others hold shares of each peer's card key; two peers cannot."""
        self._keys: dict[int, Keys] = {}
        self.seen: dict[Seat, dict[Piece, Face]] = {seat: {} for seat in run.seats}
        """Faces that the seats of the peers in the vault see, whether public or not."""

    def lose(self, gone: Iterable[int]) -> None:
        """A certificate names these peers: nothing comes from them any more."""
        self.present = tuple(peer for peer in self.present if peer not in set(gone))

    def context(self) -> bytes:
        """What binds a commitment to this table, this history and this step."""
        return frame("context", self.charter.table, self.head, self.step)

    def pick(self, seat: Seat) -> Pick:
        """Chance for the bot of a seat in this step, the same whenever it is asked. It follows from
        the seed of the seat's peer, which is in the vault; nothing else does from this stream."""
        rand = self.vault[self.charter.owner(seat)]
        return picking(blocks(rand.secret("bot", self.context(), seat)))

    def among(self, peer: int, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Those of the seats that the peer plays, in seat order."""
        wanted = set(seats)
        return tuple(seat for seat in self.charter.seats_of(peer) if seat in wanted)

    def owners(self, seats: Iterable[Seat]) -> tuple[int, ...]:
        """The peers that play these seats, in order."""
        return tuple(sorted({self.charter.owner(seat) for seat in seats}))

    def secrets(self, peer: int) -> Keys:
        """The card keys of a peer in the vault."""
        if peer not in self._keys:
            others = [i for i in range(len(self.charter.peers)) if i != peer and self.backup]
            self._keys[peer] = Keys(self.vault[peer], self.charter.table, others)
        return self._keys[peer]

    def faces(self, seat: Seat | None) -> Faces:
        """What a seat may see, as far as this replica knows it; None is a spectator."""
        return ChainMap(self.seen[seat], self.run.faces) if seat is not None else self.run.faces

    @property
    def known(self) -> dict[Piece, Face]:
        """All the faces that this replica can tell."""
        return {**self.run.faces, **{p: f for seen in self.seen.values() for p, f in seen.items()}}

    def learn(self, seat: Seat, faces: Mapping[Piece, Face]) -> None:
        """Faces that a seat sees, told by a seed in the vault."""
        self.seen[seat].update(faces)

    def publish(self, faces: Mapping[Piece, Face]) -> None:
        """Faces that are public from now on, and what they settle.

        :raises PeerError: naming the peer that claimed or played what they disprove
        """
        with self.judging():
            self.run.publish(faces)

    def settle(self, seat: Seat, question: Question, answer: Answer) -> Answer:
        """Take an answer that was checked, and remember to judge it again if it must be."""
        self.run.remember_answer(seat, question, answer, self.seen_by(seat))
        return answer

    def seen_by(self, seat: Seat) -> Iterable[Piece]:
        """The pieces whose faces a seat sees, whether this replica knows them or not."""
        dice = [die for die in self.cups if die.seat == seat or die in self.run.faces]
        cards = self.ledger.shown.items()
        return [*dice, *(card for card, who in cards if seat in who or card in self.run.faces)]

    def public(self) -> bytes:
        """The game's public state, packed.

        :raises ScriptError: if the plugin breaks on it
        """
        with own_code(self.run.game.title, "public state"):
            return pack(self.run.game.public(self.run.state))

    def blame(self, peer: int, fault: type[PeerError], why: str) -> PeerError:
        """The fault of a peer that the step which is complete now shows, to be raised. The
        messages of complete steps prove it."""
        return fault(self.charter.name_of(peer), self.step - 1, why)

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Makes what disproves a seat the fault of the peer that plays it.

        :raises PeerError: naming that peer
        """
        try:
            yield
        except Disproof as error:
            raise self.blame(
                self.charter.owner(error.seat), FAULTS[type(error)], error.why
            ) from error
