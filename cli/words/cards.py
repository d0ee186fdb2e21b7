"""Cards that were typed by their names, as they are spoken of: by the faces that a question reads.

Rule 1: names come from the pack, or are declared by the game; here is no card of any game.
Rule 2: a part of a name is enough where it can mean but one card; if it may mean several, they are
named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.pieces import Face, Faces
from sobremesa.core.questions import Answer, CardField, CardsField, Choice, Move, Question
from sobremesa.plugins.playing_cards import PACK, spoken_card

FILLERS = ("a", "an", "the", "and", "my", "of", "on", "to", "from", "with")
"""Words between cards, which mean nothing where they are read."""

_DIGITS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
_WORDS = {digits: word for word, digits in _DIGITS.items()}


def by_faces(text: str, question: Question, faces: Faces, names: Mapping[Face, str]) -> str:
    """A typed answer with each card that is called by its name, or a part of it, by its face, and
    without the words and signs between.

    :raises InvalidAnswer: if a part of a name may mean several
    """
    moves = [move for move in question.moves(faces) if move.disabled is None]
    first = text.split()[0]
    named = [m for m in moves if m.is_named(first) or m.after_label(text) is not None]
    reading = _Reading(question, named or moves, faces, names)
    for whole in (True, False):
        text = reading.replace(text, whole=whole)
    fields = {field.name for move in moves for field in move.fields}
    idle = {*FILLERS, *fields} - {word for move in moves for word in move.words()}
    words = re.sub(r"[,;]|[.!](?!\S)", " ", text).split()
    return " ".join(word for word in words if word.casefold() not in idle)


@dataclass(slots=True)
class _Reading:
    """One reading of a line that answers this question by one of these moves."""

    question: Question
    moves: Sequence[Move]
    faces: Faces
    names: Mapping[Face, str]

    def replace(self, text: str, *, whole: bool) -> str:
        """With the faces of cards that are called by their whole names, or by parts of them."""
        cards: dict[str, list[Face]] = {}
        takes = list(self._could_be())
        # Also those that cannot be: what is wrong is then said of the card.
        others = [face for face in (*self.names, *PACK) if face not in takes]
        for face in [*takes, *others] if takes and whole else takes:
            for name in _whole(face, self.names) if whole else _parts(face, self.names):
                cards.setdefault(name, []).append(face)
        if not cards:
            return text
        some = "|".join(map(re.escape, sorted(cards, key=len, reverse=True)))
        # Not within a face, or the name of a card that is not there.
        pattern = rf"(?<![\w#])(?<!\bof )(?P<name>{some})(?P<all>s)?(?!\w| of\b)"

        def by_face(found: re.Match[str]) -> str:
            return self._face(found["name"], cards, several=bool(found["all"]))

        return re.sub(pattern, by_face, text, flags=re.IGNORECASE)

    def _face(self, name: str, cards: Mapping[str, list[Face]], *, several: bool) -> str:
        found = list(dict.fromkeys(cards[name.casefold()]))
        if several and any(isinstance(f, CardsField) for m in self.moves for f in m.fields):
            return " ".join(cards[name.casefold()])
        if len(found) > 1:
            found = [face for face in found if self._is_legal(face)] or found
        if len(found) > 1:
            which = _or([f"the {spoken_card(face, self.names)}" for face in found])
            raise InvalidAnswer(f"which {name.casefold()}: {which}?")
        return str(found[0])

    def _could_be(self) -> Iterator[Face]:
        """The faces that an answer may name, each as often as it is there."""
        seen = set()
        for move in self.moves:
            for field in move.fields:
                if isinstance(field, CardField | CardsField):
                    new = [card for card in field.cards if card not in seen and card in self.faces]
                    seen.update(new)
                    yield from (self.faces[card] for card in new)
                elif isinstance(field, Choice):
                    yield from (o for o in field.options if spoken_card(o, self.names) != o)

    def _is_legal(self, face: Face) -> bool:
        """Whether the card, chosen alone, can be an answer now."""
        return any(
            self.question.why_not(Answer(move.id, (place,)), self.faces) is None
            for move in self.moves
            for field in move.fields
            if isinstance(field, CardField) and len(move.fields) == 1
            for place, card in enumerate(field.cards, 1)
            if self.faces.get(card) == face
        )


def _whole(face: Face, names: Mapping[Face, str]) -> set[str]:
    """The name of a card, with its number in words and in digits."""
    name = spoken_card(face, names).casefold()
    words = name.split()
    ways = {name, " ".join(_WORDS.get(word, word) for word in words)}
    if len(words) > 1:
        ways.add(" ".join(_DIGITS.get(word, word) for word in words))
    ways |= {way.replace(" of ", " ") for way in ways}
    return ways - {face.casefold()}


def _parts(face: Face, names: Mapping[Face, str]) -> set[str]:
    """What is short for a card: its rank or its suit, or the first or the last word of its name. A
    number alone is not: it may be meant for something else."""
    name = " ".join(_WORDS.get(word, word) for word in spoken_card(face, names).casefold().split())
    parts = name.split(" of ") if " of " in name else [name.split()[0], name.split()[-1]]
    parts += [part[:-1] for part in parts if part.endswith("s")]  # a spade
    return {part for part in parts if re.fullmatch(r"[^\W\d_]{3,}", part)} - {face.casefold()}


def _or(words: Sequence[str]) -> str:
    """`Ana, Bea or Cai`."""
    return " or ".join([", ".join(words[:-1]), words[-1]])
