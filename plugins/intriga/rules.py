"""Intriga as its rule book tells it. The numbers are those of the rules, IN-R1 to IN-R29.

Rule 1: the script never branches on a hidden face. Whether a claim was true it learns from the
claimant's own table, which shows the card or concedes; a `Claim` makes either answer accountable.
Rule 2: after every question those who have left for good are out at once (C7), so what comes
next always looks again who is still in.
Rule 3: every change is told as it happens, so that log and screen need nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from sobremesa import (
    Answer,
    Ask,
    AskAll,
    Card,
    Claim,
    Mark,
    Options,
    Outcome,
    Question,
    Reveal,
    Script,
    Seat,
    Show,
    Shuffle,
    Tell,
    Toss,
    leavers,
)

from .cards import (
    ACTIONS,
    ASSASSINATE,
    COUP,
    COUP_FROM,
    DECK,
    EXCHANGE,
    INCOME,
    STEAL,
    the,
)
from .questions import CONCEDE, LIAR, PASS, Act, Block, Cast, Doubt, Keep, Lose, Prove
from .state import (
    BLOCK,
    BLOCKING,
    DOUBTING,
    KEEPING,
    LIED,
    LOSING,
    OPEN,
    PROVED,
    TURNED_UP,
    Claimed,
    Deed,
    State,
)
from .words import claim_said, deed_said

HAND = 2
DRAWN = 2
COINS = 2


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game: turn after turn, until one player has influence."""
    first = yield Toss(len(seats), "starter")
    state = _laid_out(seats, seats[first], options)
    yield Mark(state)
    yield from _deal(state)
    while state.turn is not None and len(state.living()) > 1:
        state.turns += 1
        yield Mark(state)
        yield from _take_turn(state, state.turn)
        _clear(state)
        yield from _dismiss_leavers(state)
        state.turn = next(iter(state.after(state.turn)), None)  # IN-R3
    return (yield from _finish(state))


def _laid_out(seats: tuple[Seat, ...], starter: Seat, options: Options) -> State:
    coins = dict.fromkeys(seats, COINS)
    if len(seats) == 2:
        coins[starter] -= 1  # IN-R2
    return State(
        seats,
        coins,
        starter,
        int(options["window"]),
        options["late_block"] == "on",
        hands=dict.fromkeys(seats, ()),
        open_cards=dict.fromkeys(seats, ()),
        face_up=dict.fromkeys(seats, ()),
        claims={seat: [] for seat in seats},
    )


def _deal(state: State) -> Script[None]:
    deck: tuple[Card, ...] = yield Shuffle(DECK)
    for place, seat in enumerate(state.seats):
        state.hands[seat] = deck[HAND * place : HAND * (place + 1)]
    state.deck = deck[HAND * len(state.seats) :]
    yield Show({card: (seat,) for seat, hand in state.hands.items() for card in hand})
    yield Tell("start", starter=state.turn, coins=dict(state.coins))


# A turn.


def _take_turn(state: State, actor: Seat) -> Script[None]:
    """One action with all its stages (IN-R13): claim, challenge, block, challenge, effect."""
    coins = state.coins[actor]
    yield Tell("turn", seat=actor, coins=coins, coup=coins >= COUP_FROM)
    purses = {seat: state.coins[seat] for seat in state.after(actor)}
    answer: Answer = yield from _ask(state, actor, Act(coins, purses, Cast.of(state, actor)))
    if not state.lives(actor) or len(state.living()) < 2:  # IN-R25
        return
    deed = state.deed = Deed(actor, ACTIONS[answer.move], answer.args[0] if answer.args else None)
    yield from _announce(state, deed)
    challenger: Seat | None = None
    if state.claim is not None:
        stands, challenger = yield from _challenge(state, state.claim)
        if not stands:
            yield from _refund(state, deed)
            return
    if (yield from _blocked(state, deed, challenger)):
        return
    if state.lives(actor) and len(state.living()) > 1:  # IN-R25
        yield from _take_effect(state, deed)


def _announce(state: State, deed: Deed) -> Script[None]:
    actor, action = deed.actor, deed.action
    state.coins[actor] -= action.cost  # IN-R7, IN-R9: paid at once
    if action.role is not None:
        state.claim = _claimed(state, actor, action.role, action.id)
    if action.id != INCOME:
        yield Tell(
            "action",
            seat=actor,
            action=action.id,
            target=deed.target,
            role=action.role,
            coins=state.coins[actor],
        )


def _refund(state: State, deed: Deed) -> Script[None]:
    """What was paid for an action that a challenge undid comes back (IN-R16)."""
    if deed.action.cost and state.lives(deed.actor):
        state.coins[deed.actor] += deed.action.cost
        yield Tell(
            "refund", seat=deed.actor, amount=deed.action.cost, coins=state.coins[deed.actor]
        )


