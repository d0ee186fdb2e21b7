"""Windows: two processes that hold one key and play one seat. The older one is told to stop.

Pure: what others say comes in as calls, what to answer them is returned.

Rule 1: only our own key ends our sitting. Who holds it elsewhere too, in another window, says so
over a number that this process drew; whoever meets both windows carries question and statement.
"""

from __future__ import annotations

from sobremesa.core.encoding import frame
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Sign
from sobremesa.net.links.frames import Frame

from .signed import expect_signed

WINDOWS_KEPT = 4
"""How many windows of one seat are remembered, and may be asked about."""


class Windows:
    """The windows of all seats, as one peer met them. `own` names this process, 32 random bytes:
    another one with our key has another."""

    def __init__(self, charter: Charter, me: int, sign: Sign, own: bytes) -> None:
        self.own = own
        self.moved = False
        """Whether a newer window with our key has said that it plays this seat."""
        self._charter = charter
        self._me = me
        self._sign = sign
        self._met: dict[int, list[bytes]] = {peer: [] for peer in range(len(charter.peers))}
        """Each peer's windows, in the order in which we met them."""
        self._moves: dict[bytes, Frame] = {}
        """What newer windows have signed, by the older window."""
        self._outlived: list[bytes] = []
        """Windows of our own seat that we have signed to be newer than."""

    def meet(self, peer: int, window: bytes) -> list[Frame]:
        """A peer has said which process it is. If we know an older one of its seat, ask this one to
        say that it is newer; if a newer one has said so, tell this one."""
        known = self._met[peer]
        if window not in known:
            known.append(window)
            del known[:-WINDOWS_KEPT]
        if window in self._moves:
            return [self._moves[window]]
        if window != known[-1]:
            return []
        unsaid = [older for older in known[:-1] if older not in self._moves]
        return [Frame.make("older", older=older) for older in unsaid]

    def outlive(self, older: bytes) -> list[Frame]:
        """Somebody met an older window of our seat: sign, for that one to read, that we play."""
        # Never against ourselves: whoever asks for that wants to end us by our own hand.
        if older == self.own or len(self._outlived) >= WINDOWS_KEPT:
            return []
        self._outlived.append(older)
        signature = self._sign(self._statement(self._me, older, self.own))
        return [Frame.make("moved", older=older, newer=self.own, sig=signature)]

    def move(self, teller: int, incoming: Frame) -> None:
        """A statement that a seat is played from a newer window: our own seat, or the teller's.

        :raises BadMessage: if the seat's own key did not sign it
        """
        older, newer, signature = incoming["older"], incoming["newer"], incoming["sig"]
        ours = older == self.own
        peer = self._me if ours else teller
        statement = self._statement(peer, older, newer)
        expect_signed(self._charter, "a change of window", peer, statement, signature)
        if not ours:
            if older in self._met[peer]:
                self._moves[older] = incoming
        # Of two windows that were each asked about the other, neither can end both.
        elif newer not in self._outlived:
            self.moved = True

    def _statement(self, peer: int, older: bytes, newer: bytes) -> bytes:
        return frame("moved", self._charter.table, peer, older, newer)
