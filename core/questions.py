"""What a seat may be asked, and how an answer is written, typed and judged.

A question describes, it does not list: named moves with typed fields, a default, and `why_not`.
Listing every bid of Dudo in each question made playouts eight times slower.

Rule 1: an answer has one notation, the same in logs, transcripts, scenario files and tests.
What people may type besides is read to the same answer.
Rule 2: not understood is `InvalidAnswer`, understood but against the rules is `IllegalAnswer`.
Rule 3: `why_not` judges by the faces it is given and lets pass what they cannot settle, because
other tables judge with public faces only and judge again when more are public.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .encoding import Pick
from .errors import IllegalAnswer, InvalidAnswer
from .pieces import Card, Faces, Seat

Value = int | str | tuple[int, ...]
"""A field's value. Cards are named by their places, from 1: a face would tell the others."""

NO_FACES: Faces = {}

_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
"""How people write a number that has no words of its own."""


class Answer(NamedTuple):
    """One move with its field values, in the order of the move's fields."""

    move: str
    args: tuple[Any, ...] = ()
    """A `Value` for each field."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`, both included."""

    name: str
    low: int
    high: int
    words: Mapping[int, tuple[str, ...]] | None = None
    """Other ways to say a value: `{3: ("three", "threes")}`. The first is the one shown."""

    def pattern(self) -> str:
        spoken = [word for words in self._spoken().values() for word in words]
        return "|".join([r"\d{1,9}", *map(re.escape, sorted(spoken, key=len, reverse=True))])

    def _spoken(self) -> Mapping[int, tuple[str, ...]]:
        """What may be typed for a value."""
        return self.words or {number: (word,) for number, word in enumerate(_NUMBERS)}

    def read(self, text: str, faces: Faces = NO_FACES) -> int:
        """:raises InvalidAnswer: if the text is no number in the range"""
        value = None
        for number, words in self._spoken().items():
            if text.casefold() in words:
                value = number
        if value is None and re.fullmatch(r"[0-9]{1,9}", text):
            value = int(text)
        if value is None or not self.low <= value <= self.high:
            fits = f"{self.low} to {self.high}" if self.low < self.high else f"{self.low}"
            raise InvalidAnswer(f"{self.name} must be {fits} (you typed {text})")
        return value

    def write(self, value: Value, faces: Faces = NO_FACES) -> str:
        return str(value)

    def values(self) -> Sequence[int]:
        return range(self.low, self.high + 1)

    def shown(self, faces: Faces) -> list[int | str]:
        return list(self.values())


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    name: str
    options: tuple[str, ...]

    def pattern(self) -> str:
        return r"[^\s]+"

    def read(self, text: str, faces: Faces = NO_FACES) -> str:
        """:raises InvalidAnswer: if the text is none of the words, nor the start of just one"""
        return _one_of(self.name, self.options, text)

    def write(self, value: Value, faces: Faces = NO_FACES) -> str:
        return str(value)

    def values(self) -> Sequence[str]:
        return self.options

    def shown(self, faces: Faces) -> list[int | str]:
        return list(self.options)


@dataclass(frozen=True, slots=True)
class SeatField:
    """One of the seats, by name. Typing may shorten a name that stays the only one."""

    name: str
    seats: tuple[Seat, ...]

    def pattern(self) -> str:
        return r".+"

    def read(self, text: str, faces: Faces = NO_FACES) -> Seat:
        """:raises InvalidAnswer: if no seat, or more than one, is meant"""
        return _one_of(self.name, self.seats, text)

    def write(self, value: Value, faces: Faces = NO_FACES) -> str:
        return str(value)

    def values(self) -> Sequence[Seat]:
        return self.seats

    def shown(self, faces: Faces) -> list[int | str]:
        return list(self.seats)


