"""What can be checked of a transcript without the game that was played.

Everybody's signature of the charter, every other signature, the order, and the chain of heads, made
again from the messages. Whether they obey the rules nobody can say who has not got these.

Rule 1: only two messages of one peer that contradict each other convict it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, groupby

from sobremesa.core.errors import BadMessage, BadTranscript
from sobremesa.core.schema import Misfit

from .charter import Charter
from .faults import Equivocation
from .poll import Peers, Stand, certified, read_stand
from .transcript import BESIDE, LEAVE, STAND, Message, Record, next_head


def check_signed(charter: Charter, records: Iterable[Record], evidence: Iterable[Record]) -> int:
    """Check a transcript as far as its charter carries. Returns the number of steps.

    :raises BadTranscript: if it is damaged, or its messages do not make one history
    :raises Equivocation: if somebody signed two messages that contradict each other
    """
    held: dict[tuple[int, int], list[Message]] = {}
    last: dict[int, Message] = {}
    messages = list(_read(charter, records, 1))
    for message in (*messages, *_read(charter, evidence, len(messages) + 1)):
        same = held.setdefault((message.step, message.peer), [])
        # Of a farewell and a later message the one that was read first is the last of its peer.
        for earlier in (*same, last.get(message.peer, message)):
            if message.contradicts(earlier):
                raise Equivocation.of(charter, earlier, message)
            if message is not earlier and message.payload == earlier.payload:
                raise BadTranscript(f"the messages of step {message.step} are not in their order")
        same.append(message)
        if message.kind != STAND and message.step >= last.get(message.peer, message).step:
            last[message.peer] = message
    return _check_history(charter, messages)


def elsewhere(charter: Charter, message: Message) -> BadTranscript:
    """That a message stands over another history. Why, cannot be told from a file."""
    name = charter.name_of(message.peer)
    return BadTranscript(
        f"{name}'s message for step {message.step} is signed over another history: "
        f"either {name} forked it, or the transcript leaves something out"
    )


def _read(charter: Charter, records: Iterable[Record], first: int) -> Iterator[Message]:
    for number, (payload, signature) in enumerate(records, first):
        try:
            yield Message.read(charter, payload, signature)
        except BadMessage as error:
            raise BadTranscript(f"record {number} is {error}") from error


def _check_history(charter: Charter, messages: list[Message]) -> int:
    head, steps, present = charter.root(), 0, frozenset(range(len(charter.peers)))
    left: set[int] = set()
    # What convicts somebody may be of an earlier step than the one from which it is gone.
    due = accumulate((message.step for message in messages), max)
    for step, pairs in groupby(zip(due, messages, strict=True), key=lambda pair: pair[0]):
        record = [message for _, message in pairs]
        left |= {message.peer for message in record if message.kind == LEAVE}
        gone = _certified(present, [m for m in record if m.kind == STAND and m.step == step], left)
        said = [m for m in record if m.kind not in BESIDE and m.peer not in gone]
        peers = [message.peer for message in said]
        early = any(message.step != step for message in said)
        if step != steps or early or peers != sorted(set(peers)) or not present.issuperset(peers):
            raise BadTranscript(f"the messages of step {step} are not in their order")
        for message in record:
            if message.step == step and message.kind != LEAVE and message.head != head:
                raise elsewhere(charter, message)
        head, steps, present = next_head(head, said, gone), steps + 1, present - gone
    signed = [message for message in messages if message.step == 0 and message.kind == "sign"]
    if len(signed) != len(charter.peers):
        raise BadTranscript("the charter is not signed by everybody")
    return steps


def _certified(present: Peers, stands: list[Message], left: Iterable[int]) -> Peers:
    """Whom the certificate that these stands make names; nobody if they make none."""
    said: dict[int, list[Stand]] = {}
    for message in stands:
        with suppress(Misfit):  # rubbish, which convicts whoever plays by the rules
            said.setdefault(message.peer, []).append(read_stand(message.body))
    return certified(present, said, frozenset(left)) or frozenset()
