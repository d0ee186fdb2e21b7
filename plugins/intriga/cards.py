"""The five characters, and what each action costs, claims, brings and who may block it.

Rule 1: this is the rule book's table and nothing else; who may do what when stands in `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sobremesa import Tint, counted

BANKER, ASSASSIN, CORSAIR = "banker", "assassin", "corsair"
AMBASSADOR, LADY = "ambassador", "lady"

ROLES = (BANKER, ASSASSIN, CORSAIR, AMBASSADOR, LADY)
COPIES = 3
DECK = tuple(role for role in ROLES for _ in range(COPIES))  # IN-R1

TITLES = {role: role.capitalize() for role in ROLES}
"""What the cards are called in full."""

TINTS: dict[str, Tint] = {
    BANKER: "gold", ASSASSIN: "red", CORSAIR: "blue", AMBASSADOR: "green", LADY: "violet",
}  # fmt: skip

POWERS = {
    BANKER: "tax, blocks foreign aid",
    ASSASSIN: "assassinates",
    CORSAIR: "steals, blocks a steal",
    AMBASSADOR: "exchanges, blocks a steal",
    LADY: "blocks an assassination",
}

INCOME, AID, COUP = "income", "aid", "coup"
TAX, ASSASSINATE, STEAL, EXCHANGE = "tax", "assassinate", "steal", "exchange"

COUP_FROM = 10
"""With so many coins at the start of a turn the coup is compulsory (IN-R4)."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done in a turn. `role` is the character it claims, `blockers` those
    that block it: by the target only, or by anybody if there is none."""

    id: str
    label: str
    hotkey: str
    notation: tuple[str, ...]
    noun: str
    """What it is called in a sentence: `the steal`."""
    role: str | None = None
    cost: int = 0
    gain: int = 0
    targeted: bool = False
    blockers: tuple[str, ...] = ()


ACTIONS = {
    action.id: action
    for action in (
        Action(INCOME, "Income", "i", ("income",), "income", gain=1),
        Action(
            AID,
            "Foreign aid",
            "f",
            ("aid", "foreign aid", "foreign"),
            "foreign aid",
            gain=2,
            blockers=(BANKER,),
        ),
        Action(TAX, "Tax", "t", ("tax",), "tax", BANKER, gain=3),
        Action(
            STEAL,
            "Steal",
            "s",
            ("steal {target}", "steal from {target}"),
            "the steal",
            CORSAIR,
            gain=2,
            targeted=True,
            blockers=(CORSAIR, AMBASSADOR),
        ),
        Action(
            ASSASSINATE,
            "Assassinate",
            "a",
            ("assassinate {target}", "kill {target}"),
            "the assassination",
            ASSASSIN,
            cost=3,
            targeted=True,
            blockers=(LADY,),
        ),
        Action(EXCHANGE, "Exchange", "e", ("exchange",), "the exchange", AMBASSADOR),
        Action(
            COUP,
            "Coup",
            "c",
            ("coup {target}", "coup against {target}"),
            "the coup",
            cost=7,
            targeted=True,
        ),
    )
}


def the(role: str) -> str:
    """The character within a sentence: `the Banker`."""
    return f"the {TITLES[role]}"


def coins(number: int) -> str:
    """`1 coin`, `3 coins`."""
    return counted(number, "coin")


def either(words: Iterable[str]) -> str:
    """`Corsair or Ambassador`."""
    return " or ".join(words)
