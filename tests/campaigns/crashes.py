"""Kills peers again and again in games of real processes, has each come back or not, and sees
whether all who are left end with the same game and it verifies.

    python tests/campaigns/crashes.py                     # five games, each peer, every 5th message
    python tests/campaigns/crashes.py --every 1 dudo
    python tests/campaigns/crashes.py --all dudo          # all three peers die in the same game
    python tests/campaigns/crashes.py --for-good dudo     # nobody comes back

A peer dies (kill -9) when its n-th message of the game is on the disk, by turns before and after it
goes out, and comes back by `resume`; or it does not, and each death takes a game of its own, in
which the others wait for the shortest patience. A start that somebody died in is called off by the
others, so the first death is after it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.processes.machines import Command, Machine, machine  # noqa: E402

from sobremesa.core.replica.charter import LEAST_PATIENCE  # noqa: E402
from sobremesa.plugins.loader import load_games  # noqa: E402

NAMES = ("Ana", "Bea", "Cai")
FIRST = 3
"""The first message that somebody dies of: the signature and what follows at once come before."""
WHOLE_GAME = 1200.0
KILLED = -9
OPTIONS = {"dudo": ("--option", "dice=3"), "five-alive": ("--option", "sudden_death=on")}
"""Short games: they crash as well as long ones."""
IMPATIENT = ("--option", f"patience={LEAST_PATIENCE}")


@dataclass(slots=True)
class Life:
    """One peer, killed at every message of `points` and back each time, or gone `for_good`."""

    here: Machine
    name: str
    points: Iterator[str]
    command: Command
    for_good: bool = False
    deaths: int = 0

    def look(self) -> int | None:
        """Come back if we have died; the exit status of the last life, None while one goes on."""
        status = self.command.process.poll()
        if status != KILLED:
            return status
        self.deaths += 1
        if self.for_good:
            return status
        self.command = self.here.run(
            *("resume", "--plain", "--auto", "--pace", "0"),
            *("--save", str(self.here.transcript(self.name))),
            home=self.name,
            SOBREMESA_CRASH_AT=next(self.points, ""),
        )
        return None


@dataclass(slots=True)
class Totals:
    """What came of some games; `wrong` says of each bad one what."""

    games: int = 0
    deaths: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


def crash_points(first: int, every: int) -> Iterator[str]:
    """Every so many messages, by turns before and after it has gone out."""
    return (f"{at}{'+' * (turn % 2)}" for turn, at in enumerate(count(first, every)))


def crash(
    folder: Path, game: str, points: dict[str, Iterator[str]], *, for_good: bool = False
) -> tuple[int, str]:
    """One game of three peers in which these die at these points. How many died, and what is
    wrong."""
    with machine(folder) as here:
        commands = [
            here.host(
                *("--auto", *OPTIONS.get(game, ()), *(IMPATIENT if for_good else ())),
                seats=len(NAMES),
                game=game,
                SOBREMESA_CRASH_AT=next(points.get(NAMES[0], iter(())), ""),
            )
        ]
        for name in NAMES[1:]:
            at = next(points.get(name, iter(())), "")
            commands.append(here.join(commands[0], "--auto", name=name, SOBREMESA_CRASH_AT=at))
        lives = [
            Life(here, name, points.get(name, iter(())), command, for_good)
            for name, command in zip(NAMES, commands, strict=True)
        ]
        deadline = time.monotonic() + WHOLE_GAME
        while (statuses := [life.look() for life in lives]).count(None):
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        left = [life for life, status in zip(lives, statuses, strict=True) if status != KILLED]
        return sum(life.deaths > 0 if for_good else life.deaths for life in lives), _judge(
            here, left
        )


def _judge(here: Machine, lives: Sequence[Life]) -> str:
    """What is wrong with a game that came to its end for these, or nothing."""
    statuses = [life.command.process.poll() for life in lives]
    if any(status != 0 for status in statuses):
        return f"ended with {statuses}: " + "\n".join(str(life.command) for life in lives)
    first, *others = [here.transcript(life.name) for life in lives]
    if any(other.read_bytes() != first.read_bytes() for other in others):
        return "the transcripts differ"
    check = here.run("verify", str(first))
    if check.wait(WHOLE_GAME) != 0:
        return f"does not verify: {check}"
    left = [path for life in lives for path in here.folder.glob(f"{life.name}/tables/*")]
    return f"left on the disk: {left}" if left else ""


def campaign(games: Sequence[str], every: int, *, together: bool = False) -> Totals:
    """Games in which each peer in turn dies at every so many of its messages, or all `together`."""
    totals = Totals()
    for game in games:
        for dying in [NAMES] if together else [(name,) for name in NAMES]:
            points = {name: crash_points(FIRST + n, every) for n, name in enumerate(dying)}
            _play(totals, game, points, " and ".join(dying))
    return totals


def campaign_for_good(games: Sequence[str], every: int) -> Totals:
    """Games in which a peer dies at one message and is not back: each peer in turn, at every so
    many of its messages, until it has no more of them."""
    totals = Totals()
    for game in games:
        for name in NAMES:
            for at in crash_points(FIRST, every):
                if not _play(totals, game, {name: iter([at])}, f"{name} at {at}", for_good=True):
                    break
    return totals


def _play(
    totals: Totals, game: str, points: dict[str, Iterator[str]], who: str, *, for_good: bool = False
) -> int:
    """One game, counted and told of. How many died."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        deaths, wrong = crash(Path(folder), game, points, for_good=for_good)
    seconds = time.monotonic() - start
    totals.games += 1
    totals.deaths += deaths
    totals.seconds += seconds
    verdict = wrong or "all the same, verified"
    print(f"{game}, {who}: {deaths} deaths, {seconds:.0f} s, {verdict}", flush=True)
    if wrong:
        totals.wrong.append(f"{game}, {who}: {wrong}")
    return deaths


def main() -> int:
    """Run the campaign; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--every", type=int, default=5, metavar="K")
    parser.add_argument("--all", action="store_true", help="all peers die in the same game")
    parser.add_argument("--for-good", action="store_true", help="who dies does not come back")
    args = parser.parse_args()
    games = args.games or list(load_games().games)
    if args.for_good:
        totals = campaign_for_good(games, args.every)
    else:
        totals = campaign(games, args.every, together=args.all)
    print(
        f"{totals.games} games, {totals.deaths} deaths, {totals.seconds:.0f} s, "
        f"{len(totals.wrong)} wrong"
    )
    return 1 if totals.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
