"""Windows: two processes that hold one key and play one seat. The newer one plays.

Each process names itself by a number that it drew. Whoever meets both asks the newer one, and
carries its answer to the older one (docs/protocol.md, "On links").

Rule 1: only our own key ends our part, by a statement over our own number.
Rule 2: nobody signs such a statement against itself, and of two windows that were each asked about
the other, neither believes the other: whoever carries the statements cannot end both.
"""

from __future__ import annotations

from sobremesa.core.encoding import frame
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Sign
from sobremesa.net.links.frames import Frame

from .statements import expect_signed

KEPT = 4
"""How many windows of one seat are remembered, and may be asked about."""


class Windows:
    """What we know of everybody's windows. `own` is ours, 32 random bytes; `moved` whether a newer
    one with our key has said that it plays our seat."""

    def __init__(self, charter: Charter, me: int, sign: Sign, own: bytes) -> None:
        self.own = own
        self.moved = False
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
        """A peer has said which process it is. If we know an older one of its seat, ask this one
        to say that it is newer; if a newer one has said so, tell this one."""
        known = self._met[peer]
        if window not in known:
            known.append(window)
            del known[:-KEPT]
        if window in self._moves:
            return [self._moves[window]]
        if window != known[-1]:
            return []
        return [Frame.make("older", older=old) for old in known[:-1] if old not in self._moves]

    def outlive(self, older: bytes) -> list[Frame]:
        """Somebody met an older window of our seat: sign, for that one to read, that we play."""
        # Never against ourselves: whoever asks for that wants to end us by our own hand.
        if older == self.own or len(self._outlived) >= KEPT:
            return []
        self._outlived.append(older)
        signature = self._sign(self._statement(self._me, older, self.own))
        return [Frame.make("moved", older=older, newer=self.own, sig=signature)]

    def take(self, teller: int, moved: Frame) -> None:
        """A statement that a seat is played from a newer window: our own seat, or the teller's.

        :raises BadMessage: if its peer did not sign it
        """
        older, newer = moved["older"], moved["newer"]
        ours = older == self.own
        peer = self._me if ours else teller
        news = not self.moved if ours else older in self._met[peer] and older not in self._moves
        if not news:
            return
        statement = self._statement(peer, older, newer)
        expect_signed(self._charter, "a change of window", peer, statement, moved["sig"])
        if not ours:
            self._moves[older] = moved
        elif newer not in self._outlived:
            self.moved = True

    def _statement(self, peer: int, older: bytes, newer: bytes) -> bytes:
        return frame("moved", self._charter.table, peer, older, newer)
