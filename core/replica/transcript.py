"""Signed messages, their chain, and the file in which a game is kept.

Rule 1: a message has one encoding, and the signature covers all of it. What it says stands packed
in it, and is unpacked when its step is due: by then it is known what that may be.
Rule 2: nothing larger than its kind can need has its signature checked.
Rule 3: the head after a step is a hash of the head before and of the step's messages in peer
order, and of who was gone from it; the order of arrival matters nowhere.
Rule 4: a file is the charter and, step by step, the messages in peer order and what stands in the
place of those that are missing, so that every peer of a table writes the same bytes; proofs of a
fault stand behind them. It is read record by record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sobremesa.core.encoding import digest, frame, pack
from sobremesa.core.errors import BadMessage, BadTranscript
from sobremesa.core.schema import Bytes, Int, Kinds, Misfit, Reader, Row, Word, read_whole

from .bodies import BODY_LIMITS, HASH
from .charter import MAX_PEERS, MOST_BYTES, Charter
from .poll import begins_with, read_stand

Sign = Callable[[bytes], bytes]
"""Signs bytes with a peer's Ed25519 identity key; returns 64 bytes (RFC 8032)."""

MAGIC = b"sobremesa transcript 1\n"
MAX_STEP = 1_000_000

ENVELOPE = Row(
    (
        Bytes(16, 16),
        Int(0, MAX_STEP),
        Int(0, MAX_PEERS - 1),
        Word(tuple(BODY_LIMITS)),
        HASH,
        Bytes(0, max(BODY_LIMITS.values())),
    )
)
"""A message: table id, step, peer, kind, head, packed body."""

SIGNATURE = Bytes(64, 64)

MOST_TRANSCRIPT = 16 << 20
"""Bytes of a transcript: eight times what the longest game of eight makes (docs/protocol.md)."""

MESSAGE = (Bytes(0, ENVELOPE.most), SIGNATURE)
"""A message and its signature, beside each other in a record."""

RECORD = Kinds({"charter": (Bytes(0, MOST_BYTES),), "message": MESSAGE, "evidence": MESSAGE})
"""A record of a file."""

LEAVE = "leave"
"""The kind of a farewell. It stands for the first step for which its author has signed nothing,
over the last head that it knows; from that step on no message of the game comes from it."""

STAND = "stand"
"""The kind of what a peer says about a step beside its message (`poll`): all of it, anew each time
that something is added."""

BESIDE = (LEAVE, STAND)
"""What is said beside the messages that steps wait for."""


@dataclass(frozen=True, slots=True)
class Message:
    """One peer's part in one step. `payload` is its encoding, which ends with the `size` bytes of
    its packed body; `signature` signs the payload."""

    step: int
    peer: int
    kind: str
    head: bytes
    size: int
    payload: bytes
    signature: bytes

    @property
    def body(self) -> bytes:
        """What it says, packed: its step knows what that may be (`Step.read`)."""
        return self.payload[len(self.payload) - self.size :]

    @property
    def hash(self) -> bytes:
        """A name for its exact content (`message_hash`)."""
        return message_hash(self.payload)

    @classmethod
    def make(
        cls, charter: Charter, step: int, peer: int, kind: str, head: bytes, body: bytes, sign: Sign
    ) -> Message:
        """Write and sign a message; the body is packed already."""
        payload = pack([charter.table, step, peer, kind, head, body])
        return cls(step, peer, kind, head, len(body), payload, sign(frame("message", payload)))

    @classmethod
    def read(cls, charter: Charter, payload: bytes, signature: bytes) -> Message:
        """Read and check a message from elsewhere, but for its body.

        :raises BadMessage: if it is not a message of this table, signed by the peer it names
        """
        try:
            table, step, peer, kind, head, body = read_whole(ENVELOPE, payload)
        except Misfit as error:
            raise BadMessage("not a message") from error
        if table != charter.table:
            raise BadMessage("a message from another table")
        if peer >= len(charter.peers):
            raise BadMessage("a message of nobody at this table")
        if len(body) > BODY_LIMITS[kind]:
            raise BadMessage("a message larger than its kind can be")
        if not signed_by(charter.peers[peer].key, frame("message", payload), signature):
            raise BadMessage(f"a message that {charter.name_of(peer)} did not sign")
        return cls(step, peer, kind, head, len(body), payload, signature)

    @classmethod
    def recall(cls, payload: bytes, signature: bytes) -> Message:
        """A message that was read and checked before."""
        _, step, peer, kind, head, body = read_whole(ENVELOPE, payload)
        return cls(step, peer, kind, head, len(body), payload, signature)

    def contradicts(self, other: Message) -> bool:
        """Whether no honest peer signs both: two messages for one step, one for a step after its
        farewell, or two stands of which neither goes on with the other. The two signatures are the
        proof, whatever the history."""
        if self.peer != other.peer or self.payload == other.payload:
            return False
        if STAND in (self.kind, other.kind):
            return self._stands_against(other)
        first, second = sorted((self, other), key=lambda message: message.step)
        return first.step == second.step or first.kind == LEAVE

    def _stands_against(self, other: Message) -> bool:
        if self.step != other.step or LEAVE in (self.kind, other.kind):
            return False
        if self.kind != other.kind or self.head != other.head:
            return self.head != other.head  # one step has one head before it
        try:
            one, two = read_stand(self.body), read_stand(other.body)
        except Misfit:
            return False  # rubbish convicts its author by itself
        return not begins_with(one, two) and not begins_with(two, one)


