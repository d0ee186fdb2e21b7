"""A campaign: what proofs cost, and many sealed games, honest and mutated.

    python tests/campaigns/proofs.py                prove and verify, beside docs/protocol.md
    python tests/campaigns/proofs.py --games 20     sealed games of every size against open ones
    python tests/campaigns/proofs.py --mutants 2000 shuffles with a change anywhere

Times are CPU time, the least of several runs, and stand beside the published ones scaled by one
multiplication measured in the same run.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

import nacl.bindings as sodium
from support.games.flowers import GAME
from support.games.playouts import fitting
from support.peers.card_tables import CardTable, Pause, Twin, play_openly

from sobremesa.core.crypto.group import G, Q, add, base, hash_to_point, multiply
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.shuffle import (
    Ciphertext,
    Shuffled,
    generator,
    read_points,
    shuffle,
    verify_shuffle,
    write_pairs,
)
from sobremesa.core.crypto.slices import finish
from sobremesa.core.replica.audit import audit
from sobremesa.plugins.loader import load_games

X = 1234567890123456789
KEY = base(X)
PUBLISHED = {15: (3 + 18, 18), 52: (9.5 + 65, 59), 109: (19 + 130, 123)}
"""docs/protocol.md: re-mask and prove, verify, in ms, by the number of cards."""
PUBLISHED_OPENING = 2.2, 2.6
"""Shares of ten cards: prove, verify, in ms."""
PUBLISHED_MULTIPLICATION = 0.120
GOAL = 1.3


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured time and that of one multiplication in between, in ms, and the published time.
    The checks of points at the door were not published."""

    name: str
    took: float
    unit: float
    published: float | None

    @property
    def expected(self) -> float | None:
        """The published time as it would be on this machine."""
        return self.published and self.published * self.unit / PUBLISHED_MULTIPLICATION

    @property
    def good(self) -> bool:
        return self.expected is None or self.took <= GOAL * self.expected


def milliseconds(action: Callable[[], Any]) -> float:
    """The CPU time of an action."""
    began = time.process_time()
    action()
    return (time.process_time() - began) * 1000


def multiply_often(times: int = 100) -> None:
    point, scalar = generator(1), (Q - 12345).to_bytes(32, "little")
    for _ in range(times):
        sodium.crypto_scalarmult_ed25519_noclamp(scalar, point)


def measure(
    name: str, action: Callable[[], Any], published: float | None = None, runs: int = 5
) -> Figure:
    """The least times of some runs. Multiplications are measured in turn with the action, so that
    both meet the same other work on the machine."""
    pairs = [(milliseconds(action), milliseconds(multiply_often)) for _ in range(runs)]
    took, unit = (min(times) for times in zip(*pairs, strict=True))
    return Figure(name, took, unit / 100, published)


def deck(count: int) -> list[Ciphertext]:
    return [(G, add(hash_to_point("card", "bench", n), KEY)) for n in range(count)]


def figures() -> list[Figure]:
    """All of them."""
    found: list[Figure] = []
    for count, (proving, verifying) in PUBLISHED.items():
        cards = deck(count)
        for index in range(count + 1):
            generator(index)  # once for all shuffles
        made = finish(shuffle(b"bench", KEY, cards, b"s" * 32))
        data = write_pairs(made.cards)

        def make(cards: list[Ciphertext] = cards) -> None:
            finish(shuffle(b"bench", KEY, cards, b"s" * 32))

        def check(cards: list[Ciphertext] = cards, made: Shuffled = made) -> None:
            if not finish(verify_shuffle(b"bench", KEY, cards, made.cards, made.proof)):
                raise AssertionError("a true shuffle does not hold")

        def read(data: bytes = data, count: int = count) -> None:
            finish(read_points(data, 2 * count))

        found += [
            measure(f"shuffle and prove {count} cards", make, proving),
            measure(f"verify {count} cards", check, verifying),
            measure(f"let {count} cards in", read),
        ]
    rows, proof = opening(10)
    shares = b"".join(share for share, _ in rows[1:])

    def check_opening() -> None:
        if not finish(verify(b"bench", rows, proof)):
            raise AssertionError("true shares do not hold")

    once, all_ten = PUBLISHED_OPENING
    return [
        *found,
        measure("open ten cards", lambda: opening(10), once),
        measure("verify ten shares", check_opening, all_ten),
        measure("let ten shares in", lambda: finish(read_points(shares, 10))),
    ]


