"""What goes wrong before one sits at a table: one line on stderr, and the right exit status."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes.machines import CODE, Command, Machine, address, machine

USAGE = 2


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path) as one:
        yield one


def assert_refused(command: Command, why: str, status: int = USAGE) -> None:
    assert command.wait() == status, command
    assert len(command.errors) == 1, command
    assert why in command.errors[0]
    assert command.lines == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("host chess", "no game is called 'chess'; installed here: "),
        ("host dudo --option jokers=2", "has no option 'jokers' (it has: dice, palifico)"),
        ("host dudo --option dice=4", "option dice must be one of 5, 3 (you gave '4')"),
        ("host dudo --option dice", "an option is KEY=VALUE (you gave 'dice')"),
        ("host dudo --option seconds=soon", "option seconds must be 0 to 3600 seconds"),
        ("host dudo --seats 9", "is for 2 to 8 players: --seats says 9"),
        ("host dudo --seats 3 --bots 3", "of 3 chairs 0 to 2 can be for bots (you gave 3)"),
        ("host dudo --code abc", "a code is 6 or 8 digits"),
        ("join " + "x" * 70 + ":1", "There is no machine called xxx"),
        ("join 127.0.0.1:1", "Nobody listens at 127.0.0.1:1"),
        ("join Kitchen", "Discovery is switched off"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(here: Machine, words: str, why: str) -> None:
    assert_refused(here.run(*words.split(), "--plain"), why)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("rules", "Cinco Vidas"), "Cinco Vidas"),
        (("rules", "five_alive"), "5 Alive"),
        (("rules", " CIN "), "Cinco Vidas"),
        (("rules", "ｄｕｄｏ"), "Liar's Dice"),
        (("rules", "liar’s"), "Liar's Dice"),
        (("games", "--check", "dud", "--help"), "usage"),
    ],
)
def test_games_are_called_as_people_write_them(
    here: Machine, words: tuple[str, ...], title: str
) -> None:
    command = here.run(*words)
    assert command.wait() == 0, command
    assert title in "\n".join(command.lines[:3])


def test_an_address_with_a_blank_behind_it_is_an_address(here: Machine) -> None:
    assert_refused(here.run("join", "127.0.0.1:1 ", "--plain"), "Nobody listens at 127.0.0.1:1")


def test_whoever_is_called_otherwise_than_they_wrote_hears_of_it(here: Machine) -> None:
    command = here.run("play", "dudo", "--plain", "--pace", "0", "--name", "'()'")
    command.hear("You are called Player here")
    command.process.terminate()
    command.wait()


def test_a_port_that_is_taken_is_named(here: Machine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = here.run("host", "dudo", "--plain", "--port", str(port))
        assert_refused(command, f"Port {port} is taken by another program")


def test_whoever_is_not_let_in_is_told_why(here: Machine) -> None:
    host = here.host("--bots", "1", seats=3)
    join = ("join", address(host), "--plain", "--name")
    assert_refused(here.run(*join, "Bea"), "wants the code on the opener's screen")
    assert_refused(here.run(*join, "Bea", "--code", "999999"), "That is not the table's code")
    bea = here.join(host, name="Bea")
    host.hear("Bea sits down")
    assert_refused(here.run(*join, "Cai", "--code", CODE), "Table full (3/3)")
    for command in (host, bea):
        command.type("ready")
    bea.hear("The game begins")
    assert_refused(here.run(*join, "Cai", "--code", CODE), "The game at Kitchen has begun")


def test_a_stranger_on_the_port_is_not_taken_for_a_table(here: Machine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = here.run("join", f"127.0.0.1:{port}", "--plain")
        with other.accept()[0] as connection:
            connection.sendall(b"220 mail.example ESMTP\r\n")
            assert_refused(command, f"What listens at 127.0.0.1:{port} is no Sobremesa table")
