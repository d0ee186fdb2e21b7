"""A match: one table on this machine, from our signature to the end.

It makes the table, or finds it on the disk, and owns it: an answer, a line of chat, a farewell are
given here, and kept, sent and told from here. Alone against bots there is nobody to send to: that
is a match without links.

Rule 1: what we sign is on the disk before it is on a link, and survives a power cut.
Rule 2: long proofs are worked off here, in slices, so whoever holds a match waits for none.
Rule 3: once everybody has signed the charter the table is never void.
Rule 4: when the game is over we stay until the others have it too, but not for ever.
Rule 5: who goes away keeps the seat, whatever made it go; only a farewell gives it up.
Rule 6: who comes back signs nothing before one link has brought all that its other end holds.
Rule 7: who leaves stays until the others have gone on, but not for ever: they may need its vote.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from sobremesa.core.encoding import Rand
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.phase import Phase, step_on
from sobremesa.core.replica.restore import restore
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.core.requests import Event

from .crash import CrashPoint
from .events import Absence, Giver, LinkEvents
from .identity import Identity
from .tasks import Tasks

if TYPE_CHECKING:  # who plays alone loads neither sockets nor a disk
    from sobremesa.net.links.channels import Channel

    from .peer_links import PeerLinks
    from .store import TableStore
    from .voting import Voting

LINGER = 15.0
"""Seconds at most that we stay after the end for peers that do not have it all yet."""
REST = 64
"""Slices of a record that are taken up before everything else gets a turn."""
FAREWELL = 1.0
"""Seconds in which our farewell must be on its way."""
ANSWERING = 5.0
"""Seconds in which somebody has answered who came back, if anybody is there."""
BOTS_TURN = 0.5
"""Seconds for a bot that plays our seat to answer by itself."""
SEEN_OFF = 5.0
"""Seconds at most that who leaves stays until the others have gone on."""


class MatchPhase(enum.Enum):
    """Where a match is between our signature and the end."""

    DIALLING = "dialling"
    """We have signed; links are made, and the others' signatures come in."""
    PLAYING = "playing"
    """Everybody has signed; the game goes on, or waits for who is away."""
    LINGERING = "lingering"
    """It is over for us; we stay for those who do not have it all yet."""
    CLOSED = "closed"
    """We dial nobody any more: we have left, or there is no such table."""


TRANSITIONS: Mapping[MatchPhase, frozenset[MatchPhase]] = {
    # A fault can be proven before everybody has signed, and others must hear of it.
    MatchPhase.DIALLING: frozenset({MatchPhase.PLAYING, MatchPhase.LINGERING, MatchPhase.CLOSED}),
    MatchPhase.PLAYING: frozenset({MatchPhase.LINGERING, MatchPhase.CLOSED}),
    MatchPhase.LINGERING: frozenset({MatchPhase.CLOSED}),
    MatchPhase.CLOSED: frozenset(),
}


class MatchEvents(LinkEvents, Protocol):
    """Whoever sits at a match: told what happens at its table."""

    def told(self, match: Match, event: Event) -> None:
        """The script rests at an event of the game."""

    def answered(
        self, match: Match, seat: Seat, question: Question, answer: Answer, by: Giver
    ) -> None:
        """An answer of ours is kept; the table takes it next."""

    def table_changed(self, match: Match) -> None:
        """The table took messages."""


MakeLinks = Callable[[Table, Callable[[], None]], "PeerLinks"]
"""Links for a table; what is given with it is to be called when one brought something new."""