def message_hash(payload: bytes) -> bytes:
    """A name for a message's exact content, 32 bytes: no two versions of one message share it."""
    return digest("have", payload)[:32]


def signed_by(key: bytes, data: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature is the key's (RFC 8032)."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def next_head(
    head: bytes, messages: Iterable[Message], gone: frozenset[int] = frozenset()
) -> bytes:
    """The head after a step, from the head before, its messages in peer order, and who was gone
    from it."""
    # Payloads only: a signer can make two signatures of one payload, which is no fork.
    payloads = [message.payload for message in messages]
    if not gone:
        return digest("head", head, *payloads)
    return digest("head without", head, pack(sorted(gone)), *payloads)


def write_transcript(
    charter: Charter, messages: Iterable[Message], evidence: Iterable[Message] = ()
) -> bytes:
    """The bytes of a transcript file."""
    parts = [MAGIC, pack(["charter", charter.encode()])]
    parts += [pack(["message", m.payload, m.signature]) for m in messages]
    parts += [pack(["evidence", m.payload, m.signature]) for m in evidence]
    return b"".join(parts)


Record = tuple[bytes, bytes]
"""A message as a file holds it: payload and signature, not yet checked."""


@dataclass(frozen=True, slots=True)
class Records:
    """The messages of a file, or its evidence, read anew each time they are gone through.

    :raises BadTranscript: as soon as the file's form turns out to be damaged
    """

    _data: bytes
    _start: int
    _kind: str

    def __iter__(self) -> Iterator[Record]:
        reader = Reader(self._data, self._start)
        number, before = 1, "message"
        while reader.more:
            kind, *values = _read_record(reader, number)
            if len(values) != 2 or (kind, before) == ("message", "evidence"):
                raise BadTranscript(f"record {number} of the transcript is not a message")
            if kind == self._kind:
                yield values[0], values[1]
            number, before = number + 1, kind


def read_transcript(data: bytes) -> tuple[Charter, Records, Records]:
    """The charter, the messages and the evidence of a file, the signatures not yet checked.

    :raises BadTranscript: if the file's start is damaged
    :raises BadCharter: if its charter is damaged
    """
    if not data.startswith(MAGIC):
        raise BadTranscript("this is no Sobremesa transcript (its first line is another)")
    reader = Reader(data, len(MAGIC))
    kind, charter, *_ = _read_record(reader, 0)
    if kind != "charter":
        raise BadTranscript("the transcript has no charter at its start")
    records = [Records(data, reader.at, kind) for kind in ("message", "evidence")]
    return Charter.decode(charter), records[0], records[1]


def _read_record(reader: Reader, number: int) -> list[Any]:
    try:
        return RECORD.read(reader)
    except Misfit as error:
        raise BadTranscript(
            f"the transcript is damaged or cut short in record {number}: {error}"
        ) from error
