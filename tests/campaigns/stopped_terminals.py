"""A campaign: a terminal that takes no output, at the opener and at a guest, in the room and in the
game, in line mode and on the full screen.

Meanwhile the other one talks. It may never read that somebody is lost; and when the terminal goes
on, all that was said is there, and so is the game. Each is stopped for so many seconds:

    python tests/campaigns/stopped_terminals.py --seconds 30
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.clients.tmux import Server, server

MODES = ("plain", "full")
LOST = re.compile(r"is away|are away|says nothing|network is down|goes on without|left|called off")


class Table:
    """A host and a guest, each in its mode."""

    def __init__(self, terminals: Server, number: int, host: str, guest: str) -> None:
        game = ("host", "dudo", "--seats", "2", "--code", "123456", "--option", "seconds=0")
        self.modes = {"Ana": host, "Bea": guest}
        ana = terminals.open(*game, "--name", "Ana", "--table", f"T{number}", *_flags(host))
        where = re.search(r"127\.0\.0\.1:\d+", ana.see("127.0.0.1:"))
        assert where is not None
        bea = terminals.open("join", where[0], "--code", "123456", "--name", "Bea", *_flags(guest))
        ana.see("Bea sits down")
        self.panes = {"Ana": ana, "Bea": bea}
        self._said = 0

    def begin(self) -> None:
        for pane in self.panes.values():
            pane.type("ready")
        for pane in self.panes.values():
            pane.until(lambda screen: "you hold" in screen or "Your dice" in screen, "one's dice")

    def stop(self, name: str, seconds: float) -> None:
        """:raises AssertionError: if somebody was lost, or anything of what was said"""
        pane = self.panes[name]
        (other,) = (other for other in self.panes if other != name)
        with pane.stopped():
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                self._say(other)
                time.sleep(0.5)
                self._expect_nobody_lost(other)
        pane.see(f"remark {self._said}")
        self._say(name)
        self.panes[other].see(f"remark {self._said}")
        for seen in self.panes:
            self._expect_nobody_lost(seen)

    def _say(self, name: str) -> None:
        self._said += 1
        self.panes[name].type(f"'remark {self._said}")

    def _expect_nobody_lost(self, name: str) -> None:
        pane = self.panes[name]
        text = pane.history if self.modes[name] == "plain" else pane.look()
        assert not LOST.search(text), text

    def end(self) -> None:
        for pane in self.panes.values():
            pane.press("C-c")


def _flags(mode: str) -> tuple[str, ...]:
    return ("--plain",) if mode == "plain" else ()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    seconds = parser.parse_args(argv).seconds
    wrong = stops = 0
    with tempfile.TemporaryDirectory(prefix="sm") as folder, server(Path(folder)) as terminals:
        for number, mode in enumerate(MODES):
            table = Table(terminals, number, mode, mode)
            for place in ("room", "game"):
                if place == "game":
                    table.begin()
                for name in table.panes:
                    stops += 1
                    try:
                        table.stop(name, seconds)
                    except AssertionError as error:
                        wrong += 1
                        print(f"{mode}, {place}, {name}: {error}")
            table.end()
    print(f"{stops} terminals stopped for {seconds:g} s, wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
