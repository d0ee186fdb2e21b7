"""Blocks that Dudo does not use, and what is left out first when there is no room."""

from __future__ import annotations

from sobremesa.cli.draw.blocks import Look, render_table
from sobremesa.cli.draw.cells import Line, line_text
from sobremesa.cli.draw.hand import render_zone
from sobremesa.cli.draw.layout import Facts, render_status
from sobremesa.cli.draw.moves import render_moves, render_strip
from sobremesa.cli.draw.pages import render_page
from sobremesa.cli.draw.talk import render_log
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.words.pages import spoken_page
from sobremesa.cli.words.speech import (
    Players,
    speak,
    speak_cell,
    speak_hand,
    speak_hand_news,
    speak_places,
)
from sobremesa.cli.words.story import Said
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Move, Question
from sobremesa.core.views import (
    Block,
    Cards,
    Counter,
    Dice,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seats,
    Text,
    View,
)

COMPANY = Players("Cai", bots=("Bento",), away=("Bento",), cards={"lady": "Lady"})
MIXED = View(
    "bid",
    (
        Headline("ONE-CARD ROUND", "you see every card but your own"),
        Gap(),
        Seats(
            ("card", "lives"),
            (
                Row("Ana", (Cards(("QH",)), Counter(3, 5, "pips")), turn=True),
                Row("Bento", (Cards((None,)), Counter(1, 5, "pips"))),
                Row("Cai", (Dice(()), Counter(0, 5, "pips")), out=True),
            ),
        ),
        Gap(),
        Grid(("", "sum"), (("Total", Counter(17, 21, "bar")),)),
        Text("Careful.", "warn"),
        Text("Beside.", area="side"),
        Hand("Your hand", Cards(("10S", "JK", None, "lady"))),
    ),
)


def drawn(view: View, width: int, height: int, theme: Theme | None = None) -> list[str]:
    look = Look(theme or Theme(), COMPANY)
    return [line_text(line).rstrip() for line in render_table(view, width, height, look)]


def zone(view: View, width: int, rows: int, theme: Theme | None = None) -> list[Line]:
    return render_zone(view, width, rows, "S", Look(theme or Theme(), COMPANY)).lines


def test_cards_counters_and_marks_are_drawn() -> None:
    assert drawn(MIXED, 56, 20) == [
        " ONE-CARD ROUND  you see every card but your own",
        "",
        "                   card  lives",
        " ► Ana              Q♥   ●●●··",
        "   Bento bot away  ▒▒▒   ●····",
        " × you             out   ·····",
        "",
        "       sum",
        "Total  ████████████████░░░░ 17/21",
        " Careful.",
        " Beside.",
    ]
    assert [line_text(line).rstrip() for line in zone(MIXED, 56, 4)] == [
        "   10     JK   ▒▒▒▒    Lady",
        "      ♠        ▒▒▒▒",
        "    1     2     3       4",
        "",
    ]


def test_the_same_in_words() -> None:
    assert speak(MIXED, COMPANY) == [
        "Bid.",
        "ONE-CARD ROUND.",
        "You see every card but your own.",
        "Ana, to play: card queen of hearts, lives 3 of 5.",
        "Bento (bot), away: card hidden, lives 1 of 5.",
        "You, out: card none, lives 0 of 5.",
        "Total: sum 17 of 21.",
        "Careful.",
        "Beside.",
        "Your hand: ten of spades, joker, hidden, Lady.",
    ]


def test_the_same_in_ascii() -> None:
    text = "\n".join(drawn(MIXED, 56, 20, Theme(ascii=True)))
    assert text.isascii()
    assert " > Ana              QH   ooo.." in text


def test_empty_lines_go_first_then_the_end_with_a_word_of_it() -> None:
    whole = drawn(MIXED, 56, 20)
    assert drawn(MIXED, 56, 9) == [line for line in whole if line]
    assert drawn(MIXED, 56, 4) == [*[line for line in whole if line][:3], "… 6 more lines"]
    assert drawn(MIXED, 56, 1) == ["… 9 more lines"]
    assert drawn(MIXED, 56, 0) == []


def test_narrow_columns_draw_small_then_shrink() -> None:
    for width in range(1, 56):
        for line in drawn(MIXED, width, 20):
            assert len(line) <= width
    assert "bot away" in "\n".join(drawn(MIXED, 40, 20))


def test_a_zone_has_as_many_rows_as_it_is_given_whatever_is_in_it() -> None:
    blocks: tuple[Block, ...] = (Hand("Your dice", Dice((1, 6))), Text("a hint", area="hand"))
    for rows in range(1, 9):
        for width in (1, 5, 20, 40, 100):
            assert len(zone(View("x", blocks), width, rows)) == rows
    assert "a hint" in "".join(map(line_text, zone(View("x", blocks), 100, 4)))


def test_cards_that_may_not_be_played_are_pale_and_others_have_a_lively_label() -> None:
    view = View("x", (Hand("Your hand", Cards(("10S", "KH", "2D"), (0, 2))),))
    top, _, labels, _ = zone(view, 56, 4)
    assert [role for role, _ in top if role.startswith("card")] == [
        "card.s", "card.pale.h", "card.d",
    ]  # fmt: skip
    assert [(role, text.strip()) for role, text in labels if text.strip()] == [
        ("key", "1"), ("dim", "2"), ("key", "3"),
    ]  # fmt: skip


