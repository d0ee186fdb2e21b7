"""A table among peers: one replica of the game, fed with signed messages.

The replica knows from the transcript alone which peers must send which kind of message in which
step (docs/protocol.md). Bytes come in through `receive`, the player's moves through `answer`;
what it has to say stands at the end of `log`, to be stored and then sent.

Rule 1: no clock, no socket, no `random`. Timers and links belong to whoever holds the table.
Rule 2: where a message belongs is the `history`'s to say; what follows from it is said here.
Rule 3: a fault that a signature proves ends the table here and names the peer; its proof stays in
the log so that every other peer finds the same. Bytes that prove nothing are `BadMessage`. Two
signatures that contradict each other stand by themselves: they replace every other verdict.
Rule 4: long work (proofs) is done in slices, at once or as the holder calls `work`, so that nobody
has to wait for it.
Rule 5: a replica without a seed (`me` None) is a spectator: it checks everything, owes nothing.
Rule 6: a replica that came back is silent: it signs nothing before it is told that it knows all
that it may have said (`restore`).
Rule 7: a farewell ends the game at the first step that needs its author, which is the same step on
every replica, whoever heard what when. What its author signed before stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sobremesa.core.crypto.slices import Work, is_work
from sobremesa.core.encoding import Rand, pack
from sobremesa.core.errors import BadMessage, ScriptError, TableEnded, TooFarAhead
from sobremesa.core.game import Bot, Game, Observation, Outcome
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Event
from sobremesa.core.script import ScriptRun

from .charter import Charter
from .dispatch import exchange
from .faults import Equivocation, Finding, Malformed, OutOfTurn, PeerError, verdict
from .history import History, Placement
from .life import closing, opening, signing
from .own_seats import OwnSeats
from .phase import LIVE, TRANSITIONS, Phase, step_on
from .state import ReplicaState
from .steps import Body, Exchange, Step
from .transcript import LEAVE, Message, Sign, write_transcript
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
        self.late_fault: Equivocation | None = None
        """A fault that was proven when the game was over: nobody can undo it any more."""
        self.ended: TableEnded | None = None
        self.silent = False
        """Whether we sign nothing for now (rule 6)."""
        self.broken: ScriptError | None = None
        """What broke on this machine alone, for all we know: others may wait for us."""
        self.seeds: dict[int, bytes] = {}
        self._outcome: Outcome | None = None
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
        """How the game ended, from when all have said that they see the same end."""
        return self._outcome

    @property
    def started(self) -> bool:
        """Whether everybody has signed the charter, whatever came of it."""
        return self.history.step > 0

    @property
    def live(self) -> bool:
        """Whether the table waits for messages."""
        return self.phase in LIVE

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

    def bot_answer(self, bot: Bot[Any], seat: Seat, question: Question) -> Answer:
        """What a bot in a seat of ours answers to a question of the step that is due. Its chance
        follows from our seed and this step: it answers the same after a restart, and in the audit.

        :raises Exception: whatever the bot raises
        """
        return bot.choose(self.observation(seat), question, self.replica_state.pick(seat))

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
        """Farewells, and what stands against somebody, without a place among `messages`."""
        held = {message.payload for message in self.messages()}
        history = self.history
        against = [*history.strays.values(), *(self.fault.proof if self.fault else ())]
        if not self.over:
            against += history.left.values()
        beside = {message.payload: message for message in against}
        return [message for payload, message in beside.items() if payload not in held]

    def transcript(self) -> bytes:
        """The transcript file as it stands."""
        return write_transcript(self.charter, self.messages(), self.evidence)

    # What happens to it.

    def start(
        self, recorded: Mapping[tuple[int, Seat], str] | None = None, *, silent: bool = False
    ) -> None:
        """Begin, `silent` if we come back. `recorded` are answers that our players gave before a
        restart, by step and seat: a sealed answer must be the same again."""
        self.own.recorded = dict(recorded or {})
        self.silent = silent
        self._plan = next(self._life)
        self._go_on()

    def recall(self, message: Message) -> None:
        """Take a message of our own record that we had checked when we signed over it."""
        if self.history.place(message) is not Placement.DUE:
            self.receive(message.payload, message.signature)
            return
        self.history.add(message, Placement.DUE)
        self.history.due[message.peer] = message
        self._go_on()

    def speak(self) -> None:
        """Be silent no longer."""
        self.silent = False
        self._go_on()

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Answer a question of one of our seats.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        self.own.answer(seat, answer)
        self._go_on()

    def receive(self, payload: bytes, signature: bytes) -> Message | None:
        """Take a message from elsewhere. Returns it if it is new.

        :raises BadMessage: if it proves nothing against anybody at this table
        :raises TooFarAhead: if it would have to wait for its step, and there is no room for it
        """
        return self.take(self._read(payload, signature))

    def take(self, message: Message) -> Message | None:
        """Take a message that was read and whose signature was checked. Returns it if it is new.

        :raises TooFarAhead: if it would have to wait for its step, and there is no room for it
        """
        placement = self.history.place(message)
        if placement is Placement.SIGNED_TWICE:
            held = self.history.against(message)
            assert held is not None
            return message if self._take_proof(held, message) else None
        if placement is Placement.LEFT and not self.live:
            self.history.left[message.peer] = message  # nobody waits for it any more
        if placement is Placement.REPEATED or not self.live:
            return None
        if placement is Placement.NO_ROOM:
            raise TooFarAhead("a message too far ahead of the game, or too large beside it")
        self.history.add(message, placement)
        self._settle(message, placement)
        self._go_on()
        return message

    def receive_proof(self, one: tuple[bytes, bytes], other: tuple[bytes, bytes]) -> None:
        """Take two messages, each its payload and signature, that stand against their author
        whatever the history.

        :raises BadMessage: if they prove nothing against anybody at this table
        """
        first, second = self._read(*one), self._read(*other)
        if not first.contradicts(second):
            raise BadMessage("a proof that proves nothing")
        self._take_proof(first, second)

    @property
    def proof(self) -> tuple[Message, ...]:
        """Two messages that convict their author whatever the history, if there are such."""
        equivocation = self.late_fault or self.fault
        return equivocation.proof if isinstance(equivocation, Equivocation) else ()

    def leave(self) -> Message | None:
        """Say farewell: nothing comes from us any more. Returns what was signed, if we had not
        left before."""
        history = self.history
        if self.me in history.left or self.over or self.fault is not None or self.silent:
            return None
        step = history.step + bool(self._have_said())
        message = self._sign_message(step, LEAVE, pack([]))
        history.add(message, Placement.LEFT)
        self._stop_without_leavers()
        return message

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
        state = self.replica_state
        state.run.judge(faces)
        if state.convicted:
            raise self._verdict(state.convicted[0])

    # Steps.

    def _lifetime(self) -> Exchange[None]:
        """The whole life of a table, step by step."""
        state, run = self.replica_state, self.replica_state.run
        root = state.head
        commitments = yield from signing(state, root)
        self._enter(Phase.PLAYING)
        run.start()
        while run.outcome is None:
            assert run.request is not None
            result = yield from exchange(state, run.request)
            self.own.choices.clear()
            run.resume(result)
        yield from closing(state, run.outcome)
        self._outcome = run.outcome
        self._enter(Phase.OPENING_SEEDS)
        self.seeds = dict((yield from opening(state, root, commitments)))
        self._enter(Phase.OVER)

    def _go_on(self) -> None:
        """Send what we owe and complete steps, as far as it goes."""
        while self.live and self._plan is not None:
            plan = self._plan
            self._do_our_part(plan)
            if self.waiting_for() or len(self.history.due) < len(plan.peers):
                self._stop_without_leavers()
                return
            self._complete()

    def _stop_without_leavers(self) -> None:
        """End the game if what the due step still lacks was to come from somebody who left."""
        if not self.live or self.me in self.history.left:
            return  # who leaves itself needs no end
        missing = [peer for peer in self.waiting_for() if peer not in self.history.examining]
        left = [peer for peer in missing if peer in self.history.left]
        if not left or (self.phase is Phase.OPENING_SEEDS and left != missing):
            return  # seeds that can still come are waited for: the game has its outcome
        names = " and ".join(map(self.charter.name_of, left))
        if self.phase is Phase.OPENING_SEEDS:
            why = "left without opening its seed, so nobody can check how it played"
        else:
            why = "left the table, so the game ends without a result"
        self._end(TableEnded(f"{names} {why}"))

    def _complete(self) -> None:
        """All messages are there: extend the chain and run to the next step."""
        plan, done = self._plan, self.history.complete()
        assert plan is not None
        self.replica_state.step = self.history.step
        self.replica_state.head = self.history.head
        stopped: TableEnded | ScriptError | None = None
        try:
            bodies = {peer: plan.read(peer, message.body) for peer, message in done.items()}
            self._plan = self._life.send(bodies)
        except StopIteration:
            self._plan = None
        except (TableEnded, ScriptError) as error:
            stopped = error
        if self.replica_state.convicted:
            # Where a lie leads, the rules may break, and that is the liar's fault.
            self._convict(self.replica_state.convicted[0])
        elif isinstance(stopped, ScriptError):
            self._break(stopped)
        elif stopped is not None:
            self._end(stopped)
        for message, placement in self.history.come_due():
            if self.live:
                self._settle(message, placement)

    # Our own part in a step.

    def _do_our_part(self, plan: Step) -> None:
        """Send our message for this step, if it is due and our players have answered."""
        self.own.asked = {}
        if self.me not in plan.peers or self.me in self.history.left:
            return
        try:
            unanswered = self.own.open_questions(plan)
        except ScriptError as error:
            self._break(error)
            return
        if self.silent or self._have_said() or self._making == self.step:
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
        if plan is self._plan and not self._have_said() and self.me not in self.history.left:
            self._send(plan, body)
        self._go_on()

    def _send(self, plan: Step, body: Body) -> None:
        """Sign and send our message for the step that is due."""
        assert self.me is not None
        packed = pack(body)
        try:
            plan.read(self.me, packed)
        except Finding:
            self._end(TableEnded(f"{self.game.title} asks for more than a message can hold"))
            return
        message = self._sign_message(self.step, plan.kind, packed)
        self.history.keep(message)
        self.history.due[self.me] = message

    def _sign_message(self, step: int, kind: str, packed: bytes) -> Message:
        assert self.me is not None
        assert self._sign is not None
        head = self.history.head
        return Message.make(self.charter, step, self.me, kind, head, packed, self._sign)

    # Others' messages.

    def _settle(self, message: Message, placement: Placement) -> None:
        """What follows from a message in its place. `LATER` and `STRAY` wait for more; of who
        has `LEFT` we know when a step needs it."""
        match placement:
            case Placement.DUE:
                self._examine(message)
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
            check = self._check(plan, message.peer, plan.read(message.peer, message.body))
        except Finding as finding:
            self._convict(self._blame(message, finding.kind, finding.why))
        except ScriptError as error:
            self._break(error)
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

    def _take_proof(self, held: Message, message: Message) -> bool:
        """Convict the author of two messages that contradict each other. False if we knew."""
        fault = Equivocation.of(self.charter, held, message)
        if self.over:
            # It changes no result any more, but the others should know whom they played with.
            if self.late_fault is not None:
                return False
            self.late_fault = fault
        else:
            if isinstance(self.fault, Equivocation) and self.proof[0].peer <= message.peer:
                return False  # of several liars all replicas name the same
            self._convict(fault)
        for proof in fault.proof:
            if not any(proof is logged for logged in self.history.log):
                self.history.keep(proof)
        return True

    def _read(self, payload: bytes, signature: bytes) -> Message:
        """:raises BadMessage: if it is not a message of this table, signed by its author"""
        known = self.history.find(payload, signature)
        return known or Message.read(self.charter, payload, signature)

    def _convict(self, fault: PeerError) -> None:
        """End the table by a proven fault. The proof goes on to everybody else."""
        found = self._verdict(fault)
        if isinstance(found, TableEnded):
            self._end(found)
            return
        convicted = self.fault is not None
        self.fault = found
        if not convicted:
            self._enter(Phase.CONVICTED)

    def _break(self, error: ScriptError) -> None:
        self.broken = error
        self._end(TableEnded(str(error)))

    def _verdict(self, fault: PeerError) -> PeerError | TableEnded:
        return verdict(fault, self.charter, self.game.title)

    def _end(self, reason: TableEnded) -> None:
        self.ended = reason
        self._enter(Phase.BROKEN_OFF)

    def _enter(self, phase: Phase) -> None:
        self.phase = step_on(TRANSITIONS, self.phase, phase)
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