def _take_effect(state: State, deed: Deed) -> Script[None]:
    actor, action, target = deed.actor, deed.action, deed.target
    if target is not None and not state.lives(target):  # IN-R24
        yield Tell("void", action=action.id, seat=actor, target=target)
    elif action.id in (COUP, ASSASSINATE):
        assert target is not None
        yield from _lose(state, target)
    elif action.id == STEAL:
        assert target is not None
        amount = min(action.gain, state.coins[target])  # IN-R10
        state.coins[target] -= amount
        state.coins[actor] += amount
        yield Tell("stolen", seat=actor, target=target, amount=amount, coins=state.coins[actor])
    elif action.id == EXCHANGE:
        yield from _exchange(state, actor)
    else:
        state.coins[actor] += action.gain
        yield Tell(
            "gain", seat=actor, action=action.id, amount=action.gain, coins=state.coins[actor]
        )


def _exchange(state: State, actor: Seat) -> Script[None]:
    """Two cards more, and two go back (IN-R11).

    The actor alone shuffles all four first, or the handles would tell which ones are kept. Who
    leaves in the middle of it is dismissed when the turn is over.
    """
    count = len(state.hands[actor])
    drawn, state.deck = state.deck[:DRAWN], state.deck[DRAWN:]
    yield Show(dict.fromkeys(drawn, (actor,)))
    pool: tuple[Card, ...] = yield Shuffle((*state.hands[actor], *drawn), by=(actor,))
    state.hands[actor], state.stage, state.chooser = pool, KEEPING, actor
    answer: Answer = yield Ask(actor, Keep(pool, count))
    kept = tuple(pool[place - 1] for place in answer.args[0])
    state.hands[actor], state.stage, state.chooser = kept, "", None
    state.deck = yield Shuffle((*state.deck, *(card for card in pool if card not in kept)))
    yield Tell("exchanged", seat=actor, cards=count)


# Claims, challenges and blocks.


def _challenge(state: State, claim: Claimed) -> Script[tuple[bool, Seat | None]]:
    """Whether a claim stands, and who challenged it (IN-R14 to IN-R17, IN-R19)."""
    challenger = yield from _first_doubter(state, claim)
    if not state.lives(claim.seat):
        return False, None
    if challenger is None:
        return True, None
    question = Prove(claim.role, state.hands[claim.seat])
    answer: Answer = yield from _ask(state, claim.seat, question)
    if not state.lives(claim.seat):
        return False, challenger
    proved = answer.move != CONCEDE
    claim.fate = PROVED if proved else LIED
    title = f"I hold {the(claim.role)}" if proved else f"I do not hold {the(claim.role)}"
    yield Claim(claim.seat, title, lambda faces: question.settled(answer, faces))
    if proved:
        yield from _show_and_redraw(state, claim, answer.args[0] - 1, challenger)
        yield from _lose(state, challenger)
    else:
        yield Tell("caught", seat=claim.seat, role=claim.role, challenger=challenger)
        yield from _lose(state, claim.seat)
    return proved, challenger


def _first_doubter(state: State, claim: Claimed) -> Script[Seat | None]:
    """Ask everybody else; of those who do not believe it only the first in turn order from the
    claimant's left challenges (IN-R15)."""
    state.stage, state.claim = DOUBTING, claim
    assert state.deed is not None
    hidden, deed = len(state.hands[claim.seat]), state.deed
    window = {
        seat: Doubt(
            claim.seat, claim.role, hidden, Cast.of(state, seat), claim_said(seat, deed, claim)
        )
        for seat in state.after(claim.seat)
    }
    answers = yield from _ask_all(state, window)
    doubters = [s for s in state.after(claim.seat) if answers[s].move == LIAR]
    if not doubters or not state.lives(claim.seat):
        return None
    first, *others = doubters
    yield Tell("liar", seat=first, claimant=claim.seat, role=claim.role, others=others)
    return first


def _show_and_redraw(state: State, claim: Claimed, place: int, challenger: Seat) -> Script[None]:
    """The card that was claimed is shown, goes back into the deck and is replaced (IN-R17)."""
    seat, hand = claim.seat, state.hands[claim.seat]
    yield Reveal((hand[place],))
    yield Tell("shown", seat=seat, role=claim.role, place=place + 1, challenger=challenger)
    deck: tuple[Card, ...] = yield Shuffle((*state.deck, hand[place]))
    state.hands[seat] = (*hand[:place], deck[0], *hand[place + 1 :])
    state.deck = deck[1:]
    yield Show({deck[0]: (seat,)})
    yield Tell("redrawn", seat=seat, role=claim.role)


