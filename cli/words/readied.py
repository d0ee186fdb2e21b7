"""A move made ready while others think: kept as it was typed, and judged when one's turn comes.

Rule 1: it never answers a window: that opens for something which nobody has seen before.
Rule 2: it never says yes: a move that asks first is not played unseen.
Rule 3: what could be no move is not kept, so that chat and slips are told at once; and at a reveal
nothing is, for it may have been typed for what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable

from sobremesa.core.errors import InvalidAnswer, LocalError
from sobremesa.core.questions import Question
from sobremesa.core.typed import fold
from sobremesa.plugins.playing_cards import PACK, spoken_card

from . import grammar
from .grammar import CardNames, NotUnderstood, Play
from .story import Story

LONGEST = 60
"""Letters of a line that may be a move."""


def make_ready(story: Story, typed: str) -> str:
    """Keep a line for our next turn; what is to be said of that.

    :raises NotUnderstood: if it can be no move
    """
    if story.resting is not None:
        raise NotUnderstood("Look first: this is a reveal.")
    text = fold(typed)
    faces = story.session.faces()
    names = story.session.game.card_names
    asked = story.asked_before.values()
    may_be = _names_card(text, faces.values(), names) or (not asked and _is_likely(text, story))
    if not may_be and not any(_reads(text, one, story, names) for one in asked):
        raise NotUnderstood(f"I don't know '{text[:40]}', and it is not your turn.")
    if len(text) > LONGEST:
        raise NotUnderstood("That is too long for a move, and it is not your turn.")
    story.readied = text
    return f"Ready for your turn: {text}. Type cancel to take it back."


def _reads(text: str, question: Question, story: Story, names: CardNames) -> bool:
    """Whether this may be meant for such a question, possible or not."""
    try:
        faces = story.session.faces()
        command = grammar.read(text, {}, question, faces, None, names, story.order)
        return isinstance(command, Play)
    except InvalidAnswer:
        return True
    except LocalError:
        return False


def _is_likely(text: str, story: Story) -> bool:
    """Whether it looks like a move of a game in which we were asked nothing yet: one word, or
    something with a number or a player in it."""
    words = set(text.casefold().split())
    named = any(words >= set(seat.casefold().split()) for seat in story.seats)
    return " " not in text or named or any(char.isdecimal() for char in text)


def _names_card(text: str, faces: Iterable[object], names: CardNames) -> bool:
    """Whether a word of it is a card, as it is written or in full, or the place of one."""
    words = text.casefold().split()
    cards = {str(face).casefold() for face in (*PACK, *faces)}
    full = {spoken_card(str(face), names).casefold() for face in (*PACK, *faces)}
    joined = " ".join(words)
    return any(word in cards or word.startswith("#") for word in words) or any(
        name in joined for name in full if not name.isdecimal()
    )


def take_back(story: Story) -> str:
    """Keep nothing for our turn; what is to be said of that.

    :raises LocalError: if nothing is kept
    """
    if not story.readied:
        raise LocalError("you have made no move ready")
    text, story.readied = story.readied, ""
    return f"Taken back: {text}."


def judged(story: Story) -> Play | None:
    """The answer that was made ready for what we are asked now, if there is one; it is kept no
    longer.

    :raises LocalError: if it is none any more, or wants a yes
    """
    asked = story.asked
    if asked is None or asked.is_window or not story.readied:
        return None
    text, story.readied = story.readied, ""
    faces, game = story.session.faces(), story.session.game
    try:
        command = grammar.read(text, {}, asked.question, faces, None, game.card_names, story.order)
        assert isinstance(command, Play)  # there are no words, and chat was not kept
        asked.question.check(command.answer, faces)
        if asked.question.move(command.answer.move).confirm:
            raise LocalError("that asks you first, so type it again")
    except LocalError as error:
        raise LocalError(f"{text}, made ready, is not played: {error}") from error
    return command