def test_labels_say_what_a_card_would_make() -> None:
    view = View("x", (Hand("Your hand", Cards(("5", "7"), (0,), notes=("→ 19", "bust"))),))
    assert line_text(zone(view, 56, 4)[2]).split() == ["→", "19", "bust"]


def test_a_hand_too_wide_for_cards_is_drawn_as_chips() -> None:
    view = View("x", (Hand("Your hand", Cards(("10S", "KH", "2D") * 6)),))
    text = "\n".join(map(line_text, zone(view, 60, 4)))
    assert text.count("10♠") == 6
    assert text.count("2♦") == 6
    few = "\n".join(map(line_text, zone(View("x", (Hand("Your hand", Cards(("2D",))),)), 9, 1)))
    assert "2♦" in few


def test_cards_have_the_colour_of_their_suit_and_role() -> None:
    view = View("x", (Hand("Your hand", Cards(("10S", "2D", "JK", None, "lady"))),))
    roles = [role for role, _ in zone(view, 80, 4)[0] if role.startswith("card")]
    assert roles == ["card.s", "card.d", "card.joker", "card.back", "card.word"]


def test_playable_cards_are_spoken_only_where_others_are_not() -> None:
    def spoken(playable: tuple[int, ...] | None) -> str:
        view = View("x", (Hand("Your hand", Cards(("10S", "KH"), playable)),))
        return speak_hand(view, COMPANY)

    assert spoken(None) == spoken((0, 1)) == "Your hand: ten of spades, king of hearts."
    assert spoken((1,)) == "Your hand: ten of spades, king of hearts (playable: king of hearts)."
    assert spoken(()) == "Your hand: ten of spades, king of hearts (none playable)."


def test_playable_cards_of_others_are_always_told_apart() -> None:
    def spoken(*values: str | None, playable: tuple[int, ...]) -> str:
        return speak_cell(Cards(values, playable), COMPANY)

    assert (
        spoken("KH", "2D", playable=(0,))
        == "king of hearts, two of diamonds (playable: king of hearts)"
    )
    assert spoken("KH", "2D", playable=(0, 1)) == "king of hearts, two of diamonds (all playable)"
    assert spoken("KH", "2D", playable=()) == "king of hearts, two of diamonds (none playable)"
    assert spoken("KH", playable=(0,)) == "king of hearts (playable)"
    assert (
        spoken("KH", None, playable=()) == "king of hearts, hidden (none of the open ones playable)"
    )
    seats = Seats(("cards",), (Row("Ana", (Cards(("KH", "2D", None), (1,)),)),))
    for theme, row in ((Theme(), " K♥  2♦▲▒▒▒"), (Theme(ascii=True), " KH  2D^===")):
        assert drawn(View("x", (seats,)), 56, 3, theme)[-1].endswith(row)


def test_of_a_long_hand_only_what_is_new_is_said() -> None:
    def news(before: Cards | None, now: Cards) -> list[str]:
        held = View("x", (Hand("Your hand", before),)) if before else None
        return speak_hand_news(held, View("y", (Hand("Your hand", now),)), COMPANY)

    six = ("2S", "3S", "4S", "5S", "6S", "6S")
    whole = "Your hand: spades two, three, four, five, six, six"
    assert news(None, Cards(six)) == [f"{whole}."]
    assert news(Cards(six), Cards(six)) == news(Cards(six), Cards(six[1:])) == []
    assert news(Cards(six), Cards((*six, "6S"))) == ["New in your hand: six of spades."]
    dealt_again = news(Cards(six), Cards((*six[1:], "KH")))
    assert dealt_again == [f"{whole.replace(' two,', '')}; hearts king."]
    assert news(Cards(six), Cards(six, (0, 5))) == [
        "In your hand, playable: two of spades, six of spades."
    ]
    assert news(Cards(six), Cards(six, ())) == ["In your hand, none playable."]
    assert news(Cards(six, (0,)), Cards(six)) == news(Cards(six), Cards(six, tuple(range(6)))) == []
    assert news(Cards(six), Cards((*six, "7S"), (6,))) == [
        "New in your hand: seven of spades. In your hand, playable: seven of spades."
    ]
    # A short hand is said whole when something came, and not for what went.
    assert news(Cards(("2S", "3S")), Cards(("2S", "KH"))) == [
        "Your hand: two of spades, king of hearts."
    ]
    assert news(Cards(("2S", "KH")), Cards(("2S", None))) == []
    assert news(Cards(("2S",)), Cards(())) == ["Your hand: none."]


def test_cards_are_said_and_drawn_with_their_labels() -> None:
    seen = Cards(("KH", None), labels=("Ana", "日本語の名前"))
    view = View("x", (Hand("You see", seen),))
    assert speak_hand(view, COMPANY) == "You see: Ana king of hearts, 日本語の名前 hidden."
    assert line_text(zone(view, 80, 4)[2]).split() == ["Ana", "日本語…"]


