"""A campaign: whole card games on a LAN of namespaces, for as many machines as they are asked for.

    python tests/campaigns/lan_cards.py                 every game below, one line each
    python tests/campaigns/lan_cards.py cinco-vidas     those of one game

Needs root and lanlab, as the tests in tests/lan do. `tests/lan/test_cards_lan.py` has the short
ones of these.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.processes.lan_games import lan_game, started

GAMES: tuple[tuple[str, int, dict[str, str | int]], ...] = (
    ("cinco-vidas", 4, {}),
    ("intriga", 5, {}),
    ("five-alive", 6, {}),
    ("five-alive", 6, {"teams": "on"}),
    ("house-of-jokers", 4, {}),
)
LONGEST = 600.0


def main(argv: list[str] | None = None) -> int:
    """Play them; the status is 1 if one did not end the same, verified, on every machine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="which games (default: all)")
    wanted = parser.parse_args(argv).games
    failed = 0
    for game, hosts, options in GAMES:
        if wanted and game not in wanted:
            continue
        began = time.monotonic()
        with (
            tempfile.TemporaryDirectory() as folder,
            lan_game(hosts, Path(folder), game=game, options=options) as table,
        ):
            outcome = started(table, hosts).finish(LONGEST)
        failed += not outcome.right
        result = "the same on all, verified" if outcome.right else f"WRONG: {outcome}"
        said = " ".join(f"{key}={value}" for key, value in options.items())
        took = f"{outcome.steps} messages, {time.monotonic() - began:.0f} s"
        print(f"{game} {said} on {hosts} machines: {took}, {result}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
