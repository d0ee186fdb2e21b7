"""What can be checked of a transcript without the game that was played.

Everybody's signature of the charter, every other signature, the order, and the chain of heads, made
again from the messages. Whether they obey the rules nobody can say who has not got these.

Rule 1: only two messages of one peer that contradict each other convict it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sobremesa.core.errors import BadMessage, BadTranscript

from .charter import Charter
from .faults import Equivocation
from .transcript import Message, Record, next_head


def check_signed(charter: Charter, records: Iterable[Record], evidence: Iterable[Record]) -> int:
    """Check a transcript as far as its charter carries. Returns the number of steps.

    :raises BadTranscript: if it is damaged, or its messages do not make one history
    :raises Equivocation: if somebody signed two messages that contradict each other
    """
    held: dict[tuple[int, int], Message] = {}
    last: dict[int, Message] = {}
    messages = list(_read(charter, records, 1))
    for message in (*messages, *_read(charter, evidence, len(messages) + 1)):
        same = held.setdefault((message.step, message.peer), message)
        # Of a farewell and a later message the one that was read first is the last of its peer.
        for earlier in (same, last.get(message.peer, message)):
            if message.contradicts(earlier):
                raise Equivocation.of(charter, earlier, message)
        if message.step >= last.get(message.peer, message).step:
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
    head, steps = charter.root(), 0
    for step, group in groupby(messages, key=lambda message: message.step):
        said = list(group)
        peers = [message.peer for message in said]
        if step != steps or peers != sorted(set(peers)):
            raise BadTranscript(f"the messages of step {step} are not in their order")
        for message in said:
            if message.head != head:
                raise elsewhere(charter, message)
        head, steps = next_head(head, said), steps + 1
    signed = [message for message in messages if message.step == 0 and message.kind == "sign"]
    if len(signed) != len(charter.peers):
        raise BadTranscript("the charter is not signed by everybody")
    return steps
