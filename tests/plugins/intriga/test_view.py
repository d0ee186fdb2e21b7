"""What players see and hear."""

from __future__ import annotations

import pytest
from support.games.dealt import OnEvent, assert_told, block, deal, kinds_told, play, view
from support.games.playouts import open_table

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.core.views import Cards, Counter, Figure, Grid, Hand, Headline, Seats, Text, View
from sobremesa.plugins.intriga import GAME
from sobremesa.plugins.intriga.cards import ROLES

HANDS = ["banker", "assassin", "lady", "corsair", "ambassador", "banker"]
THREE = ["Ana", "Bea", "Cai"]


def sit(
    seats: list[str] = THREE, deck: list[str] = HANDS, on_event: OnEvent | None = None
) -> OpenTable:
    """Ana begins; the cards are those given."""
    return deal(GAME, seats, on_event, tosses={"starter": 0}, decks=[deck])


def grids(view: View) -> list[Grid]:
    return [block for block in view.blocks if isinstance(block, Grid)]


INCOMES = "Ana income; Bea income; Cai income; "


@pytest.mark.parametrize(
    ("moves", "seat", "text", "sub"),
    [
        ("", "Ana", "It is your turn", "with 2 coins"),
        ("", "Bea", "It is Ana's turn", "with 2 coins"),
        ("Ana tax", "Bea", "Ana claims the Banker", "to take 3 coins, unless: Liar!"),
        ("Ana tax", "Ana", "You claim the Banker", "to take 3 coins, unless: Liar!"),
        ("Ana steal Bea", "Bea", "Ana claims the Corsair", "to steal from you, unless: Liar!"),
        (
            "Ana steal Bea; Bea pass; Cai pass",
            "Bea",
            "Ana claims the Corsair, to steal from you",
            "unless blocked as Corsair or Ambassador",
        ),
        (
            "Ana steal Bea; Bea pass; Cai pass; Bea block corsair",
            "Ana",
            "Bea claims the Corsair",
            "to block your steal, unless: Liar!",
        ),
        ("Ana aid", None, "Ana asks for foreign aid", "unless blocked as Banker"),
        (
            INCOMES + "Ana assassinate Bea",
            "Cai",
            "Ana pays 3 coins and claims the Assassin",
            "to assassinate Bea, unless: Liar!",
        ),
        ("Ana exchange; Bea pass; Cai pass", "Bea", "Ana exchanges cards", "which to keep?"),
        (
            "Ana exchange; Bea liar; Cai pass",
            "Ana",
            "Your Ambassador was a lie",
            "You lose an influence",
        ),
    ],
)
def test_headline_says_what_is_being_decided(
    moves: str, seat: Seat | None, text: str, sub: str
) -> None:
    assert block(view(play(sit(), moves), seat), Headline) == Headline(text, sub)


def test_headline_announces_a_compulsory_coup() -> None:
    table = sit(["Ana", "Bea"])
    play(table, "; ".join(["Ana tax; Bea pass; Bea income"] * 3))
    head = Headline("It is your turn", "with 10 coins, so it must be a coup")
    assert block(view(table, "Ana"), Headline) == head
    assert GAME.describe(table.events[-1], "Ana") == (
        "It is your turn, with 10 coins: only a coup is allowed."
    )


def test_counter_of_face_up_cards_stands_beside_and_knows_the_own_cards() -> None:
    table = play(sit(), "Ana exchange; Bea liar; Cai pass; Ana lose banker")
    (counts,) = grids(view(table, "Cai"))
    assert counts.area == "side"
    assert counts.rows == (
        ("Banker", Counter(1, 3, "pips"), "you"),
        ("Assassin", Counter(0, 3, "pips"), ""),
        ("Corsair", Counter(0, 3, "pips"), ""),
        ("Ambassador", Counter(0, 3, "pips"), "you"),
        ("Lady", Counter(0, 3, "pips"), ""),
    )
    assert counts.spoken == (
        "Face up: Banker 1; unseen: Banker 1, Assassin 3, Corsair 3, Ambassador 2, Lady 3"
    )
    assert "unseen: Banker 2, Assassin 3" in grids(view(table, None))[0].spoken


