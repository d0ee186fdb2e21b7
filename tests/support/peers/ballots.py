"""The ballots of `core/replica/poll.py` among peers that hear of each other late, or never.

A state is what each peer knows of each step, and what it has said. A move is one peer's: it sends
its message, says farewell, holds, signs, decides as its `Poll` lets it, or hears one thing that
was said. A crash is a peer that moves no more, a lost link one that does not hear.

Rule 1: the polls are real ones. What a peer may do is what its `Poll` says; whether and when, any
way is tried.
Rule 2: a liar says whatever it likes to whomever it likes; a peer takes what keeps the rules by
what it knows, and stops where the liar contradicts itself.
Rule 3: peers hear in any order, unless the model is `ordered`: then each passes on its log as it
stands, which is what tables do.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sobremesa.core.replica.poll import (
    NO_MESSAGE,
    Act,
    Ballot,
    Done,
    Hold,
    Peers,
    Poll,
    Stand,
    begins_with,
    why_no_stand,
)

NOBODY: Peers = frozenset()


class View(NamedTuple):
    """What one peer knows of one step: whose messages, who has left, who lied, what each said."""

    messages: Peers
    left: Peers
    convicted: Peers
    stands: tuple[Stand, ...]


class Fact(NamedTuple):
    """One thing that was said: a message or a farewell, if `stand` is None, or a stand."""

    step: int
    kind: str
    peer: int
    stand: Stand = ()


class Life(NamedTuple):
    """One peer: its views, the last of them of the step that is due, and its log if logs count."""

    views: tuple[View, ...]
    log: tuple[Fact, ...] = ()


class Move(NamedTuple):
    """What a peer does: `what` is a set of peers, a fact, a peer whose message it holds, or
    nothing."""

    verb: str
    peer: int
    what: Peers | Fact | int | None = None


State = tuple[int, ...]
"""The lives of all peers, by their numbers in the model."""


class Impossible(AssertionError):
    """A move cannot be made."""


class Innocent(AssertionError):
    """A stand was refused that is right by what its author knew."""


def message(peer: int) -> bytes:
    """The hash of a peer's message."""
    return bytes([peer]) * 32


def subsets(peers: Iterable[int]) -> list[Peers]:
    """All that are not empty, small ones first."""
    some = sorted(peers)
    sizes = range(1, len(some) + 1)
    return [frozenset(s) for size in sizes for s in itertools.combinations(some, size)]


