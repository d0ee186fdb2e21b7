"""The `sobremesa` command as real processes on loopback, and people who type into it.

Rule 1: every process that is started is ended, and waited for.
Rule 2: what a process prints is read as it comes, so that no pipe fills.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).resolve().parents[3]
CODE = "123456"
PATIENCE = 30.0
SOBREMESA = (sys.executable, "-m", "sobremesa")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a process that plays on this machine only."""
    return {
        **os.environ,
        "SOBREMESA_HOME": str(home),
        "SOBREMESA_LOOPBACK": "1",
        "SOBREMESA_NO_MDNS": "1",
        "PYTHONHASHSEED": "1",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "TERM": "dumb",
        **more,
    }


class Command:
    """A running command. `lines` is what it printed so far, `errors` what it complained."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            env=dict(environment),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=1,
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.heard_at: list[float] = []
        """When each line came, in seconds of the monotonic clock."""
        self._news = Condition()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._readers = [
            Thread(target=self._read, args=(self.process.stdout, self._hear), daemon=True),
            Thread(target=self._read, args=(self.process.stderr, self.errors.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[str], keep: Callable[[str], None]) -> None:
        for line in stream:
            with self._news:
                keep(line.rstrip("\n"))
                self._news.notify_all()

    def _hear(self, line: str) -> None:
        self.lines.append(line)
        self.heard_at.append(time.monotonic())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def type(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self, pattern: str, seconds: float = PATIENCE, after: int = 0) -> re.Match[str]:
        """Wait for a line, from the one numbered `after` on, in which this is found."""
        deadline = time.monotonic() + seconds
        at = after
        while True:
            with self._news:
                while at >= len(self.lines):
                    left = deadline - time.monotonic()
                    if left <= 0 or (self.ended and not self._readers[0].is_alive()):
                        raise AssertionError(f"not heard in {seconds:g} s: {pattern}; {self}")
                    self._news.wait(min(left, 0.2))
                found = re.search(pattern, self.lines[at])
            if found:
                return found
            at += 1

    def heard(self, pattern: str) -> bool:
        """Whether a line was printed in which this is found."""
        return any(re.search(pattern, line) for line in list(self.lines))

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for its end; the exit status."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not ended in {seconds:g} s: {self}") from None
        for reader in self._readers:
            reader.join(5)
        return status

    def kill(self) -> None:
        """End it, whatever it does."""
        if not self.ended:
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue  # what was typed last is read by nobody

    def __str__(self) -> str:
        out = "\n  ".join(self.lines[-15:])
        return f"status {self.process.poll()}\n  {out}\n  stderr: {self.errors[-15:]}"


class Human:
    """Somebody who types at a command in JSON lines: moves when asked, and whatever else.

    `thinking` is how many seconds a move takes, and `typed` counts the moves by their kinds.
    """

    def __init__(self, command: Command, thinking: float = 0.0) -> None:
        self.command = command
        self.thinking = thinking
        self.moments: list[dict[str, Any]] = []
        self.typed: Counter[str] = Counter()
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        for number in itertools.count():
            try:
                self.command.hear("", after=number)
            except AssertionError:
                return
            moment = json.loads(self.command.lines[number])
            self.moments.append(moment)
            if moment["moment"] == "asked":
                time.sleep(self.thinking)
                self.command.type(self.choose(moment["question"]))
            elif moment["moment"] == "over":
                return

    def choose(self, question: dict[str, Any]) -> str:
        """A legal move, of the kind typed least so far; cards are called by their places and by
        their faces in turn."""
        ways = {move["id"]: _ways_to_type(move, question["default"]) for move in question["moves"]}
        kind = min((kind for kind in ways if ways[kind]), key=self.typed.__getitem__)
        way = self.typed[kind] % len(ways[kind])
        self.typed[kind] += 1
        return ways[kind][way]

    def join(self) -> None:
        self._thread.join(PATIENCE)


def _ways_to_type(move: dict[str, Any], default: str) -> list[str]:
    """What may be typed for a move, as far as its question tells; nobody gives up."""
    if move["disabled"] is not None or move["id"] == "give_up":
        return []
    first, has_fields, _ = move["notation"].partition("{")
    if not has_fields:
        return [first]
    by_face = default if first and default.startswith(first) else ""
    return [text for text in (move["hint"], by_face) if text]


class Machine:
    """Starts commands, each with a home below `folder`, and ends what is left of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands: list[Command] = []

    def run(self, *words: str, home: str = "home", **more: str) -> Command:
        """Start `sobremesa` with these words."""
        command = Command([*SOBREMESA, *words], environment(self.folder / home, **more))
        self.commands.append(command)
        return command

    def transcript(self, name: str) -> Path:
        return self.folder / f"{name}.transcript"

    def host(
        self, *words: str, name: str = "Ana", seats: int = 4, game: str = "dudo", **more: str
    ) -> Command:
        """Open a table; returns when it listens."""
        command = self.run(
            *("host", game, "--seats", str(seats), "--plain", "--pace", "0"),
            *("--name", name, "--code", CODE, "--table", "Kitchen"),
            *("--save", str(self.transcript(name)), *words),
            home=name,
            **more,
        )
        command.hear("127\\.0\\.0\\.1:\\d+")
        return command

    def join(self, host: Command, *words: str, name: str, **more: str) -> Command:
        """Join a table by its address."""
        return self.run(
            *("join", address(host), "--plain", "--pace", "0", "--name", name, "--code", CODE),
            *("--save", str(self.transcript(name)), *words),
            home=name,
            **more,
        )

    def end(self) -> None:
        for command in self.commands:
            command.kill()


def address(host: Command) -> str:
    """The address that an opener's screen shows."""
    return host.hear("127\\.0\\.0\\.1:\\d+")[0]


@contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """A machine whose processes are ended at the end."""
    here = Machine(folder)
    try:
        yield here
    finally:
        here.end()
