"""Signals to real processes: stopped, frozen, killed, in the room and in the game."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes.machines import Command, Machine, machine

SOON = 3.0
"""Seconds in which a process that is told to stop must be gone."""

STATUS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path) as one:
        yield one


def stop(command: Command, number: signal.Signals) -> None:
    start = time.monotonic()
    command.send(number)
    assert command.wait() == STATUS[number], command
    assert time.monotonic() - start < SOON
    assert command.errors == []


def table(here: Machine, *, ready: bool) -> tuple[Command, Command, Command]:
    """Three people at a table: Ana, who opened it, Bea and Cai."""
    host = here.host("--option", "seconds=0", seats=3)
    guests = [here.join(host, name=name) for name in ("Bea", "Cai")]
    for guest in guests:
        guest.hear("3 of 3 seats taken|2 of 3 seats taken")
    host.hear("3 of 3 seats taken")
    if ready:
        for command in (host, *guests):
            command.type("ready")
        for command in (host, *guests):
            command.hear("The game begins")
            command.hear("Your dice")
    return host, guests[0], guests[1]


def first_to_move(host: Command) -> str:
    """Who opens the first round: the game waits for nobody else."""
    name = host.hear("dice on the table, (\\w+) opens?\\.")[1]
    return "Ana" if name == "you" else name


@pytest.mark.parametrize("number", STATUS)
def test_a_guest_that_is_stopped_in_the_room_frees_its_chair(
    here: Machine, number: signal.Signals
) -> None:
    host, bea, cai = table(here, ready=False)
    stop(cai, number)
    for command in (host, bea):
        command.hear("Cai .*left|Cai .*leaves|Cai .*gone|Cai .*up")
    stop(host, number)
    bea.hear("The opener closed the table")
    assert bea.wait() == 3


def all_leave(company: dict[str, Command]) -> None:
    """One after the other; the last one has won."""
    *leavers, last = company.items()
    for name, command in leavers:
        command.type("leave", "y")
        assert command.wait() == 3
        last[1].hear(f"(game goes|others go) on without {name}|{name} .*left. Only you", 10)
    last[1].type("1x2")  # it may have been asked before they left
    assert last[1].wait() == 0


@pytest.mark.parametrize("number", STATUS)
def test_a_peer_that_is_stopped_in_the_game_keeps_its_seat_and_comes_back(
    here: Machine, number: signal.Signals
) -> None:
    host, bea, cai = table(here, ready=True)
    stopped, name = (host, "Ana") if number == signal.SIGTERM else (cai, "Cai")
    dice = stopped.hear("Your dice: .*")[0]
    stop(stopped, number)
    assert stopped.lines[-1] == "Your seat at Kitchen is kept: sobremesa resume."
    others = [command for command in (host, bea, cai) if command is not stopped]
    for command in others:
        command.hear(f"{name} is away", 10)
    back = here.run("resume", "--plain", "--pace", "0", home=name)
    back.hear("You are back: Liar's Dice \\(Dudo\\) with")
    assert back.hear("Your dice: .*")[0] == dice
    for command in others:
        command.hear(f"{name} is back", 10)
    back.type("'I am back")
    for command in others:
        command.hear(f"{name} says: I am back")
    all_leave({"Ana": host, "Bea": bea, "Cai": cai, name: back})
    assert not list(here.folder.glob("*/tables/*"))


def test_who_quits_keeps_the_seat_and_gives_it_up_only_when_it_says_so(here: Machine) -> None:
    company = dict(zip(("Ana", "Bea", "Cai"), table(here, ready=True), strict=True))
    name = first_to_move(company["Ana"])
    seat = company.pop(name)
    resume = ("resume", "--plain", "--pace", "0")
    in_use = here.run(*resume, home=name)
    assert in_use.wait() == 2
    assert "Kitchen is open in another window here: close that one first" in in_use.errors[0]
    seat.type("exit")
    seat.hear("Go away?")
    seat.type("y")
    assert seat.wait() == 3
    assert seat.lines[-1] == "Your seat at Kitchen is kept: sobremesa resume."
    wrong = here.run(*resume, "Cellar", home=name)
    assert wrong.wait() == 2
    found = re.search(
        r"Kitchen: Liar's Dice \(Dudo\) with (\w+) and (\w+), left just now", wrong.errors[0]
    )
    assert found is not None
    assert set(found.groups()) == set(company)  # in the order of the table's chairs, which is drawn
    lobby = here.run(home=name)
    lobby.hear("You have a seat at Kitchen")
    lobby.type("q")
    assert lobby.wait() == 0
    no = here.run("resume", "--forget", "Kitchen", home=name)
    no.type("n")
    assert no.wait() == 0
    assert len(list(here.folder.glob(f"{name}/tables/*"))) == 1
    forget = here.run("resume", "--forget", "1", home=name)
    forget.type("y")
    assert forget.wait() == 0
    assert forget.lines[-1] == "It is given up, and the others were told."
    for command in company.values():
        command.hear(f"(game goes|others go) on without {name}", 10)
    all_leave(company)
    assert not list(here.folder.glob("*/tables/*"))


def test_a_game_alone_is_kept_too(here: Machine) -> None:
    first = here.run("play", "dudo", "--plain", "--pace", "0", "--bots", "1")
    first.hear("Your turn")
    dice = first.hear("Your dice: .*")[0]
    first.kill()
    back = here.run("resume", "--plain", "--pace", "0")
    assert back.hear("Your dice: .*")[0] == dice
    back.hear("Your turn")
    back.type("leave", "y")
    assert back.wait() == 3
    none = here.run("resume", "--plain")
    assert none.wait() == 2
    assert "no seat is kept here" in none.errors[0]


def test_a_peer_that_was_frozen_comes_back_to_the_same_game(here: Machine) -> None:
    host = here.host("--auto", "--pace", "0.1", "--option", "dice=3", seats=3)
    guests = [here.join(host, "--auto", "--pace", "0.1", name=name) for name in ("Bea", "Cai")]
    guests[0].hear("Round 1")
    guests[1].send(signal.SIGSTOP)
    for command in (host, guests[0]):
        command.hear("Cai is away", 10)
    guests[1].send(signal.SIGCONT)
    for command in (host, guests[0]):
        command.hear("Cai is back", 10)
    for command in (host, *guests):
        assert command.wait() == 0, command
        assert command.errors == []
    assert len({here.transcript(name).read_bytes() for name in ("Ana", "Bea", "Cai")}) == 1


def test_when_the_opener_is_killed_the_others_keep_the_table_and_chat(here: Machine) -> None:
    host, bea, cai = table(here, ready=True)
    host.kill()
    for command in (bea, cai):
        command.hear("Ana is away", 10)
    bea.type("'what now?")
    cai.hear("Bea says: what now\\?")
    cai.type("'we wait")
    bea.hear("Cai says: we wait")
    assert not bea.ended
    assert not cai.ended
    back = here.run("resume", "--plain", home="Ana")
    back.hear("You are back")
    for command in (bea, cai):
        command.hear("Ana is back", 10)
