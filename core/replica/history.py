"""All that was said at a table, and where a message belongs in it.

Rule 1: the order of arrival matters nowhere. A message for a later step waits for its step.
Rule 2: a head that is not ours convicts nobody by itself, since its signer may have been lied to.
It waits for the proof of who signed twice. Only what a peer sends on its own link comes after all
that it knew, so there, and nowhere else, such a head is the peer's own doing.
Rule 3: what waits for its step, or stands over another history, is limited for each author, so
that none can fill our memory or crowd out others.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from .transcript import ENVELOPE, Message, next_head

FUTURE_STEPS = 4096
"""How far ahead a message may be: peers that nobody asks can lag behind those who play."""
FUTURE_BYTES = 4 * ENVELOPE.most
"""What may wait for its step, or stand over another history, of one peer: some of the largest
messages there are."""


class Placement(Enum):
    """Where a message belongs. The value is the reason."""

    REPEATED = "we hold this very message"
    SIGNED_TWICE = "its author has signed another message for this step"
    DUE = "its step is due, over our history"
    LATER = "its step is still to come, so nobody can tell what it should hold"
    OUT_OF_TURN = "its step was complete without its author, over our very history"
    STRAY = "its head is not ours: its author may have been lied to"
    FORKED = "its head is not ours and came on its author's own link: the author made it up"
    TRACED = "a stray that we hold came now on its author's own link"
    NO_ROOM = "it would wait, but is too far ahead or its author has too much waiting already"


class History:
    """The messages of one replica. `root` is the head before step 0."""

    def __init__(self, root: bytes) -> None:
        self.log: list[Message] = []
        """Every message, in the order in which we took it; proofs of a fault as well."""
        self.due: dict[int, Message] = {}
        """Messages of the step that is due, by peer."""
        self.examining: dict[int, Message] = {}
        """The same, whose long check is under way."""
        self.strays: dict[tuple[int, int], Message] = {}
        """Messages over another history than ours, by step and peer."""
        self._steps: list[dict[int, Message]] = []
        self._heads = [root]
        self._later: dict[int, dict[int, Message]] = {}
        self._by_payload: dict[bytes, Message] = {}
        self._own_link: set[tuple[int, int]] = set()
        """Steps and peers of waiting messages that came on their author's own link."""
        self._incomplete: set[int] = set()
        """Peers on whose links a message of somebody else was refused: it may have been a proof."""

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

    def due_messages(self) -> list[Message]:
        """The messages of the step that is due, as far as we hold them, in peer order."""
        return [self.due[peer] for peer in sorted(self.due)]

    def messages(self) -> list[Message]:
        """The messages of complete steps and of the due one, in step and peer order."""
        return [*(m for step in self._steps for m in step.values()), *self.due_messages()]

    def find(self, payload: bytes, signature: bytes) -> Message | None:
        """A message of the log that was read and checked before, to the last byte."""
        message = self._by_payload.get(payload)
        return message if message is not None and message.signature == signature else None

    def held(self, message: Message) -> Message | None:
        """What we hold of the same peer for the same step."""
        step, peer = message.step, message.peer
        if step < self.step and peer in self._steps[step]:
            return self._steps[step][peer]
        if step == self.step:
            for messages in (self.due, self.examining):
                if peer in messages:
                    return messages[peer]
        return self._later.get(step, {}).get(peer) or self.strays.get((step, peer))

    # Where a message belongs.

    def place(self, message: Message, via: int | None) -> Placement:
        """Where a message belongs that came on the link of the peer `via`."""
        own_link = via == message.peer
        held = self.held(message)
        if held is not None:
            # Two signatures of one payload are no two messages: a signer can make any number.
            if held.payload != message.payload:
                return Placement.SIGNED_TWICE
            stray = (message.step, message.peer) in self.strays
            traced = stray and self._traces(message, own_link)
            return Placement.TRACED if traced else Placement.REPEATED
        placement = self._by_head(message, own_link)
        # Only what would wait needs room. A proof is wanted whatever its size.
        if placement in (Placement.LATER, Placement.STRAY) and not self._has_room(message):
            return Placement.NO_ROOM
        return placement

    def _by_head(self, message: Message, own_link: bool) -> Placement:
        if message.step > self.step:
            return Placement.LATER
        if message.head != self._heads[message.step]:
            return Placement.FORKED if self._traces(message, own_link) else Placement.STRAY
        return Placement.DUE if message.step == self.step else Placement.OUT_OF_TURN

    def _traces(self, message: Message, own_link: bool) -> bool:
        """Whether a foreign head is its author's doing: a link brings all that its author knew
        before anything new, unless we refused some of it there."""
        return own_link and message.peer not in self._incomplete

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
        self._by_payload[message.payload] = message

    def add(self, message: Message, placement: Placement, via: int | None = None) -> None:
        """Keep a new message in its place."""
        self.keep(message)
        self._put(message, placement)
        if placement is Placement.LATER and via == message.peer:
            self._own_link.add((message.step, message.peer))

    def _put(self, message: Message, placement: Placement) -> None:
        if placement is Placement.LATER:
            self._later.setdefault(message.step, {})[message.peer] = message
        elif placement in (Placement.STRAY, Placement.FORKED):
            self.strays[message.step, message.peer] = message

    def refuse(self, message: Message, via: int | None) -> None:
        """A message found no room. What we refuse on the link of somebody else may have been the
        proof that clears this peer."""
        if via is not None and via != message.peer:
            self._incomplete.add(via)

    def complete(self) -> dict[int, Message]:
        """End the step that is due. Returns its messages, in peer order."""
        done = {message.peer: message for message in self.due_messages()}
        self.due = {}
        self._heads.append(next_head(self.head, done.values()))
        self._steps.append(done)
        return done

    def come_due(self) -> Iterator[tuple[Message, Placement]]:
        """The messages that waited for the step that is due now, each in its new place."""
        for message in self._later.pop(self.step, {}).values():
            placement = self._by_head(message, (message.step, message.peer) in self._own_link)
            self._put(message, placement)
            yield message, placement
