"""Peers with one vice each: an honest replica with a dishonest mouth, hand or dice.

Rule 1: a vice is one class; `say` changes what goes out, `choose` what is answered, `rand` what
chance the replica uses. All else is an honest peer's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sobremesa.core.encoding import Pick, Rand, digest, pack, unpack
from sobremesa.core.game import Observation
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import LEAVE, STAND, Message, Sign


class Cheat:
    """An honest peer, to begin with."""

    def sit(self, table: Table, me: int, sign: Sign) -> None:
        """Take a place at the table."""
        self.table, self.me, self.sign = table, me, sign
        self.own: dict[int, bytes] = {}
        """What our replica made for each step; what we told instead may come back to it."""

    def rand(self, seed: bytes) -> Rand:
        """The randomness of the replica."""
        return Rand(seed)

    def choose(self, observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        """The answer of a player."""
        return question.sample(pick, observation.faces)

    def say(self, message: Message, to: int) -> Iterable[Message]:
        """What is sent to a peer in place of a message of our log."""
        if message.peer != self.me or message.kind == STAND:
            return (message,)
        if self.own.setdefault(message.step, message.payload) != message.payload:
            return ()
        return (self.twist(message),)

    def whisper(self, message: Message) -> bool:
        """Whether what was heard goes on at once, whatever our replica thinks of it."""
        return False

    def twist(self, message: Message) -> Message:
        """What is sent in place of a message of our own."""
        return message

    def sign_other(self, message: Message, **changes: Any) -> Message:
        """Our signed message with some fields changed."""
        fields = ("step", "peer", "kind", "head", "body")
        values = {name: changes.get(name, getattr(message, name)) for name in fields}
        if "body" in changes:
            values["body"] = pack(changes["body"])
        return Message.make(self.table.charter, **values, sign=self.sign)


def other(body: Any) -> Any:
    """A body of the same shape that differs in its first bytes, or is another sum."""
    if isinstance(body, list):
        return [other(body[0]), *body[1:]]
    if isinstance(body, str):
        return "sum 5" if body == "sum 6" else "sum 6"
    return bytes([body[0] ^ 1]) + body[1:]


class TwistsKind(Cheat):
    """Changes the body of each message of one kind."""

    kind = ""

    def twist(self, message: Message) -> Message:
        if message.kind != self.kind:
            return message
        return self.sign_other(message, body=self.change(unpack(message.body)))

    def change(self, body: Any) -> Any:
        return other(body)


class OpensAnotherToss(TwistsKind):
    kind = "toss-open"


class RevealsAnotherNonce(TwistsKind):
    kind = "roll-open"


class RevealsAnotherSecret(TwistsKind):
    kind = "reveal"


class ChangesSealedAnswer(TwistsKind):
    kind = "answer-open"

    def change(self, body: Any) -> Any:
        (salt, text), *rest = body
        return [[salt, "even" if text == "odd" else "odd"], *rest]


class SendsAnotherDigest(TwistsKind):
    kind = "mark"


class RevealsAnotherSeed(TwistsKind):
    kind = "seed"


class AnswersInRubbish(TwistsKind):
    """Answers with text that is no move."""

    kind = "answer"

    def change(self, body: Any) -> Any:
        return "abracadabra"


class AnswersInOtherWords(TwistsKind):
    """Answers with words that people may type, but not in notation."""

    kind = "answer"

    def change(self, body: Any) -> Any:
        return f" {body}"


class AnswersIllegally(TwistsKind):
    """Answers with a move that the public state forbids."""

    kind = "answer"

    def __init__(self, text: str) -> None:
        self.text = text

    def change(self, body: Any) -> Any:
        return self.text


class PlaysWhatItDoesNotHold(Cheat):
    """Gives an answer that only its own faces forbid."""

    def sit(self, table: Table, me: int, sign: Sign) -> None:
        super().sit(table, me, sign)
        # Its own replica would not let it.
        table.replica_state.run.check_answer = lambda *_: None  # type: ignore[method-assign]

    def choose(self, observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        honest = super().choose(observation, question, pick)
        if honest.move != "play":
            return honest
        return next(
            Answer("play", (face,))
            for face in (1, 2, 3)
            if question.why_not(Answer("play", (face,)), observation.faces)
        )


class ClaimsFalsely(Cheat):
    """Says another sum than its dice have."""

    def choose(self, observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        honest = super().choose(observation, question, pick)
        if honest.move != "sum":
            return honest
        return Answer("sum", (honest.args[0] + (1 if honest.args[0] < 12 else -1),))


class _Constant(Rand):
    def __init__(self, seed: bytes, statement: str) -> None:
        super().__init__(seed)
        self.statement = statement

    def secret(self, *statement: bytes | int | str) -> bytes:
        return b"mine" * 8 if statement[0] == self.statement else super().secret(*statement)


class ChoosesItsSecret(Cheat):
    """Uses bytes of its own choice where its seed should give them: seen by the audit alone."""

    def __init__(self, statement: str) -> None:
        self.statement = statement

    def rand(self, seed: bytes) -> Rand:
        return _Constant(seed, self.statement)


class SignsOverAnotherHead(Cheat):
    """Signs over a history that never was, and says nothing of who is gone from it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def say(self, message: Message, to: int) -> Iterable[Message]:
        ours = message.peer == self.me and message.kind == STAND
        return () if ours else super().say(message, to)

    def twist(self, message: Message) -> Message:
        if message.kind != self.kind:
            return message
        return self.sign_other(message, head=digest("another history"))


