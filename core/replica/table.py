"""A table among peers: one replica of the game, fed with signed messages.

The replica knows from the transcript alone which peers must send which kind of message in which
step (docs/protocol.md). Bytes come in through `receive`, the player's moves through `answer`;
what it has to say stands at the end of `log`, to be stored and then sent.

Rule 1: no clock, no socket, no `random`. Timers and links belong to whoever holds the table.
Rule 2: where a message belongs is the `history`'s to say; what follows from it is said here.
Rule 3: a fault that a signature proves convicts its peer; the proof stays in the log so that every
other peer finds the same. The others vote it gone and play on; where only two are left, it ends the
table. Bytes that prove nothing are `BadMessage`. Two signatures that contradict each other always
end the table, since histories may have parted, and replace every other verdict.
Rule 4: long work (proofs) is done in slices, at once or as the holder calls `work`, so that nobody
has to wait for it.
Rule 5: a replica without a seed (`me` None) is a spectator: it checks everything, owes nothing.
Rule 6: a replica that came back is silent: it signs nothing before it is told that it knows all
that it may have said (`restore`).
Rule 7: who is gone from a step is decided by ballots (`poll`). What follows from them is done here;
whether to sign one is for others to say (`vote`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sobremesa.core.crypto.slices import Work, is_work
from sobremesa.core.encoding import Rand, pack
from sobremesa.core.errors import BadMessage, ScriptError, TableEnded, TooFarAhead
from sobremesa.core.game import Bot, Game, Observation, Outcome
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Event
from sobremesa.core.schema import Misfit
from sobremesa.core.script import ScriptRun

from .charter import Charter
from .departures import Departure
from .dispatch import exchange
from .faults import BadStand, Equivocation, Finding, Malformed, OutOfTurn, PeerError, verdict
from .history import UNWANTED, History, Placement
from .life import closing, opening, signing
from .own_seats import OwnSeats
from .phase import LIVE, TRANSITIONS, Phase, step_on
from .poll import (
    Act,
    Ballot,
    Done,
    Peers,
    Poll,
    Stand,
    is_majority,
    read_stand,
    why_no_stand,
    write_stand,
)
from .state import ReplicaState
from .steps import Body, Exchange, Step
from .transcript import BESIDE, LEAVE, STAND, Message, Sign, write_transcript
from .work import Job, WorkQueue

Check = Callable[[Step, int, Body], Work[None] | None]

LEFT_EARLY = "it was left before its end"
WENT_ON = "the others went on without you, since you were away for too long"
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
        self.convicted: dict[int, PeerError] = {}
        """Faults of peers without which the others play on."""
        self.departures: list[Departure] = []
        """Without whom the game went on, in order."""
        self.ended: TableEnded | None = None
        self.silent = False
        """Whether we sign nothing for now (rule 6)."""
        self.broken: ScriptError | None = None
        """What broke on this machine alone, for all we know: others may wait for us."""
        self.seeds: dict[int, bytes] = {}
        self._outcome: Outcome | None = None
        run = ScriptRun(game, charter.seat_names, dict(charter.options), on_event)
        self.replica_state = ReplicaState(charter, run, vault or {})
        self.history = History(self.replica_state.head, len(charter.peers))
        self.own = OwnSeats(self.replica_state, me)
        self._sign = sign
        self._check = check
        self._making = -1
        """The step for which our own message is being made."""
        self._work = WorkQueue(at_once)
        self._plan: Step | None = None
        self._poll = Poll(frozenset(), frozenset())
        self._lost: Peers = frozenset()
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
        settings = self.charter.settings
        return (own if own is not None else settings.seconds) * (2 if settings.slow else 1)

    @property
    def progress(self) -> tuple[str, int, int] | None:
        """What takes long now, as (whose turn it is, which, of how many), or None."""
        if self._plan is None or self._plan.progress is None or not self.live:
            return None
        return self.charter.name_of(self._plan.peers[0]), *self._plan.progress

    @property
    def present(self) -> Peers:
        """The peers that no certificate names."""
        return frozenset(self.replica_state.present)

    def messages(self) -> list[Message]:
        """The records of the complete steps and of the due one, in order (`History.record`)."""
        return self.history.messages()

    @property
    def timeless(self) -> frozenset[bytes]:
        """Payloads of what counts for others however far they are: what convicts somebody,
        farewells, and ballots, on which those of others may rest."""
        against = [*self.history.bad, *(self.fault.proof if self.fault else ())]
        beside = [message for message in self.log if message.kind in BESIDE]
        return frozenset(message.payload for message in (*against, *beside))

    @property
    def evidence(self) -> list[Message]:
        """Farewells, and what stands against somebody, without a place among `messages`; nothing
        when the game is over, since then nobody waits to know what it comes to."""
        if self.over:
            return []
        held = {message.payload for message in self.messages()}
        history = self.history
        against = [*history.bad, *history.strays.values(), *history.left.values()]
        against += self.fault.proof if self.fault else ()
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
        self._begin_step(next(self._life))
        self._go_on()

    def recall(self, message: Message) -> None:
        """Take a message of our own record that we had checked when we signed over it."""
        if self.history.place(message) is not Placement.DUE:
            self.receive(message.payload, message.signature)
            return
        self.history.add(message, Placement.DUE)
        self._accept(message)
        self._go_on()

    def speak(self) -> None:
        """Be silent no longer, and tell how those steps were decided on which others still vote."""
        self.silent = False
        for step, peer in self.history.voted:
            if step < self.step:
                self._answer_late_stand(step, peer)
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

        :raises BadMessage: if it votes before what allows it: an honest author's reasons come first
        :raises TooFarAhead: if it would have to wait for its step, and there is no room for it
        """
        placement = self.history.place(message)
        if placement is Placement.SIGNED_TWICE:
            held = self.history.against(message)
            assert held is not None
            return message if self._take_proof(held, message) else None
        if placement is Placement.LEFT and not self.live:
            self.history.left[message.peer] = message  # nobody waits for it any more
        # A game that is over is not, for those who still vote on its last step.
        may_ask = self.over and placement is Placement.STANDS
        if placement in UNWANTED or not (self.live or may_ask):
            return None
        if placement is Placement.NO_ROOM:
            raise TooFarAhead("a message too far ahead of the game, or too large beside it")
        if placement is Placement.STANDS and not self._is_explained(message):
            raise BadMessage("a ballot before what allows it")
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
        message = self._sign_message(step, LEAVE, pack([]), history.head)
        history.add(message, Placement.LEFT)
        self._settle(message, Placement.LEFT)
        self._go_on()
        return message

    # Ballots.

    def may_vote(self, gone: Peers) -> bool:
        """Whether we may sign now that nothing is expected of these peers any more."""
        return (
            self.live
            and not self.silent
            and self.phase is not Phase.SIGNING
            and self.me in self.present
            and self._poll.may_sign(self.me, gone)
        )

    def vote(self, gone: Peers) -> bool:
        """Sign it, if we may. Whether and when to, is for whoever knows clocks and links."""
        if not self.may_vote(gone):
            return False
        self._stand_on(self.step, [Ballot(gone)])
        self._go_on()
        return True

    def signers(self, gone: Peers) -> Peers:
        """Who has signed this ballot for the step that is due."""
        poll = self._poll
        return frozenset(peer for peer in poll.stands if gone in poll.ballots(peer))

    def lacking(self) -> Peers:
        """The peers for whom the step waits; of them a ballot names one at least."""
        started = self.live and self.phase is not Phase.SIGNING
        return self._poll.lacking() if started else frozenset()

    def nameable(self, lost: Peers) -> Peers:
        """Those among the lost that a ballot may name now (`Poll.nameable`)."""
        return self._poll.nameable(lost) if self.lacking() else frozenset()

    def leaving(self) -> Peers:
        """The present peers that nobody waits for: they have said farewell, or are convicted."""
        started = self.live and self.phase is not Phase.SIGNING
        return self.present & (self._poll.left | self._poll.convicted) if started else frozenset()

    def lose(self, lost: Peers) -> None:
        """These are lost to us now, for all that clocks, links and our player say: where others
        name one of them gone, we hold nothing against that."""
        if lost != self._lost:
            self._lost = lost
            self._go_on()

    def tell_how(self, step: int) -> bool:
        """Tell how a step that is past was decided, if we have not told it: somebody would decide
        it in another way. Whether we did."""
        history, me = self.history, self.me
        if me is None or not (self.live or self.over) or self.silent:
            return False
        told = any(isinstance(act, Done) for act in history.stand(step, me))
        if told or not 0 < step < self.step or me not in self.present:
            return False
        self._stand_on(step, [Done(history.gone_at(step))])
        return True

    def _is_explained(self, message: Message) -> bool:
        """Whether a stand keeps the rules by what we know of its step, or convicts its author by
        itself. What an honest peer knew when it signed always comes before."""
        if self.me is None:
            return True  # a record holds ballots before messages: it shows what was decided
        history, step = self.history, message.step
        try:
            stand = read_stand(message.body)
        except Misfit:
            return True
        if self._why_no_stand(message, stand) is not None:
            return True
        poll = self._poll if step == self.step else self._poll_of(step)
        held = {peer: history.held(step, peer) for peer in poll.present}
        known = {peer: message.hash for peer, message in held.items() if message is not None}
        return poll.follows(message.peer, stand, known)

    def _why_no_stand(self, message: Message, stand: Stand) -> str | None:
        present = self.history.present_at(message.step)
        return why_no_stand(stand, message.peer, present) if message.step else "voted too early"

    def _take_stand(self, message: Message) -> None:
        """What somebody says about who is gone from a step."""
        try:
            stand = read_stand(message.body)
        except Misfit:
            self._convict(self._blame(message, Malformed, "sent a message of the wrong shape"))
            return
        why = self._why_no_stand(message, stand)
        if why is not None:
            self._convict(self._blame(message, BadStand, why))
        elif message.step == self.step:
            self._poll.stands[message.peer] = self.history.stand(message.step, message.peer)
            self._look_whether_gone(self._poll)
        else:
            self._look_whether_gone(self._poll_of(message.step))
            self._answer_late_stand(message.step, message.peer)

    def _answer_late_stand(self, step: int, peer: int) -> None:
        """Somebody votes on a step that is past: tell how it was decided."""
        gone, acts = self.history.gone_at(step), self.history.stand(step, peer)
        asks = any(isinstance(act, Ballot) and act.gone != gone for act in acts)
        if asks and peer not in gone and not any(isinstance(act, Done) for act in acts):
            self.tell_how(step)

    def _look_whether_gone(self, poll: Poll) -> None:
        """See whether the others have gone on without us."""
        ballots = {ballot for peer in poll.stands for ballot in poll.ballots(peer)}
        if self.live and any(self.me in one and poll.is_complete(one) for one in ballots):
            left = self.me in self.history.left
            self.ended = TableEnded(LEFT_EARLY if left else WENT_ON)
            self._enter(Phase.GONE)

    def _stand_on(self, step: int, acts: list[Act]) -> None:
        """Add to our stand on a step, and sign all of it."""
        assert self.me is not None
        head = self.history.head_before(step)
        assert head is not None
        stand: Stand = (*self.history.stand(step, self.me), *acts)
        message = self._sign_message(step, STAND, pack(write_stand(stand)), head)
        self.history.add(message, Placement.STANDS)
        if step == self.step:
            self._poll.stands[self.me] = stand

    def _poll_of(self, step: int) -> Poll:
        """The ballots of a step that is past."""
        history, present = self.history, self.history.present_at(step)
        stands = {peer: history.stand(step, peer) for peer in present}
        said, left = {p: s for p, s in stands.items() if s}, set(history.left_by(step))
        return Poll(present, history.expected_at(step), stands=said, left=left)

    def _say_where_we_stand(self) -> None:
        """Hold what we have to against ballots of others, and sign those that name us where we have
        left and they need it."""
        if self.me is None or self.silent or not self._poll.stands:
            return
        owed: list[Act] = [*self._poll.owed_holds(self.me, self._lost)]
        if owed:
            self._stand_on(self.step, owed)
        if self.me in self.history.left:
            ballots = {b for peer in self._poll.stands for b in self._poll.ballots(peer)}
            for ballot in sorted(ballots, key=sorted):
                enough = is_majority(len(self.present - ballot), self.present)
                if not enough and self.me in ballot and self._poll.may_sign(self.me, ballot):
                    self._stand_on(self.step, [Ballot(ballot)])
                    return

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
            self._do_our_part(self._plan)
            self._say_where_we_stand()
            gone = self._poll.decision(self.me if self.me in self.present else None)
            if gone is None or not self.live:
                self._stop_before_the_start()
                return
            self._complete(gone)

    def _stop_before_the_start(self) -> None:
        """What not everybody has signed never begins without who says farewell."""
        left = [peer for peer in self.history.left if peer in self.waiting_for()]
        if self.phase is Phase.SIGNING and left and self.me not in left:
            names = " and ".join(map(self.charter.name_of, left))
            self._end(TableEnded(f"{names} left the table before the game had begun"))

    def _complete(self, gone: Peers) -> None:
        """The step is decided: extend the chain and run to the next step."""
        plan = self._plan
        assert plan is not None
        self._note_departures(plan, gone)
        step, asked = self.step, self._is_asked(gone)
        done = self.history.complete(gone, frozenset(plan.peers))
        if asked:
            self.tell_how(step)
        self.replica_state.step = self.history.step
        self.replica_state.head = self.history.head
        self.replica_state.lose(gone)
        stopped: TableEnded | ScriptError | None = None
        try:
            bodies = {peer: plan.read(peer, message.body) for peer, message in done.items()}
            self._begin_step(self._life.send(bodies))
        except StopIteration:
            self._plan = None
        except (TableEnded, ScriptError) as error:
            stopped = error
        self._judge(stopped)
        for message, placement in self.history.come_due():
            if placement is Placement.STANDS and not self._is_explained(message):
                continue  # nobody honest said it, and it must not go on from us
            self.history.add(message, placement)
            if self.live:
                self._settle(message, placement)

    def _judge(self, stopped: TableEnded | ScriptError | None) -> None:
        """Convict whom the complete step showed to be guilty, and end what the step has stopped."""
        found, self.replica_state.convicted = self.replica_state.convicted, []
        here = [fault for fault in found if self.charter.owner(fault.peer) in self.present]
        for fault in here:
            if self.live and self.charter.owner(fault.peer) not in self.convicted:
                # Where a lie leads, the rules may break, and that is the liar's fault.
                self._convict(fault, last=stopped is not None)
        if self.live and isinstance(stopped, ScriptError):
            self._break(stopped)
        elif self.live and isinstance(stopped, TableEnded):
            self._end(stopped)

    def _begin_step(self, plan: Step) -> None:
        """A step is due: of those whom it needs, who is gone sends nothing."""
        present = self.present
        while not (peers := tuple(peer for peer in plan.peers if peer in present)):
            plan = self._life.send({})
        self._plan = replace(plan, peers=peers)
        self._poll = Poll(
            present,
            frozenset(peers),
            left=set(self.history.left_by(self.step)),
            convicted=set(self.convicted),
        )

    def _is_asked(self, gone: Peers) -> bool:
        """Whether somebody may wait for another end of the step than the one without these."""
        poll = self._poll
        others = [poll.ballots(peer) for peer in poll.stands if peer not in gone | {self.me}]
        return any(ballot != gone for ballots in others for ballot in ballots)

    def _note_departures(self, plan: Step, gone: Peers) -> None:
        for peer in sorted(gone):
            name, fault = self.charter.name_of(peer), self.convicted.get(peer)
            owed = plan.kind if peer in plan.peers else ""
            if fault is not None:
                found = Departure(peer, name, self.step, "convicted", owed, fault.why)
            else:
                left = peer in self._poll.left
                found = Departure(peer, name, self.step, "left" if left else "away", owed)
            self.departures.append(found)

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
        message = self._sign_message(self.step, plan.kind, packed, self.history.head)
        self.history.keep(message)
        self._accept(message)

    def _sign_message(self, step: int, kind: str, packed: bytes, head: bytes) -> Message:
        assert self.me is not None
        assert self._sign is not None
        return Message.make(self.charter, step, self.me, kind, head, packed, self._sign)

    # Others' messages.

    def _settle(self, message: Message, placement: Placement) -> None:
        """What follows from a message in its place. `LATER` and `STRAY` wait for more, what comes
        from a peer that is `GONE` is of use to others alone."""
        match placement:
            case Placement.DUE:
                self._examine(message)
            case Placement.OUT_OF_TURN:
                self._convict(self._blame(message, OutOfTurn, OUT_OF_TURN))
            case Placement.STANDS:
                self._take_stand(message)
            case Placement.LEFT if message.step <= self.step:
                self._poll.left.add(message.peer)

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
                self._accept(message)
            else:
                self.history.examining[message.peer] = message
                self._work.add(Job(_finding_of(check), partial(self._examined, message)))

    def _accept(self, message: Message) -> None:
        """A message for the step that is due is right."""
        self.history.due[message.peer] = message
        self._poll.valid[message.peer] = message.hash

    def _examined(self, message: Message, finding: Finding | None) -> None:
        """The long check of a message has ended."""
        if self.history.examining.get(message.peer) is not message:
            return  # its step was decided without it
        if finding is not None:
            self._convict(self._blame(message, finding.kind, finding.why))
        else:
            del self.history.examining[message.peer]
            self._accept(message)
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

    def _convict(self, fault: PeerError, last: bool = False) -> None:
        """A fault is proven. The proof goes on to everybody else, and the game without its author
        if it can; `last` says that it cannot. Who is gone already has nothing more to lose, unless
        it parted histories."""
        peer = self.charter.owner(fault.peer)
        if peer not in self.present and not isinstance(fault, Equivocation):
            return
        found = self._verdict(fault)
        if isinstance(found, TableEnded):
            self._end(found)
            return
        if not isinstance(found, Equivocation):
            if found.proof:
                self.history.convict(found.proof[0])
            if len(self.present) > 2 and self.phase is not Phase.SIGNING and not last:
                known = self.convicted.get(peer)
                if known is None or found.step < known.step:  # of several faults all tell one
                    self.convicted[peer] = found
                self._poll.convicted.add(peer)
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
