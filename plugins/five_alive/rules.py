"""5 Alive as its rule book tells it. The numbers are those of the rules, FA-R1 to FA-R16.

Rule 1: a card's face is known here once it lies open. What a player says of hidden ones is a
`Claim`, and every hand is opened when it ends, so that all claims of it are judged.
Rule 2: every change is told as it happens, so that log and screen need nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from sobremesa import (
    Answer,
    Ask,
    AskAll,
    Card,
    Claim,
    Face,
    Mark,
    Options,
    Outcome,
    Place,
    Reveal,
    Script,
    Seat,
    Show,
    Shuffle,
    Tell,
    Toss,
    leavers,
    listed,
    ranked,
)

from .cards import BOMB, DECK, DEEDS, DRAWS, REDEAL, REVERSE, SKIP, is_number, total_after, value
from .questions import FLIP, Bombed, Play
from .state import BOMBED, BUST, HAND, HAND_OVER, TEAMS_FROM, Side, State, seated


def refused(options: Options) -> str:
    """Two teams play to the end of one, so there is nothing left for a sudden death (FA-R15)."""
    both = options["teams"] == options["sudden_death"] == "on"
    return "there is no sudden death between teams; choose one of the two" if both else ""


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game: hands until one side is left."""
    wanted = {option for option in ("teams", "sudden_death") if options[option] == "on"}
    teams = "teams" in wanted and len(seats) >= TEAMS_FROM
    sudden_death = "sudden_death" in wanted
    starter = yield Toss(len(seats), "starter")  # FA-R2
    state = State(seats, seated(seats, teams), teams, sudden_death, seats[starter])
    yield Mark(state)
    yield from _introduce(state, unused="teams" in wanted and not teams)
    while not state.is_over():
        yield from _deal(state)
        while not (state.enders or state.is_over()):
            yield from _turn(state)
    if not state.opened:
        yield from _open_hands(state)
    return (yield from _finish(state))


def _introduce(state: State, *, unused: bool) -> Script[None]:
    if state.teams:
        yield Tell("teams", teams=[list(side.seats) for side in state.sides])
    elif unused:
        yield Tell("no_teams", least=TEAMS_FROM)


def _deal(state: State) -> Script[None]:
    """Ten cards for everybody who lives, from all 77 (FA-R1, FA-R2)."""
    if state.hand_no:
        state.starter = state.others(state.starter, 1)[0]
    state.hand_no += 1
    state.total, state.direction = 0, 1
    state.turn = None
    state.hands, state.pile, state.discard = {}, (), []
    state.latest, state.enders, state.opened = {}, (), {}
    yield Mark(state)
    deck: tuple[Card, ...] = yield Shuffle(DECK)
    order = [state.starter, *state.others(state.starter, 1)]
    hands = {seat: deck[n * HAND : (n + 1) * HAND] for n, seat in enumerate(order)}
    yield Show({card: (seat,) for seat, hand in hands.items() for card in hand})
    state.hands, state.pile = hands, deck[len(order) * HAND :]
    state.turn = state.starter
    # Told only now, so that the hands are in sight.
    yield Tell("hand", hand=state.hand_no, starter=state.starter, cards=HAND)


def _turn(state: State) -> Script[None]:
    seat = state.turn
    assert seat is not None
    question = Play(state.hands[seat], state.total)
    answer: Answer = yield Ask(seat, question)
    yield from _dismiss_leavers(state)
    if state.is_over() or not state.lives(seat):
        return
    if answer.move == FLIP:
        yield Claim(seat, "no card of mine can be played", partial(question.holds, answer))
        total, state.total = state.total, 0  # FA-R4
        state.turn = state.next(seat)
        yield from _flip(state, [state.side(seat)], BUST, [seat], total)
    else:
        yield Claim(seat, "this card can be played", partial(question.holds, answer))
        (face,) = yield from _discard(state, {seat: answer.args[0]})
        yield from _play(state, seat, face)


def _play(state: State, seat: Seat, face: Face) -> Script[None]:
    """What a card does that was just played."""
    state.latest.pop(seat, None)
    state.latest[seat] = face  # the last of all is the last
    left = len(state.hands[seat])
    if left or is_number(face):
        state.total = total_after(face, state.total)  # FA-R3, FA-R7
    if not left:
        state.turn, state.enders = None, (seat,)
        yield Tell("play", seat=seat, card=face, total=state.total, left=0)
        yield from _end_hand(state)
        return
    if face == REVERSE and len(state.living()) > 2:  # FA-R6
        state.direction = -state.direction
    # What a card does is told before anybody is to play again.
    state.turn = None if face in DEEDS else state.next(seat)
    yield Tell("play", seat=seat, card=face, total=state.total, left=left)
    yield from _do_deed(state, seat, face)
    if not state.enders:
        following = state.next(seat)
        state.turn = state.next(following) if face == SKIP else following


