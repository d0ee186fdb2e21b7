"""House of Jokers as its rule book tells it. The numbers are those of the rules, HJ-R1 to HJ-R21.

Rule 1: the script never branches on a hidden face. Whether a face-down card fits it learns from
its owner's table, and a `Claim` makes the answer accountable as soon as the card is public.
Rule 2: a card that is turned face down gets a new handle, of which only its owner knows the face;
or every table would go on showing what all have seen.
Rule 3: every change is told as it happens, so that log and screen need nothing else.
"""

from __future__ import annotations

from sobremesa import (
    Answer,
    Ask,
    AskAll,
    Card,
    Claim,
    Gone,
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
    card_rank,
)

from .questions import GIVE_UP, JOKER, STUCK, Choose, Flip, Refill, Turn
from .state import ALL, DEALT, JOKER_CARD, SEVEN, Board, Ending, Slot, Stage, State, closes

ACTION_CARDS = {"easy": 4, "normal": 3, "hard": 2}


class _Over(Exception):
    """The game is over for everybody, in the middle of whatever was going on."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game: turn after turn, until all have won or all have lost."""
    jokers = int(options["jokers"])
    state = State(
        seats,
        ACTION_CARDS[str(options["difficulty"])],
        jokers,
        int(options["joker_rounds"]),
        Board.laid_out(jokers),
        hands=dict.fromkeys(seats, ()),
        slots=dict.fromkeys(seats, ()),
    )
    try:
        yield from _deal(state)
        yield from _choose_action_cards(state)
        yield from _turns(state, (yield from _starter(state)))
    except _Over as over:
        state.ending = over.ending
    return (yield from _finish(state))


# Before the first turn.


def _deal(state: State) -> Script[None]:
    seats = state.seats
    first = 0
    if len(DEALT) % len(seats):  # HJ-R2: who gets a card more is random
        first = yield Toss(len(seats), "extra")
    yield Mark(state)
    deck: tuple[Card, ...] = yield Shuffle(DEALT)
    for place, seat in enumerate(seats):
        state.hands[seat] = deck[(place - first) % len(seats) :: len(seats)]
    yield Show({card: (seat,) for seat, hand in state.hands.items() for card in hand})
    state.stage = "choosing"
    cards = {seat: len(hand) for seat, hand in state.hands.items()}
    yield Tell("deal", cards=cards, choose=state.count, jokers=state.jokers)


def _choose_action_cards(state: State) -> Script[None]:
    """Everybody at once, sealed; then all are opened together (HJ-R3)."""
    questions = {seat: Choose(hand, state.count) for seat, hand in state.hands.items()}
    answers: dict[Seat, Answer] = yield AskAll(questions)
    yield from _stop_if_given_up(answers)
    chosen = {
        seat: tuple(hand[place - 1] for place in answers[seat].args[0])
        for seat, hand in state.hands.items()
    }
    faces: dict[Seat, tuple[str, ...]] = yield Reveal(chosen)
    for seat, cards in chosen.items():
        state.hands[seat] = tuple(card for card in state.hands[seat] if card not in cards)
        state.slots[seat] = tuple(map(Slot, cards, faces[seat]))
    yield Tell("reveal", cards={seat: list(shown) for seat, shown in faces.items()})


def _starter(state: State) -> Script[Seat]:
    """Who holds most cards, by chance among equals (HJ-R4)."""
    most = max(map(len, state.hands.values()))
    tied = [seat for seat in state.seats if len(state.hands[seat]) == most]
    first = yield Toss(len(tied), "starter")
    return tied[first]


# Turns.


def _turns(state: State, starter: Seat) -> Script[None]:
    """Clockwise, past those who have no cards left (HJ-R5, HJ-R17), until the game is over."""
    state.turn, state.stage = starter, "moving"
    yield Tell("starter", seat=starter)
    while True:
        assert state.turn is not None
        yield Mark(state)
        closed = yield from _take_turn(state, state.turn)
        while closed:
            state.extra = True
            closed = yield from _take_turn(state, state.turn)
        state.extra = False
        state.turn = state.after(state.turn)[0]


def _take_turn(state: State, seat: Seat) -> Script[bool]:
    """One turn. Whether it closed an end, so that another may follow at once (HJ-R10)."""
    repeats = state.repeats(seat)
    question = Turn(state.board, state.slots[seat], state.may_shift, state.extra, repeats)
    if question.is_open and state.extra:
        yield Tell("extra", seat=seat)
    answer = Answer(STUCK)
    if not question.is_hopeless:
        answer = yield from _ask(state, "playing", seat, question)
        if said := question.said(answer):
            yield Claim(seat, said, lambda faces: question.holds(answer, faces))
    if answer.move == STUCK:
        if not state.extra:
            yield from _take_penalty(state, seat)
        return False
    if state.extra and not question.is_open:
        yield Tell("extra", seat=seat)
    if answer.move == JOKER:
        yield from _move_joker(state, seat, *answer.args)
        return False
    return (yield from _play_card(state, seat, answer.args[0] - 1))