@dataclass
class Model:
    """Peers 0 to `peers` - 1, of whom messages are expected in each step."""

    peers: int
    expected: tuple[Peers, ...]
    leaving: bool = False
    liar: int | None = None
    lies: int = 2
    """The most acts in a liar's stand."""
    ordered: bool = False
    poll: type[Poll] = Poll
    forgetful: bool = True
    """Who has decided the last step remembers only what it said: nobody asks for the rest."""
    lives: list[Life] = field(default_factory=list, init=False)
    _numbers: dict[Life, int] = field(default_factory=dict, init=False)
    _own: dict[tuple[int, int], list[tuple[Move, int]]] = field(default_factory=dict, init=False)
    _heard: dict[tuple[int, int, int, int], list[tuple[Move, int]]] = field(
        default_factory=dict, init=False
    )
    _renamed: dict[tuple[int, int], int] = field(default_factory=dict, init=False)

    @cached_property
    def honest(self) -> list[int]:
        return [peer for peer in range(self.peers) if peer != self.liar]

    def start(self) -> State:
        empty = View(NOBODY, NOBODY, NOBODY, ((),) * self.peers)
        return (self._number(Life((empty,))),) * self.peers

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """All that can happen next."""
        for me in self.honest:
            mine = state[me]
            yield from self.moves_of(state, me)
            for other in self.honest:
                if other != me:
                    for move, life in self._hears(me, mine, other, state[other]):
                        yield move, (*state[:me], life, *state[me + 1 :])

    def moves_of(self, state: State, me: int) -> Iterator[tuple[Move, State]]:
        """What a peer can do by itself."""
        for move, life in self._own_moves(me, state[me]):
            yield move, (*state[:me], life, *state[me + 1 :])

    def _number(self, life: Life) -> int:
        number = self._numbers.setdefault(life, len(self.lives))
        if number == len(self.lives):
            self.lives.append(life)
        return number

    # What a peer does by itself.

    def outcomes(self, me: int, number: int) -> list[Peers]:
        """Without whom it has decided each step, so far."""
        stands = [view.stands[me] for view in self.lives[number].views]
        return [stand[-1].gone for stand in stands if stand and isinstance(stand[-1], Done)]

    def has_left(self, me: int, number: int) -> bool:
        return me in self.lives[number].views[-1].left

    def poll_of(self, me: int, number: int) -> Poll:
        """Its poll of the step that is due for it."""
        view = self.lives[number].views[-1]
        gone = NOBODY.union(*self.outcomes(me, number))
        present = frozenset(range(self.peers)) - gone
        return self.poll(
            present,
            self.expected[len(self.lives[number].views) - 1] & present,
            valid={peer: message(peer) for peer in view.messages},
            stands={peer: view.stands[peer] for peer in present if view.stands[peer]},
            left=set(view.left & present),
            convicted=set(view.convicted & present),
        )

    def _own_moves(self, me: int, number: int) -> list[tuple[Move, int]]:
        known = self._own.get((me, number))
        if known is None:
            moves = [] if self._is_done(me, number) else list(self._tries(me, number))
            known = self._own[me, number] = [(m, self._number(life)) for m, life in moves]
            if self.liar is not None and not self._is_done(me, number):
                for move, life in self._lied_to(me, number):
                    known.append((move, self._number(life)))
        return known

    def _is_done(self, me: int, number: int) -> bool:
        stand = self.lives[number].views[-1].stands[me]
        return bool(stand) and isinstance(stand[-1], Done)

    def _tries(self, me: int, number: int) -> Iterator[tuple[Move, Life]]:
        life, poll = self.lives[number], self.poll_of(me, number)
        step, view = len(life.views) - 1, life.views[-1]
        if me in poll.expected and me not in view.messages | view.left:
            fact = Fact(step, "message", me)
            yield Move("send", me), self._know(life, fact)
        if self.leaving and me not in view.left:
            yield Move("leave", me), self._know(life, Fact(step, "farewell", me))
        for hold in poll.owed_holds(me):
            yield Move("hold", me, hold.peer), self._says(me, life, hold)
        for gone in subsets(poll.present):
            if poll.may_sign(me, gone):
                yield Move("sign", me, gone), self._says(me, life, Ballot(gone))
        outcome = poll.decision(me)
        if outcome is not None:
            yield Move("decide", me, outcome), self._decides(me, life, outcome)

    def _says(self, me: int, life: Life, act: Act) -> Life:
        view = life.views[-1]
        return self._know(life, Fact(len(life.views) - 1, "stand", me, (*view.stands[me], act)))

    def _know(self, life: Life, fact: Fact) -> Life:
        view, peer = life.views[-1], frozenset({fact.peer})
        match fact.kind:
            case "message":
                view = view._replace(messages=view.messages | peer)
            case "farewell":
                view = view._replace(left=view.left | peer)
            case _:
                stands = list(view.stands)
                stands[fact.peer] = fact.stand
                view = view._replace(stands=tuple(stands))
        log = (*life.log, fact) if self.ordered else ()
        return Life((*life.views[:-1], view), log)

    def _decides(self, me: int, life: Life, outcome: Peers) -> Life:
        life = self._says(me, life, Done(outcome))
        view = life.views[-1]
        if len(life.views) < len(self.expected):
            fresh = View(NOBODY, view.left, view.convicted, ((),) * self.peers)
            return life._replace(views=(*life.views, fresh))
        if not self.forgetful or self.ordered:
            return life
        told = {me, self.liar}
        stands = tuple(s if peer in told else () for peer, s in enumerate(view.stands))
        own = frozenset({me})
        view = view._replace(messages=view.messages & own, left=view.left & own, stands=stands)
        return life._replace(views=(*life.views[:-1], view))

    # What it hears.

    def _hears(self, me: int, mine: int, other: int, theirs: int) -> list[tuple[Move, int]]:
        key = me, mine, other, theirs
        known = self._heard.get(key)
        if known is None:
            heard = self._pass_on if self.ordered else self._news
            facts = [] if self._is_done(me, mine) else heard(me, mine, other, theirs)
            known = self._heard[key] = [
                (Move("hear", me, fact), self._number(self._know(self.lives[mine], fact)))
                for fact in facts
            ]
        return known

    def _news(self, me: int, mine: int, other: int, theirs: int) -> Iterator[Fact]:
        """What another peer has said over our history that we do not know."""
        return self._facts(me, mine, other, theirs, [other])

    def hear_all(self, me: int, mine: int, other: int, theirs: int) -> int:
        """What we are when another peer has told us all that it knows."""
        if not self._is_done(me, mine):
            for fact in self._facts(me, mine, other, theirs, range(self.peers)):
                mine = self._number(self._know(self.lives[mine], fact))
        return mine

    def _facts(
        self, me: int, mine: int, other: int, theirs: int, said_by: Iterable[int]
    ) -> Iterator[Fact]:
        step = len(self.lives[mine].views) - 1
        past = self.outcomes(other, theirs)
        if past[:step] != self.outcomes(me, mine) or len(self.lives[theirs].views) <= step:
            return
        if any(other in gone for gone in past[:step]):
            return
        knows, says = self.lives[mine].views[step], self.lives[theirs].views[step]
        for peer in said_by:
            if peer in says.messages - knows.messages:
                yield Fact(step, "message", peer)
            if peer in says.left - knows.left:
                yield Fact(step, "farewell", peer)
            stand = says.stands[peer]
            for length in range(len(knows.stands[peer]) + 1, len(stand) + 1):
                yield Fact(step, "stand", peer, stand[:length])

    def _pass_on(self, me: int, mine: int, other: int, theirs: int) -> Iterator[Fact]:
        """The next of another peer's log that is news to us and stands in our history."""
        step = len(self.lives[mine].views) - 1
        ours = self.outcomes(me, mine)
        if self.outcomes(other, theirs)[:step] != ours:
            return
        view = self.lives[mine].views[step]
        for fact in self.lives[theirs].log:
            is_over = fact.step < step and fact.kind != "farewell"
            if is_over or fact in self.lives[mine].log:
                continue
            if fact.step > step:
                return
            known = view.stands[fact.peer]
            if fact.kind == "stand" and begins_with(known, fact.stand):
                continue
            if fact.kind == "stand" and not begins_with(fact.stand, known):
                return
            if fact.kind == "stand":
                self._expect_kept(me, mine, fact)
            yield fact
            return

    def _expect_kept(self, me: int, mine: int, fact: Fact) -> None:
        """:raises Innocent: if what an honest peer said, or has taken, would be refused"""
        poll = self.poll_of(me, mine)
        why = why_no_stand(fact.stand, fact.peer, poll.present)
        if why or not poll.follows(fact.peer, fact.stand, poll.valid):
            raise Innocent(f"{me} refuses {fact}: {why}")

    def _lied_to(self, me: int, number: int) -> Iterator[tuple[Move, Life]]:
        liar, life, poll = self.liar, self.lives[number], self.poll_of(me, number)
        assert liar is not None
        if liar not in poll.present:
            return
        step, view = len(life.views) - 1, life.views[-1]
        if liar in poll.expected - view.messages:
            fact = Fact(step, "message", liar)
            yield Move("hear", me, fact), self._know(life, fact)
        if self.leaving and liar not in view.left:
            fact = Fact(step, "farewell", liar)
            yield Move("hear", me, fact), self._know(life, fact)
        if liar not in view.convicted:
            worse = view._replace(convicted=view.convicted | {liar})
            yield Move("convict", me, liar), life._replace(views=(*life.views[:-1], worse))
        for stand in self._menu:
            if self._is_taken(view, poll, stand):
                fact = Fact(step, "stand", liar, stand)
                yield Move("hear", me, fact), self._know(life, fact)

    def _is_taken(self, view: View, poll: Poll, stand: Stand) -> bool:
        """Whether a liar's stand says more than is known and keeps the rules."""
        assert self.liar is not None
        known = view.stands[self.liar]
        if len(stand) <= len(known) or not begins_with(stand, known):
            return False
        sound = why_no_stand(stand, self.liar, poll.present) is None
        return sound and poll.follows(self.liar, stand, poll.valid)

    @cached_property
    def _menu(self) -> list[Stand]:
        everybody = frozenset(range(self.peers))
        liar = self.liar
        assert liar is not None
        sets = [gone for gone in subsets(everybody) if gone != everybody]
        acts: list[Act] = [Ballot(gone) for gone in sets]
        for peer in sorted(everybody - {liar}):  # what can count in some step
            owes = {peer in expected for expected in self.expected}
            acts += [Hold(peer, message(peer) if one else NO_MESSAGE) for one in sorted(owes)]
        acts += [Done(gone) for gone in [NOBODY, *sets] if liar not in gone]
        some = (
            stand
            for length in range(1, self.lies + 1)
            for stand in itertools.product(acts, repeat=length)
        )
        return [stand for stand in some if why_no_stand(stand, liar, everybody) is None]

    # What must not be.

    def fault(self, state: State) -> str | None:
        """A fork: two honest peers have decided one step in two ways, and each thinks that they are
        at one table; or a split: each plays on without the other, and neither has left."""
        for p, q in itertools.combinations(self.honest, 2):
            ours, theirs = self.outcomes(p, state[p]), self.outcomes(q, state[q])
            if all(a == b for a, b in zip(ours, theirs, strict=False)):
                continue
            if self._is_liar_caught(state[p], state[q]):
                continue
            without = q in NOBODY.union(*ours), p in NOBODY.union(*theirs)
            if not any(without):
                return f"fork of {p} and {q}"
            if all(without) and not self.has_left(p, state[p]) and not self.has_left(q, state[q]):
                return f"split of {p} and {q}"
        return None

    def _is_liar_caught(self, one: int, other: int) -> bool:
        """Whether what two peers know of the liar contradicts itself."""
        if self.liar is None:
            return False
        for a, b in zip(self.lives[one].views, self.lives[other].views, strict=False):
            said = a.stands[self.liar], b.stands[self.liar]
            if not begins_with(*said) and not begins_with(*reversed(said)):
                return True
        return False

    # Peers that are alike.

    @cached_property
    def _namings(self) -> list[tuple[int, ...]]:
        """Every way to name the peers anew that leaves the model as it is."""
        fixed = [*self.expected, *([frozenset({self.liar})] if self.liar is not None else [])]
        return [
            names
            for names in itertools.permutations(range(self.peers))
            if all(frozenset(names[p] for p in some) == some for some in fixed)
        ]

    def canonical(self, state: State) -> State:
        """The same state for all that differ by names only."""
        return min(
            tuple(self._rename(state[names.index(peer)], way) for peer in range(self.peers))
            for way, names in enumerate(self._namings)
        )

    def _rename(self, number: int, way: int) -> int:
        known = self._renamed.get((number, way))
        if known is None:
            names = self._namings[way]
            views = tuple(_renamed(view, names) for view in self.lives[number].views)
            known = self._renamed[number, way] = self._number(Life(views))
        return known