def _do_deed(state: State, seat: Seat, face: Face) -> Script[None]:
    """What a wild card does besides what it makes of the total."""
    if face == REVERSE:
        yield Tell("reverse", direction=state.direction, living=len(state.living()))
    elif face == SKIP:
        yield Tell("skip", seat=state.next(seat))
    elif face in DRAWS:
        yield from _draw(state, seat, DRAWS[face])
    elif face == REDEAL:
        yield from _redeal(state, seat)
    elif face == BOMB:
        yield from _bomb(state, seat)


def _discard(state: State, places: Mapping[Seat, int]) -> Script[tuple[Face, ...]]:
    """Open the cards in these places and put them on the discards."""
    cards = [state.hands[seat][place - 1] for seat, place in places.items()]
    faces: tuple[Face, ...] = yield Reveal(cards)
    for seat, card in zip(places, cards, strict=True):
        state.hands[seat] = tuple(other for other in state.hands[seat] if other != card)
    state.discard += faces
    return faces


# What wild cards do.


def _draw(state: State, seat: Seat, count: int) -> Script[None]:
    """Everybody else draws; when no card is left the rest of it lapses (FA-R5)."""
    others = state.others(seat, state.direction)
    waiting = [other for other in others for _ in range(count)]
    got = dict.fromkeys(others, 0)
    while waiting:
        if not state.pile and len(state.discard) > 1:
            yield from _reshuffle(state)
        if not state.pile:
            break
        drawn = dict(zip(state.pile, waiting, strict=False))
        yield Show({card: (other,) for card, other in drawn.items()})
        for card, other in drawn.items():
            state.hands[other] += (card,)
            got[other] += 1
        state.pile, waiting = state.pile[len(drawn) :], waiting[len(drawn) :]
    yield Tell("draw", drawn=got, count=count)


def _reshuffle(state: State) -> Script[None]:
    """The discards but the top one are the new pile."""
    *below, top = state.discard
    state.pile = yield Shuffle(below)
    state.discard = [top]
    yield Tell("reshuffle", cards=len(below))


def _redeal(state: State, seat: Seat) -> Script[None]:
    """All hands together are dealt again, one by one from the player's left (FA-R8)."""
    pool = [card for other in state.living() for card in state.hands[other]]
    cards: tuple[Card, ...] = yield Shuffle(pool)
    order = [*state.others(seat, 1), seat]
    hands = {other: cards[place :: len(order)] for place, other in enumerate(order)}
    yield Show({card: (other,) for other, hand in hands.items() for card in hand})
    state.hands.update(hands)
    dealt = {other: len(hand) for other, hand in hands.items()}
    yield Tell("redeal", seat=seat, cards=len(pool), dealt=dealt)


def _bomb(state: State, bomber: Seat) -> Script[None]:
    """A 0 or an ALIVE card from everybody else (FA-R9)."""
    order = state.others(bomber, 1)
    questions = {seat: Bombed(state.hands[seat]) for seat in order}
    answers: Mapping[Seat, Answer] = yield AskAll(questions)
    yield from _dismiss_leavers(state)
    if state.is_over():
        return
    stay = [seat for seat in order if state.lives(seat)]
    for seat in stay:
        claim = "I hold no 0" if answers[seat].move == FLIP else "this card is a 0"
        yield Claim(seat, claim, partial(questions[seat].holds, answers[seat]))
    zeros = {seat: answers[seat].args[0] for seat in stay if answers[seat].move != FLIP}
    if zeros:
        yield from _discard(state, zeros)
        yield Tell("zeros", seats=list(zeros))
    without = [seat for seat in stay if seat not in zeros]
    if without:
        yield from _flip(state, [state.side(seat) for seat in without], BOMBED, without)
    state.enders = tuple(seat for seat in zeros if state.lives(seat) and not state.hands[seat])
    if state.enders and not state.is_over():  # FA-R11
        state.turn = None
        yield Tell("emptied", seats=list(state.enders))
        yield from _end_hand(state)


# ALIVE cards.


def _end_hand(state: State) -> Script[None]:
    """Every side flips one but those whose hand ran out (FA-R10, FA-R11, FA-R15)."""
    yield from _open_hands(state)
    paying = [side for side in state.surviving() if not set(side.seats) & set(state.enders)]
    if paying:
        seats = [seat for side in paying for seat in side.seats if state.lives(seat)]
        yield from _flip(state, paying, HAND_OVER, seats)


