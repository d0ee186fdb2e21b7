"""What one replica knows and works with: charter, script, cups, cards, and who sees what.

Rule 1: `vault` holds the randomness of those peers whose seeds this replica has: its own at a
table, everybody's in an audit, nobody's in a check from outside. What it lets us compute is kept
apart from what is public.
Rule 2: whoever is convicted by what a complete step shows is noted (`convicted`), and the exchange
goes on: what becomes of it is for the table to say, and never costs a script its place.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

from sobremesa.core.crypto.group import multiply
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
        self.convicted: list[PeerError] = []
        """Who was convicted by what complete steps showed, in the order in which it came out."""
        self._keys: dict[int, Keys] = {}
        self.seen: dict[Seat, dict[Piece, Face]] = {seat: {} for seat in run.seats}
        """Faces that the seats of the peers in the vault see, whether public or not."""
        run.on_disproof = self._disproved

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

    def makers(self, by: Iterable[Seat] | None) -> tuple[int, ...]:
        """The peers that make a toss or roll: those present that play these seats, or all that are
        present if there is none."""
        named = self.present if by is None else self.owners(by)
        return tuple(peer for peer in named if peer in self.present) or self.present

    def lose(self, gone: frozenset[int]) -> None:
        """These peers are gone from this step on. The others take over the card keys of one, if
        they hold shares of them."""
        self.present = tuple(peer for peer in self.present if peer not in gone)
        lost = sorted(gone & self.ledger.keys.keys())
        if len(lost) == 1 and self.ledger.key_shares:
            self._take_over(lost[0])
        elif lost:
            self.ledger.lose_keys(lost)

    def _take_over(self, gone: int) -> None:
        for holder, keys in self._keys.items():
            if holder in self.present:
                share = self.ledger.key_shares[gone, holder]
                s = share.opened(multiply(keys.v, share.e))
                assert s is not None, "nobody complained of this share"
                keys.take_over(s)
        self.ledger.take_over(gone, self.present)

    @property
    def backup(self) -> bool:
        """Whether the others are to hold shares of each peer's card key; two peers cannot."""
        return self.charter.settings.backup and len(self.present) > 2

    def draw_keys(self, context: bytes) -> None:
        """New card keys for the peers in the vault, in the step of this context."""
        self._keys = {
            peer: Keys(rand, context) for peer, rand in self.vault.items() if peer in self.present
        }

    def secrets(self, peer: int) -> Keys:
        """The card keys of a peer in the vault."""
        return self._keys[peer]

    def faces(self, seat: Seat | None) -> Faces:
        """What a seat may see, as far as this replica knows it; None is a spectator."""
        return ChainMap(self.seen[seat], self.run.faces) if seat is not None else self.run.faces

    @property
    def known(self) -> Faces:
        """All the faces that this replica can tell."""
        return ChainMap(*self.seen.values(), self.run.faces)

    def learn(self, seat: Seat, faces: Mapping[Piece, Face]) -> None:
        """Faces that a seat sees, told by a seed in the vault."""
        self.seen[seat].update(faces)

    def publish(self, faces: Mapping[Piece, Face]) -> None:
        """Faces that are public from now on, and what they settle."""
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

    def convict(self, peer: int, fault: type[PeerError], why: str) -> None:
        """Note the fault of a peer that the step which is complete now shows. The messages of
        complete steps prove it."""
        self.convicted.append(fault(self.charter.name_of(peer), self.step - 1, why))

    def _disproved(self, error: Disproof) -> None:
        """What disproves a seat is the fault of the peer that plays it. For one that is gone the
        rules spoke, and it has nothing more to lose."""
        peer = self.charter.owner(error.seat)
        if peer in self.present:
            self.convict(peer, FAULTS[type(error)], error.why)