def test_seats_say_what_everybody_claimed_latest_first_with_proven_lies() -> None:
    table = play(
        sit(),
        "Ana exchange; Bea liar; Cai pass; Ana lose assassin; Bea income; Cai tax; Ana pass; "
        "Bea pass; Ana tax; Bea pass; Cai pass; Bea income; Cai income; Ana tax; Bea pass; "
        "Cai pass",
    )
    seats = block(view(table, "Cai"), Seats)
    assert seats.said == "claimed"
    assert [row.said for row in seats.rows] == ["Banker 2, Ambassador (1 lie)", "", "Banker"]
    assert [row.said for row in block(view(sit(), "Ana"), Seats).rows] == ["", "", ""]


def test_a_doubt_is_told_in_beats_the_card_covered_first() -> None:
    table = play(sit(), "Ana tax; Bea liar; Cai pass")
    drawn = view(table, "Cai")
    assert block(drawn, Figure) == Figure("TRUE", Cards(("banker",)), role="good")
    assert block(drawn, Headline) == Headline("Ana's Banker was true", "Bea loses an influence")
    (beat,) = (View("", blocks) for blocks in drawn.stage)
    assert block(beat, Figure) == Figure("", Cards((None,)))
    assert block(beat, Headline).text == "Liar!"
    lied = view(play(sit(), "Ana exchange; Bea liar; Cai pass"), "Cai")
    assert block(lied, Figure) == Figure("A LIE", Cards((None,)), role="bad")


def test_seats_show_coins_hidden_and_open_cards_and_whose_turn_it_is() -> None:
    table = play(sit(), "Ana exchange; Bea liar; Cai pass; Ana lose banker")
    rows = block(view(table, "Cai"), Seats).rows
    assert [row.cells for row in rows] == [
        (Counter(2, 10, "coins"), Cards((None, "banker"))),
        (Counter(2, 10, "coins"), Cards((None, None))),
        (Counter(2, 10, "coins"), Cards((None, None))),
    ]
    assert [row.seat for row in rows if row.turn] == ["Bea"]
    assert not any(row.out for row in rows)


def test_player_who_is_out_is_marked() -> None:
    table = play(sit(), INCOMES + "Ana assassinate Bea; Bea liar; Cai pass; Bea lose lady")
    row = block(view(table, "Ana"), Seats).rows[1]
    assert row.out
    assert row.cells == (Counter(0, 10, "coins"), Cards(("lady", "corsair")))
    assert not any(isinstance(block, Hand) for block in view(table, "Bea").blocks)


def test_hand_says_what_the_own_cards_can_do() -> None:
    drawn = view(sit(), "Ana")
    assert block(drawn, Hand) == Hand(
        "Your cards", Cards(("banker", "assassin"), notes=("tax", "assassinates"))
    )
    said = "Banker: tax, blocks foreign aid. Assassin: assassinates."
    assert block(drawn, Text) == Text(said, "dim", "hand")


def test_cards_to_choose_from_are_marked_for_who_chooses() -> None:
    table = play(sit(), "Ana exchange; Bea pass; Cai pass")
    content = block(view(table, "Ana"), Hand).content
    assert isinstance(content, Cards)
    assert content.playable == (0, 1, 2, 3)
    others = block(view(table, "Bea"), Hand).content
    assert isinstance(others, Cards)
    assert others.playable is None
    losing = play(sit(), "Ana exchange; Bea liar; Cai pass")
    chosen = block(view(losing, "Ana"), Hand).content
    assert isinstance(chosen, Cards)
    assert (chosen.values, chosen.playable) == (("banker", "assassin"), (0, 1))


@pytest.mark.parametrize("seat", [None, "Bea"])
def test_who_sees_no_hand_is_drawn_none(seat: Seat | None) -> None:
    """A spectator, and a seat in a saved game that is replayed without its secrets."""
    drawn = GAME.view(sit().run.state, seat, {})
    assert not any(isinstance(block, Hand | Text) for block in drawn.blocks)
    assert all(row.cells[1] == Cards((None, None)) for row in block(drawn, Seats).rows)


def test_table_is_drawn_before_anything_is_dealt() -> None:
    table = open_table(GAME, 3, 1)
    state = table.run.state
    state.hands = dict.fromkeys(table.seats, ())
    state.turns = 0
    before = GAME.view(state, None, {})
    assert (before.phase, block(before, Headline).text) == ("dealing", "The cards are dealt")
    assert not any(row.out for row in block(before, Seats).rows)


