"""The end of a game in words: what place we came in, and the game in short."""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.core.pieces import Seat
from sobremesa.core.recap import Recap

from .speech import Players, sentence, speak_shared


def speak_own_place(
    places: Sequence[Sequence[Seat]] | None, together: str, players: Players
) -> str:
    """Where our own seat came in, or what all have in common; nothing for who looked on."""
    if shared := speak_shared(places or (), together):
        return shared
    place = 1
    for seats in places or ():
        if players.me in seats:
            total = sum(map(len, places or ()))
            alike = ", with others" if len(seats) > 1 else ""
            return f"You came {nth(place)} of {total}{alike}."
        place += len(seats)
    return ""


def speak_recap(recap: Recap, players: Players) -> list[str]:
    """The game in short, a sentence for each seat and each fact."""
    said = [
        sentence(f"{_whose(recap.unit, seat, players)}, round by round: {_numbers(numbers)}")
        for seat, numbers in recap.rounds.items()
        if numbers
    ]
    return [*said, *(sentence(f"{label}: {text}") for label, text in recap.facts)]


def _whose(unit: str, seat: Seat, players: Players) -> str:
    if seat == players.me:
        own = unit if unit[1:2].isupper() else unit[:1].lower() + unit[1:]
        return f"your {own}"
    return f"{unit} of {players.name(seat)}"


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def nth(place: int) -> str:
    """A place as it is spoken of: "1st"."""
    return f"{place}{dict(enumerate(('st', 'nd', 'rd'), 1)).get(place, 'th')}"