class Match:
    """One table that we play at. `links` are those to the other peers; None alone.

    Long, because everything that happens to a table on this machine comes through here, so that
    nothing is sent before it is kept, or told before it is sent.
    """

    def __init__(
        self,
        charter: Charter,
        game: Game[Any],
        me: Identity,
        seed: bytes,
        events: MatchEvents,
        record: TableStore | None = None,
        links: MakeLinks | None = None,
    ) -> None:
        """The table is made, and nothing is signed yet (`begin`).

        :raises BadCharter: if the game is not ours
        """
        index = next(i for i, peer in enumerate(charter.peers) if peer.key == me.key)
        self.phase = MatchPhase.DIALLING
        self.table = Table(
            charter,
            game,
            me=index,
            sign=me.sign,
            vault={index: Rand(seed)},
            on_event=self._tell,
            at_once=False,
        )
        self.links = links(self.table, self.publish) if links is not None else None
        self._events = events
        self._voting = self._make_voting()
        self.absences: list[Absence] = []
        """For whom the table waits, as it was told last."""
        self._alone = False
        self.unanswered = False
        """Whether we came back, and none of the others has answered since."""
        self._back_at = 0.0
        self._alone_with: tuple[Question | None, float] = None, 0.0
        """What our player is asked that all the others have left, and since when."""
        self._ends_alone = False
        """Whether our player has heard that nobody else is left."""
        self._ended = asyncio.Event()
        """Set when the table waits for nothing more."""
        self._departed = 0
        """How many departures have been told."""
        self._record = record
        self.restored = False
        """Whether an earlier process of ours began it."""
        self._kept = 0
        """How many messages of the table's log are in the record."""
        self._crash = CrashPoint()
        self._restoring = False
        self._done = False
        """Whether nobody needs us any more, or we have waited long enough."""
        self._working = False
        self._tasks = Tasks(events.broke)

    def _make_voting(self) -> Voting | None:
        if self.links is None:
            return None
        from .voting import Voting  # who plays alone votes on nobody

        return Voting(self.table, self.links.mesh, _now())

    def begin(
        self,
        reserved: int | None = None,
        signed: Iterable[Message] = (),
        channels: Iterable[Channel] = (),
    ) -> None:
        """Sign, and see to it that there is a link to everybody but the `reserved` peer. `signed`
        are others' signatures, and `channels` links to them, that we have already."""
        self.table.start()
        for message in signed:
            self.table.receive(message.payload, message.signature)
        if self.links is not None:
            for channel in channels:
                self.links.adopt_channel(channel)
        self.publish()
        if self.links is not None:
            self.links.begin(reserved)

    async def take_up(self) -> None:
        """Go on where the record ends, as far as can be without signing anything (rule 6)."""
        assert self._record is not None
        messages, answers = self._record.messages(), self._record.choices()
        self.restored = self._restoring = True
        self._back_at = _now()
        for number, _ in enumerate(restore(self.table, messages, answers)):
            if number % REST == 0:
                await asyncio.sleep(0)
        self._restoring = False
        self._kept = len(self.table.log)
        self._crash.count = sum(message.peer == self.table.me for message in self.table.log)
        self.publish()

    def seek_all(self) -> None:
        """We listen again: see to it that there is a link to everybody."""
        if self.links is not None:
            self.links.begin(None)

    def _tell(self, event: Event) -> None:
        if not self._restoring:
            self._tell_departures()  # before what follows from them
            self._events.told(self, event)

    @property
    def name(self) -> Seat:
        """What our own seat is called."""
        assert self.table.me is not None
        return self.table.charter.name_of(self.table.me)

    @property
    def is_first(self) -> bool:
        """Whether nobody who stands before us in the charter is here."""
        here = self.table.present - self.table.history.left.keys()
        return min(here & self._not_away(), default=None) == self.table.me

    @property
    def reaches_nobody(self) -> bool:
        """Whether all the others have been away for a while."""
        return self._not_away() == {self.table.me}

    def _not_away(self) -> set[int]:
        assert self.links is not None
        away, now = self.links.mesh.presences.is_away, _now()
        return {peer for peer in range(len(self.table.charter.peers)) if not away(peer, now)}

    # What the player does.

    def answer(self, seat: Seat, answer: Answer, by: Giver) -> None:
        """Answer a question of one of our seats; what follows goes out.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        :raises CannotStore: if it cannot be kept; it is not given then
        """
        question = self.table.own.expect_answer(seat, answer)
        if self._record is not None:
            # A sealed answer must be the same after a restart.
            self._record.keep_choice(self.table.step, seat, question.write(answer))
        self._events.answered(self, seat, question, answer, by)
        self.table.answer(seat, answer)
        self.publish()

    def say(self, text: str) -> None:
        """Chat."""
        if self.links is not None:
            self.links.say(text)
        else:
            self._events.chatted(self.name, text)

    def without(self, name: Seat) -> None:
        """Our player would go on without somebody, if the others would.

        :raises LocalError: if that cannot be
        """
        voting, peer = self._expect_absent(name)
        voting.go_on_without(peer)
        self.tick()

    def stay(self, name: Seat) -> None:
        """Our player waits for somebody, whatever the clock says.

        :raises LocalError: if nobody waits for it
        """
        voting, peer = self._expect_absent(name)
        voting.wait_for(peer)
        self.tick()

    def _expect_absent(self, name: Seat) -> tuple[Voting, int]:
        here = next((absence for absence in self.absences if absence.name == name), None)
        if here is None or self._voting is None:
            raise LocalError(f"{name} is not away: nobody waits for {name}")
        if len(self.table.present) == 2:
            raise LocalError(f"only you and {name} are left: wait, or /leave ends it for you")
        return self._voting, self.table.charter.owner(name)

    def publish(self) -> None:
        """The table took messages, ours or others': keep them, send them, tell the player.

        :raises CannotStore: if they cannot be kept; they are not sent then
        """
        if self.table.silent and (self.links is None or self.links.synced):
            self.table.speak()
        try:
            self._keep()
        finally:
            if self.links is not None:
                self.links.release(self._kept)
                self._crash.released(self.links.see_off)
        if self.phase is MatchPhase.DIALLING and self.table.started:
            self._change_to(MatchPhase.PLAYING)
        self._tell_departures()
        if not self.table.live:
            self._ended.set()
        self._events.table_changed(self)
        if self.table.busy and not self._working and self.phase is not MatchPhase.CLOSED:
            self._working = True
            self._tasks.start(self._work())

    def _tell_departures(self) -> None:
        """Tell without whom the game goes on, those of the record again to who comes back."""
        if self._restoring:
            return
        told, self._departed = self._departed, len(self.table.departures)
        for departure in self.table.departures[told:]:
            self._events.gone([departure.name], departure.clause)
        if self.table.phase is Phase.GONE:
            self._done = True  # there is no seat any more to come back to

    def _keep(self) -> None:
        """Put what is new in the table's log into the record.

        :raises CannotStore: if it cannot be kept
        """
        for message in self.table.log[self._kept :]:
            ours = message.peer == self.table.me
            if self._record is not None:
                self._record.keep_message((message.payload, message.signature))
                if ours and self.links is not None:
                    self._record.sync()
            self._kept += 1
            if ours:
                self._crash.kept()

    async def _work(self) -> None:
        """Work off the table's long proofs in slices, and let everything else live in between."""
        try:
            while self.table.busy:
                before = self.table.step, len(self.table.log)
                self.table.work()
                if before != (self.table.step, len(self.table.log)) or not self.table.live:
                    self.publish()
                await asyncio.sleep(0)
        finally:
            self._working = False

    # The clock.

    def beat(self) -> None:
        """Tell everybody that we are there."""
        if self.links is not None:
            self.links.beat()

    def tick(self) -> None:
        """See who is away, and vote if it is time."""
        if self.links is None or self._voting is None:
            return
        playing = self.phase is MatchPhase.PLAYING and self.table.live
        if playing:
            self.links.look_for_parted()
            logged = len(self.table.log)
            if self._voting.look(_now()):
                self.links.beat()
            if len(self.table.log) != logged:
                self.publish()
            self._end_alone()
        self._tell_absences(self._voting.absences(_now()) if playing else [])

    def _tell_absences(self, absences: list[Absence]) -> None:
        """Tell for whom the table waits, when that changes, and who is back."""
        assert self._voting is not None
        assert self.links is not None
        alone = bool(absences) and self._voting.alone
        if alone and len(self.table.present - self.table.leaving()) == 2:
            alone = self.links.is_cut_off()
        unanswered = bool(absences) and self._is_unanswered()
        if (absences, alone, unanswered) == (self.absences, self._alone, self.unanswered):
            return
        self.unanswered = unanswered
        here = {absence.name for absence in absences}
        back = [was.name for was in self.absences if was.name not in here]
        self.absences, self._alone = absences, alone
        for name in back:
            if self.table.charter.owner(name) in self.table.present and self.table.live:
                self._events.back(name)
        self._events.absent(absences, alone)

    def _is_unanswered(self) -> bool:
        assert self.links is not None
        said = self.links.mesh.presences.last
        others = self.table.present - {self.table.me}
        heard = any(said[peer].seq >= 0 for peer in others)
        late = self.restored and _now() - self._back_at > ANSWERING
        return late and not heard and not self.links.is_cut_off()

    def _end_alone(self) -> None:
        """All the others have left for good: what our player is still asked, a few times where a
        round is played out, decides nothing but when it ends."""
        table, me = self.table, self.table.me
        assert me is not None
        left = table.history.left.keys() | table.convicted.keys()
        only = table.charter.seats_of(me) == (self.name,)  # with a bot here the game may go on
        if table.present - left != {me} or not only or self.name not in table.asked:
            return
        question, faces = table.asked[self.name], table.faces(self.name)
        if question is not self._alone_with[0]:
            self._alone_with = question, _now()
        if _now() - self._alone_with[1] < BOTS_TURN:
            return
        if not self._ends_alone:
            self._ends_alone = True
            self._events.noticed("All the others have left: the rest is played for you.", "warn")
        late = question.late(faces)
        if question.why_not(late, faces) is None:  # or our player knows better
            self.answer(self.name, late, "clock")

    def slept(self) -> None:
        """This machine slept: links are made anew before we act on what they hold."""
        if self.links is not None and self._voting is not None:
            self._voting.slept(_now())
            self.links.slept()

    # The end.

    async def linger(self) -> None:
        """Stay until everybody has what they need of us, but not for ever."""
        if self.phase is MatchPhase.CLOSED:
            return  # the player left in the moment in which it ended
        self._change_to(MatchPhase.LINGERING)
        if self.table.phase is Phase.GONE:
            return  # the others have all that they want of us
        if self.table.ended is not None and not self.table.history.left:
            await self._say_farewell()  # on the others' machines it may go on, and they would wait
        if self.links is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    await self.links.settle()
        self._done = True

    async def leave(self, why: str = "") -> None:
        """Leave for good: say farewell, if there is a game to leave, and let it go out. `why` tells
        the others what keeps this machine from going on."""
        self._done = True
        if (self.table.live or self.table.broken) and self.links is not None:
            if why:
                self.links.say(f"{self.name}'s machine had to leave: {why}")
            await self._say_farewell()
            if not why:  # a machine that is broken is of no more use to the others
                await self._be_seen_off()

    async def _be_seen_off(self) -> None:
        """Stay until the others have gone on without us (rule 7)."""
        assert self.links is not None
        others = (self.table.present & self.links.mesh.reachable()) - {self.table.me}
        if self.table.started and others:
            with suppress(TimeoutError):
                async with asyncio.timeout(SEEN_OFF):
                    await self._ended.wait()

    async def _say_farewell(self) -> None:
        self.table.leave()
        try:
            self.publish()
        except LocalError:  # a disk that is full keeps nobody at the table
            self._forget()
            self.publish()
        if self.links is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self.links.see_off()

    @property
    def keeps_seat(self) -> bool:
        """Whether `close` keeps what it takes to come back."""
        return self._record is not None and self.table.started and not self._done

    async def close(self) -> None:
        """Stop, and put away what is kept."""
        await self.stop()
        self.put_away()

    async def stop(self) -> None:
        """Work no more and dial nobody any more."""
        self._close()
        await self._tasks.stop()
        if self.links is not None:
            await self.links.stop()

    def put_away(self) -> None:
        """Close the record; if there is nothing to come back to, seed and journal go."""
        if self._done:
            self._forget()
        elif self._record is not None:
            self._record.close()

    def _forget(self) -> None:
        """Keep nothing any more. Without a seed to come back with, nothing is signed twice."""
        record, self._record = self._record, None
        if record is not None:
            record.remove()

    def void(self) -> None:
        """The start was called off: there is no such table.

        :raises ValueError: if everybody has signed; what stands is never void
        """
        if self.table.started:
            raise ValueError("a started table is never void")
        self._close()
        self._tasks.cancel()
        if self.links is not None:
            self.links.cut("calloff", "the start was called off")
        if self._record is not None:
            self._record.remove()

    def _close(self) -> None:
        # Who leaves and a start that is called off may meet.
        if self.phase is not MatchPhase.CLOSED:
            self._change_to(MatchPhase.CLOSED)

    def _change_to(self, phase: MatchPhase) -> None:
        self.phase = step_on(TRANSITIONS, self.phase, phase)


def _now() -> float:
    return asyncio.get_running_loop().time()
