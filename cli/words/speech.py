"""Views, moves and rooms as plain sentences: what line mode prints and a screen reader reads.

Rule 1: no glyph, no box and no column: a sentence must be understood when it is heard alone.
Rule 2: pure; nothing is remembered here.
"""

from __future__ import annotations

import re
from collections import Counter as Counted
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from sobremesa.cli.session.moments import Room, RoomSeat, Working
from sobremesa.core.pieces import Face, Faces, Seat
from sobremesa.core.questions import Move, Question
from sobremesa.core.views import (
    Block,
    Board,
    Cards,
    Cell,
    Chances,
    Counter,
    Dice,
    Figure,
    Gap,
    Grid,
    Hand,
    Headline,
    Meter,
    Row,
    Seats,
    Spot,
    Text,
    View,
)
from sobremesa.plugins.playing_cards import PACK, SUITS, rank_name, spoken_card
from sobremesa.plugins.voice import listed

from . import grammar
from .fingerprint import proquints


@dataclass(frozen=True, slots=True)
class Players:
    """Who is who at the table: which seat is ours, which are bots, whose machine is away; and
    what the game calls its cards, how it paints those that are no playing cards, and what is
    printed on them where the name is too long."""

    me: Seat | None = None
    bots: Collection[Seat] = ()
    away: Collection[Seat] = ()
    cards: Mapping[Face, str] = field(default_factory=dict)
    tints: Mapping[Face, str] = field(default_factory=dict)
    marks: Mapping[Face, str] = field(default_factory=dict)

    def name(self, seat: Seat) -> str:
        """A seat as it is spoken of: "you", "Bento (bot)", "Dora"."""
        if seat == self.me:
            return "you"
        return f"{seat} (bot)" if seat in self.bots else seat


def sentence(text: str) -> str:
    """The text with a capital and a full stop, where it has none."""
    text = " ".join(text.split())
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?…:" else ".")


def speak(view: View, players: Players) -> list[str]:
    """Everything that a view shows, a sentence or two for each block."""
    spoken = [sentence(view.phase)]
    for block in view.blocks:
        spoken.extend(_block(block, players))
    return [line for line in spoken if line]


def speak_hand(view: View, players: Players) -> str:
    """What the seat itself holds, or nothing."""
    return " ".join(_hand(block, players) for block in view.blocks if isinstance(block, Hand))


SHORT_HAND = 5
PER_SUIT = 2
"""Cards for each time that a suit is said: where there are fewer, their names are no longer."""


def speak_hand_news(before: View | None, now: View, players: Players) -> list[str]:
    """What is new in the seat's own hand since `before`: cards that came, and which of them may
    be played now. What it played itself it knows; a short hand, and one of which some went while
    others came, is said whole."""
    held = {block.label: block.content for block in _hands(before)} if before else {}
    news = (_hand_news(hand, held.get(hand.label), players) for hand in _hands(now))
    return [text for text in news if text]


def _hands(view: View) -> Iterator[Hand]:
    return (block for block in view.blocks if isinstance(block, Hand) and block.area == "hand")


def _playable_of(held: Dice | Cards) -> tuple[int, ...] | None:
    return held.playable if isinstance(held, Cards) else None


def _hand_news(hand: Hand, held: Dice | Cards | None, players: Players) -> str:
    now = hand.content
    if held is not None and (now.values, _playable_of(now)) == (held.values, _playable_of(held)):
        return ""
    if isinstance(now, Dice) or not isinstance(held, Cards) or not now.values:
        return _hand(hand, players)
    old, came = Counted(held.values), []
    for value in now.values:
        if not old[value] and value is not None:
            came.append(value)
        old[value] -= 1
    went = any(count > 0 for value, count in old.items() if value is not None)
    if came and (went or len(now.values) <= SHORT_HAND):
        return _hand(hand, players)
    label = hand.label[:1].lower() + hand.label[1:]
    names = ", ".join(speak_card(value, players) for value in came)
    said = [f"New in {label}: {names}."] if came else []
    if now.playable is not None and len(now.playable) < len(now.values):
        said.append(f"In {label}, {_playable(now, players)}.")
    return " ".join(said)


