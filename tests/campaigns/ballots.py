"""Campaign: what can happen to the ballots of one step or several, further than the suite looks.

    python tests/campaigns/ballots.py [--most 300000] [--walks 2000]

Searches all that can happen up to so many states, peers that differ by names only taken for one
another, and walks at random where that reaches little. Prints what was seen; exit status 1 if
honest peers parted, or one of them waits for ever that should not.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.peers.ballots import Ending, Model, endings, search, walk

from sobremesa.core.replica.poll import Peers


def peers(*numbers: int) -> Peers:
    return frozenset(numbers)


SEARCHES = {
    "3 peers, one expected": Model(3, (peers(0),)),
    "3 peers, two expected": Model(3, (peers(0, 1),)),
    "3 peers, all expected": Model(3, (peers(0, 1, 2),)),
    "3 peers who may leave": Model(3, (peers(0),), leaving=True),
    "3 peers, a liar": Model(3, (peers(0),), liar=2),
    "3 peers, the one expected lies": Model(3, (peers(0),), liar=0),
    "3 peers, a liar, any may leave": Model(3, (peers(0),), leaving=True, liar=2),
    "3 peers, two steps": Model(3, (peers(0), peers(1))),
    "4 peers, one expected": Model(4, (peers(0),)),
    "4 peers, two expected": Model(4, (peers(0, 1),)),
    "4 peers who may leave": Model(4, (peers(0),), leaving=True),
    "4 peers, a liar": Model(4, (peers(0),), liar=3),
    "5 peers, one expected": Model(5, (peers(0),)),
}
WALKS = {
    "5 peers, two expected": Model(5, (peers(0, 1),)),
    "5 peers who may leave": Model(5, (peers(0, 1),), leaving=True),
    "5 peers, a liar": Model(5, (peers(0, 1),), liar=4),
    "4 peers, three steps": Model(4, (peers(0), peers(0, 1), peers(3)), leaving=True),
    "4 peers, their logs in order": Model(4, (peers(0, 1), peers(2)), leaving=True, ordered=True),
    "4 peers, logs, a liar": Model(4, (peers(0, 1), peers(2)), liar=3, ordered=True),
}
ENDINGS = {
    "3 peers, one expected": Model(3, (peers(0),), forgetful=False),
    "3 peers, two expected": Model(3, (peers(0, 1),), forgetful=False),
    "3 peers who may leave": Model(3, (peers(0),), leaving=True, forgetful=False),
    "4 peers, one expected": Model(4, (peers(0),), forgetful=False),
    "5 peers, one expected": Model(5, (peers(0),), forgetful=False),
}
STEPS = 80
"""Moves of a walk."""
PARTS = 25
"""From so many times fewer states it is seen what they come to, which takes so much longer."""


def main(argv: Sequence[str] | None = None) -> int:
    """Look as far as the command line says."""
    parser = argparse.ArgumentParser(description="what can happen to the ballots of a step")
    parser.add_argument("--most", type=int, default=300_000)
    parser.add_argument("--walks", type=int, default=2000)
    options = parser.parse_args(argv)
    wrong = [_search(name, model, options.most) for name, model in SEARCHES.items()]
    wrong += [_walk(name, model, options.walks) for name, model in WALKS.items()]
    wrong += [_end(name, model, options.most // PARTS) for name, model in ENDINGS.items()]
    return int(any(wrong))


def _search(name: str, model: Model, most: int) -> bool:
    start = time.process_time()
    seen = search(model, most)
    extent = "all" if seen.is_whole else "the first"
    _tell(start, f"{name}: {extent} {len(seen.states)} states, {seen.fault or 'nobody parts'}")
    for move in seen.trace:
        print("   ", *move)
    return seen.fault is not None


def _walk(name: str, model: Model, walks: int) -> bool:
    start, said = time.process_time(), Counter[str]()
    for seed in range(walks):
        state, moves = walk(model, random.Random(seed), STEPS)
        said.update(move.verb for move in moves)
        fault = model.fault(state)
        if fault:
            _tell(start, f"{name}: {fault} in walk {seed}")
            return True
    _tell(start, f"{name}: {walks} walks, {said['decide']} decisions, nobody parts")
    return False


def _end(name: str, model: Model, most: int) -> bool:
    start = time.process_time()
    seen = endings(model, search(model, most).states)
    counts = ", ".join(f"{seen[kind]} {kind.name.lower()}" for kind in Ending)
    _tell(start, f"{name}, one lost at most: {counts}")
    if model.peers > 4:
        both = endings(model, search(model, most).states, lost=2, agreed=True)
        counts = ", ".join(f"{both[kind]} {kind.name.lower()}" for kind in Ending)
        _tell(start, f"{name}, two lost at most in a step: {counts}")
        seen += both
    return seen[Ending.STUCK] > 0


def _tell(start: float, line: str) -> None:
    print(f"{line} ({time.process_time() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
