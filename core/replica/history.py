"""All that was said at a table, and where a message belongs in it.

Rule 1: the order of arrival matters nowhere. A message for a later step waits for its step.
Rule 2: a head that is not ours convicts nobody: its signer may have been lied to. Only what one
signer signed convicts: two messages for one step, or one for a step after its farewell.
Rule 3: the log holds what stands in our own history, in the order in which it came to stand there.
That is what is kept and passed on: no honest peer passes on what it cannot explain itself.
Rule 4: what waits for its step, or stands over another history, is limited for each author, so
that none can fill our memory or crowd out others.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from .transcript import ENVELOPE, LEAVE, Message, next_head

FUTURE_STEPS = 4096
"""How far ahead a message may be: peers that nobody asks can lag behind those who play."""
FUTURE_BYTES = 4 * ENVELOPE.most
"""What may wait for its step, or stand over another history, of one peer: some of the largest
messages there are."""


class Placement(Enum):
    """Where a message belongs. The value is the reason."""

    REPEATED = "we hold this very message"
    SIGNED_TWICE = "its author has signed what contradicts it"
    DUE = "its step is due, over our history"
    LATER = "its step is still to come, so nobody can tell what it should hold"
    OUT_OF_TURN = "its step was complete without its author, over our very history"
    LEFT = "its author leaves, over our history"
    STRAY = "its head is not ours: its author may have been lied to"
    NO_ROOM = "it would wait, but is too far ahead or its author has too much waiting already"


WAITING = (Placement.LATER, Placement.STRAY)
"""What is kept beside our history, and takes room."""


class History:
    """The messages of one replica. `root` is the head before step 0."""

    def __init__(self, root: bytes) -> None:
        self.log: list[Message] = []
        """Every message of our history, in the order in which it came to stand there; proofs of a
        fault as well."""
        self.due: dict[int, Message] = {}
        """Messages of the step that is due, by peer."""
        self.examining: dict[int, Message] = {}
        """The same, whose long check is under way."""
        self.left: dict[int, Message] = {}
        """Farewells of peers that have left, by peer."""
        self.strays: dict[tuple[int, int], Message] = {}
        """Messages over another history than ours, by step and peer."""
        self._steps: list[dict[int, Message]] = []
        self._heads = [root]
        self._later: dict[int, dict[int, Message]] = {}
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

    def of_step(self, step: int) -> list[Message]:
        """The messages of a step, complete or due, in peer order."""
        held = self._steps[step] if step < self.step else self.due if step == self.step else {}
        return [held[peer] for peer in sorted(held)]

    def messages(self) -> list[Message]:
        """The messages of complete steps and of the due one, in step and peer order."""
        return [message for step in range(self.step + 1) for message in self.of_step(step)]

    def find(self, payload: bytes, signature: bytes) -> Message | None:
        """A message that was read and checked before, to the last byte."""
        message = self._by_payload.get(payload)
        return message if message is not None and message.signature == signature else None

    def held(self, step: int, peer: int) -> Message | None:
        """What we hold of a peer for a step."""
        if step < self.step and peer in self._steps[step]:
            return self._steps[step][peer]
        if step == self.step:
            for messages in (self.due, self.examining):
                if peer in messages:
                    return messages[peer]
        left = self.left.get(peer)
        if left is not None and left.step == step:
            return left
        return self._later.get(step, {}).get(peer) or self.strays.get((step, peer))

    # Where a message belongs.

    def against(self, message: Message) -> Message | None:
        """What we hold that its author cannot have signed beside this message."""
        same = self.held(message.step, message.peer)
        left, newest = self.left.get(message.peer), self._newest.get(message.peer)
        return next(
            (held for held in (same, left, newest) if held and held.contradicts(message)), None
        )

    def place(self, message: Message) -> Placement:
        """Where a message belongs."""
        if self.against(message) is not None:
            return Placement.SIGNED_TWICE
        if self.held(message.step, message.peer) is not None:
            # Two signatures of one payload are no two messages: a signer can make any number.
            return Placement.REPEATED
        placement = self._by_head(message)
        if placement in WAITING and not self._has_room(message):
            return Placement.NO_ROOM
        return placement

    def _by_head(self, message: Message) -> Placement:
        if message.step > self.step:
            return Placement.LATER
        if message.kind == LEAVE:
            # Who has signed its part of a step and leaves does not know the head after it.
            heads = self._heads[max(message.step - 1, 0) : message.step + 1]
            return Placement.LEFT if message.head in heads else Placement.STRAY
        if message.head != self._heads[message.step]:
            return Placement.STRAY
        return Placement.DUE if message.step == self.step else Placement.OUT_OF_TURN

    def _has_room(self, message: Message) -> bool:
        peer = message.peer
        kept = [step[peer] for step in self._later.values() if peer in step]
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
            self._later.setdefault(message.step, {})[message.peer] = message
        elif placement is Placement.STRAY:
            self.strays[message.step, message.peer] = message
        else:
            self.keep(message)
        if placement is Placement.LEFT:
            self.left[message.peer] = message

    def _note(self, message: Message) -> None:
        self._by_payload[message.payload] = message
        newest = self._newest.get(message.peer)
        if newest is None or newest.step <= message.step:
            self._newest[message.peer] = message

    def complete(self) -> dict[int, Message]:
        """End the step that is due. Returns its messages, in peer order."""
        done = {message.peer: message for message in self.of_step(self.step)}
        self.due = {}
        self._heads.append(next_head(self.head, done.values()))
        self._steps.append(done)
        return done

    def come_due(self) -> Iterator[tuple[Message, Placement]]:
        """The messages that waited for the step that is due now, each in its new place."""
        for message in self._later.pop(self.step, {}).values():
            placement = self._by_head(message)
            self.add(message, placement)
            yield message, placement