def speak_moves(question: Question, faces: Faces) -> str:
    """What can be answered now, how it is typed, and what cannot and why."""
    can: list[str] = []
    moves = [move for move in question.moves(faces) if not move.automatic]
    for move in moves:
        if move.disabled is None:
            example = grammar.example(move, faces)
            can.append(f"{move.label} ({move.hotkey})" + (example and f", for example {example}"))
    spoken = [f"Your moves: {'; '.join(can)}."] if can else []
    return " ".join([*spoken, *refusals(moves)])


def refusals(moves: Iterable[Move]) -> list[str]:
    """The sentence that says which moves are not possible and why, if there are any."""
    cannot: dict[str, list[str]] = {}
    for move in moves:
        if move.disabled is not None:
            cannot.setdefault(move.disabled, []).append(move.label)
    why = [f"{listed(labels)}, because {reason}" for reason, labels in cannot.items()]
    return [f"Not now: {'; '.join(why)}."] if why else []


def speak_working(working: Working, players: Players) -> str:
    """That something takes long, and who is at it."""
    is_at = "you are" if working.who == players.me else f"{players.name(working.who)} is"
    return f"Shuffling takes a while: {is_at} at it now, {working.number} of {working.of}."


def speak_shared(places: Sequence[Sequence[Seat]], together: str) -> str:
    """What is said of a result that all have in common; nothing if it is a ranking."""
    if together:
        return f"All players have {together} together."
    return "Everybody shares this result." if len(places) == 1 < len(places[0]) else ""


def speak_places(places: Sequence[Sequence[Seat]], together: str, players: Players) -> str:
    """The ranking; who shares a place is named with it, and the next place counts them. A result
    that all have in common is no ranking."""
    if shared := speak_shared(places, together):
        return shared
    said, place = [], 1
    for seats in places:
        said.append(f"{place} {listed([players.name(seat) for seat in seats])}")
        place += len(seats)
    return f"Ranking: {', '.join(said)}."


def speak_room(room: Room) -> list[str]:
    """The whole waiting room."""
    taken = [seat for seat in room.seats if seat.name]
    people = [_room_seat(seat) for seat in taken]
    spoken = [
        f"Table {room.table}: {room.game}" + (f", {room.options}." if room.options else "."),
        f"{len(taken)} of {len(room.seats)} seats taken: {'; '.join(people)}.",
    ]
    if room.addresses:
        spoken.append(f"Others can join by address: {', '.join(room.addresses)}.")
    if room.code:
        spoken.append(f"The join code is {' '.join(room.code)}.")
    return [*spoken, *filter(None, [awaited_text(room)]), *room.warnings]


def awaited_text(room: Room) -> str:
    """Who of the last game is not here."""
    return f"Not here yet of your last game: {listed(room.awaited)}." if room.awaited else ""


def speak_keys(room: Room | None) -> list[str]:
    """The fingerprint of a table's keys, and what it is for."""
    if room is None or not room.fingerprint:
        return ["No other machine is at this table yet, so there are no keys to compare."]
    return [
        f"The keys of this table, in eight words: {proquints(room.fingerprint)}.",
        "Who sees the same keys has the same words. Read them to each other: where they differ, "
        "somebody stands between your machines, or one of you sits at another table.",
    ]


def speak_room_change(before: Room, now: Room) -> list[str]:
    """What is new in the waiting room since `before`."""
    was = {seat.name: seat for seat in before.seats if seat.name}
    are = {seat.name: seat for seat in now.seats if seat.name}
    count = f"{len(are)} of {len(now.seats)} seats taken"
    spoken = []
    for name, seat in are.items():
        if name not in was:
            spoken.append(f"{_who(seat)} {'sit' if seat.you else 'sits'} down: {count}.")
        if seat.ready and not seat.bot and not (name in was and was[name].ready):
            spoken.append(f"{_who(seat)} {_are(seat)} ready.")
        if name in was and was[name].ready and not seat.ready and not is_changed(before, now):
            spoken.append(f"{_who(seat)} {_are(seat)} not ready any more.")
    spoken.extend(f"{_who(seat)} left: {count}." for name, seat in was.items() if name not in are)
    return spoken


