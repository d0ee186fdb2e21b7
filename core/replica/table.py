"""A table among peers: one replica of the game, fed with signed messages.

The replica knows from the transcript alone which peers must send which kind of message in which
step (docs/protocol.md). Bytes come in through `receive`, the player's moves through `answer`;
what it has to say stands at the end of `log`, to be stored and then sent.

Rule 1: no clock, no socket, no `random`. Timers and links belong to whoever holds the table.
Rule 2: where a message belongs is the `history`'s to say; what follows from it is said here.
Rule 3: a fault that a signature proves ends the table here and names the peer; its proof stays in
the log so that every other peer finds the same. Bytes that prove nothing are `BadMessage`.
Rule 4: long work (proofs) is done in slices, at once or as the holder calls `work`, so that nobody
has to wait for it.
Rule 5: a replica without a seed (`me` None) is a spectator: it checks everything, owes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sobremesa.core.crypto.slices import Work, is_work
from sobremesa.core.encoding import Rand, frame
from sobremesa.core.errors import BadMessage, ScriptError, TableEnded
from sobremesa.core.game import Game, Observation, Outcome
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Event
from sobremesa.core.script import ScriptRun

from .charter import Charter
from .dispatch import exchange
from .faults import Finding, Fork, Malformed, OutOfTurn, PeerError, twice, verdict
from .history import History, Placement
from .life import opening, signing
from .own_seats import OwnSeats
from .phase import TRANSITIONS, Phase, step_on
from .state import ReplicaState
from .steps import Body, Exchange, Step
from .transcript import Message, Sign, signed_by, write_transcript
from .work import Job, WorkQueue

Check = Callable[[Step, int, Body], Work[None] | None]

OUT_OF_TURN = "spoke in a step that is not its own"


class Table:
    """One peer's replica of a game.

    `phase` is where it stands, `fault` the proven fault that ended it, `ended` the reason of
    nobody's fault, `outcome` how the game ended.

    Long, because it is the whole face of a replica and what drives it; what it knows, holds and
    still has to do lies in `replica_state`, `history`, `own` and the queue of work.
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
        self.phase = Phase.SIGNING
        self.fault: PeerError | None = None
        self.late_fault: PeerError | None = None
        """A fault that was proven when the game was over: nobody can undo it any more."""
        self.ended: TableEnded | None = None
        self.seeds: dict[int, bytes] = {}
        run = ScriptRun(game, charter.seat_names, dict(charter.options), on_event)
        self.replica_state = ReplicaState(charter, run, vault or {})
        self.history = History(self.replica_state.head)
        self.own = OwnSeats(self.replica_state, me)
        self._sign = sign
        self._check = check
        self._making = -1
        """The step for which our own message is being made."""
        self._work = WorkQueue(at_once)
        self._plan: Step | None = None
        self._life = self._lifetime()

    # What others may ask.

    @property
    def step(self) -> int:
        """The step that is due, from 0."""
        return self.history.step

    @property
    def log(self) -> list[Message]:
        """Every message, in the order in which we took it; proofs of a fault as well."""
        return self.history.log

    @property
    def asked(self) -> dict[Seat, Question]:
        """Our own seats' open questions."""
        return self.own.asked

    @property
    def forced(self) -> list[tuple[Seat, Question, Answer]]:
        """Answers that the rules left no choice about, given for our seats by this table."""
        return self.own.forced

    @property
    def outcome(self) -> Outcome | None:
        return self.replica_state.run.outcome

    @property
    def started(self) -> bool:
        """Whether everybody has signed the charter, whatever came of it."""
        return self.history.step > 0

    @property
    def live(self) -> bool:
        """Whether the table waits for messages."""
        return bool(TRANSITIONS[self.phase])

    @property
    def over(self) -> bool:
        """Whether the game has ended, all seeds are revealed and nothing is owed any more."""
        return self.phase is Phase.OVER

    @property
    def state(self) -> Any:
        """The script's public state, or None before its first mark."""
        return self.replica_state.run.state

    @property
    def events(self) -> list[Event]:
        return self.replica_state.run.events

    def faces(self, seat: Seat | None) -> Faces:
        """What a seat of ours may see; None, or a seat of others, sees what is public."""
        return self.replica_state.faces(seat)

    def observation(self, seat: Seat) -> Observation[Any]:
        """What a bot in a seat of ours may know now."""
        run = self.replica_state.run
        return Observation(seat, run.seats, run.options, run.state, self.faces(seat), run.events)

    def waiting_for(self) -> tuple[int, ...]:
        """The peers whose message the step still lacks."""
        if self._plan is None or not self.live:
            return ()
        return tuple(peer for peer in self._plan.peers if peer not in self.history.due)

    def asked_seats(self) -> tuple[Seat, ...]:
        """The seats, ours or others', whose answers the step still lacks."""
        waiting = self.waiting_for()
        asks = self._plan.asks if self._plan else {}
        return tuple(seat for seat in asks if self.charter.owner(seat) in waiting)

    def seconds(self) -> int:
        """How long the seats that are asked may take; 0 is no limit."""
        request = self.replica_state.run.request
        own = request.seconds if isinstance(request, Ask | AskAll) else None
        return own if own is not None else self.charter.settings.seconds

    @property
    def progress(self) -> tuple[str, int, int] | None:
        """What takes long now, as (whose turn it is, which, of how many), or None."""
        if self._plan is None or self._plan.progress is None or not self.live:
            return None
        return self.charter.name_of(self._plan.peers[0]), *self._plan.progress

    def messages(self) -> list[Message]:
        """The messages of complete steps and of the due one, in step and peer order."""
        return self.history.messages()

    @property
    def evidence(self) -> list[Message]:
        """What stands against somebody and has no place among `messages`."""
        held = {message.payload for message in self.messages()}
        against = (*self.history.strays.values(), *(self.fault.proof if self.fault else ()))
        unplaced = {m.payload: m for m in against if m.payload not in held}
        return list(unplaced.values())

    def transcript(self) -> bytes:
        """The transcript file as it stands."""
        return write_transcript(self.charter, self.messages(), self.evidence)

    # What happens to it.

    def start(self, recorded: Mapping[tuple[int, Seat], str] | None = None) -> None:
        """Begin. `recorded` are answers that our players gave before a restart, by step and
        seat: a sealed answer must be the same again."""
        self.own.recorded = dict(recorded or {})
        self._plan = next(self._life)
        self._go_on()

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Answer a question of one of our seats.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        self.own.answer(seat, answer)
        self._go_on()

    def receive(self, payload: bytes, signature: bytes, via: int | None = None) -> Message | None:
        """Take a message from elsewhere; `via` is the peer on whose link it came. A link must
        keep the order, and bring what was missed before anything new. Returns the message if it
        is new and worth passing on.

        :raises BadMessage: if it proves nothing against anybody at this table
        """
        history = self.history
        message = history.find(payload, signature)
        message = message or Message.read(self.charter, payload, signature)
        placement = history.place(message, via)
        if placement is Placement.SIGNED_TWICE and self.over and self.late_fault is None:
            # It changes no result any more, but the others should know whom they played with.
            history.keep(message)
            self.late_fault = self._twice(message)
            return message
        if not self.live:
            return None
        match placement:
            case Placement.REPEATED:
                return None
            case Placement.TRACED:
                self._convict(self._forked(message))
                return None
            case Placement.NO_ROOM:
                history.refuse(message, via)
                raise BadMessage("a message too far ahead of the game, or too large beside it")
            case Placement.SIGNED_TWICE:
                history.keep(message)
                self._convict(self._twice(message))
            case _:
                history.add(message, placement, via)
                self._settle(message, placement)
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
        return bool(self._work)

    def work(self) -> bool:
        """Do one slice of long work; whether there is more."""
        return self._work.work()

    def judge_all(self, faces: Faces) -> None:
        """Judge every claim and answer that is still open by all the faces there were.

        :raises PeerError: naming who claimed or played what they disprove
        :raises Disagreement: if that is so by our copy of the game and there are others
        """
        try:
            with self.replica_state.judging():
                self.replica_state.run.judge(faces)
        except PeerError as fault:
            raise self._verdict(fault) from fault

    # Steps.

    def _lifetime(self) -> Exchange[None]:
        """The whole life of a table, step by step."""
        state, run = self.replica_state, self.replica_state.run
        root = state.head
        commitments = yield from signing(state, root)
        self._enter(Phase.PLAYING)
        with state.judging():
            run.start()
        while run.outcome is None:
            assert run.request is not None
            result = yield from exchange(state, run.request)
            self.own.choices.clear()
            with state.judging():
                run.resume(result)
        self._enter(Phase.OPENING_SEEDS)
        self.seeds = dict((yield from opening(state, root, commitments)))
        self._enter(Phase.OVER)

    def _go_on(self) -> None:
        """Send what we owe and complete steps, as far as it goes."""
        while self.live and self._plan is not None:
            plan = self._plan
            self._do_our_part(plan)
            if self.waiting_for() or len(self.history.due) < len(plan.peers):
                return
            self._complete()

    def _complete(self) -> None:
        """All messages are there: extend the chain and run to the next step."""
        done = self.history.complete()
        self.replica_state.step = self.history.step
        self.replica_state.head = self.history.head
        try:
            self._plan = self._life.send({peer: message.body for peer, message in done.items()})
        except StopIteration:
            self._plan = None
        except PeerError as fault:
            self._convict(fault)
        except ScriptError as error:
            self._end(TableEnded(str(error)))
        for message, placement in self.history.come_due():
            if self.live:
                self._settle(message, placement)

    # Our own part in a step.

    def _do_our_part(self, plan: Step) -> None:
        """Send our message for this step, if it is due and our players have answered."""
        self.own.asked = {}
        if self.me is None or self.me not in plan.peers:
            return
        try:
            unanswered = self.own.open_questions(plan)
        except ScriptError as error:
            self._end(TableEnded(str(error)))
            return
        if self._have_said() or self._making == self.step:
            return
        self.own.asked = unanswered
        if unanswered:
            return
        body = plan.owe(self.me, self.replica_state.vault[self.me], self.own.choices)
        if is_work(body):
            self._making = self.step
            self._work.add(Job(body, partial(self._made, plan)))
        else:
            self._send(plan, body)

    def _have_said(self) -> bool:
        """Whether our message for the due step is there, or came back and is being checked."""
        return self.me in self.history.due or self.me in self.history.examining

    def _made(self, plan: Step, body: Body) -> None:
        """Our own long work is done."""
        # It may have come back from a peer that had it before we were restarted.
        if plan is self._plan and not self._have_said():
            self._send(plan, body)
        self._go_on()

    def _send(self, plan: Step, body: Body) -> None:
        """Sign and send our message for the step that is due."""
        assert self.me is not None
        assert self._sign is not None
        history = self.history
        message = Message.make(
            self.charter, history.step, self.me, plan.kind, history.head, body, self._sign
        )
        history.keep(message)
        history.due[self.me] = message

    # Others' messages.

    def _settle(self, message: Message, placement: Placement) -> None:
        """What follows from a message in its place. `LATER` and `STRAY` wait for more."""
        match placement:
            case Placement.DUE:
                self._examine(message)
            case Placement.FORKED:
                self._convict(self._forked(message))
            case Placement.OUT_OF_TURN:
                self._convict(self._blame(message, OutOfTurn, OUT_OF_TURN))

    def _examine(self, message: Message) -> None:
        """A message for the step that is due: take it if it is right, convict its peer if not."""
        plan = self._plan
        assert plan is not None
        try:
            if message.peer not in plan.peers:
                raise Finding(OutOfTurn, OUT_OF_TURN)
            if message.kind != plan.kind:
                # What it was called is not said: that is the sender's own text.
                raise Finding(Malformed, f"sent another kind of message where {plan.kind} was due")
            check = self._check(plan, message.peer, message.body)
        except Finding as finding:
            self._convict(self._blame(message, finding.kind, finding.why))
        except ScriptError as error:
            self._end(TableEnded(str(error)))
        else:
            if check is None:
                self.history.due[message.peer] = message
            else:
                self.history.examining[message.peer] = message
                self._work.add(Job(_finding_of(check), partial(self._examined, message)))

    def _examined(self, message: Message, finding: Finding | None) -> None:
        """The long check of a message has ended."""
        if finding is not None:
            self._convict(self._blame(message, finding.kind, finding.why))
            return
        del self.history.examining[message.peer]
        self.history.due[message.peer] = message
        self._go_on()

    # Faults, and the end.

    def _blame(self, message: Message, fault: type[PeerError], why: str) -> PeerError:
        """The fault of a message's author, which that message proves."""
        return fault(self.charter.name_of(message.peer), message.step, why, (message,))

    def _forked(self, message: Message) -> PeerError:
        return self._blame(message, Fork, "signed over another history than the table's")

    def _twice(self, message: Message) -> PeerError:
        """The fault of a peer of whom we hold another message for this step."""
        held = self.history.held(message)
        assert held is not None
        return twice(self.charter, held, message)

    def _convict(self, fault: PeerError) -> None:
        """End the table by a proven fault. The proof goes on to everybody else."""
        found = self._verdict(fault)
        if isinstance(found, PeerError):
            self.fault = found
            self._enter(Phase.CONVICTED)
        else:
            self._end(found)

    def _verdict(self, fault: PeerError) -> PeerError | TableEnded:
        return verdict(fault, self.charter, self.game.title)

    def _end(self, reason: TableEnded) -> None:
        self.ended = reason
        self._enter(Phase.BROKEN_OFF)

    def _enter(self, phase: Phase) -> None:
        self.phase = step_on(self.phase, phase)
        if not self.live:
            self.own.asked = {}
            self._work.clear()


def _finding_of(check: Work[None]) -> Work[Finding | None]:
    """A long check that returns what it finds."""
    try:
        yield from check
    except Finding as finding:
        return finding
    return None