@dataclass(frozen=True, slots=True)
class CardField:
    """One of the player's cards: by its face, or by its place as `#2`. In a transcript it is the
    place, since nobody else may know the face yet. A face may be shortened; but where the `whole`
    answer is nothing but the card, a single key or a number, typed for something else, plays none.
    """

    name: str
    cards: tuple[Card, ...]

    def pattern(self) -> str:
        return r"\S+"

    def read(self, text: str, faces: Faces = NO_FACES, *, whole: bool = False) -> int:
        """:raises InvalidAnswer: if the player has no such card"""
        return _place(self.name, self.cards, text, faces, (), whole)

    def write(self, value: Value, faces: Faces = NO_FACES) -> str:
        assert isinstance(value, int)
        return _card(self.cards, value, faces)

    def values(self) -> Sequence[int]:
        return range(1, len(self.cards) + 1)

    def shown(self, faces: Faces) -> list[int | str]:
        return [self.write(place, faces) for place in self.values()]


@dataclass(frozen=True, slots=True)
class CardsField:
    """From `least` to `most` of the player's cards, as for `CardField`, with blanks between."""

    name: str
    cards: tuple[Card, ...]
    least: int
    most: int

    def pattern(self) -> str:
        return r".+" if self.least else r".*"

    def read(self, text: str, faces: Faces = NO_FACES, *, whole: bool = False) -> tuple[int, ...]:
        """:raises InvalidAnswer: if the player has no such cards, or they are too few or many"""
        places: list[int] = []
        for word in text.split():
            places.append(_place(self.name, self.cards, word, faces, places, whole))
        if not self.least <= len(places) <= self.most:
            span = f"{self.least} to {self.most}" if self.least < self.most else f"{self.most}"
            raise InvalidAnswer(f"{self.name}: name {span} (you named {len(places)})")
        return tuple(sorted(places))

    def write(self, value: Value, faces: Faces = NO_FACES) -> str:
        assert isinstance(value, tuple)
        return " ".join(_card(self.cards, place, faces) for place in value)

    def values(self) -> Sequence[tuple[int, ...]]:
        places = range(1, len(self.cards) + 1)
        sizes = range(self.least, self.most + 1)
        return [some for size in sizes for some in itertools.combinations(places, size)]

    def shown(self, faces: Faces) -> list[int | str]:
        return [_card(self.cards, place, faces) for place in range(1, len(self.cards) + 1)]


Field = Number | Choice | SeatField | CardField | CardsField


def _card(cards: Sequence[Card], place: int, faces: Faces) -> str:
    card = cards[place - 1]
    return str(faces[card]) if card in faces else f"#{place}"


def _place(
    name: str, cards: Sequence[Card], text: str, faces: Faces, taken: Sequence[int], whole: bool
) -> int:
    """The place of a card that was named by place or face and is not taken yet."""
    if match := re.fullmatch(r"#([0-9]{1,3})", text):
        place = int(match[1])
        if 1 <= place <= len(cards) and place not in taken:
            return place
        raise InvalidAnswer(f"{name} must be #1 to #{len(cards)}, each once (you typed {text})")
    wanted = text.casefold()
    named = {p: str(faces[c]).casefold() for p, c in enumerate(cards, 1) if c in faces}
    free = {place: face for place, face in named.items() if place not in taken}
    exact = [place for place, face in free.items() if face == wanted]
    begins = [place for place, face in free.items() if face.startswith(wanted)]
    if exact:
        return exact[0]
    slip = whole and (len(wanted) < 2 or wanted.isdigit())
    if begins and not slip and len({free[place] for place in begins}) == 1:
        return begins[0]
    have = ", ".join(str(faces[card]) for card in cards if card in faces)
    raise InvalidAnswer(f"{name} must be one of yours: {have} (you typed {text})")


def _one_of(name: str, options: Sequence[str], text: str) -> str:
    wanted = text.casefold()
    exact = [option for option in options if option.casefold() == wanted]
    begins = exact or [option for option in options if option.casefold().startswith(wanted)]
    if len(begins) != 1:
        raise InvalidAnswer(f"{name} must be one of {', '.join(options)} (you typed {text})")
    return begins[0]


