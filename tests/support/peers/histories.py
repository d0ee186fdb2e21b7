"""Three honest peers and one who tells them two histories, in every order of links and messages.

In each of four steps one peer speaks: the liar first, in two versions, then each of the others over
the head that it has. Links between honest peers go up and down; on each that is new two
`Comparison`s meet, and then what they allow goes over it. The liar carries any message that it has
seen to anybody, at any time.

Rule 1: histories, placements and comparisons are the real ones; what a table does with them is in
short here: it completes a step when its one message is there, and convicts who signed twice.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from sobremesa.core.encoding import digest, pack
from sobremesa.core.replica.comparison import Comparison
from sobremesa.core.replica.history import WAITING, History, Placement
from sobremesa.core.replica.transcript import Message

HONEST = (0, 1, 2)
LIAR = 3
SPEAKERS = (LIAR, *HONEST)
"""Who speaks in each step."""
ROOT = digest("root")


@cache
def message(step: int, head: bytes, version: int = 0) -> Message:
    """What the speaker of a step says over a head. Nobody checks the signature."""
    payload = pack([step, head, version])
    return Message(step, SPEAKERS[step], "answer", head, 0, payload, b"")


LIES = (message(0, ROOT, 1), message(0, ROOT, 2))


class Life(NamedTuple):
    """The version that a peer believes, all that it has heard, and whom it has convicted."""

    first: Message | None = None
    heard: frozenset[Message] = frozenset()
    convicted: frozenset[int] = frozenset()


Link = tuple[int, int]
LINKS = tuple(itertools.combinations(HONEST, 2))


class State(NamedTuple):
    """The honest peers, their links that are up and those that are agreed, what the liar has."""

    lives: tuple[Life, ...] = (Life(),) * len(HONEST)
    up: frozenset[Link] = frozenset()
    agreed: frozenset[Link] = frozenset()
    seen: frozenset[Message] = frozenset()

    def with_life(self, peer: int, life: Life) -> State:
        return self._replace(lives=(*self.lives[:peer], life, *self.lives[peer + 1 :]))


@dataclass
class Model:
    """Two rules that would be wrong: with `strays_convict` a head which is not ours convicts its
    author, with `parted_are_mute` two ends show each other nothing of the step that parts them."""

    strays_convict: bool = False
    parted_are_mute: bool = False
    _histories: dict[Life, History] = field(default_factory=dict, init=False)
    _heard: dict[tuple[Life, Message, bool], Life] = field(default_factory=dict, init=False)

    def history(self, life: Life) -> History:
        """The history of who has heard this."""
        known = self._histories.get(life)
        if known is None:
            known = self._histories[life] = History(ROOT, len(SPEAKERS))
            rest = sorted(life.heard - {life.first}, key=lambda m: (m.step, m.payload))
            for heard in ([life.first] if life.first else []) + rest:
                _take(known, heard)
        return known

    def hears(self, life: Life, said: Message, by_author: bool = False) -> Life:
        """What a peer is after a message, which its own author may have brought."""
        key = life, said, by_author
        if key not in self._heard:
            self._heard[key] = self._hears(life, said, by_author)
        return self._heard[key]

    def _hears(self, life: Life, said: Message, by_author: bool) -> Life:
        if said in life.heard or LIAR in life.convicted:
            return life
        placement = self.history(life).place(said)
        is_fault = placement in (Placement.SIGNED_TWICE, Placement.OUT_OF_TURN)
        if is_fault or (self.strays_convict and by_author and placement is Placement.STRAY):
            life = life._replace(convicted=life.convicted | {said.peer})
        first = life.first or (said if said in LIES else None)
        return life._replace(first=first, heard=life.heard | {said})

    def moves(self, state: State) -> Iterator[State]:
        """All that can happen next."""
        yield from self._liars(state)
        for peer in HONEST:
            yield from self._speaks(state, peer)
        for link in LINKS:
            if link in state.up:
                yield state._replace(up=state.up - {link}, agreed=state.agreed - {link})
            else:
                yield state._replace(up=state.up | {link})
        yield from self.carries(state)

    def _liars(self, state: State) -> Iterator[State]:
        for peer in HONEST:
            for said in {*LIES, *state.seen}:
                after = state.with_life(peer, self.hears(state.lives[peer], said))
                yield after._replace(seen=state.seen | {said})

    def _speaks(self, state: State, peer: int) -> Iterator[State]:
        life = state.lives[peer]
        history = self.history(life)
        due = history.step
        if due < len(SPEAKERS) and SPEAKERS[due] == peer and not life.convicted:
            said = message(due, history.head)
            yield state.with_life(peer, self.hears(life, said))._replace(seen=state.seen | {said})

    def carries(self, state: State) -> Iterator[State]:
        """All that goes over links between honest peers."""
        for link in state.up - state.agreed:
            yield self._compares(state, link)
        for here, there in itertools.permutations(HONEST, 2):
            link = min(here, there), max(here, there)
            if link in state.agreed:
                for said in self.history(state.lives[here]).log:
                    heard = self.hears(state.lives[there], said, said.peer == here)
                    yield state.with_life(there, heard)
            if link in state.up:
                yield self._proves(state, here, there)

    def _compares(self, state: State, link: Link) -> State:
        """Both ends of a new link find out whether their histories are one."""
        lives = [state.lives[peer] for peer in link]
        histories = [self.history(life) for life in lives]
        ends = [Comparison(history) for history in histories]
        carry(*ends)
        if ends[0].agreed is not None:
            return state._replace(agreed=state.agreed | {link})
        if self.parted_are_mute:
            return state
        step = ends[0].parted
        assert step is not None
        for peer, life, other in zip(link, lives, reversed(histories), strict=True):
            for said in other.about(step):
                life = self.hears(life, said)
            state = state.with_life(peer, life)
        return state

    def _proves(self, state: State, here: int, there: int) -> State:
        if LIAR not in state.lives[here].convicted:
            return state
        life = state.lives[there]
        for lie in LIES:
            life = self.hears(life, lie)
        return state.with_life(there, life)

    def is_proof_everywhere(self, state: State, chain: Iterable[Link]) -> bool:
        """Whether all convict the liar when these links come up and it says no more."""
        state = state._replace(up=frozenset(chain), agreed=frozenset())
        while True:
            after = next((after for after in self.carries(state) if after != state), None)
            if after is None:
                return all(LIAR in life.convicted for life in state.lives)
            state = after


def _take(history: History, said: Message) -> None:
    placement = history.place(said)
    if placement is Placement.DUE or placement in WAITING:
        history.add(said, placement)
        _go_on(history, said, placement)


def _go_on(history: History, said: Message, placement: Placement) -> None:
    if placement is Placement.DUE:
        history.due[said.peer] = said
        history.complete()
        for waited in list(history.come_due()):
            _go_on(history, *waited)


def carry(one: Comparison, other: Comparison) -> None:
    """Carry what two ends say until neither has more to say."""
    ours, theirs = one.meet(*other.opening), other.meet(*one.opening)
    while ours or theirs:
        ours, theirs = (
            [said for head in theirs for said in one.hear(*head)],
            [said for head in ours for said in other.hear(*head)],
        )


def reached(model: Model, most: int) -> Iterator[State]:
    """The states that can come about, from the fewest moves on."""
    known = {State()}
    queue = deque(known)
    while queue:
        state = queue.popleft()
        yield state
        for after in model.moves(state):
            if after not in known and len(known) < most:
                known.add(after)
                queue.append(after)
