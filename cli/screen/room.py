"""The waiting room: who sits where, who is ready, how others find the table."""

from __future__ import annotations

from dataclasses import replace

from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import Facts, Scene
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.moments import Room, RoomSeat
from sobremesa.cli.words.fingerprint import proquints
from sobremesa.cli.words.grammar import Place, Words
from sobremesa.cli.words.speech import awaited_text

from .session import SessionScreen


class RoomScreen(SessionScreen):
    """The waiting room."""

    @property
    def place(self) -> Place:
        room = self.story.room
        return "opener" if room is not None and room.opener else "room"

    @property
    def words(self) -> Words:
        words, room = super().words, self.story.room
        if "remove" not in words or room is None:
            return words
        names = tuple(seat.name for seat in room.seats if seat.name and not seat.you)
        return {**words, "remove": replace(words["remove"], choices=names)}

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
        ready = self.story.ready
        catching_up = self.session.looks_on
        prompt = "You are ready: the game begins when all are." if ready else "Type ready, Enter."
        prompt = "Catching up with the game." if catching_up else prompt
        return Scene(
            facts=self.facts(),
            players=self.story.players,
            middle=lambda width: room_lines(room, width, self.theme) if room else [],
            prompt=(("good" if ready else "key", self.theme.text(prompt)),),
            log=self.story.log,
            back=self.state.back,
            only_log=self.state.only_log,
        )

    def keys(self) -> str:
        if self.session.looks_on:
            return "F1 help  Ctrl-C leaves"
        if self.story.room is not None and self.story.room.opener:
            return "ready  start  bot  remove NAME  newcode  '...chat  F1 help  Ctrl-C closes"
        return "ready  unready  '...chat  F1 help  Ctrl-C leave"


def room_lines(room: Room, width: int, theme: Theme) -> list[Line]:
    """The room as lines: options, seats, and for the opener how to come in."""
    lines: list[Line] = [(("headline", theme.text(f" {room.table} ")),)]
    lines += (
        [(("", line),) for line in wrap(theme.text(room.options), width)] if room.options else []
    )
    for warning in room.warnings:  # above the seats, where no small screen cuts it off
        lines += [(("warn", line),) for line in wrap(theme.text(warning), width)]
    lines.append(())
    lines += [_seat_line(number, seat, theme) for number, seat in enumerate(room.seats, 1)]
    lines.append(())
    if room.awaited:
        lines += [(("hint", line),) for line in wrap(theme.text(awaited_text(room)), width)]
        lines.append(())
    if room.code:
        lines.append((("", "Join code "), ("headline", f" {room.code} ")))
    elif room.opener:
        lines.append((("", "Open to everybody: no code is needed."),))
    if room.fingerprint:  # before the addresses: a small window may have no room for them all
        lines.append((("dim", f"Keys {proquints(room.fingerprint)}"),))
    for place, address in enumerate(room.addresses):
        lines.append((("dim", "Address   " if place == 0 else " " * 10), ("", theme.text(address))))
    return lines


def _seat_line(number: int, seat: RoomSeat, theme: Theme) -> Line:
    if not seat.name:
        return (("dim", f"  {number}  (free)"),)
    name = f"{seat.name} [bot]" if seat.bot else seat.name
    notes = ", ".join(
        note for note, holds in (("you", seat.you), ("opened the table", seat.opener)) if holds
    )
    ready = ("good", theme.text("✓ ready")) if seat.ready else ("dim", "  not ready")
    text = theme.text(name + (f" ({notes})" if notes else ""))
    return (("", f"  {number}  "), ready, ("", "  "), ("you" if seat.you else "", text))