@dataclass(frozen=True, slots=True)
class Move:
    """One way to answer a question.

    `notation` holds templates such as `"{count}x{face}"`: the first is the notation, all are
    understood. `hotkey` is one letter, `label` what a button says, `hint` an example in notation
    that is legal now. A move that is shown but not legal now carries the reason in `disabled`.
    `quick` acts at one key press in a timed window; `confirm` is a question asked before it acts.
    An `automatic` move is never a choice: the seat's own table makes it where nothing else is
    legal, and no player is shown it.
    """

    id: str
    label: str
    notation: tuple[str, ...]
    hotkey: str
    fields: tuple[Field, ...] = ()
    hint: str = ""
    disabled: str | None = None
    quick: str = ""
    confirm: str = ""
    automatic: bool = False

    def write(self, answer: Answer, faces: Faces = NO_FACES) -> str:
        """The notation of an answer by this move; cards by face where it is given."""
        if not self.fields:
            return self.notation[0]
        values = zip(self.fields, answer.args, strict=True)
        return self.notation[0].format(**{f.name: f.write(value, faces) for f, value in values})

    def read(self, text: str, faces: Faces = NO_FACES) -> Answer | None:
        """The answer that the text means, or None if it is not this move at all.

        :raises InvalidAnswer: if it is this move with a value that cannot be
        """
        return self._read(self.notation, text, faces)

    def read_after_name(
        self, text: str, faces: Faces = NO_FACES, *, whole: bool = False
    ) -> Answer | None:
        """The same for what stands after the move's hotkey or id: its fields without its words;
        or alone, as the `whole` answer.

        :raises InvalidAnswer: if a value cannot be
        """
        if not self.fields:
            return None if text else Answer(self.id)
        bare = [template[template.index("{") :] for template in self.notation]
        return self._read(bare, text, faces, whole=whole)

    def _read(
        self, templates: Iterable[str], text: str, faces: Faces, *, whole: bool | None = None
    ) -> Answer | None:
        """`whole` None: where the template has no words of its own."""
        trouble: InvalidAnswer | None = None
        for template in templates:
            match = re.fullmatch(self._pattern(template), text, re.IGNORECASE)
            if not match:
                continue
            try:
                alone = not _no_fields(template).strip() if whole is None else whole
                words = {name: word.strip() for name, word in match.groupdict().items()}
                args = (_read_field(f, words[f.name], faces, whole=alone) for f in self.fields)
                return Answer(self.id, tuple(args))
            except InvalidAnswer as error:
                trouble = trouble or error
        if trouble:
            raise trouble
        return None

    def _pattern(self, template: str) -> str:
        pattern = re.escape(template).replace(r"\ ", r"\s+")
        for field in self.fields:
            group = f"(?P<{field.name}>{field.pattern()})"
            pattern = pattern.replace(re.escape("{" + field.name + "}"), group)
        return pattern

    def is_named(self, word: str) -> bool:
        """Whether the word is the move's hotkey or its id."""
        return word.casefold() in (self.hotkey.casefold(), self.id.casefold())

    def after_label(self, text: str) -> str | None:
        """What follows the name on the move's button, with or without its signs and articles; None
        if that is not typed there."""
        label, rest = _bare_words(self.label), text.split()
        while label and rest and (word := _bare_words(rest[0])) == label[: len(word)]:
            label, rest = label[len(word) :], rest[1:]
        return None if label else " ".join(rest)

    def words(self) -> set[str]:
        """The fixed words by which this move is called."""
        return {w for t in self.notation for w in re.findall(r"[^\W\d_]{2,}", _no_fields(t))}


def _read_field(field: Field, text: str, faces: Faces, *, whole: bool) -> Value:
    if isinstance(field, CardField | CardsField):
        return field.read(text, faces, whole=whole)
    return field.read(text, faces)


def _bare_words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return [word for word in words if word not in ("a", "an", "the")]


def _no_fields(template: str) -> str:
    return re.sub(r"\{\w+\}", " ", template)


