"""What is known of the cards of a table: by everybody (`Ledger`), and by one peer (`Keys`).

Rule 1: keys grow when somebody is lost, all at once, and the joint key stays. The time between two
losses is an epoch, counted from 1: `since` an epoch means what a key has become after it, and since
0 the whole key.
Rule 2: keys that are lost are forgotten with all that they encrypt, so that no share is asked for
that nobody can give. The cards stay what the script knows as live.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from sobremesa.core.crypto.group import Point, Q, Scalar, add, hash_to_point, scalars, subtract
from sobremesa.core.crypto.shuffle import Ciphertext
from sobremesa.core.encoding import Rand
from sobremesa.core.pieces import Card, Face, Seat

from .key_shares import KeyShares


class Keys:
    """One peer's secrets for the cards, from its seed and the step that makes the keys: x for
    shares of cards, v for what others encrypt to it."""

    def __init__(self, rand: Rand, context: bytes) -> None:
        secret = rand.secret("card-keys", context)
        self.v: Scalar = next(scalars(secret, "view"))
        self._epochs: list[Scalar] = [next(scalars(secret, "share"))]

    @property
    def x(self) -> Scalar:
        """The key of this epoch."""
        return self._epochs[-1]

    def portion(self, since: int) -> Scalar:
        """What the key has become since an epoch."""
        return (self.x - (self._epochs[since - 1] if since else 0)) % Q

    def take_over(self, share: Scalar) -> None:
        """Hold a share of a lost peer's key as a part of our own."""
        self._epochs.append((self.x + share) % Q)


class Share(NamedTuple):
    """What a peer has said of a card in the open: its key of an epoch times the card's a."""

    point: Point
    epoch: int


class PrivateShare(NamedTuple):
    """The same for one member alone. What was said in the open before is not in it."""

    pair: tuple[Point, Point]
    epoch: int


@dataclass(slots=True)
class Ledger:
    """What everybody knows of the cards: the keys, the live cards, the shares given."""

    epochs: list[dict[int, Point]] = field(default_factory=list)
    """X_j by peer, in each epoch."""
    views: dict[int, Point] = field(default_factory=dict)
    """V_j by peer."""
    joint: Point = b""
    key_shares: KeyShares = field(default_factory=dict)
    """Shares of the keys of this epoch; none while a loss could not be borne."""
    lost: tuple[int, ...] = ()
    """The peers with which the keys of live cards were lost."""
    cards: dict[Card, Ciphertext] = field(default_factory=dict)
    """The live cards whose keys are not lost."""
    shares: dict[Card, dict[int, Share]] = field(default_factory=dict)
    """Public shares of live cards, by peer."""
    private_shares: dict[Card, dict[tuple[int, int], PrivateShare]] = field(default_factory=dict)
    """Private shares of live cards, by giver and member."""
    shown: dict[Card, set[Seat]] = field(default_factory=dict)
    """The seats that see a live card."""
    faces: dict[Point, Face] = field(default_factory=dict)
    """Which face a point stands for."""

    @property
    def keys(self) -> dict[int, Point]:
        """X_j by peer, now; empty if there are none, or if they are lost."""
        return self.epochs[-1] if self.epochs else {}

    @property
    def epoch(self) -> int:
        """The epoch that it is."""
        return len(self.epochs)

    def portion(self, peer: int, since: int) -> Point:
        """What the key of a peer has become since an epoch."""
        key = self.keys[peer]
        return subtract(key, self.epochs[since - 1][peer]) if since else key

    def take_over(self, gone: int, present: Sequence[int]) -> None:
        """A new epoch: those who are present hold their shares of a lost peer's key as their own.
        `Σ S = X`, so the joint key stays."""
        grown = {i: add(self.keys[i], self.key_shares[gone, i].s) for i in present}
        self.epochs.append(grown)
        self.key_shares = {}

    def lose_keys(self, peers: Iterable[int]) -> None:
        """The keys are lost with these peers: nothing under them is ever opened."""
        if self.cards:
            self.lost += tuple(peers)
        self.joint = b""
        for book in (
            self.epochs, self.views, self.key_shares, self.cards, self.shares, self.private_shares,
        ):  # fmt: skip
            book.clear()

    def forget(self, card: Card) -> None:
        """A card that was shuffled away is dead: nobody gives a share of it any more."""
        for book in (self.cards, self.shares, self.private_shares, self.shown):
            book.pop(card, None)


@cache
def face_point(game: str, face: str) -> Point:
    """M_f: the same point for every copy of a face."""
    return hash_to_point("card", game, face)
