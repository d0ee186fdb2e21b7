"""Games with known dice and cards, moves as they are typed, and what is seen and told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from support.games.playouts import looking, open_table, picks

from sobremesa.core.game import Game
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import Policy, by_bot, by_chance, play_on
from sobremesa.core.requests import Event
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.core.views import Block, Board, Cards, Hand, Headline, Text, View

B = TypeVar("B", bound=Block)

OnEvent = Callable[[Event], None]


def deal(
    game: Game[Any], seats: Sequence[Seat], on_event: OnEvent | None = None, **given: Any
) -> OpenTable:
    """A table with the `options`, `tosses`, `rolls` and `decks` of a scenario file; decks may be
    typed with blanks."""
    decks = [
        deck.split() if isinstance(deck, str) else list(deck) for deck in given.get("decks", ())
    ]
    data = {"game": game.id, "seats": list(seats), **given, "decks": decks}
    scenario = read_scenario(data, lambda name: game)
    return OpenTable(game, scenario.seats, scenario.options, GivenChance(scenario), on_event)


def play(table: OpenTable, *moves: str) -> OpenTable:
    """Play moves as `Ana 4x3`, several in one string with `; ` between them."""
    for move in filter(None, "; ".join(moves).split("; ")):
        seat, _, text = move.partition(" ")
        table.answer(seat, table.asked[seat].read(text, table.faces(seat)))
    return table


def kinds(table: OpenTable) -> list[str]:
    """The kinds of all events, in order."""
    return [event["kind"] for event in table.events]


# What is seen.


def view(table: OpenTable, seat: Seat | None) -> View:
    """What a seat sees; None is a spectator."""
    return table.game.view(table.run.state, seat, table.faces(seat))


def views_at(
    kind: str,
    seat: Seat | None,
    sit: Callable[..., OpenTable],
    *moves: str,
    then: Policy | None = None,
) -> list[View]:
    """What a seat sees in the moment of each event of a kind, once `sit(on_event=…)` has made the
    table, while the moves and `then` are played."""
    views: list[View] = []
    tables: list[OpenTable] = []

    def watch(event: Event) -> None:
        if event["kind"] == kind:
            views.extend(view(table, seat) for table in tables)

    tables.append(sit(on_event=watch))
    play(tables[0], *moves)
    if then is not None:
        play_on(tables[0], then)
    return views


def blocks(view: View, kind: type[B]) -> list[B]:
    """The view's blocks of a kind."""
    return [block for block in view.blocks if isinstance(block, kind)]


def block(view: View, kind: type[B], area: str | None = None) -> B:
    """The view's only block of a kind, or of a kind in an area."""
    (found,) = (b for b in blocks(view, kind) if area is None or getattr(b, "area", None) == area)
    return found


def texts(view: View) -> list[Text]:
    """The view's lines of text."""
    return blocks(view, Text)


def hands(view: View) -> dict[str, Cards]:
    """The cards that are held, by their label."""
    return {b.label: b.content for b in blocks(view, Hand) if isinstance(b.content, Cards)}


# What is told.


def assert_told(
    game: Game[Any],
    event: Event,
    yours: str,
    theirs: str,
    others: Sequence[Seat | None] = ("Hal", None),
) -> None:
    """An event is told so to Ana, and so to the others."""
    assert game.describe(event, "Ana") == yours
    for seat in others:
        assert game.describe(event, seat) == theirs


def kinds_told(
    game: Game[Any],
    games: int,
    *,
    bots: bool = False,
    ends: str | tuple[str, ...] = ".",
    **options: str,
) -> set[str]:
    """The kinds of events in so many games of three. Each is one sentence to everybody, and the
    table can be drawn for everybody then and whenever somebody is asked."""
    found = set()
    for seed in range(games):
        tables: list[OpenTable] = []

        def draw(table: OpenTable) -> None:
            for seat in (*table.seats, None):
                shown = view(table, seat)
                assert any(head.text for head in blocks(shown, Headline)) or blocks(shown, Board)

        def watch(event: Event, tables: list[OpenTable] = tables) -> None:
            found.add(event["kind"])
            for seat in ("Ana", "Bea", "Cai", None):
                assert_one_sentence(game.describe(event, seat), ends)
            for table in tables:
                draw(table)

        tables.append(open_table(game, 3, seed, options, watch))
        policy = (by_bot if bots else by_chance)(picks(seed))
        play_on(tables[0], looking(draw, policy))
    return found


def assert_one_sentence(text: str, ends: str | tuple[str, ...] = ".") -> None:
    """What a game tells is one line that begins and ends as a sentence."""
    assert text[0].isupper()
    assert text.endswith(ends)
    assert "\n" not in text
