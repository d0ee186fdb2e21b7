"""What `verify` says of bots, of games that were played by the command that people type."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.games.packages import Environment
from support.processes.commands import Commands

from sobremesa.cli.commands.records import speak_bot
from sobremesa.core.game import Bot
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.bots import BotPlay
from sobremesa.core.replica.table import Table
from sobremesa.net import alone
from sobremesa.net.identity import Identity

QUICK = ("--auto", "--plain", "--pace", "0", "--bots", "3", "--save", "game")
GAMES = ("dudo", "house-of-jokers", "intriga")


@pytest.fixture
def sobremesa(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Commands:
    """Its games alone begin with secrets that are always the same."""
    monkeypatch.setattr(alone, "os", SimpleNamespace(urandom=bytes))
    monkeypatch.setattr("sobremesa.net.store.secrets", SimpleNamespace(token_bytes=bytes))
    monkeypatch.setattr(Identity, "fresh", lambda: Identity(bytes(32)))
    return Commands(tmp_path, capsys)


def told(sobremesa: Commands) -> list[str]:
    """What is said of the bots of a game that holds."""
    ran = sobremesa.run("verify", "game")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0].startswith("game: verified. ")
    return [line for line in ran.lines if "(bot " in line]


@pytest.mark.parametrize("game", GAMES)
def test_verify_says_of_every_bot_that_it_moved_by_itself(sobremesa: Commands, game: str) -> None:
    assert sobremesa.run("play", game, *QUICK).status == 0
    lines = told(sobremesa)
    assert [line.split()[0] for line in lines] == ["Bento", "Dora", "Edu"]
    for line in lines:
        assert re.search(r" moved by itself: (\d+) of \1 answers are its own\.$", line), line


class Person:
    """Sits down at a bot's seat for a while: gives so many answers that are not the bot's."""

    def __init__(self, patch: pytest.MonkeyPatch, seat: Seat, most: int) -> None:
        self.at: list[int] = []
        """The steps at which it answered."""
        choose = Table.bot_answer

        def answer(table: Table, bot: Bot[Any], seat_: Seat, question: Question) -> Answer:
            own = choose(table, bot, seat_, question)
            if seat_ == seat and len(self.at) < most:
                for other in question.answers(table.faces(seat)):
                    if other != own:
                        self.at.append(table.step)
                        return other
            return own

        patch.setattr(Table, "bot_answer", answer)


OTHERWISE = (
    "this machine's bot answers otherwise (a person may have chosen, or another version of the bot)"
)


@pytest.mark.parametrize("game", GAMES)
def test_verify_tells_which_answer_a_person_gave_for_a_bot(sobremesa: Commands, game: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        person = Person(patch, "Dora", 1)
        assert sobremesa.run("play", game, *QUICK).status == 0
    bento, dora, edu = told(sobremesa)
    found = re.fullmatch(r"Dora \(bot .+\): (\d+) of (\d+) answers are its own; at step (.+)", dora)
    assert found is not None
    own, answers, rest = found.groups()
    assert int(own) == int(answers) - 1
    assert rest == f"{person.at[0]} {OTHERWISE}."
    assert all("moved by itself" in line for line in (bento, edu))


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (BotPlay("Max", "hard", True, 1, (), ()), " moved by itself: 1 of 1 answers are its own."),
        (BotPlay("Max", "hard", True, 0, (), ()), " was never left a choice."),
        (BotPlay("Max", "hard", True, 9, (4, 6), ()),
         f": 7 of 9 answers are its own; at steps 4 and 6 {OTHERWISE}."),
        (BotPlay("Max", "hard", True, 9, (1, 2, 3, 4, 5, 6), (8,)),
         f": 2 of 9 answers are its own; at 6 steps {OTHERWISE}; at step 8 it breaks on this "
         "machine."),
    ],
)  # fmt: skip
def test_steps_are_named_if_they_are_few(play: BotPlay, said: str) -> None:
    assert speak_bot(play) == f"Max (bot hard){said}"


MORE = """
from sobremesa import Bot
def first(seen, question, pick):
    {}
@hookimpl
def sobremesa_bots():
    return (("dudo", Bot("first", "Thinks little", first)),)
"""


def test_of_a_bot_that_another_package_added_verify_tells_nothing_and_runs_none_of_it(
    sobremesa: Commands, tmp_path: Path
) -> None:
    added = "no bot of the game's own package, so nobody can tell whether it chose."
    with pytest.MonkeyPatch.context() as patch:
        Environment(tmp_path / "there", patch).install(
            "more", MORE.format("return question.default")
        )
        assert sobremesa.run("play", "dudo", *QUICK, "--bot", "odds,first").status == 0
        here = told(sobremesa)
    assert here == told(sobremesa), "whether that package is here or not"
    bento, dora, edu = here
    assert "moved by itself" in dora
    assert [bento, edu] == [f"{name} (bot first): {added}" for name in ("Bento", "Edu")]


def test_a_machine_with_the_same_secrets_plays_the_same_game_again(
    sobremesa: Commands,
) -> None:
    """Nothing that its bots do, the own seat's included, comes from anywhere else."""
    for name in ("one", "other"):
        assert sobremesa.run("play", "dudo", *QUICK[:-1], name).status == 0
        (sobremesa.folder / "home").rename(sobremesa.folder / f"home of {name}")
    one, other = ((sobremesa.folder / name).read_bytes() for name in ("one", "other"))
    assert one == other
