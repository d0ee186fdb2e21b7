"""Whole games by processes on loopback, from the command to the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.processes.machines import Human, Machine, machine

from sobremesa.plugins.house_of_jokers.state import SEVEN
from sobremesa.plugins.playing_cards import card_rank

NAMES = ("Ana", "Bea", "Cai", "Dan")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path) as one:
        yield one


def assert_same_and_verified(here: Machine, *names: str) -> None:
    files = {here.transcript(name).read_bytes() for name in names}
    assert len(files) == 1
    check = here.run("verify", str(here.transcript(names[0])))
    assert check.wait() == 0, check


def test_four_processes_play_the_same_game_to_its_end(here: Machine) -> None:
    host = here.host("--auto", "--option", "dice=3")
    guests = [here.join(host, "--auto", name=name) for name in NAMES[1:]]
    for command in (host, *guests):
        assert command.wait() == 0, command
        assert command.errors == []
        assert command.heard("The record of the game is verified")
        assert not command.heard("is away")
    assert_same_and_verified(here, *NAMES)


def test_two_people_who_type_and_a_bot_play_the_same_game(here: Machine) -> None:
    host = here.host("--json", "--bots", "1", "--option", "dice=3", seats=3)
    guest = here.join(host, "--json", name="Bea")
    people = [Human(host), Human(guest)]
    for command in (host, guest):
        command.type("ready", "'hello from here", "look", "log", "proof", "help")
    for command in (host, guest):
        assert command.wait() == 0, command
        assert command.errors == []
    for human in people:
        human.join()
        kinds = {moment["moment"] for moment in human.moments}
        assert {"asked", "settled", "told", "chat", "look", "log", "help", "over"} <= kinds
        assert "error" not in kinds
        assert human.moments[-1]["verified"] is True
    assert_same_and_verified(here, "Ana", "Bea")


class Builder(Human):
    """Somebody who begins House of Jokers with the cards nearest to the sevens, and so can play."""

    def choose(self, question: dict[str, Any]) -> str:
        word, *cards = super().choose(question).split()
        if word == "choose":
            view = self.moments[-1]["view"]
            (hand,) = (block for block in view["blocks"] if block["kind"] == "hand")
            near = sorted(hand["content"]["values"], key=lambda card: abs(card_rank(card) - SEVEN))
            cards = near[: len(cards)]
        return " ".join([word, *cards])


TYPED = {
    "cinco-vidas": (Human, {"bid", "play"}),
    "five-alive": (Human, {"play"}),
    "house-of-jokers": (Builder, {"choose", "play", "refill", "joker", "flip"}),
    "intriga": (Human, {"income", "pass", "liar", "lose"}),
}
"""Who plays a card game, and the kinds of moves that they type in it sooner or later."""

MOST_GAMES = 5
"""One game in fifty lacks a kind of moves, so people play until they have typed all."""


@pytest.mark.parametrize("game", TYPED)
def test_people_who_type_and_a_bot_play_the_same_card_game(here: Machine, game: str) -> None:
    person, kinds = TYPED[game]
    missing = set(kinds)
    for _ in range(MOST_GAMES):
        host = here.host("--json", "--bots", "1", seats=3, game=game)
        guest = here.join(host, "--json", name="Bea")
        people = [person(host), person(guest)]
        for command in (host, guest):
            command.type("ready")
        for command in (host, guest):
            assert command.wait(100) == 0, command
            assert command.errors == []
        for human in people:
            human.join()
            assert "error" not in {moment["moment"] for moment in human.moments}
            assert human.moments[-1]["verified"] is True
            missing -= human.typed.keys()
        assert_same_and_verified(here, "Ana", "Bea")
        if not missing:
            return
    raise AssertionError(f"nobody was asked to {missing}")


def test_people_in_line_mode_can_look_chat_and_ask_for_help(here: Machine) -> None:
    host = here.host(seats=2)
    guest = here.join(host, name="Bea")
    host.hear("Bea sits down")
    guest.type("'may I?")
    host.hear("Bea says: may I\\?")
    for command in (host, guest):
        command.type("ready")
    opener = host.hear("dice on the table, (you|Bea) opens?\\.")[1]
    asked, waiting = (host, guest) if opener == "you" else (guest, host)
    asked.hear("Your turn")
    for word, answer in (
        ("hand", "^Your dice: \\d, \\d, \\d, \\d, \\d\\.$"),
        ("look", "^10 dice on the table\\.$"),
        ("moves", "[Bb]id"),
        ("log", "^The game begins: "),
        ("help rules", "The end"),
        ("proof", "^Every message so far is signed by its peer"),
        ("nonsense", "nonsense.*To chat, start with '"),
    ):
        before = len(asked.lines)
        asked.type(word)
        asked.hear(answer, after=before)
    asked.type("1x2")
    waiting.hear("bids 1 two")
    waiting.type("leave", "y")
    assert waiting.wait() == 3
    leaver = "Ana" if waiting is host else "Bea"
    asked.hear(f"The game goes on without {leaver}, who left")
    assert asked.wait() == 0
    assert asked.heard("You are the last with dice|is the last with dice")


def test_time_that_runs_out_plays_for_a_person_who_does_not_answer(here: Machine) -> None:
    host = here.host("--option", "seconds=1", "--option", "dice=3", seats=2)
    guest = here.join(host, "--auto", name="Bea")
    host.type("ready")
    host.hear("Your turn")
    played = host.hear("Your time ran out: (.*)\\.")[1]
    deed = {"dudo": "doubts", "doubt": "doubts"}.get(played, "bids")
    guest.hear(f"Ana {deed}")
    host.type("leave", "y")
    assert [command.wait() for command in (host, guest)] == [3, 0]
