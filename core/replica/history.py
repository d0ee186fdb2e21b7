"""All that was said at a table, and where a message belongs in it.

Rule 1: the order of arrival matters nowhere. A message for a later step waits for its step.
Rule 2: a head that is not ours convicts nobody: its signer may have been lied to. Only what one
signer signed convicts: two messages for one step, one for a step after its farewell, two stands of
which neither goes on with the other.
Rule 3: the log holds what stands in our own history, in the order in which it came to stand there.
That is what is kept and passed on: no honest peer passes on what it cannot explain itself, and what
a signer knew when it signed always comes before.
Rule 4: what waits for its step, or stands over another history, is limited for each author, so
that none can fill our memory or crowd out others.
Rule 5: of a peer that a certificate names gone nothing counts any more, from that step on. What it
signed for that step is kept and passed on, since others may hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import groupby
from math import inf

from .poll import Ballot, Peers, Stand, is_majority, read_stand
from .transcript import BESIDE, ENVELOPE, LEAVE, STAND, Message, next_head

FUTURE_STEPS = 4096
"""How far ahead a message may be: peers that nobody asks can lag behind those who play."""
FUTURE_BYTES = 4 * ENVELOPE.most
"""What may wait for its step, or stand over another history, of one peer: some of the largest
messages there are."""
NOBODY: tuple[Peers, Peers] = frozenset(), frozenset()
MOST_STANDS = 512
"""Stands that are kept of one peer. Honest ones say a few, when somebody goes away."""


class Placement(Enum):
    """Where a message belongs. The value is the reason."""

    REPEATED = "we hold this very message"
    SIGNED_TWICE = "its author has signed what contradicts it"
    DUE = "its step is due, over our history"
    LATER = "its step is still to come, so nobody can tell what it should hold"
    OUT_OF_TURN = "its step was complete without its author, over our very history"
    LEFT = "its author leaves, over our history"
    STANDS = "it says who is gone from a step of our history"
    GONE = "its author was gone from its very step"
    PAST = "its author was gone long before"
    STRAY = "its head is not ours: its author may have been lied to"
    NO_ROOM = "it would wait, but is too far ahead or its author has too much waiting already"


WAITING = (Placement.LATER, Placement.STRAY)
"""What is kept beside our history, and takes room."""

UNWANTED = (Placement.REPEATED, Placement.PAST)
"""What we have, or what nobody has a use for."""


class History:
    """The messages of one replica of a table of so many `peers`. `root` is the head before step
    0."""

    def __init__(self, root: bytes, peers: int) -> None:
        self._peers = peers
        self.log: list[Message] = []
        """Every message of our history, in the order in which it came to stand there; proofs of a
        fault as well."""
        self.due: dict[int, Message] = {}
        """Messages of the step that is due, by peer."""
        self.examining: dict[int, Message] = {}
        """The same, whose long check is under way."""
        self.bad: list[Message] = []
        """What convicted its author."""
        self.left: dict[int, Message] = {}
        """Farewells of peers that have left, by peer."""
        self.gone_from: dict[int, int] = {}
        """From which step on a certificate names a peer gone."""
        self.strays: dict[tuple[int, int], Message] = {}
        """Messages over another history than ours, by step and peer."""
        self._steps: list[dict[int, Message]] = []
        self._certificates: dict[int, tuple[Peers, Peers]] = {}
        """Whom the certificate of a step names, and whose messages among theirs it needed."""
        self._stands: dict[tuple[int, int], list[Message]] = {}
        """All stands over our history, by step and peer, the shortest first."""
        self._dropped: dict[int, Message] = {}
        """What a peer signed for the step from which it is gone."""
        self._heads = [root]
        self._later: dict[int, list[Message]] = {}
        self._by_payload: dict[bytes, Message] = {}
        self._newest: dict[int, Message] = {}
        """What each peer has signed for the latest step, whatever the history."""

    @property
    def step(self) -> int:
        """The step that is due, from 0."""
        return len(self._steps)

    @property
    def head(self) -> bytes:
        """The head over which messages of the due step are signed."""
        return self._heads[-1]

    def head_before(self, step: int) -> bytes | None:
        """The head over which messages of this step are signed, or None before we reach it."""
        return self._heads[step] if step <= self.step else None

    def gone_at(self, step: int) -> Peers:
        """Whom the certificate of a complete step names; nobody, if it has none."""
        return self._certificates.get(step, NOBODY)[0]

    def expected_at(self, step: int) -> Peers:
        """From whom messages were expected in a complete step."""
        return self._certificates.get(step, NOBODY)[1].union(self._steps[step])

    def stand(self, step: int, peer: int) -> Stand:
        """The longest stand of a peer on a step; empty if it has none."""
        said = self._stands.get((step, peer))
        return read_stand(said[-1].body) if said else ()

    @property
    def voted(self) -> list[tuple[int, int]]:
        """Of which steps something beside messages was said, and by whom."""
        return sorted(self._stands)

    def of_step(self, step: int) -> list[Message]:
        """The messages of a step, complete or due, in peer order."""
        held = self._steps[step] if step < self.step else self.due if step == self.step else {}
        return [held[peer] for peer in sorted(held)]

    def certificate(self, step: int) -> list[Message]:
        """What stands in the place of a step's missing messages: the stands that end with its
        ballot, in peer order, those of leavers only where the others are too few. What convicted
        those that it names, the earliest of each, and their farewells, come after the first, so
        before it is complete."""
        gone = self.gone_at(step)
        if not gone:
            return []
        peers = sorted(peer for at, peer in self._stands if at == step)
        signed = [m for peer in peers for m in self._stands[step, peer] if _ends_with(m, gone)]
        others = [message for message in signed if message.peer not in gone]
        if is_majority(len(others), self.present_at(step)):
            signed = others
        convicts = sorted((m for m in self.bad if m.peer in gone), key=lambda m: (m.peer, m.step))
        bad = [next(some) for _, some in groupby(convicts, key=lambda m: m.peer)]
        left = [self.left[peer] for peer in sorted(gone & self.left_by(step))]
        return [*signed[:1], *bad, *left, *signed[1:]]

    def left_by(self, step: int) -> Peers:
        """Who has said farewell for this step or an earlier one."""
        return frozenset(peer for peer, farewell in self.left.items() if farewell.step <= step)

    def present_at(self, step: int) -> Peers:
        """The peers that no certificate of an earlier step names."""
        return frozenset(
            peer for peer in range(self._peers) if self.gone_from.get(peer, inf) >= step
        )

    def record(self, step: int) -> list[Message]:
        """All that a file holds of a step: its certificate, if it has one, and its messages in peer
        order; where it is due, among them those that convict their author."""
        bad = [m for m in self.bad if m.step == step == self.step and m.peer not in self.gone_from]
        said = sorted(self.of_step(step) + bad, key=lambda m: (m.kind in BESIDE, m.peer))
        return self.certificate(step) + said

    def messages(self) -> list[Message]:
        """The records of the complete steps and of the due one, in order."""
        return [message for step in range(self.step + 1) for message in self.record(step)]

    def about(self, step: int) -> list[Message]:
        """All that we hold of a step, stands that decided nothing included."""
        said = self.record(step)
        held = {message.payload for message in said}
        stands = [m for (at, _), some in self._stands.items() if at == step for m in some]
        return said + [message for message in stands if message.payload not in held]

    def find(self, payload: bytes, signature: bytes) -> Message | None:
        """A message that was read and checked before, to the last byte."""
        message = self._by_payload.get(payload)
        return message if message is not None and message.signature == signature else None

    def held(self, step: int, peer: int) -> Message | None:
        """What we hold of a peer for a step, its stands aside."""
        if step < self.step and peer in self._steps[step]:
            return self._steps[step][peer]
        if step == self.step:
            for messages in (self.due, self.examining):
                if peer in messages:
                    return messages[peer]
        for message in (self.left.get(peer), self._dropped.get(peer)):
            if message is not None and message.step == step:
                return message
        waiting = (m for m in self._later.get(step, ()) if m.peer == peer and m.kind != STAND)
        bad = (m for m in self.bad if (m.step, m.peer) == (step, peer))
        kept = next((m for m in bad if m.kind != STAND), None) or self.strays.get((step, peer))
        return kept or next(waiting, None)

    # Where a message belongs.

    def against(self, message: Message) -> Message | None:
        """What we hold that its author cannot have signed beside this message."""
        step, peer = message.step, message.peer
        others = [self.held(step, peer), self.left.get(peer), self._newest.get(peer)]
        beside = (*self._stands.get((step, peer), ()), *self._later.get(step, ()), *self.bad)
        others += [m for m in beside if (m.step, m.peer, m.kind) == (step, peer, STAND)]
        return next((held for held in others if held and held.contradicts(message)), None)

    def place(self, message: Message) -> Placement:
        """Where a message belongs."""
        if message.payload in self._by_payload:
            return Placement.REPEATED
        if self.against(message) is not None:
            return Placement.SIGNED_TWICE
        if message.kind != STAND and self.held(message.step, message.peer) is not None:
            # Two signatures of one payload are no two messages: a signer can make any number.
            return Placement.REPEATED
        placement = self._by_head(message)
        if placement in WAITING and not self._has_room(message):
            return Placement.NO_ROOM
        return placement

    def _by_head(self, message: Message) -> Placement:
        step, peer = message.step, message.peer
        gone_from = self.gone_from.get(peer, inf)
        if step > gone_from:
            return Placement.PAST
        if step > self.step:
            return Placement.LATER
        if message.kind == LEAVE:
            # Who has signed its part of a step and leaves does not know the head after it.
            heads = self._heads[max(step - 1, 0) : step + 1]
            return Placement.LEFT if message.head in heads else Placement.STRAY
        if message.head != self._heads[step]:
            return Placement.PAST if message.kind == STAND else Placement.STRAY
        if step == gone_from:
            return Placement.PAST if message.kind == STAND else Placement.GONE
        if message.kind == STAND:
            mine = sum(len(some) for (_, author), some in self._stands.items() if author == peer)
            return Placement.STANDS if mine < MOST_STANDS else Placement.PAST
        return Placement.DUE if step == self.step else Placement.OUT_OF_TURN

    def _has_room(self, message: Message) -> bool:
        peer = message.peer
        kept = [m for some in self._later.values() for m in some if m.peer == peer]
        kept += [stray for stray in self.strays.values() if stray.peer == peer]
        size = len(message.payload) + sum(len(earlier.payload) for earlier in kept)
        return message.step <= self.step + FUTURE_STEPS and size <= FUTURE_BYTES

    # What happens to it.

    def keep(self, message: Message) -> None:
        """Put a message into the log, to be stored and sent."""
        self.log.append(message)
        self._note(message)

    def add(self, message: Message, placement: Placement) -> None:
        """Take a new message to its place."""
        self._note(message)
        if placement is Placement.LATER:
            self._later.setdefault(message.step, []).append(message)
        elif placement is Placement.STRAY:
            self.strays[message.step, message.peer] = message
        else:
            self.keep(message)
        if placement is Placement.LEFT:
            self.left[message.peer] = message
        elif placement is Placement.GONE:
            self._dropped[message.peer] = message
        elif placement is Placement.STANDS:
            said = self._stands.setdefault((message.step, message.peer), [])
            said.append(message)
            said.sort(key=lambda m: m.size)

    def _note(self, message: Message) -> None:
        self._by_payload[message.payload] = message
        newest = self._newest.get(message.peer)
        if message.kind != STAND and (newest is None or newest.step <= message.step):
            self._newest[message.peer] = message

    def convict(self, message: Message) -> None:
        """A message of our history convicts its author: it does not count."""
        self.bad.append(message)
        self.examining = {p: m for p, m in self.examining.items() if m is not message}
        if message.kind == STAND:
            self._stands[message.step, message.peer].remove(message)

    def complete(self, gone: Peers = frozenset(), owing: Peers = frozenset()) -> dict[int, Message]:
        """End the step that is due, with a certificate that names those who are `gone`, of whom
        the step needed those `owing`. Returns its messages, in peer order."""
        done = {m.peer: m for m in self.of_step(self.step) if m.peer not in gone}
        for peer, message in {**self.due, **self.examining}.items():
            if peer in gone:
                self._dropped[peer] = message
        if gone:
            self._certificates[self.step] = gone, owing & gone
            self.gone_from.update(dict.fromkeys(gone, self.step))
        self.due, self.examining = {}, {}
        self._heads.append(next_head(self.head, done.values(), gone))
        self._steps.append(done)
        return done

    def come_due(self) -> Iterator[tuple[Message, Placement]]:
        """The messages that waited for the step that is due now, each with the place to which it
        is to be added."""
        waited = self._later.pop(self.step, [])
        for message in sorted(waited, key=lambda m: m.kind in BESIDE):
            placement = self._by_head(message)
            if placement not in UNWANTED:
                yield message, placement


def _ends_with(message: Message, gone: Peers) -> bool:
    return read_stand(message.body)[-1] == Ballot(gone)