def _renamed(view: View, names: tuple[int, ...]) -> View:
    def other(peers: Peers) -> Peers:
        return frozenset(names[peer] for peer in peers)

    def stand(acts: Stand) -> Stand:
        return tuple(
            Hold(names[act.peer], message(names[act.peer]) if any(act.message) else NO_MESSAGE)
            if isinstance(act, Hold)
            else type(act)(other(act.gone))
            for act in acts
        )

    stands = tuple(stand(view.stands[names.index(peer)]) for peer in range(len(names)))
    return View(other(view.messages), other(view.left), other(view.convicted), stands)


@dataclass(frozen=True, slots=True)
class Search:
    """What a search has seen: the states, whether these are all, and what went wrong."""

    states: Collection[State]
    is_whole: bool
    fault: str | None = None
    trace: tuple[Move, ...] = ()


def search(model: Model, most: int) -> Search:
    """All that can happen, from the shortest on, until a fault or `most` states."""
    first = model.canonical(model.start())
    before: dict[State, tuple[State, Move] | None] = {first: None}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        for move, after in model.moves(state):
            known = model.canonical(after)
            if known in before:
                continue
            before[known] = state, move
            fault = model.fault(known) if move.verb == "decide" else None
            if fault:
                return Search(before.keys(), False, fault, _way_to(known, before))
            if len(before) >= most:
                return Search(before.keys(), False)
            queue.append(known)
    return Search(before.keys(), True)


