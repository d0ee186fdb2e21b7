"""Games on the hosts of a LAN, the seats played by bots or by people who type, and what a fault
does to them: banners, how long moves take, and whether all ended with the same transcript.

Rule 1: a game that cannot end in time is a failure that says where each peer stands.
"""

from __future__ import annotations

import itertools
import json
import signal
import statistics
import subprocess
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.processes.lan import Lan, lan
from support.processes.machines import CODE, SOBREMESA, Command, Human

from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.transcript import read_transcript
from sobremesa.plugins.loader import load_games

TABLE = "Kitchen"
TROUBLE = ("warn", "bad")
MOVES = ("bid", "dudo", "exact")


@dataclass(frozen=True)
class Outcome:
    """What came of a game for those who ended it. `banners` counts those that said somebody was
    away, `notices` are those of trouble; `departures` is without whom it went on, by the record;
    `move_p50` and `move_p95` are seconds from one move to the next, as the first host saw them."""

    statuses: tuple[int, ...]
    same: bool
    verified: bool
    departures: tuple[str, ...]
    banners: int
    notices: tuple[str, ...]
    errors: tuple[str, ...]
    move_p50: float
    move_p95: float
    steps: int

    @property
    def right(self) -> bool:
        """Ended as it should, on every host the same."""
        return not any(self.statuses) and self.same and self.verified and not self.errors


