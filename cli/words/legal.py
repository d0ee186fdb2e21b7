"""All that may be answered now, and what the table can say of it, as sentences to be heard.

Rule 1: an answer is said as it may be typed; numbers that follow each other are said as a span.
Rule 2: pure; nothing is remembered here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, CardField, CardsField, Move, Number, Question, Value
from sobremesa.core.views import View
from sobremesa.plugins.voice import counted

from .hands import Order, shown_places, shown_values
from .speech import Players, refusals, sentence, speak_card, speak_faces

MOST_TRIED = 5000
"""Answers by one move that are tried: more than any of our games has, and quickly done."""

Hint = Callable[[Answer], str | None]
"""What the table can say of an answer."""


def speak_legal(question: Question, faces: Faces, order: Order, players: Players) -> str:
    """Every legal answer, move by move, then what is not possible and why."""
    moves = [move for move in question.moves(faces) if not move.automatic]
    can = [_possible(question, move, faces, order, players) for move in moves if not move.disabled]
    said = [f"You can: {'; '.join(can)}."] if can else []
    return " ".join([*said, *refusals(moves)])


def _possible(question: Question, move: Move, faces: Faces, order: Order, players: Players) -> str:
    name = f"{move.label} ({move.hotkey})"
    if not move.fields:
        return name
    only = move.fields[0] if len(move.fields) == 1 else None
    if isinstance(only, CardsField):
        count = counted(only.least, "card")
        if only.most > only.least:
            count = f"{only.least} to {only.most} cards"
        shown = shown_places([faces.get(card) for card in only.cards], order)
        return f"{name} {count}: {_cards([only.cards[at] for at in shown], faces, players)}"
    values = [shown_values(field, faces, order) for field in move.fields]
    tried = itertools.islice(itertools.product(*values), MOST_TRIED)
    legal = [args for args in tried if question.why_not(Answer(move.id, args), faces) is None]
    if isinstance(only, CardField):
        cards = [only.cards[int(str(place)) - 1] for (place,) in legal]
        return f"{name}: {_cards(cards, faces, players)}"
    return f"{name}: {', '.join(_spans(move, legal, faces))}"


def _cards(cards: Iterable[Card], faces: Faces, players: Players) -> str:
    """Cards by what they are, each kind once, as far as they are seen."""
    known = [faces.get(card) for card in cards]
    return speak_faces(list(dict.fromkeys(known)), players)


def _spans(move: Move, legal: Sequence[tuple[Value, ...]], faces: Faces) -> Iterator[str]:
    """The answers, those whose first number rises by one while all else is the same as one span."""
    first = move.fields[0] if move.fields else None
    if not isinstance(first, Number):
        yield from (_typed(move, args, faces) for args in legal)
        return
    others = dict.fromkeys(args[1:] for args in legal)
    for rest in others:
        numbers = [int(str(args[0])) for args in legal if args[1:] == rest]
        start = numbers[0]
        for number, following in itertools.pairwise([*numbers, numbers[-1] + 2]):
            if following != number + 1:
                ends = dict.fromkeys((start, number))
                yield " to ".join(_typed(move, (end, *rest), faces) for end in ends)
                start = following


def _typed(move: Move, args: tuple[Value, ...], faces: Faces) -> str:
    return move.write(Answer(move.id, args), faces)


def speak_odds(
    question: Question, faces: Faces, hint: Hint, players: Players, *, whole: bool = False
) -> list[str]:
    """What the table can say of the moves that are possible: of each that needs no more than its
    name, and of what a player may well think of first; the `whole` is also of each card, or each
    player, that may be named."""
    said: dict[tuple[str, str], list[str]] = {}
    for move in question.moves(faces):
        before = f"{move.label} " if _takes_a_card(move) else ""
        for answer in _each_of(question, move, faces) if whole else _thought_of(move):
            told = hint(answer)
            name = _named(move, answer, faces, players)
            if told and name not in said.setdefault((before, told), []):
                said[before, told].append(name)
    return [
        sentence(f"{before}{' or '.join(names)}: {told}") for (before, told), names in said.items()
    ]


def _takes_a_card(move: Move) -> bool:
    return len(move.fields) == 1 and isinstance(move.fields[0], CardField)


def _named(move: Move, answer: Answer, faces: Faces, players: Players) -> str:
    """An answer as it is spoken of; of a move that takes a card, the card."""
    field = move.fields[0] if move.fields else None
    if isinstance(field, CardField) and _takes_a_card(move):
        return speak_card(faces.get(field.cards[answer.args[0] - 1]), players)
    return move.write(answer, faces) if move.fields else move.label.rstrip("!")


def _thought_of(move: Move) -> Iterator[Answer]:
    """The answer by its name alone, or the example."""
    if move.disabled is None and not move.fields:
        yield Answer(move.id)
    elif move.disabled is None and move.hint:
        with suppress(LocalError):
            answer = move.read(move.hint)
            if answer is not None:
                yield answer


def _each_of(question: Question, move: Move, faces: Faces) -> Iterator[Answer]:
    """Every legal answer, where no more than one card, player or word is to be named."""
    if len(move.fields) != 1 or isinstance(move.fields[0], Number | CardsField):
        yield from _thought_of(move)
    elif move.disabled is None:
        answers = (Answer(move.id, (value,)) for value in move.fields[0].values())
        yield from (answer for answer in answers if question.why_not(answer, faces) is None)


def speak_chances(view: View | None) -> list[str]:
    """What the game itself shows of chances beside the table, in words."""
    blocks = view.blocks if view is not None else ()
    beside = [block for block in blocks if getattr(block, "area", "table") != "table"]
    return [sentence(text) for block in beside if (text := getattr(block, "spoken", ""))]