def _flip(
    state: State, sides: Sequence[Side], reason: str, seats: Sequence[Seat], total: int = 0
) -> Script[None]:
    """Flip one for each of these sides in turn; a side may stand there more than once.

    Teams stop when one of them is at its end; players go on, for it counts as one instant.
    """
    flipped: Counter[str] = Counter()
    for side in sides:
        if state.teams and any(other.alive == 0 for other in state.sides):  # FA-R15
            break
        side.alive -= 1
        flipped[side.name] += 1
    yield Tell(
        "flip",
        reason=reason,
        seats=list(seats),
        total=total,
        sides=[
            {
                "name": side.name,
                "team": state.teams,
                "seats": list(side.seats),
                "flipped": flipped[side.name],
                "left": side.alive,
            }
            for side in state.sides
            if flipped[side.name]
        ],
    )
    state.sudden_end = state.sudden_death and any(side.alive == 0 for side in sides)
    if not state.teams:
        dead = [side.name for side in state.sides if flipped[side.name] and not side.alive]
        yield from _go_out(state, tuple(dead))


# Going out.


def _go_out(state: State, seats: tuple[Seat, ...]) -> Script[None]:
    """These go out at once, their hands under the discards (FA-R12, FA-R13)."""
    if not seats:
        return
    yield from _put_under(state, seats)
    yield from state.go_out(seats, len(state.living()))
    _pass_turn(state)


def _put_under(state: State, seats: Sequence[Seat]) -> Script[None]:
    """What these hold goes under the discards, where it lies open; not if the hand is over."""
    hands = {seat: state.hands[seat] for seat in seats if state.hands.get(seat)}
    if hands and not state.opened:
        faces: Mapping[Seat, tuple[Face, ...]] = yield Reveal(hands)
        state.hands.update(dict.fromkeys(hands, ()))
        state.discard[:0] = [face for hand in faces.values() for face in hand]


def _pass_turn(state: State) -> None:
    """Whoever is out plays no more."""
    if state.turn is not None and not state.lives(state.turn):
        state.turn = state.next(state.turn)


def _dismiss_leavers(state: State) -> Script[None]:
    """Who has left for good is out at once; a team plays on while it has a player (C7)."""
    left = yield from leavers(state.living())
    if not left:
        return
    state.gone += left
    for side in state.sides:
        if not any(map(state.lives, side.seats)):
            side.alive = 0
    for seat in left:
        yield Tell("left", seat=seat)
    if state.teams:
        yield from _put_under(state, left)
        _pass_turn(state)
    else:
        yield from _go_out(state, left)


# The end of a hand and of the game.


def _open_hands(state: State) -> Script[None]:
    """Open what is still held: what was claimed of these hands is judged by it."""
    hands = {seat: state.hands[seat] for seat in state.seats if state.hands.get(seat)}
    state.turn = None
    if hands:
        state.opened = yield Reveal(hands)
        yield Tell("opened", hands={seat: list(held) for seat, held in state.opened.items()})


def _finish(state: State) -> Script[Outcome]:
    state.rank(*(_teams(state) if state.teams else _best_living(state)))
    if state.sudden_end:
        living = state.living()
        standing = {seat: [state.side(seat).alive, _in_hand(state, seat)] for seat in living}
        yield Tell("sudden", standing=standing)
    winners = state.places[0] if state.surviving() else ()
    yield state.over(winners)
    return Outcome(state.places, _reason(state, winners))


def _teams(state: State) -> tuple[Place, ...]:
    first = [side.seats for side in state.surviving()]
    rest = [side.seats for side in state.sides if side.seats not in first]
    return (*first, *rest) if first else (state.seats,)


def _best_living(state: State) -> tuple[Place, ...]:
    """Who lives, best first; those who went out come after (FA-R13, FA-R14)."""

    def rank(seat: Seat) -> tuple[int, int]:
        return -state.side(seat).alive, _in_hand(state, seat)

    return ranked(state.living(), rank)


def _in_hand(state: State, seat: Seat) -> int:
    """What the numbers add up to that a player held when it was all over."""
    return sum(map(value, state.opened.get(seat, ())))


def _reason(state: State, winners: Sequence[Seat]) -> str:
    if not winners:
        return "everybody has left"
    names = listed(winners)
    if state.sudden_end:
        return f"{names} {'stands' if len(winners) == 1 else 'stand'} best in sudden death"
    if state.teams:
        return f"{names} are the team that is still alive"
    return f"{names} is the last one alive"