def _way_to(state: State, before: dict[State, tuple[State, Move] | None]) -> tuple[Move, ...]:
    moves = []
    step = before[state]
    while step is not None:
        moves.append(step[1])
        step = before[step[0]]
    return tuple(reversed(moves))


def walk(model: Model, rng: random.Random, most: int) -> tuple[State, list[Move]]:
    """One of the ways that things can go, up to a fault: what was said is heard, and what can be
    decided is, more often than new things are said."""
    state, moves = model.start(), []
    for _ in range(most):
        ways = list(model.moves(state))
        if not ways:
            break
        if rng.random() < 0.6:
            ways = [way for way in ways if way[0].verb in ("hear", "decide")] or ways
        move, state = rng.choice(ways)
        moves.append(move)
        if move.verb == "decide" and model.fault(state):
            break
    return state, moves


Said = tuple[str, int, Peers | int | tuple[str, int] | tuple[int, Stand] | None]
"""A move in short: a thing that is heard is its kind and who said it, or a liar and its stand."""


def play(model: Model, moves: Iterable[Said]) -> State:
    """What comes of these moves; the longest stand is heard.

    :raises Impossible: if one of them cannot be made
    """
    state = model.start()
    for said in moves:
        ways = [after for move, after in model.moves(state) if said in _shorts(move)]
        if not ways:
            raise Impossible(f"{said[1]} cannot {said[0]} {said[2]}")
        state = ways[-1]
    return state