def test_end_shows_the_places() -> None:
    table = sit(["Ana", "Bea"])
    play(table, "Ana tax; Bea liar; Bea lose lady; Bea tax; Ana liar")
    drawn = view(table, "Bea")
    assert drawn.phase == "game over"
    assert block(drawn, Headline).text == "Ana wins"
    assert block(view(table, "Ana"), Headline).text == "You win"
    assert [(row.seat, row.cells) for row in block(drawn, Seats).rows] == [
        ("Ana", (1, Cards((None, None)))),
        ("Bea", (2, Cards(("lady", "corsair")))),
    ]


COINS = {"Ana": 1, "Bea": 2}
EVENTS: list[tuple[Event, str, str]] = [
    (
        {"kind": "start", "starter": "Ana", "coins": COINS},
        "Both have two cards; you begin with 1 coin, and Bea has 2 coins.",
        "Both have two cards; Ana begins with 1 coin, and Bea has 2 coins.",
    ),
    (
        {"kind": "start", "starter": "Bea", "coins": {"Ana": 2, "Bea": 1}},
        "Both have two cards; Bea begins with 1 coin, and you have 2 coins.",
        "Both have two cards; Bea begins with 1 coin, and Ana has 2 coins.",
    ),
    (
        {"kind": "start", "starter": "Ana", "coins": {"Ana": 2, "Bea": 2, "Cai": 2}},
        "Everybody has two cards and 2 coins, and you begin.",
        "Everybody has two cards and 2 coins, and Ana begins.",
    ),
    (
        {"kind": "turn", "seat": "Ana", "coins": 1, "coup": False},
        "It is your turn, with 1 coin.",
        "It is Ana's turn, with 1 coin.",
    ),
    (
        {"kind": "turn", "seat": "Ana", "coins": 11, "coup": True},
        "It is your turn, with 11 coins: only a coup is allowed.",
        "It is Ana's turn, with 11 coins: only a coup is allowed.",
    ),
    (
        {"kind": "action", "seat": "Ana", "action": "aid", "target": None},
        "You ask for foreign aid.",
        "Ana asks for foreign aid.",
    ),
    (
        {"kind": "action", "seat": "Ana", "action": "tax", "target": None},
        "You claim the Banker, to take 3 coins.",
        "Ana claims the Banker, to take 3 coins.",
    ),
    (
        {"kind": "action", "seat": "Bea", "action": "steal", "target": "Ana"},
        "Bea claims the Corsair, to steal from you.",
        "Bea claims the Corsair, to steal from Ana.",
    ),
    (
        {"kind": "action", "seat": "Ana", "action": "assassinate", "target": "Bea"},
        "You pay 3 coins and claim the Assassin, to assassinate Bea.",
        "Ana pays 3 coins and claims the Assassin, to assassinate Bea.",
    ),
    (
        {"kind": "action", "seat": "Ana", "action": "exchange", "target": None},
        "You claim the Ambassador, to exchange cards.",
        "Ana claims the Ambassador, to exchange cards.",
    ),
    (
        {"kind": "action", "seat": "Ana", "action": "coup", "target": "Bea"},
        "You pay 7 coins for a coup against Bea.",
        "Ana pays 7 coins for a coup against Bea.",
    ),
    (
        {"kind": "liar", "seat": "Ana", "claimant": "Bea", "role": "lady", "others": []},
        "You say Liar! to Bea's Lady.",
        "Ana says Liar! to Bea's Lady.",
    ),
    (
        {
            "kind": "liar",
            "seat": "Bea",
            "claimant": "Dan",
            "role": "lady",
            "others": ["Cai", "Ana"],
        },
        "Bea says Liar! to Dan's Lady; so did Cai and you, but Bea is first in turn.",
        "Bea says Liar! to Dan's Lady; so did Cai and Ana, but Bea is first in turn.",
    ),
    (
        {
            "kind": "block",
            "seat": "Ana",
            "role": "banker",
            "action": "aid",
            "actor": "Bea",
            "others": ["Cai"],
        },
        "You block Bea's foreign aid as Banker; so did Cai, but you are first in turn.",
        "Ana blocks Bea's foreign aid as Banker; so did Cai, but Ana is first in turn.",
    ),
    (
        {"kind": "shown", "seat": "Bea", "role": "banker", "place": 1, "challenger": "Ana"},
        "Bea shows the Banker, so you were wrong to doubt it.",
        "Bea shows the Banker, so Ana was wrong to doubt it.",
    ),
    (
        {"kind": "redrawn", "seat": "Ana", "role": "banker"},
        "You shuffle the Banker back into the deck and draw a new card.",
        "Ana shuffles the Banker back into the deck and draws a new card.",
    ),
    (
        {"kind": "caught", "seat": "Ana", "role": "lady", "challenger": "Bea"},
        "You do not hold the Lady, so Bea was right to doubt it.",
        "Ana does not hold the Lady, so Bea was right to doubt it.",
    ),
    (
        {"kind": "refund", "seat": "Ana", "amount": 3, "coins": 4},
        "You get the 3 coins back and have 4 now.",
        "Ana gets the 3 coins back and has 4 now.",
    ),
    (
        {"kind": "blocked", "seat": "Ana", "action": "steal", "actor": "Bea"},
        "Your block stands, so Bea's steal fails.",
        "Ana's block stands, so Bea's steal fails.",
    ),
    (
        {"kind": "blocked", "seat": "Bea", "action": "assassinate", "actor": "Ana"},
        "Bea's block stands, so your assassination fails, and the 3 coins are gone.",
        "Bea's block stands, so Ana's assassination fails, and the 3 coins are gone.",
    ),
    (
        {"kind": "gain", "seat": "Ana", "action": "income", "amount": 1, "coins": 3},
        "You take 1 coin as income and have 3 now.",
        "Ana takes 1 coin as income and has 3 now.",
    ),
    (
        {"kind": "gain", "seat": "Ana", "action": "aid", "amount": 2, "coins": 4},
        "You take 2 coins of foreign aid and have 4 now.",
        "Ana takes 2 coins of foreign aid and has 4 now.",
    ),
    (
        {"kind": "stolen", "seat": "Ana", "target": "Bea", "amount": 2, "coins": 4},
        "You steal 2 coins from Bea and have 4 now.",
        "Ana steals 2 coins from Bea and has 4 now.",
    ),
    (
        {"kind": "stolen", "seat": "Bea", "target": "Ana", "amount": 0, "coins": 4},
        "Bea finds nothing to steal from you.",
        "Bea finds nothing to steal from Ana.",
    ),
    (
        {"kind": "exchanged", "seat": "Ana", "cards": 1},
        "You keep 1 card and put 2 cards back into the deck.",
        "Ana keeps 1 card and puts 2 cards back into the deck.",
    ),
    (
        {"kind": "void", "seat": "Bea", "action": "assassinate", "target": "Ana"},
        "Bea's assassination has no effect, since you are out already.",
        "Bea's assassination has no effect, since Ana is out already.",
    ),
    (
        {"kind": "void", "seat": "Ana", "action": "steal", "target": "Bea"},
        "Your steal has no effect, since Bea is out already.",
        "Ana's steal has no effect, since Bea is out already.",
    ),
    (
        {"kind": "lost", "seat": "Ana", "card": "lady", "left": 1},
        "You turn up the Lady and have 1 card left.",
        "Ana turns up the Lady and has 1 card left.",
    ),
    (
        {"kind": "lost", "seat": "Ana", "card": "lady", "left": 0},
        "You turn up the Lady, your last card.",
        "Ana turns up the Lady, the last card.",
    ),
    (
        {"kind": "left", "seat": "Bea", "cards": ["lady", "banker"]},
        "Bea has left the table and turns up the Lady and the Banker.",
        "Bea has left the table and turns up the Lady and the Banker.",
    ),
    (
        {"kind": "out", "seat": "Ana", "place": 6},
        "You are out, in sixth place.",
        "Ana is out, in sixth place.",
    ),
    ({"kind": "over", "winners": ["Ana"], "places": []}, "You win the game.", "Ana wins the game."),
    (
        {"kind": "over", "winners": [], "places": []},
        "The game is over, since everybody has left.",
        "The game is over, since everybody has left.",
    ),
]


@pytest.mark.parametrize(("event", "yours", "theirs"), EVENTS)
def test_event_is_one_sentence_to_its_player_and_to_others(
    event: Event, yours: str, theirs: str
) -> None:
    assert_told(GAME, event, yours, theirs)


def test_every_event_can_be_told_and_every_moment_drawn() -> None:
    assert kinds_told(GAME, 24) == {event["kind"] for event, _, _ in EVENTS} - {"left"}


def test_every_card_has_a_name() -> None:
    assert GAME.card_names == {role: role.capitalize() for role in ROLES}
