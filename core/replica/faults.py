"""What a peer did wrong, and how it is proven.

Rule 1: a `PeerError` is made once and whole, where the fault is proven, and never changed.
Rule 2: who checks one message does not know whose it is or when it came: it raises a `Finding`,
of which whoever holds the message makes the `PeerError`.
Rule 3: a fault that rests on the rules convicts nobody where machines play by different copies of
them: it is a `Disagreement` (`verdict`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from sobremesa.core.errors import SobremesaError, TableEnded

from .charter import Charter
from .transcript import STAND, Message


class PeerError(SobremesaError):
    """A peer broke the protocol or the rules, and its own signature proves it.

    `peer` is its name in the charter, `step` where it happened, `why` the finding as a clause
    that follows the name, `proof` the signed messages that anybody can check again.
    """

    stands_alone: ClassVar[bool] = False
    """Whether it is one by any copy of the game: it lies in what the peer signed, and not in what
    the rules made of that."""

    def __init__(self, peer: str, step: int, why: str, proof: tuple[Message, ...] = ()) -> None:
        super().__init__(peer, step, why)
        self.peer = peer
        self.step = step
        self.why = why
        self.proof = proof

    def __str__(self) -> str:
        return f"{self.peer} {self.why} (step {self.step})"


class Equivocation(PeerError):
    """Two messages that contradict each other (`Message.contradicts`)."""

    stands_alone = True

    @classmethod
    def of(cls, charter: Charter, one: Message, other: Message) -> Equivocation:
        """The fault that two messages of one peer prove by themselves."""
        name = charter.name_of(one.peer)
        proof = tuple(sorted((one, other), key=lambda message: (message.step, message.payload)))
        why = "sent two different messages for one step"
        if one.step != other.step:
            why = "left, and signed for a later step"
        elif STAND in (one.kind, other.kind):
            why = "told some one thing of a step and others another"
        return cls(name, proof[0].step, why, proof)


class OutOfTurn(PeerError):
    """A message that nobody waits for from this peer."""


class Malformed(PeerError):
    """A signed message whose content has the wrong shape."""


class BadReveal(PeerError):
    """A revealed number, nonce or seed that does not match its commitment, of which each peer has
    one."""

    stands_alone = True


class BadOpening(PeerError):
    """Something opened that does not match its commitment. Which of several is due, say the
    rules."""


class PlayedIllegally(PeerError):
    """An answer that the rules refuse."""


class Diverged(PeerError):
    """A digest of the public state that is not ours: the peer plays by other rules."""


class FalseClaim(PeerError):
    """A claim about hidden faces that turned out to be false."""


class BadProof(PeerError):
    """A proof that does not hold for the cards that it is due for."""


class BadKey(PeerError):
    """A card key, or something about one, that is not proven."""

    stands_alone = True


class BadKeyShare(PeerError):
    """A share of a key that its holder could not use."""

    stands_alone = True


class BadComplaint(PeerError):
    """A complaint about a key share that is right."""

    stands_alone = True


class BadStand(PeerError):
    """Something about who is gone that no honest peer says."""

    stands_alone = True


class AuditFailed(PeerError):
    """A message that the peer's own seed does not explain."""


class Finding(SobremesaError):
    """What is wrong with the message that is being checked: the kind of fault, and why."""

    def __init__(self, kind: type[PeerError], why: str) -> None:
        super().__init__(kind, why)
        self.kind = kind
        self.why = why


class Disagreement(TableEnded):
    """Two copies of the game see one message differently, and nobody is guilty."""


def verdict(fault: PeerError, charter: Charter, title: str) -> PeerError | Disagreement:
    """What a fault comes to at this table, whose game is called `title`.

    Which copy is the right one nobody can say, so both sides are named, in the same words on every
    machine.
    """
    if fault.stands_alone or charter.one_copy:
        return fault
    names = {charter.name_of(index): peer.rules for index, peer in enumerate(charter.peers)}
    side = [name for name, rules in names.items() if rules == names[fault.peer]]
    others = [name for name in names if name not in side]
    machine = "machine plays" if len(side) == 1 else "machines play"
    return Disagreement(
        f"{_whose(side)} {machine} by another copy of {title} than {_whose(others)}, and they "
        f"disagree at step {fault.step}: nobody is guilty, and the game ends without a result"
    )


def _whose(names: Iterable[str]) -> str:
    """Names as owners: "Ana's, Bea's and Cai's"."""
    *most, last = (f"{name}'s" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
