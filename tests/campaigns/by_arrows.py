"""A campaign: whole games of three people at three terminals, with arrows, Space and Enter alone.

Nobody types a word after the room. Each presses what a newcomer would: an arrow or two, Space where
cards are taken, Enter. A game has to come to its result at all three:

    python tests/campaigns/by_arrows.py dudo cinco-vidas five-alive house-of-jokers intriga
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.clients.tmux import Pane, Server, server

GAMES = ("dudo", "cinco-vidas", "five-alive", "house-of-jokers", "intriga")
SHORTER = {"dudo": ("dice=3",), "house-of-jokers": ("difficulty=hard",)}
"""Options by which a game is over sooner."""
NAMES = ("Ana", "Bea", "Cai")
OVER = re.compile(r"seats +result|Play again\?")


def sit_down(terminals: Server, game: str) -> list[Pane]:
    """Three people at a table that has begun."""
    options = [word for option in SHORTER.get(game, ()) for word in ("--option", option)]
    looks = ("--pace", "0", "--no-slow")
    opened = terminals.open(
        "host", game, "--seats", "3", "--code", "123456", "--name", "Ana", "--table", game,
        "--option", "seconds=0", *options, *looks,
    )  # fmt: skip
    where = re.search(r"127\.0\.0\.1:\d+", opened.see("127.0.0.1:"))
    assert where is not None
    panes = [opened]
    for name in NAMES[1:]:
        joins = ("join", where[0], "--code", "123456", "--name", name, *looks)
        panes.append(terminals.open(*joins))
        opened.see(f"{name} sits down")
    for pane in panes:
        pane.type("ready")
    return panes


def play(panes: Sequence[Pane], chance: random.Random, seconds: float) -> int:
    """Press keys until everybody has the result; how many turns that took.

    :raises AssertionError: with the screens, if it does not come in time
    """
    turns, deadline = 0, time.monotonic() + seconds
    while True:
        screens = [pane.look() for pane in panes]
        if all(OVER.search(screen) for screen in screens):
            return turns
        assert time.monotonic() < deadline, "\n".join(screens)
        for pane, screen in zip(panes, screens, strict=True):
            if OVER.search(screen):
                continue
            first = screen.split("\n", 1)[0]
            if "your turn" in first or "speak now" in first:
                press(pane, screen, chance)
                turns += 1
            elif "[y] yes" in screen:
                pane.press("n")
        time.sleep(0.1)


def press(pane: Pane, screen: str, chance: random.Random) -> None:
    """What somebody would press who has never read how to type."""
    if "[y] yes" in screen:  # it asks before it gives up the game for all
        pane.press("n", "Escape")
        return
    if "Space takes a card" in screen:
        pane.press("Right", "Space")
        return
    for _ in range(chance.randrange(1, 4)):
        pane.press(chance.choice(("Right", "Right", "Left", "Down")))
        time.sleep(0.02)
    time.sleep(0.05)
    if "Space takes a card" not in pane.look():
        pane.press("Enter")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=900.0)
    args = parser.parse_args()
    for game in args.games:
        with tempfile.TemporaryDirectory(prefix="sm") as folder, server(Path(folder)) as terminals:
            start = time.monotonic()
            turns = play(sit_down(terminals, game), random.Random(args.seed), args.seconds)
            print(f"{game}: {turns} turns, {time.monotonic() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