def test_many_hidden_cards_are_counted() -> None:
    assert speak_cell(Cards((None, None, None)), COMPANY) == "3 hidden"
    assert speak_cell(Cards((None, "lady")), COMPANY) == "hidden, Lady"
    assert speak_cell(Cards(()), COMPANY) == "none"


class ManyMoves(Question):
    """More than two rows can hold, if every reason is told."""

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        long = "this costs more coins than anybody has ever had at this table"
        return tuple(
            Move(
                word, word.capitalize(), (word,), word[0], disabled=long if word == "coup" else None
            )
            for word in ("income", "tax", "steal", "coup")
        )


def test_reasons_go_before_moves_where_two_rows_are_too_few() -> None:
    def moves(width: int) -> list[str]:
        return [line_text(line) for line in render_moves(ManyMoves(), width, Theme())]

    assert moves(60) == [" i Income   t Tax   s Steal  -c- Coup"]
    assert moves(120)[-1].endswith(
        "-c- Coup (this costs more coins than anybody has ever had at this table)"
    )


def test_pips_are_drawn_where_wanted_and_never_in_ascii() -> None:
    seats = Seats(("dice",), (Row("Ana", (Dice((1, None, 6)),)),))
    view = View("x", (seats,))
    assert drawn(view, 60, 3, Theme(pips=True))[-1].split()[1:] == ["⚀", "?", "⚅"]
    assert drawn(view, 60, 3, Theme(pips=True, ascii=True))[-1].split()[1:] == ["1", "?", "6"]
    assert drawn(view, 60, 3)[-1].split()[1:] == ["1", "?", "6"]


def test_status_line_drops_the_table_then_the_game_then_the_seats() -> None:
    facts = Facts("Liar's Dice", "Kitchen table", "round 7", True, 5, "your turn", 37)

    def status(width: int) -> str:
        return line_text(render_status(facts, width, Theme())).rstrip()

    assert status(90).startswith(" Liar's Dice  Kitchen table  round 7  ")
    assert status(90).endswith("✓ verified   5 seats   your turn 0:37")
    assert "Kitchen" not in status(70)
    assert status(50).startswith(" Liar's Dice  round 7 ")
    assert status(44).startswith(" round 7  ")
    assert status(44).endswith("✓ verified   your turn 0:37")
    assert status(30).startswith(" round 7  ")
    assert status(30).endswith("your turn 0:37")
    assert len(status(9)) <= 9


def test_log_wraps_only_what_is_seen_and_turns_back_no_further_than_its_start() -> None:
    class Counted(list[Said]):
        looked_at = 0

        def __reversed__(self):  # type: ignore[no-untyped-def]
            for said in super().__reversed__():
                self.looked_at += 1
                yield said

    log = Counted(Said("", f"line {number}") for number in range(5000))
    lines, back = render_log(log, 20, 10, Theme())
    assert [line_text(line) for line in lines] == [f" line {n}" for n in range(4990, 5000)]
    assert (back, log.looked_at) == (0, 10)
    lines, back = render_log(log[:12], 20, 10, Theme(), back=50)
    assert back == 2
    assert [line_text(lines[0]), line_text(lines[-1])] == [" line 0", " line 9"]
    lines, back = render_log(log[:12], 20, 10, Theme(), back=1)
    assert (line_text(lines[-1]), back) == (" line 10", 1)
    assert render_log(log[:3], 20, 10, Theme(), back=2)[1] == 0


def test_completions_keep_the_chosen_one_in_sight() -> None:
    names = [f"number{n}" for n in range(30)]
    for chosen in range(30):
        line = line_text(render_strip(names, chosen, 40, Theme()))
        assert f">number{chosen}<" in line
        assert len(line) <= 40


def test_pages_are_wrapped_nested_and_spoken() -> None:
    page = (
        "# Title\nSome **bold** text\nover lines.\n\n- one `code`\n  - nested item\n- two\n# End\n"
    )
    lines = [line_text(line) for line in render_page(page, 14, Theme())]
    assert lines == [
        "Title", "", "Some bold text", "over lines.", "", "- one code", "  - nested", "    item",
        "- two", "", "End",
    ]  # fmt: skip
    assert spoken_page(page) == [
        "Title", "Some bold text over lines.", "- one code", "- nested item", "- two",
        "", "End",
    ]  # fmt: skip


def test_shared_places_are_said_once_and_counted() -> None:
    places = (("Ana",), ("Cai", "Bento"), ("Dora",))
    assert speak_places(places, "", COMPANY) == "Ranking: 1 Ana, 2 you and Bento (bot), 4 Dora."


def test_a_result_that_all_have_in_common_is_no_ranking() -> None:
    players = Players("Ana")
    assert speak_places([("Ana", "Bea")], "", players) == "Everybody shares this result."
    assert speak_places([("Ana", "Bea")], "won", players) == "All players have won together."
    assert speak_places([("Ana", "Bea")], "lost", players) == "All players have lost together."
    assert speak_places([("Ana",), ("Bea",)], "", players) == "Ranking: 1 you, 2 Bea."