class SendsWrongKind(Cheat):
    """Sends its message under another name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = "answer-commit" if kind == "answer-open" else "answer-open"

    def twist(self, message: Message) -> Message:
        return self.sign_other(message, kind=self.name) if message.kind == self.kind else message


class SendsBody(Cheat):
    """Sends any body of its choice in messages of one kind."""

    def __init__(self, kind: str, body: Any) -> None:
        self.kind, self.body = kind, body

    def twist(self, message: Message) -> Message:
        return self.sign_other(message, body=self.body) if message.kind == self.kind else message


class Equivocates(Cheat):
    """Tells the peers in `others` another version of its message of one kind, and then is silent,
    but passes on all that it hears, so that honest peers meet with each other's histories."""

    def __init__(self, kind: str, others: Iterable[int]) -> None:
        self.kind, self.others = kind, frozenset(others)
        self.step: int | None = None
        self.spoken: dict[int, bytes] = {}

    def say(self, message: Message, to: int) -> Iterable[Message]:
        if message.kind == self.kind and message.peer == self.me and self.step is None:
            self.step = message.step
        if message.peer != self.me or (self.step is not None and message.step > self.step):
            return ()
        if self.spoken.setdefault(message.step, message.payload) != message.payload:
            return ()  # the other version, come back to us
        if message.kind == self.kind and to in self.others:
            return (self.sign_other(message, body=other(unpack(message.body))),)
        return (message,)

    def whisper(self, message: Message) -> bool:
        return message.peer != self.me


class LeavesForSome(Cheat):
    """Says farewell to the peers in `others` where it sends its message of one kind to the rest,
    and plays on."""

    def __init__(self, kind: str, others: Iterable[int]) -> None:
        self.kind, self.others = kind, frozenset(others)
        self.farewell: Message | None = None

    def say(self, message: Message, to: int) -> Iterable[Message]:
        ours = message.peer == self.me
        if ours and message.kind == self.kind and self.farewell is None:
            self.farewell = self.sign_other(message, kind=LEAVE, body=None)
        gone = self.farewell is not None and message.step >= self.farewell.step
        if ours and gone and to in self.others:
            assert self.farewell is not None
            return (self.farewell,)
        return (message,)


class FallsSilent(Cheat):
    """Says nothing any more from its message of one kind on."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.silent = False

    def say(self, message: Message, to: int) -> Iterable[Message]:
        ours = message.peer == self.me
        self.silent = self.silent or (ours and message.kind == self.kind)
        return () if self.silent and ours else super().say(message, to)


class SaysBoth(Cheat):
    """Sends both versions to everybody."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def say(self, message: Message, to: int) -> Iterable[Message]:
        if message.peer == self.me and message.kind == self.kind:
            return (message, self.sign_other(message, body=other(unpack(message.body))))
        return (message,)


class AnswersOutOfTurn(Cheat):
    """Answers a question that was put to somebody else."""

    def say(self, message: Message, to: int) -> Iterable[Message]:
        if message.kind != "answer" or message.peer == self.me:
            return (message,)
        return (message, self.sign_other(message, peer=self.me))


class AnswersBeforeItsTurn(Cheat):
    """Answers a question that was put to somebody else, before they do."""

    def say(self, message: Message, to: int) -> Iterable[Message]:
        plan = self.table._plan
        if plan is None or plan.kind != "answer" or self.me in plan.peers:
            return (message,)
        early = {"step": self.table.step, "peer": self.me, "kind": "answer", "body": "sum 5"}
        return (message, self.sign_other(message, head=self.table.replica_state.head, **early))


class ReplaysFromAnotherTable(Cheat):
    """Sends what somebody signed at another table."""

    def __init__(self, strange: Message) -> None:
        self.strange = strange

    def say(self, message: Message, to: int) -> Iterable[Message]:
        return (self.strange, message)


class ForgesAnothersSignature(Cheat):
    """Sends messages in another peer's name, signed with its own key."""

    def __init__(self, victim: int) -> None:
        self.victim = victim

    def say(self, message: Message, to: int) -> Iterable[Message]:
        if message.peer != self.me:
            return (message,)
        return (self.sign_other(message, peer=self.victim), message)
