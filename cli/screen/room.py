"""The waiting room: who sits where, who is ready, how others find the table, what can be done.

Rule 1: with nothing typed, left and right choose what Enter does, and up and down a seat, for the
opener to remove. A guest is offered nothing that only the opener may do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import Facts, Scene
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.moments import Room, RoomSeat
from sobremesa.cli.words import grammar
from sobremesa.cli.words.fingerprint import proquints
from sobremesa.cli.words.form import Form, room_form
from sobremesa.cli.words.grammar import Place, Word, Words
from sobremesa.cli.words.speech import awaited_text

from .base import Stage
from .form import FormScreen
from .session import SessionScreen, SessionState

LONG_FROM = 72
"""Columns from which chips have their long labels."""


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that Enter may do: `key` is the letter for it, if it has one; `short` is what it is
    called where there is little room."""

    key: str
    short: str
    label: str
    act: Callable[[], None]


class RoomScreen(SessionScreen):
    """The waiting room."""

    def __init__(self, stage: Stage, state: SessionState) -> None:
        super().__init__(stage, state)
        self._chosen = 0
        """Which of the chips."""
        self._seat = 0
        """Which of the seats."""
        self._narrow = False

    @property
    def place(self) -> Place:
        room = self.story.room
        return "opener" if room is not None and room.opener else "room"

    @property
    def words(self) -> Words:
        words, room = super().words, self.story.room
        if room is None or not room.opener:
            return words
        names = tuple(seat.name for seat in room.seats if seat.name and not seat.you)
        terms = tuple(key for key, _ in room.terms if key != "seats")
        remove = replace(words["remove"], choices=names, aliases=("x",), act=self._remove)
        lettered = (
            replace(words["start"], aliases=("s",)),
            replace(words["bot"], aliases=("b",)),
            remove,
            replace(words["set"], choices=terms),
            Word("change", "change the table, field by field", self._change, "", (), ("o",)),
        )
        return {**words, **grammar.words(*lettered)}

    def _chips(self) -> list[Chip]:
        """What can be done, what is asked of us first."""
        room = self.story.room
        if room is None or self.session.looks_on:
            return []
        ready, session = self.story.ready, self.session
        label = ("unready", "not ready after all") if ready else ("ready", "ready")
        first = Chip("", *label, partial(session.ready, not ready))
        if not room.opener:
            return [first]
        taken = sum(1 for seat in room.seats if seat.name)
        some, free = taken > 1, taken < len(room.seats)
        more = (
            (some, Chip("s", "start", f"start with {taken}", session.start)),
            (free, Chip("b", "bot", "add a bot", session.add_bot)),
            (some, Chip("x", "remove", "remove", partial(self._remove, ""))),
            (True, Chip("o", "change", "change", partial(self._change, ""))),
        )
        return [first, *(chip for possible, chip in more if possible)]

    def _remove(self, typed: str) -> None:
        """Whoever was typed, or is pointed at."""
        room = self.story.room
        pointed = room.seats[self._seat % len(room.seats)] if room is not None else RoomSeat()
        self.control.remove(typed or ("" if pointed.you else pointed.name))

    def _change(self, rest: str) -> None:
        room = self.story.room
        if room is not None:
            form = room_form(self.session.game, room.terms, self._send)
            self.stage.show(FormScreen(self.stage, form, self))

    def _send(self, form: Form) -> None:
        changed = form.changed()
        if changed:
            self.session.change(changed)
        self.stage.show(self)

    def lines(self, width: int, height: int) -> list[Line]:
        self._narrow = width < LONG_FROM
        return super().lines(width, height)

    def quick(self, key: str) -> Callable[[], None] | None:
        chips, room = self._chips(), self.story.room
        if key in ("left", "right") and len(chips) > 1:
            return partial(self._choose, len(chips), 1 if key == "right" else -1)
        if key in ("up", "down") and room is not None and room.opener:
            return partial(self._point, len(room.seats), 1 if key == "down" else -1)
        return super().quick(key)

    def _choose(self, count: int, by: int) -> None:
        self._chosen = (min(self._chosen, count - 1) + by) % count
        self.stage.message("")

    def _point(self, count: int, by: int) -> None:
        self._seat = (min(self._seat, count - 1) + by) % count
        self.stage.message("")

    def submit(self, typed: str) -> None:
        chips = self._chips()
        if typed.strip() or not chips:
            super().submit(typed)
        else:
            chips[min(self._chosen, len(chips) - 1)].act()

    def facts(self) -> Facts:
        room = self.story.room
        if room is None:
            return Facts(phase="coming to the table")
        taken = sum(1 for seat in room.seats if seat.name)
        return Facts(
            game=room.game,
            table=room.table,
            phase="waiting room",
            turn=f"{taken} of {len(room.seats)} seats",
        )

    def scene(self) -> Scene:
        room = self.story.room
        seat = self._seat if room is not None and room.opener else None
        prompt: Line = (("key", "Catching up with the game."),) if self.session.looks_on else ()
        return Scene(
            facts=self.facts(),
            players=self.story.players,
            middle=lambda width: room_lines(room, width, self.theme, seat) if room else [],
            prompt=prompt or self._chip_line(),
            log=self.story.log,
            back=self.state.back,
            only_log=self.state.only_log,
        )

    def _chip_line(self) -> Line:
        chips = self._chips()
        chosen = min(self._chosen, len(chips) - 1)
        line: Line = ()
        for place, chip in enumerate(chips):
            text = self.theme.text(chip.short if self._narrow else chip.label)
            key: Line = (("key", f"{chip.key} "),) if chip.key else ()
            here: Line = (("selected", f"[{text}]"),) if place == chosen else (*key, ("", text))
            line += (*here, ("", " " if self._narrow else "   "))
        return line

    def keys(self) -> str:
        if self.session.looks_on:
            return "F1 help  Ctrl-C leaves"
        enter = "Enter not ready" if self.story.ready else "Enter ready"
        if self.place == "opener":
            arrows = self.theme.text("←→ choose  ↑↓ seats")
            return f"{arrows}  Enter does it  seats N  set NAME VALUE  '...chat  F1 help"
        return f"{enter}  '...chat  F1 help  Ctrl-C leave"