def is_changed(before: Room, now: Room) -> bool:
    """Whether the opener has changed what one is ready for."""
    return (now.options, len(now.seats)) != (before.options, len(before.seats))


def speak_terms_change(before: Room, now: Room) -> str:
    """What the opener has changed, and what follows from it; nothing if it is as it was."""
    if not is_changed(before, now):
        return ""
    was, options = (re.split("[,;] ", room.options) for room in (before, now))
    news = [option for option in options if option not in was]
    if len(now.seats) != len(before.seats):
        news.insert(0, f"{len(now.seats)} seats")
    asked = {seat.name for seat in before.seats if seat.slow}
    asking = next((seat for seat in now.seats if seat.slow and seat.name not in asked), None)
    if asking is not None:
        did = f"{_who(asking)} {'ask' if asking.you else 'asks'} for twice the time"
    else:
        who = next((seat for seat in now.seats if seat.opener), RoomSeat("The opener"))
        did = f"{_who(who)} changed the table"
        if asked and not any(seat.slow for seat in now.seats):
            did = "Nobody asks for twice the time any more"
    return f"{did}: {', '.join(news)}. Nobody is ready any more."


def speak_door_change(before: Room, now: Room) -> list[str]:
    """What is new in what the room shows beside its seats: how others come in, for the opener, and
    what everybody should know before it signs."""
    spoken = []
    if now.code != before.code:
        spoken.append(f"The join code is now {' '.join(now.code)}.")
    if now.addresses != before.addresses and now.addresses:
        spoken.append(f"Others can now join by address: {', '.join(now.addresses)}.")
    if now.awaited != before.awaited and now.awaited:
        spoken.append(awaited_text(now))
    return [*spoken, *(warning for warning in now.warnings if warning not in before.warnings)]


def _who(seat: RoomSeat) -> str:
    return "You" if seat.you else f"{seat.name} (bot)" if seat.bot else seat.name


def _are(seat: RoomSeat) -> str:
    return "are" if seat.you else "is"


def _room_seat(seat: RoomSeat) -> str:
    notes = ["who opened the table"] if seat.opener else []
    if not seat.bot:
        notes.append("ready" if seat.ready else "not ready")
    if seat.slow:
        notes.append("ask for twice the time" if seat.you else "asks for twice the time")
    name = "you" if seat.you else f"{seat.name} (bot)" if seat.bot else seat.name
    return ", ".join([name, *notes])


def _block(block: Block, players: Players) -> Iterator[str]:
    match block:
        case Headline(text, sub):
            yield sentence(text)
            yield sentence(sub)
        case Text(text):
            yield sentence(text)
        case Hand():
            yield _hand(block, players)
        case Seats():
            for row in block.rows:
                yield _row(block, row, players)
        case Grid(spoken=spoken) | Board(spoken=spoken) | Chances(spoken=spoken) if spoken:
            yield sentence(spoken)
        case Chances(label, bars):
            said = ", ".join(f"{name} {percent}%" for name, percent in bars)
            yield sentence(f"{label}: {said}")
        case Board(columns, board):
            for name, spots, remark in board:
                lie = [_spot(column, spot, players) for column, spot in
                       zip(columns, spots, strict=True)]  # fmt: skip
                shown = ", ".join(filter(None, [*lie, remark]))
                yield sentence(f"{name}: {shown or 'nothing'}")
        case Figure() | Meter():
            pass  # what they show, a headline says
        case Grid(columns, rows, label):
            for first, *cells in rows:
                named = " ".join(filter(None, (label, speak_cell(first, players))))
                yield sentence(f"{named}: {_cells(columns[1:], cells, players)}")
        case Gap():
            pass


def _spot(column: str, spot: Spot, players: Players) -> str:
    """A place of a board, if something is there, or may come there."""
    if spot.card is not None or spot.token:
        lies = speak_card(spot.card, players) if spot.card is not None else ""
        return " with ".join(filter(None, (lies, spot.token)))
    return "" if spot.state == "far" else f"{column} {spot.state}"


