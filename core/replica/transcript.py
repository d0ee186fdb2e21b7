"""Signed messages, their chain, and the file in which a game is kept.

Rule 1: a message has one encoding, and the signature covers all of it.
Rule 2: the head after a step is a hash of the head before and of the step's messages in peer
order; the order of arrival matters nowhere.
Rule 3: a file is the charter and the messages in step and peer order, so that every peer of a
table writes the same bytes; proofs of a fault stand behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sobremesa.core.encoding import digest, frame, pack, unpack
from sobremesa.core.errors import BadMessage, BadTranscript

from .charter import Charter

Sign = Callable[[bytes], bytes]
"""Signs bytes with a peer's Ed25519 identity key; returns 64 bytes (RFC 8032)."""

MAGIC = b"sobremesa transcript 1\n"
MAX_STEP = 1_000_000

LEAVE = "leave"
"""The kind of a farewell. It stands for the first step for which its author has signed nothing,
over the last head that it knows; from that step on nothing comes from it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One peer's part in one step. `payload` is its encoding, `signature` signs that."""

    step: int
    peer: int
    kind: str
    head: bytes
    body: Any
    payload: bytes
    signature: bytes

    @classmethod
    def make(
        cls, charter: Charter, step: int, peer: int, kind: str, head: bytes, body: Any, sign: Sign
    ) -> Message:
        """Write and sign a message."""
        payload = pack([charter.table, step, peer, kind, head, body])
        return cls(step, peer, kind, head, body, payload, sign(frame("message", payload)))

    @classmethod
    def read(cls, charter: Charter, payload: bytes, signature: bytes) -> Message:
        """Read and check a message from elsewhere.

        :raises BadMessage: if it is not a message of this table, signed by the peer it names
        """
        try:
            table, step, peer, kind, head, body = unpack(payload)
        except (ValueError, TypeError) as error:
            raise BadMessage("not a message") from error
        if not (
            isinstance(table, bytes)
            and type(step) is int
            and type(peer) is int
            and isinstance(kind, str)
            and isinstance(head, bytes)
        ):
            raise BadMessage("not a message")
        if table != charter.table:
            raise BadMessage("a message from another table")
        if not 0 <= peer < len(charter.peers) or not 0 <= step <= MAX_STEP:
            raise BadMessage("a message of nobody at this table")
        if not signed_by(charter.peers[peer].key, frame("message", payload), signature):
            raise BadMessage(f"a message that {charter.name_of(peer)} did not sign")
        return cls(step, peer, kind, head, body, payload, signature)

    @classmethod
    def recall(cls, payload: bytes, signature: bytes) -> Message:
        """A message that was read and checked before."""
        _, step, peer, kind, head, body = unpack(payload)
        return cls(step, peer, kind, head, body, payload, signature)

    def contradicts(self, other: Message) -> bool:
        """Whether no honest peer signs both: two messages for one step, or one for a step after
        its farewell. The two signatures are the proof, whatever the history."""
        if self.peer != other.peer or self.payload == other.payload:
            return False
        first, second = sorted((self, other), key=lambda message: message.step)
        return first.step == second.step or first.kind == LEAVE


def signed_by(key: bytes, data: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature is the key's (RFC 8032)."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def next_head(head: bytes, messages: Iterable[Message]) -> bytes:
    """The head after a step, from the head before and its messages in peer order."""
    # Payloads only: a signer can make two signatures of one payload, which is no fork.
    return digest("head", head, *[message.payload for message in messages])


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


def read_transcript(data: bytes) -> tuple[Charter, list[Record], list[Record]]:
    """The charter, the messages and the evidence of a file, the signatures not yet checked.

    :raises BadTranscript: if the file's form is damaged
    :raises BadCharter: if its charter is
    """
    if not data.startswith(MAGIC):
        raise BadTranscript("this is no Sobremesa transcript (its first line is another)")
    records = _records(data[len(MAGIC) :])
    if not records or records[0][0] != "charter" or len(records[0]) != 2:
        raise BadTranscript("the transcript has no charter at its start")
    charter = Charter.decode(records[0][1])
    split: dict[str, list[Record]] = {"message": [], "evidence": []}
    for number, record in enumerate(records[1:], 1):
        kind, *rest = record
        if kind not in split or len(rest) != 2 or (kind == "message" and split["evidence"]):
            raise BadTranscript(f"record {number} of the transcript is not a message")
        split[kind].append((rest[0], rest[1]))
    return charter, split["message"], split["evidence"]


def _records(data: bytes) -> list[list[Any]]:
    unpacker = msgpack.Unpacker(raw=False, max_buffer_size=len(data) + 1)
    unpacker.feed(data)
    records: list[list[Any]] = []
    start = 0
    while start < len(data):
        try:
            record = unpacker.unpack()
            end = unpacker.tell()
            if pack(record) != data[start:end]:
                raise ValueError("not canonical")
            kind, *rest = record
            if (
                type(record) is not list
                or type(kind) is not str
                or not all(isinstance(part, bytes) for part in rest)
            ):
                raise ValueError("not a record")
        except Exception as error:  # msgpack raises a dozen kinds for a dozen kinds of rubbish
            raise BadTranscript(
                f"the transcript is damaged or cut short in record {len(records)}"
            ) from error
        records.append(record)
        start = end
    return records
