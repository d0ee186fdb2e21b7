"""Covered cups: what everybody knows of one, and what opens it."""

from __future__ import annotations

from dataclasses import dataclass

from sobremesa.core.encoding import Rand, below, blocks, digest
from sobremesa.core.pieces import Die, Face, Piece, Seat


@dataclass(frozen=True, slots=True)
class Cup:
    """What everybody knows of a covered cup, enough to check the secret that opens it."""

    seat: Seat
    dice: tuple[Die, ...]
    sides: int
    context: bytes
    commitment: bytes
    nonces: bytes
    """A hash of all peers' nonces, in peer order."""

    def fits(self, secret: bytes) -> bool:
        """Whether the secret is the one that the owner committed to."""
        return cup_commitment(self.context, self.seat, secret) == self.commitment

    def faces(self, secret: bytes) -> dict[Piece, Face]:
        """What the dice show under this secret."""
        stream = blocks(secret, "dice", self.context, self.nonces, self.seat)
        return {die: below(self.sides, stream) + 1 for die in self.dice}


def cup_secret(rand: Rand, context: bytes, seat: Seat) -> bytes:
    """The owner's secret of a cup, 32 bytes."""
    return rand.secret("dice-secret", context, seat)


def cup_commitment(context: bytes, seat: Seat, secret: bytes) -> bytes:
    return digest("dice-secret", context, seat, secret)


def nonce_commitment(context: bytes, peer: int, nonce: bytes) -> bytes:
    return digest("dice-nonce", context, peer, nonce)