class LanGame:
    """One table on hosts h1 … hN; h1 opens it. Each host may hold more than one player."""

    def __init__(
        self,
        net: Lan,
        folder: Path,
        *,
        pace: float = 0.0,
        thinking: float | None = None,
        game: str = "dudo",
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        self.net = net
        self.folder = folder
        self.pace = pace
        self.game = game
        self.options = {**({"dice": 3} if game == "dudo" else {}), **(options or {})}
        self.thinking = thinking
        """Seconds that people take for a move; None: bots play the seats."""
        self.players: list[Command] = []
        self.people: list[Human] = []
        self.watchers: list[Command] = []

    def _command(self, name: str, host: str, *words: str) -> Command:
        home = self.folder / name
        environment = {
            **self.net.environment,
            "SOBREMESA_HOME": str(home),
            "SOBREMESA_LOG": str(self.folder / f"{name}.log"),
            "PYTHONHASHSEED": str(len(self.players)),
            "PYTHONUTF8": "1",
        }
        flags = ("--plain", "--json", "--name", name, "--code", CODE, "--pace", str(self.pace))
        return Command(self.net.on(host, *SOBREMESA, *words, *flags), environment)

    def _start(self, host: str, *words: str) -> Command:
        auto = ("--auto",) if self.thinking is None else ()
        save = ("--save", str(self.file(len(self.players))))
        command = self._command(f"P{len(self.players) + 1}", host, *words, *auto, *save)
        self.players.append(command)
        if self.thinking is not None:
            self.people.append(Human(command, self.thinking))
            command.type("ready")
        return command

    def file(self, player: int) -> Path:
        return self.folder / f"{player}.transcript"

    def host(self, seats: int, *words: str, on: str = "h1") -> Command:
        """Open the table; returns when it listens."""
        settings = {"seconds": 0, **self.options}
        options = [word for key, it in settings.items() for word in ("--option", f"{key}={it}")]
        command = self._start(
            on, "host", self.game, "--seats", str(seats), "--table", TABLE, *options, *words
        )
        command.hear('"moment": "room')
        return command

    def join(self, on: str, where: str = TABLE) -> Command:
        """Find the table by its name, or join it at an address."""
        return self._start(on, "join", where)

    def watch(self, on: str, where: str = TABLE) -> Command:
        """Look on at the table, which is found by its name or at an address."""
        command = self._command(f"W{len(self.watchers) + 1}", on, "watch", where)
        self.watchers.append(command)
        return command

    def wait_for_start(self) -> None:
        for player in self.players:
            player.hear('"moment": "started"')

    def hurry(self) -> None:
        """From now on people move at once."""
        for human in self.people:
            human.thinking = 0.0

    def pid(self, player: int) -> int:
        """The process of the player itself, below the tool that put it on its host."""
        return _innermost(self.players[player].process.pid)

    def signal(self, player: int, number: signal.Signals) -> None:
        subprocess.run(["kill", f"-{number.value}", str(self.pid(player))], check=True)

    def part(self, *groups: Iterable[int]) -> None:
        """Let each group of players, one a host, reach itself alone."""
        hosts = [",".join(f"h{player + 1}" for player in group) for group in groups]
        self.net.lab("partition", *hosts)

    def marks(self) -> list[int]:
        """How much each player has printed, to wait for what comes after."""
        return [len(player.lines) for player in self.players]

    def wait_for_banner(self, who: Iterable[int], after: list[int], seconds: float = 15) -> None:
        """Until these players are told that somebody is away."""
        for index in who:
            self.players[index].hear(
                '"moment": "absent", "absences": \\[\\{', seconds, after[index]
            )

    def wait_until_back(self, after: list[int], seconds: float = 20) -> float:
        """Until nobody has a banner any more that came up since; the seconds it took."""
        start = time.monotonic()
        deadline = start + seconds
        while any(self._banner(i, mark) for i, mark in enumerate(after)):
            if time.monotonic() > deadline:
                raise AssertionError(f"not back in {seconds:g} s:\n{self}")
            time.sleep(0.02)
        return time.monotonic() - start

    def _banner(self, player: int, after: int) -> bool:
        """Whether the player is told now that somebody is away."""
        lines = [x for x in self.players[player].lines[after:] if '"moment": "absent"' in x]
        return bool(lines) and bool(json.loads(lines[-1])["absences"])

    def finish(self, seconds: float = 90, without: Collection[int] = ()) -> Outcome:
        """Let the game come to its end, `without` players whom it has lost."""
        deadline = time.monotonic() + seconds
        statuses = []
        staying = [i for i in range(len(self.players)) if i not in without]
        players = [self.players[i] for i in staying]
        for player in players:
            try:
                statuses.append(player.wait(max(0.1, deadline - time.monotonic())))
            except AssertionError:
                raise AssertionError(f"the game does not end:\n{self}") from None
        for i in staying[: len(self.people)]:
            self.people[i].join()
        files = {self.file(i).read_bytes() for i in staying}
        report = audit(next(iter(files)), lambda charter: load_games([]).find(charter.game))
        moments = [json.loads(line) for player in players for line in player.lines]
        gaps = self._gaps()
        gaps = gaps if len(gaps) > 1 else [0.0, 0.0]
        return Outcome(
            statuses=tuple(statuses),
            same=len(files) == 1,
            verified=report.ok,
            departures=tuple(one.name for one in report.departures),
            banners=sum(m["moment"] == "absent" and bool(m["absences"]) for m in moments),
            notices=tuple(
                m["text"] for m in moments if m["moment"] == "notice" and m["role"] in TROUBLE
            ),
            errors=(
                *(line for player in players for line in player.errors),
                *(m["text"] for m in moments if m["moment"] == "error"),
            ),
            move_p50=statistics.median(gaps),
            move_p95=statistics.quantiles(gaps, n=20)[-1],
            steps=len(list(read_transcript(next(iter(files)))[1])),
        )

    def longest_pause(self, after: list[int]) -> float:
        """The most seconds between two things that a player was told since."""
        pauses = [
            later - earlier
            for player, mark in zip(self.players, after, strict=True)
            for earlier, later in itertools.pairwise(player.heard_at[mark - 1 :])
        ]
        return max(pauses)

    def _gaps(self) -> list[float]:
        """Seconds between two moves of one round."""
        first = self.players[0]
        gaps: list[float] = []
        last: float | None = None
        for line, at in zip(first.lines, first.heard_at, strict=True):
            moment: dict[str, Any] = json.loads(line)
            if moment["moment"] != "told":
                continue
            if moment["event"]["kind"] == "round":
                last = None
            elif moment["event"]["kind"] in MOVES:
                if last is not None:
                    gaps.append(at - last)
                last = at
        return gaps

    def __str__(self) -> str:
        return "\n".join(f"P{i + 1}: {str(p)[-1500:]}" for i, p in enumerate(self.players))

    def end(self) -> None:
        for command in (*self.players, *self.watchers):
            # The tool's own process ends with the one that it started.
            if not command.ended:
                subprocess.run(["kill", "-9", str(_innermost(command.process.pid))])
            command.kill()


def _innermost(pid: int) -> int:
    """The process at the end of a chain that each started one."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = int(children[0])
    return pid


@contextmanager
def lan_game(
    hosts: int,
    folder: Path,
    *,
    pace: float = 0.0,
    thinking: float | None = None,
    game: str = "dudo",
    options: Mapping[str, str | int] | None = None,
) -> Iterator[LanGame]:
    """A LAN with a table to be opened; all of it is gone at the end."""
    with lan(hosts) as net:
        table = LanGame(net, folder, pace=pace, thinking=thinking, game=game, options=options)
        try:
            yield table
        finally:
            table.end()


def started(game: LanGame, hosts: int, *, seats: int | None = None) -> LanGame:
    """A game of one player a host, joined by the table's name, that has begun."""
    game.host(seats or hosts)
    for number in range(2, hosts + 1):
        game.join(f"h{number}")
    game.wait_for_start()
    return game