def _blocked(state: State, deed: Deed, challenger: Seat | None) -> Script[bool]:
    """Whether somebody blocks the action and the block stands (IN-R18 to IN-R21)."""
    claim = yield from _first_blocker(state, deed, _may_block(state, deed, challenger))
    if claim is None:
        return False
    stands, _ = yield from _challenge(state, claim)
    if stands:
        yield Tell("blocked", seat=claim.seat, action=deed.action.id, actor=deed.actor)
    return stands


def _may_block(state: State, deed: Deed, challenger: Seat | None) -> list[Seat]:
    """Who is asked for a block, the first in turn order from the actor's left first."""
    others = state.after(deed.actor) if deed.action.blockers else []
    if not state.lives(deed.actor) or len(state.living()) < 2:
        return []
    if deed.action.targeted:
        others = [seat for seat in others if seat == deed.target]
    if deed.action.id == ASSASSINATE and not state.late_block:  # IN-R21
        others = [seat for seat in others if seat != challenger]
    return others


def _first_blocker(state: State, deed: Deed, may_block: list[Seat]) -> Script[Claimed | None]:
    if not may_block:
        return None
    state.stage, state.claim = BLOCKING, None
    roles = deed.action.blockers
    window = {s: Block(roles, Cast.of(state, s), deed_said(s, deed)) for s in may_block}
    answers = yield from _ask_all(state, window)
    blockers = [s for s in may_block if state.lives(s) and answers[s].move != PASS]
    if not blockers or not state.lives(deed.actor):
        return None
    first, *others = blockers
    claim = state.claim = _claimed(state, first, answers[first].move, BLOCK)
    yield Tell(
        "block",
        seat=first,
        role=claim.role,
        action=deed.action.id,
        actor=deed.actor,
        others=others,
    )
    return claim


def _claimed(state: State, seat: Seat, role: str, deed: str) -> Claimed:
    claim = Claimed(seat, role, deed)
    state.claims[seat].append(claim)
    return claim


# Influence.


def _lose(state: State, seat: Seat) -> Script[None]:
    """One of a player's cards is turned up, by their own choice (IN-R22)."""
    place = 1
    if len(state.hands[seat]) > 1:
        state.stage, state.chooser = LOSING, seat
        answer: Answer = yield from _ask(state, seat, Lose(state.hands[seat]))
        state.stage, state.chooser = "", None
        (place,) = answer.args
    if not state.lives(seat):  # left while they were to choose
        return
    card = state.hands[seat][place - 1]
    (face,) = yield from _turn_up(state, seat, (card,))
    yield Tell("lost", seat=seat, card=face, left=len(state.hands[seat]))
    if not state.hands[seat]:
        yield from _go_out(state, (seat,))


def _turn_up(state: State, seat: Seat, cards: tuple[Card, ...]) -> Script[tuple[str, ...]]:
    faces: tuple[str, ...] = yield Reveal(cards)
    state.hands[seat] = tuple(card for card in state.hands[seat] if card not in cards)
    state.open_cards[seat] += cards
    state.face_up[seat] += faces
    for claim in state.claims[seat]:
        if claim.role in faces and claim.fate == OPEN:
            claim.fate = TURNED_UP
    return faces


def _go_out(state: State, seats: tuple[Seat, ...]) -> Script[None]:
    state.coins.update(dict.fromkeys(seats, 0))  # IN-R23
    yield from state.go_out(seats, len(state.living()))


def _dismiss_leavers(state: State) -> Script[None]:
    """Who has left for good turns up all cards."""
    left = yield from leavers(state.living())
    for seat in left:
        faces = yield from _turn_up(state, seat, state.hands[seat])
        yield Tell("left", seat=seat, cards=list(faces))
    if left:
        yield from _go_out(state, left)


# Asking.


def _ask(state: State, seat: Seat, question: Question) -> Script[Answer]:
    answer: Answer = yield Ask(seat, question)
    yield from _dismiss_leavers(state)
    return answer


def _ask_all(state: State, questions: Mapping[Seat, Question]) -> Script[Mapping[Seat, Answer]]:
    """A window: everybody at once, each time with the full time (IN-R14)."""
    answers: Mapping[Seat, Answer] = yield AskAll(questions, state.window)
    state.stage = ""
    yield from _dismiss_leavers(state)
    return answers


# The end.


def _clear(state: State) -> None:
    """The turn is over."""
    state.deed = state.claim = state.chooser = None
    state.stage = ""


def _finish(state: State) -> Script[Outcome]:
    winners = tuple(state.living())
    state.turn = None
    state.rank(winners)  # IN-R26
    yield state.over(winners)
    reason = f"{winners[0]} is the last with influence" if winners else "everybody has left"
    return Outcome(state.places, reason)
