"""Checking a whole game from its transcript, with no secret of one's own.

First every signature, head, commitment and rule is checked as at the table. Then, since the last
step revealed all seeds, every message is made again from its peer's seed and compared, every
answer is judged by the faces its owner saw, and every claim by all faces. Bots are asked again.

Rule 1: nothing here trusts whoever wrote the file.
Rule 2: the first thing that is wrong is said in one line, with the peer that did it if a
signature proves who.
Rule 3: by another copy of the game than the table's nobody is judged; what needs no game is
checked all the same (`unruled`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sobremesa.core.crypto.slices import Work, finish, is_work
from sobremesa.core.encoding import Rand
from sobremesa.core.errors import BadMessage, BadTranscript, LocalError, TooFarAhead
from sobremesa.core.game import Game, Outcome
from sobremesa.core.requests import Event

from .bots import BotPlay, BotWitness
from .charter import BadCharter, Charter
from .departures import Departure
from .faults import AuditFailed, Disagreement, Finding, PeerError
from .retelling import retell
from .steps import Body, Choices, Step
from .table import Table
from .transcript import BESIDE, Message, Record, read_transcript
from .unruled import check_signed, elsewhere

FindGame = Callable[[Charter], Game[Any]]
"""Gives the very copy of the game by which a table was played, or raises a `LocalError`: why there
is none here."""

Look = Callable[[Table, Step, int, Choices], None]

Told = Callable[[float], None]
"""Is told how much is done, from 0 to 1."""


def nobody(done: float) -> None:
    """Whom nobody tells how far it is."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found. `trouble` is None when all is right; `culprit` is the peer that a
    signature convicts, if any. `unchecked` is why the rules and the chance could not be judged, and
    `disputed` says that copies of the game disagree: neither is anybody's fault. `bots` is what a
    file tells of seats with a bot when all is right, `departures` without whom the game went on."""

    charter: Charter | None
    game: Game[Any] | None
    steps: int
    outcome: Outcome | None
    trouble: str | None = None
    culprit: str | None = None
    unchecked: str | None = None
    disputed: bool = False
    bots: tuple[BotPlay, ...] = ()
    departures: tuple[Departure, ...] = ()

    @property
    def ok(self) -> bool:
        return self.trouble is None and self.unchecked is None


def audit(data: bytes, find_game: FindGame, told: Told = nobody) -> Report:
    """Check a transcript file."""
    charter: Charter | None = None
    game: Game[Any] | None = None
    table: Table | None = None
    trouble: Exception | None = None
    bots: tuple[BotPlay, ...] = ()
    try:
        charter, records, evidence = read_transcript(data)
        try:
            game = find_game(charter)
        except LocalError as error:
            steps = check_signed(charter, records, evidence)
            return Report(charter, None, steps, None, unchecked=str(error))
        table = Table(charter, game)
        check(table, _followed(records, 0, 2 * len(data), told), evidence)
        witness = BotWitness(charter, game)
        again = _followed(records, len(data), 2 * len(data), told)
        remake(charter, game, again, table.seeds, witness.look, table.convicted)
        bots = witness.plays()
    except (BadTranscript, BadCharter, BadMessage, LocalError, PeerError, Disagreement) as error:
        trouble = error
    return Report(
        charter,
        game,
        table.step if table else 0,
        table.outcome if table else None,
        str(trouble) if trouble else None,
        trouble.peer if isinstance(trouble, PeerError) else None,
        disputed=isinstance(trouble, Disagreement),
        bots=bots,
        departures=tuple(table.departures) if table else (),
    )


def audit_played(table: Table) -> Report:
    """The rest of an audit for a table that took every message itself, and so has checked it:
    the seeds are revealed now."""
    trouble: PeerError | Disagreement | None = None
    try:
        records = [(message.payload, message.signature) for message in table.messages()]
        remake(table.charter, table.game, records, table.seeds, known=table.convicted)
    except (PeerError, Disagreement) as error:
        trouble = error
    return Report(
        table.charter,
        table.game,
        table.step,
        table.outcome,
        str(trouble) if trouble else None,
        trouble.peer if isinstance(trouble, PeerError) else None,
        disputed=isinstance(trouble, Disagreement),
        departures=tuple(table.departures),
    )


def _followed(records: Iterable[Record], done: int, of: int, told: Told) -> Iterator[Record]:
    """The records; it is told how far they were asked for, with so many bytes done before."""
    for payload, signature in records:
        yield payload, signature
        done += len(payload) + len(signature)
        told(done / of)


def check(table: Table, records: Iterable[Record], evidence: Iterable[Record]) -> None:
    """Play a transcript into a spectator's table, as strictly as a transcript is ordered.

    :raises PeerError: if a peer's own messages convict it
    :raises BadTranscript: if the file is not what that table would write
    """
    table.start()
    number, found = 0, []
    for number, (payload, signature) in enumerate(records, 1):
        found.append(payload)
        try:
            message = Message.read(table.charter, payload, signature)
        except BadMessage as error:
            raise BadTranscript(f"record {number} is {error}") from error
        _expect(table, number, message)
        table.take(message)
        _stop(table)
    last = number
    for number, (payload, signature) in enumerate(evidence, last + 1):
        try:
            table.receive(payload, signature)
        except (BadMessage, TooFarAhead) as error:
            raise BadTranscript(f"record {number} is {error}") from error
    if table.late_fault is not None:
        raise table.late_fault
    _stop(table)
    for place, (payload, due) in enumerate(zip(found, table.messages(), strict=False), 1):
        if payload != due.payload:
            raise BadTranscript(f"record {place} is not in its place")
    if number - last > len(table.evidence):  # farewells may still be to be voted on
        raise BadTranscript("the transcript ends with evidence that proves nothing")
    expect_whole(table)


def expect_whole(table: Table) -> None:
    """:raises BadTranscript: if the game of a record that was played into a table is not over"""
    if not table.over and table.leaving():
        left = ", ".join(table.charter.name_of(peer) for peer in sorted(table.leaving()))
        raise BadTranscript(f"the game is not finished: {left} left in step {table.step}")
    if not table.over:
        missing = ", ".join(table.charter.name_of(peer) for peer in table.waiting_for())
        raise BadTranscript(
            f"the game is not finished: the record stops in step {table.step}, "
            f"where the message of {missing} is missing"
        )


def _stop(table: Table) -> None:
    """:raises SobremesaError: if the table cannot go on"""
    if table.fault is not None:
        raise table.fault
    if table.ended is not None:
        raise BadTranscript(str(table.ended))
    for stray in table.history.strays.values():
        raise elsewhere(table.charter, stray)


def _expect(table: Table, number: int, message: Message) -> None:
    """:raises BadTranscript: if the order calls for another message at this place"""
    name_of = table.charter.name_of
    waiting = table.waiting_for()
    found = f"{name_of(message.peer)}'s message for step {message.step}"
    if not waiting:
        raise BadTranscript(f"record {number} is {found}, after the end of the game")
    if message.kind in BESIDE and message.step <= table.step:
        return  # of a certificate; whether it is all of it, shows when the step is decided
    if message.step < table.step or (message.step == table.step and message.peer not in waiting):
        # Either written twice here, or said out of turn by somebody who then is convicted.
        if table.take(message) is None:
            raise BadTranscript(f"record {number} repeats {found}")
        return
    # A step may lack messages only where the game broke off; what came is in peer order.
    taken = sorted(table.history.due)
    if message.step != table.step or (taken and message.peer < taken[-1]):
        wanted = f"{name_of(waiting[0])}'s message for step {table.step}"
        raise BadTranscript(f"record {number} should be {wanted}, but is {found}")


def remake(
    charter: Charter,
    game: Game[Any],
    records: Iterable[Record],
    seeds: dict[int, bytes],
    look: Look = lambda table, step, peer, choices: None,
    known: Collection[int] = (),
) -> Table:
    """Make every message again from the revealed seeds and judge what was hidden. `look` is called
    at each message with the table at that moment, the step, the peer and the answers it shows.
    That the peers `known` broke the rules, and what of, is not said again.

    Returns the table with everything open.

    :raises PeerError: naming the peer whose message, answer or claim does not stand
    :raises Disagreement: if it does not by our copy of the game, and there are others
    """
    vault = {peer: Rand(seed) for peer, seed in seeds.items()}

    def compare(step: Step, peer: int, body: Body) -> Work[None] | None:
        check = step.check(peer, body)
        choices = step.choices(peer, body) if step.choices is not None else {}
        look(table, step, peer, choices)
        if step.choices is None or peer not in vault:
            return check  # a commitment, compared when it is opened
        again = step.owe(peer, vault[peer], choices)
        if (finish(again) if is_work(again) else again) != body:
            raise Finding(AuditFailed, "sent a message that its own seed does not explain")
        return None  # a proof that we would have made ourselves needs no other check

    table = Table(charter, game, vault=vault, check=compare)
    table.start()
    for payload, signature in records:
        table.receive(payload, signature)
        if table.fault is not None:
            raise table.fault
        if isinstance(table.ended, Disagreement):
            raise table.ended
        for peer, fault in table.convicted.items():
            if peer not in known or isinstance(fault, AuditFailed):
                raise fault
    table.judge_all(table.replica_state.known)
    return table


def reopen(
    data: bytes,
    find_game: FindGame,
    on_event: Callable[[Table, Event], None],
    told: Told = nobody,
) -> None:
    """Play a saved game again with everything known, for `replay`: `on_event(table, event)` is
    called at each event; the table knows all faces as far as the revealed seeds tell. Before that
    the file is checked, which takes its time.

    What is right in a damaged or unfinished file is played before the error is raised.

    :raises BadTranscript: if the file cannot be read, is damaged or is not a whole game
    :raises BadCharter: if its charter cannot be
    :raises LocalError: if the game is not installed
    :raises PeerError: if a peer's own messages convict it
    """
    charter, records, evidence = read_transcript(data)
    game = find_game(charter)
    checked = Table(charter, game)
    trouble: BadTranscript | PeerError | None = None
    try:
        check(checked, _followed(records, 0, len(data), told), evidence)
    except (BadTranscript, PeerError) as error:
        trouble = error

    known = [(message.payload, message.signature) for message in checked.messages()]
    for _ in retell(charter, game, known, checked.seeds, on_event):
        pass
    if trouble is not None:
        raise trouble
