"""Everything that can go wrong at a table, sorted by who did it.

Rule 1: a message is one line in the player's words: what, why and, where there is one, what now.
Rule 2: `LocalError` is ours (or our plugin's), `PeerError` is somebody else's and names them,
`TableEnded` is nobody's fault.
Rule 3: no message carries a hidden face, a seed or a code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .transcript import Message


class SobremesaError(Exception):
    """Something went wrong at the table."""


class LocalError(SobremesaError):
    """We, or a plugin on this machine, asked for something that cannot be."""


class InvalidAnswer(LocalError):
    """That is not a move this question knows."""


class IllegalAnswer(LocalError):
    """The rules do not allow that move now."""


class BadOption(LocalError):
    """A game has no such option, or the option has no such value."""


class ScriptError(LocalError):
    """A game's own code broke the contract between script and table."""


class BadMessage(SobremesaError):
    """Bytes that prove nothing: not a message of this table, or not signed by who it names.

    Whoever passed them on is at fault, and only the receiver knows it.
    """


class BadTranscript(SobremesaError):
    """A saved transcript that is damaged, incomplete or not a transcript."""


class TableEnded(SobremesaError):
    """The table cannot go on, and nobody cheated."""


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
    """Two different messages for one step."""


class Fork(PeerError):
    """A message signed over a history that is not the table's."""


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


class BadPiece(PeerError):
    """A piece of a key that its holder could not use."""


class BadComplaint(PeerError):
    """A complaint about a piece that is right."""


class AuditFailed(PeerError):
    """A message that the peer's own seed does not explain."""
