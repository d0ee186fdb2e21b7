"""Dudo in situations worth looking at, for goldens and tests of the clients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from support.sittings import (
    DudoSitting,
    FixedChance,
    ScriptedSession,
    kitchen_table,
    waiting_room,
)

from sobremesa.cli.screens.result import ResultScreen
from sobremesa.cli.screens.room import RoomScreen
from sobremesa.cli.screens.sitting import Chair, SittingScreen
from sobremesa.cli.screens.table import TableScreen
from sobremesa.cli.session import Banner, Chat, Moment, Over, Told
from sobremesa.cli.story import Story
from sobremesa.cli.theme import Theme


@dataclass(slots=True)
class NoStage:
    """A stage without an application, for screens that are only looked at."""

    theme: Theme = field(default_factory=Theme)


def opening() -> list[Moment]:
    dice = dict.fromkeys(("Ana", "Bento", "Cai", "Dora"), (1, 2, 3, 4, 5))
    chance = FixedChance(2, dice)
    return [waiting_room(), *DudoSitting("Cai", tuple(dice), chance).moments]


def asked() -> list[Moment]:
    return [waiting_room(), *kitchen_table().moments, Chat("Ana", "that's brave")]


def waiting() -> list[Moment]:
    return [waiting_room(), *kitchen_table("Dora").moments]


def reveal() -> list[Moment]:
    moments = [waiting_room(), *kitchen_table().play("dudo").moments]
    rest = next(place for place, m in enumerate(moments) if isinstance(m, Told) and m.rest)
    return moments[: rest + 1]


def palifico() -> list[Moment]:
    dice = {"Ana": (2, 2, 3), "Bento": (4, 4, 5), "Cai": (1, 6, 6)}
    sitting = DudoSitting(
        "Cai", tuple(dice), FixedChance(0, dice, dice, dice), {"dice": "3"}
    )
    sitting.play("9x2", "dudo", "8x2", "dudo", "1x1", "2x1")
    return [waiting_room(), *sitting.moments]


def eight() -> list[Moment]:
    names = ("Ana", "Bento", "Cai", "日本語の名前はとても長い", "W" * 40, "é́́́", "Zoë", "x")
    dice = dict.fromkeys(names, (1, 2, 3, 4, 6))
    sitting = DudoSitting("Cai", names, FixedChance(0, dice)).play("10x6", "20x6")
    return [waiting_room(), *sitting.moments]


def banner() -> list[Moment]:
    return [*asked(), Banner("Lost Dora - reconnecting, 42 s left, then the table votes")]


def room() -> list[Moment]:
    return [waiting_room("Ana", opener=True), waiting_room("Ana", opener=True, Cai=True)]


def result() -> list[Moment]:
    dice = {"Ana": (2, 2, 3), "Cai": (1, 6, 6)}
    sitting = DudoSitting(
        "Cai", tuple(dice), FixedChance(0, *[dice] * 3), {"dice": "3", "palifico": "off"}
    )
    sitting.play("6x2", "dudo", "5x2", "dudo", "4x2", "dudo")
    over = sitting.moments.pop()
    assert isinstance(over, Over)
    return [*sitting.moments, Over(over.text, 0, over.places, True)]


SITUATIONS: dict[str, Callable[[], list[Moment]]] = {
    "opening": opening,
    "asked": asked,
    "waiting": waiting,
    "reveal": reveal,
    "palifico": palifico,
    "eight": eight,
    "banner": banner,
    "room": room,
    "result": result,
}


def screen_of(moments: list[Moment], theme: Theme) -> SittingScreen:
    """The screen after these moments."""
    session = ScriptedSession()
    story = Story(session)
    for moment in moments:
        story.take(moment)
        if isinstance(moment, Banner):
            session.status.away = ["Dora"]
    session.status.verified = True
    session.status.turn = "Cai" if story.asked else "Bento"
    kind = ResultScreen if story.over else TableScreen if story.game else RoomScreen
    return kind(NoStage(theme), Chair(story))  # type: ignore[arg-type]
