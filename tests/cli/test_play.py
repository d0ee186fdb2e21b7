"""From flags to a session."""

from __future__ import annotations

import asyncio
import io
import sys

import pytest

from sobremesa.cli.commands import lobby, play
from sobremesa.cli.draw.theme import Theme, theme_from
from sobremesa.cli.main import parser
from sobremesa.cli.session import network, shown
from sobremesa.cli.session.defaults import Preferences
from sobremesa.core.errors import LocalError
from sobremesa.net.tables import HasBegun


class Enough(LocalError):
    """The test has seen what it wants."""


@pytest.mark.parametrize(
    ("flags", "pace"), [([], 5.0), (["--slow"], 10.0), (["--slow", "--pace", "2"], 4.0)]
)
def test_slow_gives_twice_the_time_to_look(
    flags: list[str], pace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Preferences] = []

    def stop(args: object, preferences: Preferences) -> None:
        kept.append(preferences)
        raise Enough

    monkeypatch.setattr(play, "_play", stop)
    with pytest.raises(Enough):
        play.run(parser().parse_args(["play", "dudo", "--plain", *flags]))
    assert kept[0].pace == pace


def test_flags_before_a_command_hold_unless_they_are_given_again() -> None:
    before = ["--name", "Zoe", "--ascii", "--colors", "mono", "--bell", "off", "--slow"]
    args = parser().parse_args([*before, "play", "dudo"])
    assert (args.name, theme_from(args)) == ("Zoe", Theme(True, "mono", frozenset(), slow=True))
    args = parser().parse_args([*before, "host", "dudo", "--name", "Ana", "--colors", "2"])
    assert (args.name, theme_from(args)) == ("Ana", Theme(True, "2", frozenset(), slow=True))
    args = parser().parse_args(["join", "Kitchen"])
    assert (args.name, theme_from(args)) == ("", Theme())


@pytest.mark.parametrize(("flags", "pace"), [([], 5.0), (["--slow"], 10.0)])
def test_slow_counts_in_the_lobby_too(
    flags: list[str], pace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Preferences] = []

    def stop(games: object, preferences: Preferences, own: object) -> None:
        kept.append(preferences)
        raise Enough

    monkeypatch.setattr(play, "has_screen", lambda: True)
    monkeypatch.setattr(lobby, "Services", stop)
    with pytest.raises(Enough):
        play.run(parser().parse_args(flags))
    assert kept[0].pace == pace


def test_the_bots_that_are_asked_for_come_to_a_table_on_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: list[Preferences] = []

    async def stop(games: object, game: object, preferences: Preferences, **table: object) -> None:
        kept.append(preferences)
        raise Enough

    monkeypatch.setattr(network, "host", stop)
    args = parser().parse_args(["host", "dudo", "--plain", "--bot", "odds", "--bot", "ODDS, odds"])
    with pytest.raises(Enough):
        play.run(args)
    assert kept[0].bot_ids == ("odds", "odds", "odds")


@pytest.mark.parametrize(
    ("typed", "flags", "terminal", "looks_on"),
    [
        ("\n", [], True, True),
        ("y\n", ["--plain"], True, True),
        ("n\n", [], True, False),
        ("", [], True, False),  # the input has ended
        ("\n", [], False, False),  # a script
        ("\n", ["--auto"], True, False),
        ("\n", ["--plain", "--json"], True, False),
    ],
)
def test_who_wants_to_join_a_game_that_has_begun_may_look_on_with_one_key(
    typed: str,
    flags: list[str],
    terminal: bool,
    looks_on: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def begun(*args: object) -> None:
        raise HasBegun("Kitchen")

    seats: list[bool] = []

    async def watched(*args: object, seat: bool) -> None:
        seats.append(seat)

    def sit_down(sit: play.Sit, *args: object) -> int:
        asyncio.run(sit())  # type: ignore[arg-type]
        return 0

    stdin = io.StringIO(typed)
    monkeypatch.setattr(stdin, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(play, "_sit_down", sit_down)
    monkeypatch.setattr(network, "join", begun)
    monkeypatch.setattr(shown, "watch", watched)
    args = parser().parse_args(["join", "Kitchen", *flags])
    if looks_on:
        assert play.run(args) == 0
        assert seats == [True]
        assert "has begun. Look on" in capsys.readouterr().out
    else:
        with pytest.raises(HasBegun, match="sobremesa watch Kitchen --seat"):
            play.run(args)
        assert not seats