def room_lines(room: Room, width: int, theme: Theme, at: int | None = None) -> list[Line]:
    """The room as lines: options, seats, and for the opener how to come in; `at` is the seat that
    is pointed at."""
    lines: list[Line] = [(("headline", theme.text(f" {room.table} ")), *_door(room))]
    lines += (
        [(("", line),) for line in wrap(theme.text(room.options), width)] if room.options else []
    )
    for warning in room.warnings:  # above the seats, where no small screen cuts it off
        lines += [(("warn", line),) for line in wrap(theme.text(warning), width)]
    lines.append(())
    at = None if at is None else min(at, len(room.seats) - 1)
    lines += [_seat_line(place, seat, theme, at) for place, seat in enumerate(room.seats)]
    lines.append(())
    hint = "It begins when every seat is taken and all are ready."
    lines += [*(((("hint", line),)) for line in wrap(hint, width)), ()]
    if room.awaited:
        lines += [(("hint", line),) for line in wrap(theme.text(awaited_text(room)), width)]
        lines.append(())
    if room.fingerprint:  # before the addresses: a small window may have no room for them all
        lines.append((("dim", f"Keys {proquints(room.fingerprint)}"),))
    for place, address in enumerate(room.addresses):
        lines.append((("dim", "Address   " if place == 0 else " " * 10), ("", theme.text(address))))
    return lines


def _door(room: Room) -> Line:
    """How others come in; in the first row, where no small screen cuts it off."""
    if room.code:
        return (("", "  Join code "), ("headline", f" {room.code} "))
    return (("", "  Open to everybody: no code is needed."),) if room.opener else ()


def _seat_line(place: int, seat: RoomSeat, theme: Theme, at: int | None) -> Line:
    mark = theme.text("►" if place == at else " ")
    number: Line = (("turn", f"{mark} "), ("key", f"{place + 1}  "))
    if not seat.name:
        return (*number, ("dim", "(free)"))
    name = f"{seat.name} [bot]" if seat.bot else seat.name
    notes = ", ".join(
        note for note, holds in (("you", seat.you), ("opened the table", seat.opener)) if holds
    )
    ready = ("good", theme.text("✓ ready")) if seat.ready else ("warn", "  not ready")
    text = theme.text(name + (f" ({notes})" if notes else ""))
    return (*number, ready, ("", "  "), ("you" if seat.you else "", text))
