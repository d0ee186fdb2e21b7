"""The `sobremesa` command in real terminals: panes of a tmux server of its own.

Rule 1: the server has its own socket and no configuration, and is ended with all its panes; what
ran in them keeps its seat on the way out, so nothing is cleared away before it is gone.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from support.processes.lan import Lan
from support.processes.machines import environment

from .stopped import go, stop

PATIENCE = 20.0
AVAILABLE = shutil.which("tmux") is not None
_PASSED_ON = ("PYTHON", "SOBREMESA", "LANLAB", "LANG", "LC_", "NO_COLOR")


class Pane:
    """One terminal and what runs in it."""

    def __init__(self, server: Server, name: str, pid_file: Path) -> None:
        self._server = server
        self._name = name
        self._pid_file = pid_file

    def look(self, *flags: str) -> str:
        """What is on the screen; with `-e`, as the terminal was told to draw it."""
        return self._server.tmux("capture-pane", "-p", "-t", self._name, *flags)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.look().splitlines()]

    def type(self, text: str) -> None:
        """Type a line and Enter."""
        self._server.tmux("send-keys", "-t", self._name, "-l", text)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        self._server.tmux("send-keys", "-t", self._name, *keys)

    def see(self, *texts: str) -> str:
        """Wait until these are on the screen; returns it."""
        for text in texts:
            self.until(partial(_shows, text), text)
        return self.look()

    def until(self, holds: Callable[[str], object], what: str) -> None:
        """:raises AssertionError: with the screen, if it does not hold in good time"""
        deadline = time.monotonic() + PATIENCE
        while not holds(screen := self.look()):
            assert time.monotonic() < deadline, f"never seen: {what}\n{screen}"
            time.sleep(0.05)

    @property
    def alternate(self) -> bool:
        """Whether a full-screen program has the terminal."""
        shown = self._server.tmux("display-message", "-p", "-t", self._name, "#{alternate_on}")
        return shown.strip() == "1"

    @property
    def history(self) -> str:
        """All that was ever on the screen, in line mode."""
        return self.look("-S", "-")

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Within, the terminal takes no output, as after Ctrl-S; afterwards as after Ctrl-Q."""
        path = self._server.tmux("display-message", "-p", "-t", self._name, "#{pane_tty}").strip()
        tty = os.open(path, os.O_RDWR | os.O_NOCTTY)
        try:
            stop(tty)
            yield
        finally:
            go(tty)
            os.close(tty)

    def close(self) -> None:
        """Close the window: what runs in it is hung up on."""
        self._server.tmux("kill-session", "-t", self._name)

    @property
    def pid(self) -> int:
        """The process of the command."""
        return int(self._pid_file.read_text())


class Server:
    """A tmux server; `open` starts a command in a terminal, on a host of a LAN if there is one."""

    def __init__(self, folder: Path, net: Lan | None = None) -> None:
        self._folder = folder
        self._net = net
        self._opened = 0

    def tmux(self, *words: str) -> str:
        socket = str(self._folder / "s")
        done = subprocess.run(
            ["tmux", "-u", "-S", socket, "-f", os.devnull, *words], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def home(self, name: str) -> Path:
        """Where somebody's files live."""
        return self._folder / name

    def open(
        self,
        *words: str,
        columns: int = 80,
        rows: int = 24,
        host: str = "",
        home: str = "",
        **more: str,
    ) -> Pane:
        """Start `sobremesa` with these words, on this host, with a home of its own or this one.
        When it ends, its status and the settings of the terminal are shown."""
        self._opened += 1
        name = f"p{self._opened}"
        pid_file = self._folder / f"{name}.pid"
        command = shlex.join(self._on(host, sys.executable, "-m", "sobremesa", *words))
        inner = shlex.quote(f"echo $$ > {pid_file}; exec {command}")
        script = f"sh -c {inner}; echo ended $?; stty -a; exec sleep 600"
        there = environment(self.home(home or f"home{self._opened}"), **more)
        variables = _passed_on(there if self._net is None else self._net.reaches_others(there))
        given = [word for pair in variables.items() for word in ("-e", "=".join(pair))]
        size = ("-x", str(columns), "-y", str(rows))
        self.tmux("new-session", "-d", "-s", name, *size, *given, script)
        return Pane(self, name, pid_file)

    def shell(self, *, home: str) -> Pane:
        """A terminal with a shell that has jobs, and nothing else."""
        variables = _passed_on(environment(self.home(home)))
        given = [word for pair in variables.items() for word in ("-e", "=".join(pair))]
        size = ("-x", "80", "-y", "24")
        shell = "env PS1='shell> ' bash --norc --noprofile -i"
        self.tmux("new-session", "-d", "-s", "shell", *size, *given, shell)
        return Pane(self, "shell", self._folder / "shell.pid")

    def _on(self, host: str, *command: str) -> list[str]:
        return list(command) if self._net is None else self._net.on(host, *command)


def _shows(text: str, screen: str) -> bool:
    return text in screen


def _passed_on(variables: Mapping[str, str]) -> dict[str, str]:
    """What a command needs; TERM is tmux's own."""
    return {key: value for key, value in variables.items() if key.startswith(_PASSED_ON)}


@contextmanager
def server(folder: Path, net: Lan | None = None) -> Iterator[Server]:
    """A tmux server whose panes are ended at the end. A socket's path must be short."""
    here = Server(folder, net)
    try:
        yield here
    finally:
        subprocess.run(
            ["tmux", "-S", str(folder / "s"), "kill-server"], capture_output=True, check=False
        )
        for pid_file in folder.glob("*.pid"):
            _await_end(int(pid_file.read_text()))


def _await_end(pid: int) -> None:
    """Wait until a process has ended; it is killed if it takes too long."""
    deadline = time.monotonic() + PATIENCE
    with suppress(ProcessLookupError):
        while True:
            os.kill(pid, signal.SIGKILL if time.monotonic() > deadline else 0)
            time.sleep(0.02)


def suggested_bid(screen: str) -> str | None:
    """The bid that Dudo proposes on this screen, if it asks for one."""
    bid = re.search(r"b (?:Raise|Bid): (\w+)", screen)
    return bid[1] if bid is not None else None


def play_dudo(pane: Pane) -> None:
    """Doubt whatever can be doubted, else bid what is proposed, to the end of the game."""
    deadline = time.monotonic() + 2 * PATIENCE
    while "game over" not in (screen := pane.look()):
        assert time.monotonic() < deadline, screen
        bid = suggested_bid(screen)
        if "d Dudo!" in screen:
            pane.type("dudo")
        elif bid is not None:
            pane.type(bid)
        time.sleep(0.15)


def colours(drawn: str) -> set[str]:
    """The colours that a drawing sets, as numbers of SGR sequences."""
    numbers = {
        number for codes in re.findall(r"\x1b\[([\d;:]*)m", drawn) for number in codes.split(";")
    }
    return {number for number in numbers if re.fullmatch(r"(3|4|9|10)[0-8]", number)}
