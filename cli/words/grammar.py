"""What a typed line means: a move, a word for the client, or chat. The same in both clients.

Rule 1: a line is never sent as chat unless it begins with `'` or `/say`.
Rule 2: a move comes before a word of the same spelling; with `/` it is always the word.
Rule 3: moves are read by the `Question`; here is no notation of any game.
Rule 4: cards are typed and shown by the faces that their player sees, or by their places.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from sobremesa.core.errors import InvalidAnswer, LocalError
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import (
    NO_FACES,
    Answer,
    CardField,
    CardsField,
    Field,
    Move,
    Number,
    Question,
    Value,
)
from sobremesa.core.typed import fold

from .cards import by_faces
from .hands import PLACE, Order, as_dealt, shown_values

CardNames = Mapping[str, str]
"""What a game calls its cards in full, by face."""
NO_NAMES: CardNames = {}
QUITTING = ("q", "exit")
"""What people type who want to go, and would be near some move."""
MOST_CANDIDATES = 60
MOST_TRIED = 5000
CHAT_HELP = "To chat, start with '."


class NotUnderstood(LocalError):
    """No move and no word."""


class NotNow(LocalError):
    """It may be a move, but nobody asks us for one."""


class TooLate(NotNow):
    """It is an answer to what we were asked before our time ran out."""


Place = Literal["room", "opener", "table", "result"]
"""Where a player is: in a waiting room, in one that this machine opened, in a game, after it."""
EVERYWHERE: tuple[Place, ...] = ("room", "opener", "table", "result")


@dataclass(frozen=True, slots=True)
class Word:
    """A command of the client, typed with or without `/`; `act` does it, with what was typed after
    it. `choices` are what may follow, `aliases` what means the same when it stands alone, `places`
    where a client that shows places offers it."""

    name: str
    about: str
    act: Callable[[str], None]
    args: str = ""
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    places: tuple[Place, ...] = EVERYWHERE


Words = Mapping[str, Word]


def words(*some: Word) -> Words:
    """The words by their names; of two with the same name the later one."""
    return {word.name: word for word in some}


PAGES = ("moves", "rules", "tips", "faq")


def help_word(act: Callable[[str], None]) -> Word:
    """The word for help, the same on every screen."""
    about = "how to type, and the pages of the game"
    return Word("help", about, act, "[PAGE]", PAGES, aliases=("?",))


@dataclass(frozen=True, slots=True)
class Enter:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Play:
    """A move: the answer that was typed to what we are asked."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Say:
    """Chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Do:
    """A word for the client, and what came after it."""

    word: Word
    rest: str = ""


Command = Enter | Play | Say | Do


def read(
    typed: str,
    known: Words,
    question: Question | None,
    faces: Faces = NO_FACES,
    missed: Question | None = None,
    cards: CardNames = NO_NAMES,
    order: Order = "dealt",
) -> Command:
    """What a line means while `question` is asked of us and we see these faces. `missed` is the
    question for which our time ran out, if it was the last; `cards` is what the game calls its
    cards, `order` that in which we see our hand.

    :raises InvalidAnswer: if it is a move with something wrong in it
    :raises NotUnderstood: if it is no word, or a word without what it needs
    :raises NotNow: if it could only be a move and we are not asked
    :raises TooLate: if it answers what was missed
    """
    text = fold(typed)
    if not text:
        return Enter()
    if text.startswith("'"):
        return Say(chat(_written(typed)[1:]))
    for word in known.values():
        if text in word.aliases and not text.isalpha():
            return Do(word)
    first, _, rest = text.removeprefix("/").partition(" ")
    first = first.casefold()
    if first == "say":
        rest = " ".join(_written(typed).split()[1:])  # chat stays as it was written
    known = {**known, **{alias: word for word in known.values() for alias in word.aliases}}
    if text.startswith("/"):
        if first not in known:
            raise NotUnderstood(_unknown(f"/{first}", [f"/{name}" for name in known], "Try /help."))
        return Do(known[first], rest)
    trouble: InvalidAnswer | None = None
    if question is not None:
        try:
            return Play(_as_move(question, text, faces, cards, order))
        except InvalidAnswer as error:
            trouble = error
    if first in known:
        return Do(known[first], rest)
    names = _names(question) if question is not None else set()
    # A move with something wrong in it, or a bare number: the table says best what is wrong.
    if trouble is not None and (first in names or re.search(r"\d", text)):
        raise trouble
    # Before any guess at a word: who answered must know that it came too late to count.
    if (
        question is None
        and missed is not None
        and _reads(lambda: _as_move(missed, text, faces, cards, order))
    ):
        raise TooLate(f"Too late: your time had run out before '{text[:40]}' came.")
    chat_help = CHAT_HELP if "say" in known else ""
    # A word that is nearly ours is likelier than a move that is nearly the game's.
    if _nearest(first, [*known, *sorted(names)]) in known:
        raise NotUnderstood(_unknown(first, known, chat_help))
    if trouble is not None:
        stop = "" if str(trouble)[-1] in ".?!" else "."
        raise NotUnderstood(f"{trouble}{stop} {chat_help}".strip())
    raise NotNow(f"You are not asked for a move now ('{text[:40]}'). {chat_help}".strip())


def _written(typed: str) -> str:
    """The line as it was written, from the first character on that is read."""
    start = next(place for place, char in enumerate(typed) if fold(char))
    return typed[start:]


def _reads(read: Callable[[], Answer | None]) -> bool:
    """Whether this reading of a text finds an answer in it."""
    try:
        return read() is not None
    except InvalidAnswer:
        return False


def _nearest(word: str, names: Collection[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, names, n=1, cutoff=0.65)), None)


def _unknown(word: str, names: Collection[str], otherwise: str) -> str:
    near = _nearest(word, names)
    found = f"Did you mean '{near}'?" if near else ""
    if near and word.startswith("/"):
        otherwise = ""
    return " ".join(filter(None, (f"I don't know '{word[:40]}'.", found, otherwise)))


def _names(question: Question) -> set[str]:
    """All words by which the moves are called."""
    names: set[str] = set()
    for move in question.moves():
        names |= {name.casefold() for name in (move.id, move.hotkey, *move.words())}
    return names


def _as_move(question: Question, text: str, faces: Faces, cards: CardNames, order: Order) -> Answer:
    """What the question reads there: as it is typed, or with cards as they are spoken of.

    :raises InvalidAnswer: if it is no move
    """
    if PLACE.search(text):
        for move in question.moves(faces):  # which may take cards of different hands
            with suppress(InvalidAnswer):
                answer = _as_typed(question, as_dealt(move, text, faces, order), faces)
                if answer.move == move.id:
                    return answer
    try:
        return _as_typed(question, text, faces)
    except InvalidAnswer as first:
        spoken = by_faces(text, question, faces, cards)
        if spoken == text:
            raise
        try:
            return _as_typed(question, spoken, faces)
        except InvalidAnswer:
            if set(spoken.split()) <= set(text.split()):  # no card was named in it
                raise first from None
            raise


def _as_typed(question: Question, text: str, faces: Faces) -> Answer:
    """Cards alone are meant for the only move that takes some.

    :raises InvalidAnswer: if it is no move
    """
    try:
        return question.read(text, faces)
    except InvalidAnswer:
        move = _sole_taker(question, faces)
        if move is None:
            raise
        with suppress(InvalidAnswer):
            answer = move.read_after_name(text, faces, whole=True)
            if answer is not None:
                return answer
        raise


def _sole_taker(question: Question, faces: Faces) -> Move | None:
    """The only move possible now that takes cards."""
    taking = [m for m in question.moves(faces) if _takes_cards(m) and m.disabled is None]
    return taking[0] if len(taking) == 1 else None


def _takes_cards(move: Move) -> bool:
    """Whether cards, and nothing else, follow the name of this move."""
    return bool(move.fields) and all(isinstance(f, CardField | CardsField) for f in move.fields)


def example(move: Move, faces: Faces) -> str:
    """How a move with fields may be typed now, cards by their faces; "" for other moves."""
    if not (move.fields and move.hint):
        return ""
    answer = move.read(move.hint) if _takes_cards(move) else None
    return move.write(answer, faces) if answer is not None else move.hint


def chat(text: str) -> str:
    """What is said to the table.

    :raises NotUnderstood: if it is nothing
    """
    text = " ".join(text.split())
    if not text:
        raise NotUnderstood("Nothing to say: type the words after the ' sign.")
    return text


def complete(
    typed: str,
    known: Words,
    question: Question | None,
    faces: Faces = NO_FACES,
    order: Order = "dealt",
) -> list[str]:
    """Lines that begin with what was typed and mean something now, moves first, cards in the order
    in which we see them."""
    text = fold(typed) + (" " if typed[-1:].isspace() else "")
    if text.startswith("'"):
        return []
    if text.startswith("/"):
        return ["/" + line for line in _words(text[1:], known)]
    found = list(_moves(text, question, faces, order)) if question is not None else []
    if text:
        found += _words(text, known)
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


def _words(text: str, known: Words) -> list[str]:
    first, space, rest = text.casefold().partition(" ")
    if space:
        choices = known[first].choices if first in known else ()
        return [
            f"{first} {choice}" for choice in choices if choice.casefold().startswith(rest.lstrip())
        ]
    return [name for name in known if name.startswith(first)]


def _moves(text: str, question: Question, faces: Faces, order: Order) -> Iterator[str]:
    sole = _sole_taker(question, faces)
    for move in question.moves(faces):
        if move.disabled is not None:
            continue
        if not move.fields:
            names = (*move.notation, move.id) if text else move.notation
            yield from [name for name in names if name.startswith(text.casefold())][:1]
        elif not text and move != sole:
            yield move.hint or move.notation[0]
        else:
            after_name = [form[form.index("{") :] for form in move.notation]
            forms = [*move.notation, *after_name] if move == sole else move.notation
            yield from _spellings(text, forms, move, question, faces, order)
            for name in (move.hotkey, move.id):
                head, rest = text[: len(name) + 1], text[len(name) + 1 :]
                if head.casefold() == f"{name} ":
                    lines = _spellings(rest, after_name, move, question, faces, order)
                    yield from (head + line for line in lines)


def _spellings(
    text: str,
    forms: Sequence[str],
    move: Move,
    question: Question,
    faces: Faces,
    order: Order,
) -> Iterator[str]:
    """Legal answers by this move that begin with the text, in the shortest form that has any."""
    wanted = " ".join(text.casefold().split()) + (" " if text.endswith(" ") else "")
    for form in sorted(forms, key=_fixed_length):
        found = False
        values = [shown_values(field, faces, order) for field in move.fields]
        for args in itertools.islice(itertools.product(*values), MOST_TRIED):
            spelled = _spelled(wanted, form, move, args, faces)
            if spelled and question.why_not(Answer(move.id, args), faces) is None:
                found = True
                yield spelled
        if found:
            return


def _fixed_length(form: str) -> int:
    return len(re.sub(r"\{\w+\}", "", form))


def _spelled(
    wanted: str, form: str, move: Move, args: tuple[Value, ...], faces: Faces
) -> str | None:
    """The answer in this form, in whichever of its words begin as wanted."""
    in_words = form != move.notation[0]
    pairs = zip(move.fields, args, strict=True)
    ways = (_ways(field, value, faces, in_words=in_words) for field, value in pairs)
    names = [field.name for field in move.fields]
    for way in itertools.product(*ways):
        line = form.format(**dict(zip(names, way, strict=True)))
        if line.casefold().startswith(wanted):
            return line
    return None


def _ways(field: Field, value: Value, faces: Faces, *, in_words: bool) -> tuple[str, ...]:
    if in_words and isinstance(field, Number) and isinstance(value, int):
        return (*(field.words or {}).get(value, ()), str(value))
    return (field.write(value, faces),)