def _shorts(move: Move) -> list[Said]:
    verb, peer, what = move
    if isinstance(what, Fact):
        return [(verb, peer, (what.kind, what.peer)), (verb, peer, (what.peer, what.stand))]
    return [(verb, peer, what)]


# What comes of a state when nothing more goes wrong.


class Ending(Enum):
    """How a step ends for those who are still there."""

    DECIDED = "everybody has decided it, or is gone for those who have"
    WINDOW = "a ballot names somebody who is back, and lacks the signature of somebody who is not"
    HELD = "somebody who is not there was named, and somebody who is there held that against it"
    FEW = "those whom no complete ballot names, and who are there, are no majority"
    STUCK = "somebody waits for ever"


def ending(model: Model, state: State, crashed: Peers = NOBODY) -> Ending:
    """What a state comes to if nothing more goes wrong than that these peers never come back: all
    that anybody who is there knows is heard, and who wants to name the same peers signs."""
    live = [peer for peer in model.honest if peer not in crashed]
    while True:
        before = state
        for me in live:
            state = _speak(model, _listen(model, state, me, live), me, crashed)
        if state == before:
            state = _sign(model, state, live, crashed)
        if state == before:
            break
    gone = NOBODY.union(*(o for me in live for o in model.outcomes(me, state[me])))
    waiting = [
        me
        for me in live
        if len(model.outcomes(me, state[me])) < len(model.expected)
        and me not in gone
        and not model.has_left(me, state[me])
    ]
    if not waiting:
        return Ending.DECIDED
    polls = [model.poll_of(me, state[me]) for me in waiting]
    lost = crashed.union(*(named(poll) for poll in polls))
    if any(2 * len(poll.present - lost) <= len(poll.present) for poll in polls):
        return Ending.FEW
    return why_paused({me: model.poll_of(me, state[me]) for me in waiting}, crashed)