def _hand(hand: Hand, players: Players) -> str:
    held = hand.content
    if isinstance(held, Dice) and hand.area == "hand":
        held = Dice(held.values)  # which count now is seen, and said of the bid
    if isinstance(held, Cards) and len(held.playable or ()) == len(held.values):
        held = Cards(held.values)  # what can be played is said only where something cannot
    return f"{hand.label}: {speak_cell(held, players)}."


def _row(seats: Seats, row: Row, players: Players) -> str:
    marks = [players.name(row.seat)]
    if row.badge:
        marks.append(row.badge)
    if row.out:
        marks.append("out")
    if row.turn:
        marks.append("to play")
    if row.seat in players.away:
        marks.append("away")
    columns, shown = list(seats.columns), list(row.cells)
    if seats.lies and row.lies is not None and row.lies.values:
        columns, shown = [*columns, seats.lies], [*shown, row.lies]
    if seats.said and row.said:
        columns, shown = [*columns, seats.said], [*shown, row.said]
    cells = _cells(columns, shown, players)
    return sentence(f"{', '.join(marks)}: {cells}" if cells else ", ".join(marks))


def _cells(columns: Sequence[str], cells: Sequence[Cell], players: Players) -> str:
    pairs = zip(columns, cells, strict=True)
    said = (f"{column} {speak_cell(cell, players)}".strip() for column, cell in pairs
            if column or cell != "")  # fmt: skip
    return ", ".join(said)


def speak_cell(cell: Cell, players: Players) -> str:
    """One value: "none", "4 hidden", "3, 3, 1 (counting 3, 3)", "king of hearts", "17 of 21"."""
    match cell:
        case Dice(values, hits):
            return _dice(values, hits)
        case Cards():
            return _cards(cell, players)
        case Counter(value, style="coins"):
            return str(value)
        case Counter(value, most):
            return f"{value} of {most}"
        case _:
            return str(cell) or "none"


def _dice(values: Sequence[int | None], hits: Sequence[int]) -> str:
    if not values:
        return "none"
    if all(value is None for value in values):
        return f"{len(values)} hidden"
    shown = ["hidden" if value is None else str(value) for value in values]
    counting = f" (counting {', '.join(shown[place] for place in hits)})" if hits else ""
    return ", ".join(shown) + counting


def _cards(cards: Cards, players: Players) -> str:
    values = cards.values
    if not values:
        return "none"
    if len(values) > 1 and not any(values) and not cards.labels:
        return f"{len(values)} hidden"
    if cards.labels:
        names = [speak_card(value, players) for value in values]
        named = zip(cards.labels, names, strict=True)
        shown = ", ".join(f"{label} {name}" for label, name in named)
    else:
        shown = speak_faces(values, players)
    return shown if cards.playable is None else f"{shown} ({_playable(cards, players)})"


def speak_faces(values: Sequence[str | None], players: Players) -> str:
    """Cards in full or, where several lie suit by suit, with each suit said once: "spades five,
    ten; hearts king"."""
    suits = [(suit, list(some)) for suit, some in groupby(map(str, values), lambda v: v[-1])]
    if len(values) < PER_SUIT * len(suits) or not all(value in PACK for value in values):
        return ", ".join(speak_card(value, players) for value in values)
    return "; ".join(f"{SUITS[suit]} {', '.join(map(rank_name, some))}" for suit, some in suits)


def _playable(cards: Cards, players: Players) -> str:
    """ "playable: king of hearts", "all playable", "none playable"."""
    places = cards.playable or ()
    if not places:
        return "none of the open ones playable" if None in cards.values else "none playable"
    if len(places) == len(cards.values):
        return "all playable" if len(places) > 1 else "playable"
    return f"playable: {', '.join(speak_card(cards.values[place], players) for place in places)}"


def speak_card(code: str | None, players: Players) -> str:
    """A card in full: as the game calls it, else "king of hearts"."""
    if code is None:
        return "hidden"
    return spoken_card(code, players.cards)