def _play_card(state: State, seat: Seat, place: int) -> Script[bool]:
    """An action card goes to its suit and is replaced from the hand (HJ-R6 to HJ-R9)."""
    slots = state.slots[seat]
    slot, face = slots[place], slots[place].face
    if face is None:
        (face,) = yield Reveal((slot.card,))
    gets_joker = state.board.to_place > 0
    state.board = state.board.lay(face)
    state.latest[seat] = face
    state.slots[seat] = (*slots[:place], *slots[place + 1 :])
    state.goes_on()
    yield Tell(
        "play",
        seat=seat,
        card=face,
        covered=slot.face is None,
        closes=closes(face),
        joker=gets_joker,
        placed=state.board.placed,
    )
    yield from _refill(state, seat, place, face_up=slot.face is not None)
    if state.board.placed == ALL:  # HJ-R18
        raise _Over(Ending("won"))
    return closes(face)


def _refill(state: State, seat: Seat, place: int, face_up: bool) -> Script[None]:
    """A card of the hand takes the place of the one played and lies as that did (HJ-R8)."""
    hand = state.hands[seat]
    if not hand:
        return
    choice = 0
    if len(hand) > 1:
        question = Refill(hand, face_up, state.board)
        answer = yield from _ask(state, "refilling", seat, question)
        choice = answer.args[0] - 1
    card, face = hand[choice], None
    if face_up:
        (face,) = yield Reveal((card,))
    slots = state.slots[seat]
    state.hands[seat] = (*hand[:choice], *hand[choice + 1 :])
    state.slots[seat] = (*slots[:place], Slot(card, face), *slots[place:])
    yield Tell("refill", seat=seat, card=face, left=len(hand) - 1)


def _move_joker(state: State, seat: Seat, joker: str, end: str) -> Script[None]:
    """To another end, or off the table by the seven of a complete suit (HJ-R11)."""
    state.board = state.board.move_joker(joker, end)
    state.latest[seat] = JOKER_CARD
    if card_rank(end) == SEVEN:
        state.goes_on()
        left = state.jokers - state.board.removed
        yield Tell("joker_removed", seat=seat, joker=joker, end=end, left=left)
    else:
        state.stall += 1
        yield Tell("joker", seat=seat, joker=joker, end=end, stall=state.stall, limit=state.limit)


def _take_penalty(state: State, seat: Seat) -> Script[None]:
    """No valid move: a face-up card is turned face down, for good (HJ-R15), or all lose."""
    slots = state.slots[seat]
    state.latest.pop(seat, None)
    question = Flip(slots, state.board)
    face_up = question.face_up()
    if not face_up:  # HJ-R16
        raise _Over(Ending("lost", seat))
    place = face_up[0]
    if len(face_up) > 1:
        answer = yield from _ask(state, "flipping", seat, question)
        (place,) = answer.args
    face = slots[place - 1].face
    (covered,) = yield Shuffle((slots[place - 1].card,), by=(seat,))
    state.slots[seat] = (*slots[: place - 1], Slot(covered, None), *slots[place:])
    state.goes_on()
    yield Tell("flip", seat=seat, card=face, left=len(face_up) - 1)


# Asking, and the end.


def _ask(state: State, stage: Stage, seat: Seat, question: Question) -> Script[Answer]:
    state.stage = stage
    answer: Answer = yield Ask(seat, question)
    state.stage = "moving"
    yield from _stop_if_given_up({seat: answer})
    return answer


def _stop_if_given_up(answers: dict[Seat, Answer]) -> Script[None]:
    """Who leaves or gives up ends the game for all (HJ-R20)."""
    gone: tuple[Seat, ...] = yield Gone()
    if gone:
        raise _Over(Ending("left", gone[0]))
    for seat, answer in answers.items():
        if answer.move == GIVE_UP:
            raise _Over(Ending("gave_up", seat))


def _finish(state: State) -> Script[Outcome]:
    """All win or all lose (HJ-R21)."""
    ending = state.ending
    assert ending is not None
    state.turn, state.extra = None, False
    yield Tell("over", how=ending.kind, seat=ending.seat, placed=state.board.placed)
    reasons = {
        "won": f"all {ALL} cards are placed",
        "lost": f"the Joker wins: {ending.seat} has no valid move and no face-up card left",
        "gave_up": f"{ending.seat} gave up, which ends the game for everyone",
        "left": f"{ending.seat} left the game, and the room is canceled",
    }
    return Outcome((state.seats,), reasons[ending.kind], "won" if ending.kind == "won" else "lost")
