"""A campaign: many whole games over nasty wires, honest ones and ones with an equivocator.

Each game has its own seed, size, topology, options and faults, all made from its number, so a
failure is had again with `--first NUMBER --games 1`. Run it as

    python tests/campaigns/wires.py --games 2000
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.games import toy
from support.games.playouts import fitting
from support.peers.cheats import Equivocates
from support.peers.tabletop import FULL, LINE, NAMES, STAR, Tabletop, Wires

from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import Equivocation
from sobremesa.plugins.dudo import GAME as DUDO

GAMES = {game.id: game for game in (toy.GAME, DUDO)}
KINDS = ("sign", "toss-commit", "roll-commit", "answer-commit", "answer")


def honest_game(number: int) -> str | None:
    """Play one game of honest peers; what went wrong, or None."""
    rng = random.Random(number)
    game = rng.choice((toy.GAME, toy.GAME, DUDO))
    seats = rng.randint(2, 8)
    peers = rng.randint(2, min(seats, 5))
    owners = [*range(peers), *(rng.randrange(peers) for _ in range(seats - peers))]
    rng.shuffle(owners)
    every = {option.key: str(rng.choice(option.choices)) for option in game.options}
    options = fitting(game, every)
    if game is DUDO:
        options["dice"] = "3"
    wires = Wires(
        rng.choice((FULL, LINE, STAR)),
        delay=rng.random() < 0.5,
        reorder=rng.random() < 0.5,
        duplicate=rng.choice((0.0, 0.1, 0.4)),
        cut=rng.choice((0.0, 0.01, 0.05)),
    )
    tabletop = Tabletop(game, peers, options, seed=number, owners=owners, wires=wires, watcher=True)
    crash_at = rng.randrange(200)
    for _ in range(crash_at):
        if not tabletop.turn():
            break
    tabletop.restart(rng.randrange(peers))
    tabletop.run()
    told = f"{game.id} {owners} {options} {wires}"
    for table in tabletop.everybody():
        if table.fault or table.ended or not table.over:
            return f"{told}: {table.fault or table.ended or f'stuck in step {table.step}'}"
    if tabletop.refused:
        return f"{told}: refused {tabletop.refused[0]}"
    if len(tabletop.transcripts()) != 1:
        return f"{told}: transcripts differ"
    trouble = audit(tabletop.tables[0].transcript(), lambda charter: GAMES[charter.game]).trouble
    return f"{told}: {trouble}" if trouble else None


def forked_game(number: int) -> str | None:
    """Play one game with an equivocator in a full mesh; who was blamed wrongly, or None."""
    rng = random.Random(f"fork {number}")
    peers = rng.randint(3, 5)
    group = rng.sample(range(peers - 1), rng.randint(1, peers - 2))
    liar = Equivocates(rng.choice(KINDS), group)
    wires = Wires(delay=True, duplicate=rng.choice((0.0, 0.2)), cut=rng.choice((0.0, 0.05)))
    tabletop = Tabletop(toy.GAME, peers, seed=number, wires=wires, cheats={peers - 1: liar}).run()
    # A cut may have swallowed one of the versions: then nobody has lied to anybody.
    heard = {(m.step, m.payload) for t in tabletop.honest for m in t.log if m.peer == peers - 1}
    lied = len(heard) > len({step for step, _ in heard})
    for table in tabletop.honest:
        if not lied and table.fault is None:
            continue
        if type(table.fault) is not Equivocation or table.fault.peer != NAMES[peers - 1]:
            return f"{peers} peers, {liar.kind} to {group}, {wires}: {table.fault}"
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000, help="how many of each kind")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(argv)
    wrong: Counter[str] = Counter()
    for number in range(chosen.first, chosen.first + chosen.games):
        for play in (honest_game, forked_game):
            trouble = play(number)
            if trouble:
                wrong[play.__name__] += 1
                print(f"{play.__name__} {number}: {trouble}")
    print(f"{chosen.games} games of each kind, {wrong.total()} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