def opening(count: int) -> tuple[list[Row], bytes]:
    """Our shares of some cards with their proof."""
    points = [generator(index) for index in range(1, count + 1)]
    rows: list[Row] = [(KEY, [(0, G)]), *((multiply(X, a), [(0, a)]) for a in points)]
    return rows, finish(prove(b"bench", rows, [X], b"s" * 32))


def print_figures() -> bool:
    """Print what proofs cost beside what was published; whether all are within the goal."""
    print(f"{'':28}{'ms':>8}{'published':>11}{'ratio':>7}{'multiplications':>17}")
    found = figures()
    for figure in found:
        published = "" if figure.expected is None else f"{figure.expected:.1f}"
        ratio = "" if figure.expected is None else f"{figure.took / figure.expected:.2f}"
        cost = figure.took / figure.unit
        print(f"{figure.name:28}{figure.took:8.1f}{published:>11}{ratio:>7}{cost:17.0f}")
    unit = min(figure.unit for figure in found) * 1000
    print(f"one multiplication: {unit:.0f} us here, 120 us where the figures were published;")
    print(f"they are scaled by it, and the goal is {GOAL} times them or less")
    return all(figure.good for figure in found)


def sealed_game(number: int) -> str | None:
    """Play one sealed game and the same openly; what differed, or None."""
    rng = random.Random(f"sealed {number}")
    with_cards = [game for id, game in load_games().games.items() if id != "dudo"]
    game = rng.choice([GAME, *with_cards])
    seats = rng.randint(max(2, game.seats[0]), min(5, game.seats[-1]))
    peers = rng.randint(2, min(seats, 4))
    owners = [*range(peers), *(rng.randrange(peers) for _ in range(seats - peers))]
    rng.shuffle(owners)
    every = {option.key: str(rng.choice(option.choices)) for option in game.options}
    options = fitting(game, every)
    backup = rng.random() < 0.5
    told = f"{game.id} {owners} {options} backup={backup}"
    table = CardTable(game, peers, options, seed=number, owners=owners, backup=backup)
    pauses: list[Pause] = list(table.pauses())
    for replica in table.tables:
        if replica.fault or replica.ended or not replica.over:
            return f"{told}: {replica.fault or replica.ended or f'stuck in step {replica.step}'}"
    wrong: list[str] = []

    def look(at: int, twin: Twin) -> None:
        for seat, faces in pauses[at].faces.items():
            if dict(twin.faces(seat)) != faces:
                wrong.append(f"{told}: {seat} sees another hand in pause {at}")

    twin = play_openly(table, pauses, look)
    if twin.events != table.tables[0].events or twin.outcome != table.tables[0].outcome:
        wrong.append(f"{told}: the open game went another way")
    if len(table.transcripts()) != 1:
        wrong.append(f"{told}: transcripts differ")
    report = audit(table.tables[0].transcript(), lambda _: game)
    if report.trouble:
        wrong.append(f"{told}: {report.trouble}")
    return wrong[0] if wrong else None


def mutant(number: int) -> str | None:
    """Change one bit of a shuffle or of its proof; what happened if it passed, or None."""
    rng = random.Random(f"mutant {number}")
    count = rng.randint(1, 8)
    cards = deck(count)
    made = finish(shuffle(b"mutant", KEY, cards, rng.randbytes(32)))
    parts = [write_pairs(made.cards), *made.proof]
    which = rng.randrange(len(parts))
    at, bit = rng.randrange(len(parts[which])), 1 << rng.randrange(8)
    changed = bytearray(parts[which])
    changed[at] ^= bit
    parts[which] = bytes(changed)
    try:
        points = finish(read_points(parts[0], 2 * count))
    except ValueError:
        return None
    out = list(zip(points[::2], points[1::2], strict=True))
    if finish(verify_shuffle(b"mutant", KEY, cards, out, parts[1:])):
        return f"{count} cards: part {which}, byte {at}, bit {bit} changed and it holds"
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was asked for; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=0, help="how many sealed games")
    parser.add_argument("--mutants", type=int, default=0, help="how many changed shuffles")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(argv)
    if not chosen.games and not chosen.mutants:
        return 0 if print_figures() else 1
    wrong = 0
    for play, count in ((sealed_game, chosen.games), (mutant, chosen.mutants)):
        for number in range(chosen.first, chosen.first + count):
            trouble = play(number)
            if trouble:
                wrong += 1
                print(f"{play.__name__} {number}: {trouble}")
    print(f"{chosen.games} sealed games, {chosen.mutants} mutants, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