def why_paused(polls: Mapping[int, Poll], crashed: Peers) -> Ending:
    """Why those wait who have these polls."""
    if any(is_open(poll, me, crashed) for me, poll in polls.items()):
        return Ending.WINDOW
    held = (way for poll in polls.values() for way in poll.holds())
    if any(lost in crashed and peer not in crashed for peer, lost in held):
        return Ending.HELD
    return Ending.STUCK


def _listen(model: Model, state: State, me: int, live: list[int]) -> State:
    mine = state[me]
    for other in live:
        if other != me:
            mine = model.hear_all(me, mine, other, state[other])
    return (*state[:me], mine, *state[me + 1 :])


def _speak(model: Model, state: State, me: int, crashed: Peers) -> State:
    """Everything that we say without naming anybody; we hold nothing of who is not there."""
    while True:
        ways = [
            after
            for move, after in model.moves_of(state, me)
            if move.verb in CALM and not (move.verb == "hold" and move.what in crashed)
        ]
        if not ways:
            return state
        state = ways[0]


CALM = ("send", "hold", "decide")


def _sign(model: Model, state: State, live: list[int], crashed: Peers) -> State:
    """One of those signs who want to name the same peers as everybody outside."""
    wishes = {me: _wish(model.poll_of(me, state[me]), me, crashed) for me in live}
    for me in live:
        if any(wishes[other] != wishes[me] for other in live if other not in wishes[me]):
            continue
        for move, after in model.moves_of(state, me):
            if move == Move("sign", me, wishes[me]):
                return after
    return state


def _wish(poll: Poll, me: int, crashed: Peers) -> Peers:
    alive = [gone for gone in poll.ballots(me) if not poll.is_dead(gone, me)]
    return poll.nameable(crashed | poll.left).union(*alive)


def named(poll: Poll) -> Peers:
    """Who has left or is named by a complete ballot."""
    said = {gone for peer in poll.stands for gone in poll.ballots(peer)}
    return frozenset(poll.left).union(*(gone for gone in said if poll.is_complete(gone)))


def is_open(poll: Poll, me: int, crashed: Peers) -> bool:
    """Whether a ballot of ours names somebody who is there and waits for somebody who is not."""
    lost = crashed | poll.left
    return any(
        gone - lost and all(gone in poll.ballots(peer) for peer in poll.present - gone - lost)
        for gone in poll.ballots(me)
        if not poll.is_dead(gone, me) and not poll.is_complete(gone)
    )


def _ballots(model: Model, state: State) -> set[Peers]:
    polls = [model.poll_of(peer, state[peer]) for peer in model.honest]
    return {
        gone for peer, poll in zip(model.honest, polls, strict=True) for gone in poll.ballots(peer)
    }


def endings(
    model: Model, states: Iterable[State], lost: int = 1, agreed: bool = False
) -> Counter[Ending]:
    """What these states come to when so many peers at most are lost; of those only in which all
    have signed one ballot, if it is to be `agreed`."""
    count: Counter[Ending] = Counter()
    crashes = [crash for crash in (NOBODY, *subsets(range(model.peers))) if len(crash) <= lost]
    for state in states:
        if agreed and len(_ballots(model, state)) > 1:
            continue
        left = [peer for peer in model.honest if model.has_left(peer, state[peer])]
        for crashed in crashes:
            if len(crashed.union(left)) <= lost:
                count[ending(model, state, crashed)] += 1
    return count
