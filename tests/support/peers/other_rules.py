"""The rules of ballots with one of them another, and how that parts honest peers.

Rule 1: a class has one rule that is another; everything else is `core/replica/poll.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from support.peers.ballots import NOBODY, Model, Said

from sobremesa.core.replica.poll import Act, Ballot, Done, Hold, Peers, Poll, Stand


def peers(*numbers: int) -> Peers:
    return frozenset(numbers)


ZERO = peers(0)


class Another(Poll):
    """A poll in which one rule is another."""

    def plain(self, **changes: object) -> Poll:
        """What the rules say, of what may be changed."""
        known = {name: getattr(self, name) for name in Poll.__dataclass_fields__}
        return Poll(**{**known, **changes})

    def without(self, me: int, kind: type[Act]) -> dict[int, Stand]:
        """The stands, without one's own acts of a kind."""
        mine = tuple(act for act in self.stands.get(me, ()) if not isinstance(act, kind))
        return {**self.stands, me: mine}


class LooksAtTheLast(Another):
    """Only one's last ballot counts."""

    def _not_dead(self, peer: int) -> list[Peers]:
        return [gone for gone in self.ballots(peer)[-1:] if not self.is_dead(gone, peer)]


class SignsAnything(Another):
    """A ballot need not contain those that one has signed, and everybody takes it."""

    def follows(self, peer: int, stand: Stand, known: Mapping[int, bytes]) -> bool:
        return True

    def may_sign(self, me: int, gone: Peers) -> bool:
        stands = self.without(me, Ballot)
        return gone not in self.ballots(me) and self.plain(stands=stands).may_sign(me, gone)


class SignsAgainstHeld(Another):
    """A ballot may name somebody whose message one holds."""

    def may_sign(self, me: int, gone: Peers) -> bool:
        valid = {peer: hash_ for peer, hash_ in self.valid.items() if peer not in gone}
        return self.plain(valid=valid, stands=self.without(me, Hold)).may_sign(me, gone)


class HoldsAgainstItself(Another):
    """One holds a message against one's own ballot."""

    def owed_holds(self, me: int, lost: Peers = NOBODY) -> list[Hold]:
        return self.plain(stands=self.without(me, Ballot)).owed_holds(me, lost)


class CountsMessages(Another):
    """All messages decide, whatever one has signed."""

    def decision(self, me: int | None) -> Peers | None:
        return NOBODY if self.expected <= self.counted else super().decision(me)


class NeedsMajorityAlone(Another):
    """A ballot is complete without the signatures of all outside."""

    def is_complete(self, gone: Peers) -> bool:
        signed = [peer for peer in self.present - gone if gone in self.ballots(peer)]
        return 2 * len(signed) > len(self.present)


class NeedsNoMajority(Another):
    """A ballot is complete with all outside, however few."""

    def is_complete(self, gone: Peers) -> bool:
        return all(gone in self.ballots(peer) for peer in self.present - gone)

    def may_sign(self, me: int, gone: Peers) -> bool:
        return me not in gone and self.plain(left=set(gone)).may_sign(me, gone)


class HoldsOfThoseInside(Another):
    """A ballot dies of a hold by somebody whom it names."""

    def is_dead(self, gone: Peers, signer: int | None = None) -> bool:
        return any(held in gone and peer != signer for peer, held in self.holds())


class DiesOfDone(Another):
    """A ballot is dead when somebody outside has decided."""

    def is_dead(self, gone: Peers, signer: int | None = None) -> bool:
        done = {p for p, stand in self.stands.items() if stand and isinstance(stand[-1], Done)}
        return bool(done - gone - {signer}) or super().is_dead(gone, signer)


class FollowsAnybody(Another):
    """One follows whoever has decided, also whom one's last ballot names."""

    def _told(self, me: int) -> Iterator[Peers]:
        return self.plain(stands=self.without(me, Ballot))._told(me)


class FarewellDecides(Another):
    """A farewell takes the place of a message by itself."""

    def decision(self, me: int | None) -> Peers | None:
        decided = super().decision(me)
        gone = frozenset(self.left) & self.lacking()
        if decided is None and gone and me not in gone and not self.ballots(me or 0):
            return gone if self.expected - gone <= self.counted else None
        return decided


NEEDED: dict[type[Poll], Model] = {
    SignsAgainstHeld: Model(3, (ZERO,)),
    HoldsAgainstItself: Model(3, (ZERO,)),
    CountsMessages: Model(3, (ZERO,)),
    NeedsNoMajority: Model(3, (peers(0, 1, 2),)),
    DiesOfDone: Model(3, (ZERO,)),
    FollowsAnybody: Model(3, (ZERO,)),
    FarewellDecides: Model(3, (ZERO,), leaving=True),
}
"""Rules without which something parts honest peers soon."""


TWO = peers(2)
TRACES: dict[type[Poll], tuple[Model, list[Said]]] = {
    LooksAtTheLast: (
        Model(5, (peers(0, 2),)),
        [
            *(("sign", peer, TWO) for peer in (0, 1, 3, 4)),
            *(("hear", 4, ("stand", peer)) for peer in (0, 1, 3)),
            ("send", 0, None),
            ("hear", 4, ("message", 0)),
            ("decide", 4, TWO),
            ("sign", 3, peers(0, 2)),
            ("hear", 1, ("stand", 3)),
            ("hear", 1, ("message", 0)),
            ("hold", 1, 0),
            ("send", 2, None),
            *(("hear", 3, what) for what in (("stand", 1), ("message", 0), ("message", 2))),
            ("decide", 3, NOBODY),
        ],
    ),
    HoldsOfThoseInside: (
        Model(5, (peers(0, 1),)),
        [
            *(("sign", peer, peers(0, 1)) for peer in (2, 3, 4)),
            *(("hear", 2, ("stand", peer)) for peer in (3, 4)),
            ("decide", 2, peers(0, 1)),
            ("send", 0, None),
            ("send", 1, None),
            ("hear", 1, ("stand", 2)),
            ("hear", 1, ("message", 0)),
            ("hold", 1, 0),
            *(("hear", 3, what) for what in (("message", 0), ("message", 1), ("stand", 1))),
            ("decide", 3, NOBODY),
        ],
    ),
    NeedsMajorityAlone: (
        Model(5, (ZERO,)),
        [
            *(("sign", peer, ZERO) for peer in (1, 2, 3)),
            *(("hear", 1, ("stand", peer)) for peer in (2, 3)),
            ("decide", 1, ZERO),
            ("send", 0, None),
            ("hear", 4, ("message", 0)),
            ("decide", 4, NOBODY),
        ],
    ),
    SignsAnything: (
        Model(4, (peers(0, 1),)),
        [
            *(("sign", peer, ZERO) for peer in (1, 2, 3)),
            *(("sign", peer, peers(1)) for peer in (0, 2, 3)),
            ("send", 0, None),
            ("send", 1, None),
            *(("hear", 0, ("stand", peer)) for peer in (2, 3)),
            *(("hear", 1, ("stand", peer)) for peer in (2, 3)),
            ("decide", 0, peers(1)),
            ("decide", 1, ZERO),
        ],
    ),
}
"""How honest peers part with another rule where it takes too many moves to find by search."""
