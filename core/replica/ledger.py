"""What is known of the cards of a table: by everybody (`Ledger`), and by one peer (`Keys`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from sobremesa.core.crypto.group import Point, Q, Scalar, hash_to_point, scalars
from sobremesa.core.crypto.shuffle import Ciphertext
from sobremesa.core.encoding import Rand
from sobremesa.core.pieces import Card, Face, Seat


class Keys:
    """One peer's secrets at a table, from its seed: x for shares of cards, v for what others
    encrypt to it, and the shares of x that the others hold."""

    def __init__(self, rand: Rand, table: bytes, others: Sequence[int]) -> None:
        """`others` are the peers that hold a key share; none: there is no backup."""
        secret = rand.secret("card-keys", table)
        self.v: Scalar = next(scalars(secret, "view"))
        self.key_shares: dict[int, Scalar] = {
            holder: next(scalars(secret, "key-share", holder)) for holder in others
        }
        self.x: Scalar = (
            sum(self.key_shares.values()) % Q if others else next(scalars(secret, "share"))
        )


@dataclass(slots=True)
class Ledger:
    """What everybody knows of the cards: the keys, the live cards, the shares given."""

    keys: dict[int, Point] = field(default_factory=dict)
    """X_j by peer."""
    views: dict[int, Point] = field(default_factory=dict)
    """V_j by peer."""
    joint: Point = b""
    cards: dict[Card, Ciphertext] = field(default_factory=dict)
    """The live cards."""
    shares: dict[Card, dict[int, Point]] = field(default_factory=dict)
    """Public shares of live cards, by peer."""
    private_shares: dict[Card, dict[tuple[int, int], tuple[Point, Point]]] = field(
        default_factory=dict
    )
    """Private shares of live cards, by giver and member."""
    shown: dict[Card, set[Seat]] = field(default_factory=dict)
    """The seats that see a live card."""
    faces: dict[Point, Face] = field(default_factory=dict)
    """Which face a point stands for."""

    def forget(self, card: Card) -> None:
        """A card that was shuffled away is dead: nobody gives a share of it any more."""
        for book in (self.cards, self.shares, self.private_shares, self.shown):
            book.pop(card, None)


@cache
def face_point(game: str, face: str) -> Point:
    """M_f: the same point for every copy of a face."""
    return hash_to_point("card", game, face)
