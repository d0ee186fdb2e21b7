"""What a peer did wrong, and how it is proven.

Rule 1: a `PeerError` is made once and whole, where the fault is proven, and never changed.
Rule 2: who checks one message does not know whose it is or when it came: it raises a `Finding`,
of which whoever holds the message makes the `PeerError`.
"""

from __future__ import annotations

from sobremesa.core.errors import SobremesaError

from .transcript import Message


class PeerError(SobremesaError):
    """A peer broke the protocol or the rules, and its own signature proves it.

    `peer` is its name in the charter, `step` where it happened, `why` the finding as a clause
    that follows the name, `proof` the signed messages that anybody can check again.
    """

    def __init__(self, peer: str, step: int, why: str, proof: tuple[Message, ...] = ()) -> None:
        super().__init__(peer, step, why)
        self.peer = peer
        self.step = step
        self.why = why
        self.proof = proof

    def __str__(self) -> str:
        return f"{self.peer} {self.why} (step {self.step})"


class Equivocation(PeerError):
    """Two messages that contradict each other: for one step, or for a step after its farewell."""

    @classmethod
    def of(cls, name: str, one: Message, other: Message) -> Equivocation:
        """The fault that two messages of one peer, called `name`, prove by themselves."""
        proof = tuple(sorted((one, other), key=lambda message: (message.step, message.payload)))
        twice = "sent two different messages for one step"
        why = twice if one.step == other.step else "left, and signed for a later step"
        return cls(name, proof[0].step, why, proof)


class OutOfTurn(PeerError):
    """A message that nobody waits for from this peer."""


class Malformed(PeerError):
    """A signed message whose content has the wrong shape."""


class BadReveal(PeerError):
    """A revealed secret that does not match its commitment."""


class PlayedIllegally(PeerError):
    """An answer that the rules refuse."""


class Diverged(PeerError):
    """A digest of the public state that is not ours: the peer plays by other rules."""


class FalseClaim(PeerError):
    """A claim about hidden faces that turned out to be false."""


class BadProof(PeerError):
    """A proof that does not hold."""


class BadKeyShare(PeerError):
    """A share of a key that its holder could not use."""


class BadComplaint(PeerError):
    """A complaint about a key share that is right."""


class AuditFailed(PeerError):
    """A message that the peer's own seed does not explain."""


class Finding(SobremesaError):
    """What is wrong with the message that is being checked: the kind of fault, and why."""

    def __init__(self, kind: type[PeerError], why: str) -> None:
        super().__init__(kind, why)
        self.kind = kind
        self.why = why
