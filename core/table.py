"""A table among peers: one replica of the game, fed with signed messages.

The replica knows from the transcript alone which peers must send which kind of message in which
step (docs/protocol.md). Bytes come in through `receive`, the player's moves through `answer`;
what it has to say stands at the end of `log`, to be stored and then sent.

Rule 1: no clock, no socket, no `random`. Timers and links belong to whoever holds the table.
Rule 2: the order of arrival matters nowhere. A message for a later step waits for its step.
Rule 3: a fault that a signature proves ends the table here and names the peer; its proof stays in
the log so that every other peer finds the same. Bytes that prove nothing are `BadMessage`.
Rule 4: a head that is not ours convicts nobody by itself, since its signer may have been lied to.
It waits for the proof of who signed twice. Only what a peer sends on its own link comes after all
that it knew, so there, and nowhere else, such a head is the peer's own doing.
Rule 5: long work (proofs) is done in slices, at once or as the holder calls `work`, so that nobody
has to wait for it.
Rule 6: a replica without a seed (`me` None) is a spectator: it checks everything, owes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .charter import Charter
from .commit import opening, signing
from .desk import Desk
from .encoding import Rand, frame
from .errors import (
    BadMessage,
    Equivocation,
    Fork,
    IllegalAnswer,
    Malformed,
    OutOfTurn,
    PeerError,
    ScriptError,
    TableEnded,
)
from .game import Game, Observation, Outcome
from .pieces import Faces, Seat
from .protocols import protocol
from .questions import Answer, Question
from .requests import Ask, AskAll, Event
from .script import ScriptRun
from .steps import Bodies, Body, Protocol, Step, Work, is_work
from .transcript import Message, Sign, next_head, signed_by, write_transcript

FUTURE_STEPS = 4096
"""How far ahead a message may be: peers that nobody asks can lag behind those who play."""
FUTURE_BYTES = 1 << 19
"""What may wait for its step, or stand over another history, of one peer: so none can fill our
memory or crowd out others."""


Check = Callable[[Step, int, Body], Work[None] | None]


@dataclass(slots=True, eq=False)
class Job:
    """Long work: `finish` is given what it returns, `proof` stands behind a fault that it finds."""

    work: Work[Any]
    finish: Callable[[Any], None]
    proof: tuple[Message, ...] = ()


class Table:
    """One peer's replica of a game.

    `asked` are our own seats' open questions. `fault` is the proven fault that ended the table,
    `ended` the reason of nobody's fault, `outcome` how the game ended, `over` whether all seeds
    are revealed too and nothing is owed any more.
    """

    def __init__(
        self,
        charter: Charter,
        game: Game[Any],
        *,
        me: int | None = None,
        sign: Sign | None = None,
        vault: Mapping[int, Rand] | None = None,
        on_event: Callable[[Event], None] | None = None,
        check: Check = lambda step, peer, body: step.check(peer, body),
        at_once: bool = True,
    ) -> None:
        """`me` is our index among the charter's peers; `sign` and our seed in `vault` go with it.
        `on_event` is called while the script rests at an event. `check(step, peer, body)` is how
        a message is judged; the audit judges by the seed too. `at_once`
        False leaves long work to calls of `work`.

        :raises BadCharter: if the game is not the one of the charter
        """
        charter.check_game(game)
        self.charter = charter
        self.game = game
        self.me = me
        self.asked: dict[Seat, Question] = {}
        self.fault: PeerError | None = None
        self.late_fault: PeerError | None = None
        """A fault that was proven when the game was over: nobody can undo it any more."""
        self.ended: TableEnded | None = None
        self.over = False
        self.log: list[Message] = []
        """Every message, in the order in which we took it; proofs of a fault as well."""
        self.strays: dict[tuple[int, int], Message] = {}
        """Messages over another history than ours, by step and peer."""
        self.seeds: dict[int, bytes] = {}
        self.forced: list[tuple[Seat, Question, Answer]] = []
        """Answers that the rules left no choice about, given for our seats by this table."""
        self._sign = sign
        self._check = check
        self._choices: dict[Seat, str] = {}
        self._recorded: dict[tuple[int, Seat], str] = {}
        self._steps: list[dict[int, Message]] = []
        self._got: dict[int, Message] = {}
        self._examining: dict[int, Message] = {}
        """Messages for the step that is due whose long check is under way."""
        self._paying = -1
        """The step for which our own message is being made."""
        self._later: dict[int, dict[int, Message]] = {}
        self._direct: set[tuple[int, int]] = set()
        self._incomplete: set[int] = set()
        """Peers on whose links a message of somebody else was refused: it may have been a proof."""
        self._by_payload: dict[bytes, Message] = {}
        self._plan: Step | None = None
        self._at_once = at_once
        self._at_it = False
        self._jobs: deque[Job] = deque()
        run = ScriptRun(game, charter.seat_names, dict(charter.options), on_event)
        self.desk = Desk(charter, run, vault or {})
        self._heads = [self.desk.head]
        self._life = self._live()

    # What others may ask.

    @property
    def step(self) -> int:
        """The step that is due, from 0."""
        return self.desk.step

    @property
    def outcome(self) -> Outcome | None:
        return self.desk.run.outcome

    @property
    def started(self) -> bool:
        """Whether everybody has signed the charter."""
        return self.desk.step > 0

    @property
    def live(self) -> bool:
        """Whether the table waits for messages."""
        return self.fault is None and self.ended is None and not self.over

    @property
    def state(self) -> Any:
        """The script's public state, or None before its first mark."""
        return self.desk.run.state

    @property
    def events(self) -> list[Event]:
        return self.desk.run.events

    def faces(self, seat: Seat | None) -> Faces:
        """What a seat of ours may see; None, or a seat of others, sees what is public."""
        return self.desk.faces(seat)

    def observation(self, seat: Seat) -> Observation[Any]:
        """What a bot in a seat of ours may know now."""
        run = self.desk.run
        return Observation(seat, run.seats, run.options, run.state, self.faces(seat), run.events)

    def waiting_for(self) -> tuple[int, ...]:
        """The peers whose message the step still lacks."""
        if self._plan is None or not self.live:
            return ()
        return tuple(peer for peer in self._plan.peers if peer not in self._got)

    def asked_seats(self) -> tuple[Seat, ...]:
        """The seats, ours or others', whose answers the step still lacks."""
        waiting = self.waiting_for()
        asks = self._plan.asks if self._plan else {}
        return tuple(seat for seat in asks if self.charter.owner(seat) in waiting)

    def seconds(self) -> int:
        """How long the seats that are asked may take; 0 is no limit."""
        request = self.desk.run.request
        own = request.seconds if isinstance(request, Ask | AskAll) else None
        return own if own is not None else self.charter.settings.seconds

    def due_messages(self) -> list[Message]:
        """The messages of the step that is due, as far as we hold them, in peer order."""
        return [self._got[peer] for peer in sorted(self._got)]

    def head_before(self, step: int) -> bytes | None:
        """The head over which messages of this step are signed, or None before we reach it."""
        return self._heads[step] if step <= self.step else None

    def messages(self) -> list[Message]:
        """The messages of complete steps and of the due one, in step and peer order."""
        done = [step[peer] for step in self._steps for peer in sorted(step)]
        return [*done, *self.due_messages()]

    @property
    def evidence(self) -> list[Message]:
        """What stands against somebody and has no place among `messages`."""
        held = {message.payload for message in self.messages()}
        against = (*self.strays.values(), *(self.fault.proof if self.fault else ()))
        unplaced = {m.payload: m for m in against if m.payload not in held}
        return list(unplaced.values())

    def transcript(self) -> bytes:
        """The transcript file as it stands."""
        return write_transcript(self.charter, self.messages(), self.evidence)

    # What happens to it.

    def start(self, recorded: Mapping[tuple[int, Seat], str] | None = None) -> None:
        """Begin. `recorded` are answers that our players gave before a restart, by step and
        seat: a sealed answer must be the same again."""
        self._recorded = dict(recorded or {})
        self._plan = next(self._life)
        self._go_on()

    def expect_answer(self, seat: Seat, answer: Answer) -> Question:
        """The question of one of our seats that this would answer.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        question = self.asked.get(seat)
        if question is None:
            raise IllegalAnswer(f"it is not {seat}'s turn")
        self.desk.run.check_answer(seat, question, answer, self.faces(seat))
        return question

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Answer a question of one of our seats.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        question = self.expect_answer(seat, answer)
        self._choices[seat] = question.write(answer)
        del self.asked[seat]
        self._go_on()

    def receive(self, payload: bytes, signature: bytes, via: int | None = None) -> Message | None:
        """Take a message from elsewhere; `via` is the peer on whose link it came. A link must
        keep the order, and bring what was missed before anything new. Returns the message if it
        is new and worth passing on.

        :raises BadMessage: if it proves nothing against anybody at this table
        """
        message = self._by_payload.get(payload)
        if message is None or message.signature != signature:
            message = Message.read(self.charter, payload, signature)
        known = self._known(message)
        place = (message.step, message.peer)
        if known is not None and known.payload == payload:
            if place in self.strays and via == message.peer:
                self._direct.add(place)
                self._stray(message)
            return None
        if self.over and known is not None and self.late_fault is None:
            self.late_fault = self.twice(message)
            self._keep(message)
            return message
        if not self.live:
            return None
        direct = via == message.peer
        foreign = message.step <= self.step and message.head != self.head_before(message.step)
        convicts = foreign and direct and message.peer not in self._incomplete
        if known is None and not convicts and (foreign or message.step > self.step):
            self._check_room(message, via)
        if direct:
            self._direct.add(place)
        self._keep(message)
        if known is not None:
            self._convict(self.twice(message), known, message)
        elif message.step > self.step:
            self._later.setdefault(message.step, {})[message.peer] = message
        elif foreign:
            self._stray(message)
        elif message.step < self.step:
            self._convict(self._out_of_turn(message), message)
        else:
            self._take(message)
            self._go_on()
        return message

    def leave(self, peer: int, signature: bytes) -> None:
        """A peer says that it leaves.

        :raises BadMessage: if it did not say so
        """
        if not 0 <= peer < len(self.charter.peers):
            raise BadMessage("a farewell of nobody at this table")
        name = self.charter.name_of(peer)
        if not signed_by(self.charter.peers[peer].key, self.farewell(peer), signature):
            raise BadMessage(f"a farewell that {name} did not sign")
        if self.live and self.outcome is None:
            self._end(TableEnded(f"{name} left the table, so the game ends without a result"))

    def farewell(self, peer: int) -> bytes:
        """What a peer signs to leave this table on purpose."""
        return frame("leave", self.charter.table, peer)

    @property
    def busy(self) -> bool:
        """Whether there is long work to do."""
        return bool(self._jobs) and self.live

    def work(self) -> bool:
        """Do one slice of long work; whether there is more."""
        if not self.live:
            self._jobs.clear()
        if not self._jobs:
            return False
        job = self._jobs[0]
        try:
            next(job.work)
        except StopIteration as stop:
            self._jobs.popleft()
            job.finish(stop.value)
            self._go_on()
        except PeerError as fault:
            self._jobs.popleft()
            self._convict(fault, *job.proof)
        return bool(self._jobs)

    def _begin(self, job: Job) -> None:
        """Take up long work; at once, unless we come from such work ourselves."""
        self._jobs.append(job)
        if self._at_once and not self._at_it:
            self._at_it = True
            try:
                while self.work():
                    pass
            finally:
                self._at_it = False

    @property
    def progress(self) -> tuple[str, int, int] | None:
        """What takes long now, as (whose turn it is, which, of how many), or None."""
        if self._plan is None or self._plan.progress is None or not self.live:
            return None
        return self.charter.name_of(self._plan.peers[0]), *self._plan.progress

    # Steps.

    def _live(self) -> Protocol[None]:
        """The whole life of a table, step by step."""
        root = self.desk.head
        commitments = yield from signing(self.desk, root)
        run = self.desk.run
        with self.desk.judging():
            run.start()
        while run.outcome is None:
            assert run.request is not None
            result = yield from protocol(self.desk, run.request)
            self._choices.clear()
            with self.desk.judging():
                run.resume(result)
        self.seeds = dict((yield from opening(self.desk, root, commitments)))
        self.over = True

    def _go_on(self) -> None:
        """Send what we owe and complete steps, as far as it goes."""
        while self.live and self._plan is not None:
            plan = self._plan
            self._pay(plan)
            if self.waiting_for() or len(self._got) < len(plan.peers):
                return
            self._complete(plan)

    def _pay(self, plan: Step) -> None:
        """Send our message for this step, if it is due and our players have answered."""
        self.asked = {}
        if self.me is None or self.me not in plan.peers:
            return
        try:
            unanswered = self._open_questions(plan)
        except ScriptError as error:
            self._end(TableEnded(str(error)))
            return
        if self.me in self._got or self.me in self._examining or self._paying == self.step:
            return
        self.asked = unanswered
        if self.asked:
            return
        assert self._sign is not None
        body = plan.owe(self.me, self.desk.vault[self.me], self._choices)
        if is_work(body):
            self._paying = self.step
            self._begin(Job(body, partial(self._send, plan)))
        else:
            self._send(plan, body)

    def _send(self, plan: Step, body: Body) -> None:
        """Sign and send our message for the step that is due."""
        assert self.me is not None
        assert self._sign is not None
        if plan is not self._plan or self.me in self._got or self.me in self._examining:
            return  # it came back from a peer that had it before we were restarted
        message = Message.make(
            self.charter, self.step, self.me, plan.kind, self.desk.head, body, self._sign
        )
        self._keep(message)
        self._got[self.me] = message

    def _open_questions(self, plan: Step) -> dict[Seat, Question]:
        """Our seats' questions that nobody has answered: neither the player, nor the record of
        an earlier run, nor the rules themselves (a forced answer)."""
        assert self.me is not None
        still: dict[Seat, Question] = {}
        for seat in self.desk.among(self.me, plan.asks):
            question = plan.asks[seat]
            if seat in self._choices:
                continue
            recorded = self._recorded.get((self.step, seat))
            with self.desk.run.game_code():
                forced = question.only_answer(self.faces(seat))
            if recorded is not None:
                self._choices[seat] = recorded
            elif forced is not None:
                self._choices[seat] = question.write(forced)
                self.forced.append((seat, question, forced))
            else:
                still[seat] = question
        return still

    def _take(self, message: Message) -> None:
        """A message for the step that is due: hold it if it is right, convict its peer if not."""
        plan = self._plan
        assert plan is not None
        if message.head != self.desk.head:
            self._stray(message)
            return
        try:
            if message.peer not in plan.peers:
                raise self._out_of_turn(message)
            if message.kind != plan.kind:
                # Not what it was called: that is the sender's own text.
                why = f"sent another kind of message where {plan.kind} was due"
                raise self._blame(message, Malformed, why)
            check = self._check(plan, message.peer, message.body)
        except PeerError as fault:
            self._convict(fault, message)
        except ScriptError as error:
            self._end(TableEnded(str(error)))
        else:
            if check is None:
                self._got[message.peer] = message
            else:
                self._examining[message.peer] = message
                self._begin(Job(check, lambda _: self._examined(message), (message,)))

    def _examined(self, message: Message) -> None:
        """A message stood its long check."""
        del self._examining[message.peer]
        self._got[message.peer] = message

    def _complete(self, plan: Step) -> None:
        """All messages are there: extend the chain and run to the next step."""
        got = {peer: self._got[peer] for peer in sorted(self._got)}
        bodies: Bodies = {peer: message.body for peer, message in got.items()}
        desk = self.desk
        number = desk.step
        try:
            self._steps.append(got)
            self._got = {}
            desk.head = next_head(desk.head, got.values())
            self._heads.append(desk.head)
            desk.step += 1
            self._plan = self._life.send(bodies)
        except StopIteration:
            self._plan = None
        except PeerError as fault:
            # Found by what was revealed in the step that is complete now.
            fault.step = number
            self._convict(fault)
        except ScriptError as error:
            self._end(TableEnded(str(error)))
        self._take_waiting()

    def _take_waiting(self) -> None:
        """Messages that came before their step."""
        for message in self._later.pop(self.step, {}).values():
            if self.live:
                self._take(message)

    def _check_room(self, message: Message, via: int | None) -> None:
        """:raises BadMessage: if the message is too far ahead to be kept for its step, or its
        author has too much waiting or over other histories already"""
        kept = [step[message.peer] for step in self._later.values() if message.peer in step]
        kept += [stray for stray in self.strays.values() if stray.peer == message.peer]
        size = len(message.payload) + sum(len(earlier.payload) for earlier in kept)
        if message.step > self.step + FUTURE_STEPS or size > FUTURE_BYTES:
            if via is not None and via != message.peer:
                self._incomplete.add(via)
            raise BadMessage("a message too far ahead of the game, or too large beside it")

    def _known(self, message: Message) -> Message | None:
        """The message of the same peer for the same step that we hold."""
        if message.step < len(self._steps) and message.peer in self._steps[message.step]:
            return self._steps[message.step][message.peer]
        if message.step == self.step:
            for held in (self._got, self._examining):
                if message.peer in held:
                    return held[message.peer]
        later = self._later.get(message.step, {}).get(message.peer)
        return later or self.strays.get((message.step, message.peer))

    def _blame(self, message: Message, fault: type[PeerError], why: str) -> PeerError:
        return fault(self.charter.name_of(message.peer), message.step, why)

    def twice(self, message: Message) -> PeerError:
        """The fault of a peer who has signed another message for this step."""
        return self._blame(message, Equivocation, "sent two different messages for one step")

    def _out_of_turn(self, message: Message) -> PeerError:
        return self._blame(message, OutOfTurn, "spoke in a step that is not its own")

    def _stray(self, message: Message) -> None:
        """A message over another history than ours. If its author sent it on its own link, no
        proof will follow that somebody else signed twice; unless we refused one there before."""
        place = (message.step, message.peer)
        self.strays[place] = message
        if place in self._direct and self.live and message.peer not in self._incomplete:
            why = "signed over another history than the table's"
            self._convict(self._blame(message, Fork, why), message)

    def _keep(self, message: Message) -> None:
        self.log.append(message)
        self._by_payload[message.payload] = message

    def _convict(self, fault: PeerError, *proof: Message) -> None:
        """End the table by a proven fault. The proof goes on to everybody else."""
        fault.proof = proof
        self.fault = fault
        self.asked = {}

    def _end(self, reason: TableEnded) -> None:
        self.ended = reason
        self.asked = {}

    def judge_all(self, faces: Faces) -> None:
        """Judge every claim and answer that is still open by all the faces there were.

        :raises PeerError: naming who claimed or played what they disprove
        """
        with self.desk.judging():
            self.desk.run.judge(faces)