class Question:
    """Something that one seat must answer. Games derive from it, one class a kind of question.

    `text` is what the player is asked. `forced` says that the seat's own table answers by itself
    when only one answer is legal. `private` says that legality depends on hidden faces.
    """

    text = ""
    forced = False
    private = False

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        """The moves, in the order in which they are shown. Which there are and how they are typed
        is public; hints, and whether a move is possible now, may stand on the faces given."""
        raise NotImplementedError

    @property
    def default(self) -> Answer:
        """The answer of a seat that is gone (C8). Legal as far as anybody can still tell."""
        raise NotImplementedError

    def late(self, faces: Faces) -> Answer:
        """What the seat's own table answers when its time runs out (C8); it may know the faces."""
        return self.default

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        """Why the rules refuse the answer, as a clause, or None where these faces allow it."""
        raise NotImplementedError

    def answers(self, faces: Faces) -> Iterator[Answer]:
        """Every legal answer, in an order that is the same on every machine."""
        for move in self.moves(faces):
            if move.disabled is None:
                for args in itertools.product(*(field.values() for field in move.fields)):
                    answer = Answer(move.id, args)
                    if self.why_not(answer, faces) is None:
                        yield answer

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        """A legal answer by chance: every kind of move has its share."""
        every = list(self.answers(faces))
        kinds = sorted({answer.move for answer in every})
        kind = kinds[pick(len(kinds))]
        same = [answer for answer in every if answer.move == kind]
        return same[pick(len(same))]

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        """What the table can tell the player about an answer half made, or None."""
        return None

    # What follows stands on the methods above and is the same for every game.

    def move(self, id: str) -> Move:
        """:raises InvalidAnswer: if the question has no such move"""
        for move in self.moves():
            if move.id == id:
                return move
        raise InvalidAnswer(f"no move is called {id!r} here")

    def write(self, answer: Answer, faces: Faces = NO_FACES) -> str:
        """The notation of an answer. Without faces it is the public one, of the transcript; with
        those its player sees it names the cards."""
        return self.move(answer.move).write(answer, faces)

    def read(self, text: str, faces: Faces = NO_FACES) -> Answer:
        """The answer that somebody typed: notation, other words, hotkey, or hotkey and fields;
        cards by their faces, if these are given.

        :raises InvalidAnswer: with what was expected, if it is none
        """
        text = " ".join(text.split())
        if not text:
            raise InvalidAnswer("nothing typed")
        moves = self.moves(faces)
        first, _, rest = text.partition(" ")
        named = [move for move in moves if move.is_named(first)]
        after = [(move, move.after_label(text)) for move in moves]
        if named and not rest and all(move.fields for move in named):
            raise InvalidAnswer(_needs(named[0]))
        trouble: InvalidAnswer | None = None
        for read, words in (
            *((move.read, text) for move in moves),
            *((move.read_after_name, rest) for move in named),
            *((move.read_after_name, words) for move, words in after if words is not None),
        ):
            try:
                answer = read(words, faces)
            except InvalidAnswer as error:
                trouble = trouble or error
                continue
            if answer is not None:
                return answer
        raise trouble or InvalidAnswer(self._unknown(text))

    def read_notation(self, text: str) -> Answer:
        """The answer that a transcript holds: the one notation and nothing else.

        :raises InvalidAnswer: if the text is not exactly that
        """
        answer = self.read(text) if len(text) <= 200 else None
        if answer is None or self.write(answer) != text:
            raise InvalidAnswer("not in notation")
        return answer

    def check(self, answer: Answer, faces: Faces) -> None:
        """:raises IllegalAnswer: with the reason, if the rules refuse the answer"""
        reason = self.why_not(answer, faces)
        if reason is not None:
            raise IllegalAnswer(reason)

    def only_answer(self, faces: Faces) -> Answer | None:
        """The answer of a forced question, or None if there is a choice."""
        if not self.forced:
            return None
        first_two = list(itertools.islice(self.answers(faces), 2))
        return first_two[0] if len(first_two) == 1 else None

    def _unknown(self, text: str) -> str:
        first = text.split()[0].casefold()
        names: dict[str, str] = {}
        for move in self.moves():
            if move.fields and (move.is_named(first) or move.after_label(text) == ""):
                return _needs(move)
            # A slip must not become a move that nobody could take back.
            if not move.confirm:
                for word in (move.id, *move.words()):
                    names[word.casefold()] = word if move.fields else move.notation[0]
        near = difflib.get_close_matches(first, names, n=1, cutoff=0.7)
        ending = f" Did you mean '{names[near[0]]}'?" if near else ""
        return f"I don't know '{text[:40]}'.{ending}"


def _needs(move: Move) -> str:
    """What is missing where a move was only named."""
    if move.disabled is not None:
        return f"{move.label}: not now, {move.disabled}"
    wanted = " and ".join(field.name for field in move.fields)
    example = f", for example: {move.hint}" if move.hint else ""
    return f"{move.label} needs {wanted}{example}"
