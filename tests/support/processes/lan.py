"""A LAN of network namespaces for tests: hosts, faults, and programs that run on them.

It drives the `lanlab` tool, found by SOBREMESA_LANLAB or beside the checkout. Each `lan(n)` is a
lab of its own and is always taken down.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
PEER = Path(__file__).with_name("lan_peer.py")
_labs = itertools.count()


def lanlab() -> Path:
    """The tool; skips the test with the reason if it cannot be used here."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    given = os.environ.get("SOBREMESA_LANLAB")
    tool = Path(given) if given else ROOT.parent / "shared" / "tools" / "lanlab"
    if not tool.exists():
        pytest.skip(f"no lanlab at {tool} (set SOBREMESA_LANLAB)")
    return tool


class Program:
    """A program on a host. What it prints, a JSON object a line, is read as it comes."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: Queue[str | None] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def line(self, seconds: float) -> dict[str, Any]:
        """The next line; fails if there is none in time."""
        try:
            text = self._lines.get(timeout=seconds)
        except Empty:
            raise AssertionError(f"nothing was printed in {seconds} s") from None
        if text is None:
            assert self.process.stderr is not None
            raise AssertionError(f"the program ended: {self.process.stderr.read()}")
        result: dict[str, Any] = json.loads(text)
        return result

    def until(self, seconds: float, holds: Callable[[dict[str, Any]], bool]) -> float:
        """Read until a line for which this holds; returns the seconds it took."""
        start = time.monotonic()
        seen: list[dict[str, Any]] = []
        while (left := start + seconds - time.monotonic()) > 0:
            try:
                seen.append(self.line(left))
            except AssertionError as error:
                raise AssertionError(f"{error}; seen: {seen[-3:]}") from None
            if holds(seen[-1]):
                return time.monotonic() - start
        raise AssertionError(f"not in {seconds} s; seen: {seen[-3:]}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it and return its status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self._reader.join(5)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class Lan:
    """A lab with hosts h1, h2, …"""

    def __init__(self, tool: Path, lab: str) -> None:
        self._tool = tool
        self._environment = {**os.environ, "LANLAB_ID": lab, "PYTHONPATH": str(ROOT)}
        self._environment.pop("SOBREMESA_NO_MDNS", None)
        self._programs: list[Program] = []

    def lab(self, *words: str) -> None:
        """A command of the tool: cut, heal, nic, netem …"""
        done = subprocess.run(
            [str(self._tool), *words],
            env=self._environment,
            text=True,
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr

    def ip(self, host: str, *words: str) -> None:
        """Run `ip` on a host."""
        self.lab("exec", host, "ip", *words)

    @property
    def environment(self) -> dict[str, str]:
        """What programs on the hosts are started with."""
        return dict(self._environment)

    def reaches_others(self, environment: Mapping[str, str]) -> dict[str, str]:
        """That of a program that plays on its own machine only, for one on a host of this lab."""
        alone = ("SOBREMESA_LOOPBACK", "SOBREMESA_NO_MDNS")
        lab = self._environment["LANLAB_ID"]
        return {**{k: v for k, v in environment.items() if k not in alone}, "LANLAB_ID": lab}

    def on(self, host: str, *command: str) -> list[str]:
        """The command that runs this one on a host."""
        return [str(self._tool), "exec", host, *command]

    def start(self, host: str, *command: str) -> Program:
        """Start a program on a host; it is ended with the lab."""
        program = Program(self.on(host, *command), self._environment)
        self._programs.append(program)
        return program

    def peer(self, host: str, *words: str) -> Program:
        """Start `lan_peer.py` on a host."""
        return self.start(host, sys.executable, str(PEER), *words)

    def end(self) -> None:
        """End all programs."""
        for program in self._programs:
            program.end(signal.SIGKILL)


@contextmanager
def lan(hosts: int) -> Iterator[Lan]:
    """A LAN of so many hosts, taken down at the end."""
    tool = lanlab()
    lab = Lan(tool, f"t{os.getpid() % 100000}{next(_labs) % 100}")
    try:
        try:
            lab.lab("up", str(hosts))
        except AssertionError as error:
            pytest.skip(f"no network namespaces here: {error}")
        yield lab
    finally:
        lab.end()
        lab.lab("down")
