"""Everything that can go wrong at a table, sorted by who did it.

Rule 1: a message is one line in the player's words: what, why and, where there is one, what now.
Rule 2: `LocalError` is ours (or our plugin's), `Disproof` is against a seat, `TableEnded` is
nobody's fault. What a peer's own signature proves is a `PeerError` (`replica.faults`).
Rule 3: no message carries a hidden face, a seed or a code.
"""

from __future__ import annotations


class SobremesaError(Exception):
    """Something went wrong at the table."""

    shared = ""
    """What the others at the table may be told of it, as a clause."""


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


class TooFarAhead(SobremesaError):
    """A message that would have to wait, and finds no room. Nobody is at fault: whoever passed it
    on may be further on than we are, and brings it again when we have caught up."""


class BadTranscript(SobremesaError):
    """A saved transcript that is damaged, incomplete or not a transcript."""


class TableEnded(SobremesaError):
    """The table cannot go on, and nobody cheated."""


class Disproof(SobremesaError):
    """Faces that are known now disprove what a seat said. `why` is a clause that follows its
    name."""

    def __init__(self, seat: str, why: str) -> None:
        super().__init__(seat, why)
        self.seat = seat
        self.why = why

    def __str__(self) -> str:
        return f"{self.seat} {self.why}"


class DisprovedClaim(Disproof):
    """A claim about hidden faces that turned out to be false."""


class DisprovedAnswer(Disproof):
    """An answer that the faces its seat saw did not allow."""
