"""The shuffle and its proof: every true shuffle holds, no mutant does."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.peers.card_cheats import mix_linearly

from sobremesa.core.crypto import proof as proof_module
from sobremesa.core.crypto import shuffle as shuffle_module
from sobremesa.core.crypto.group import (
    G,
    Point,
    Q,
    add,
    base,
    hash_to_point,
    hash_to_scalar,
    multiply,
    read_scalar,
    scalars,
    subtract,
    total,
    write_scalar,
)
from sobremesa.core.crypto.shuffle import (
    Ciphertext,
    generator,
    read_points,
    shuffle,
    shuffle_order,
    split_pairs,
    verify_shuffle,
    write_pairs,
)
from sobremesa.core.crypto.slices import finish

X = 123456789
KEY = base(X)
CONTEXT = b"a context"
SECRET = b"s" * 32


def deck(count: int) -> list[Ciphertext]:
    """Cards that are masked already, each another face."""
    faces = [hash_to_point("card", "test", n) for n in range(count)]
    return [(base(n + 2), add(face, multiply(n + 2, KEY))) for n, face in enumerate(faces)]


def opened(cards: Any) -> list[Point]:
    return [subtract(b, multiply(X, a)) for a, b in cards]


def holds(cards: Any, out: Any, proof: Any, context: bytes = CONTEXT, key: Point = KEY) -> bool:
    return finish(verify_shuffle(context, key, cards, out, proof))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16, 17, 33, 60])
def test_shuffle_holds_and_keeps_the_cards(count: int) -> None:
    cards = deck(count)
    made = finish(shuffle(CONTEXT, KEY, cards, SECRET))
    assert holds(cards, made.cards, made.proof)
    order = shuffle_order(count, SECRET)
    before, after = opened(cards), opened(made.cards)
    assert after == [before[j] for j in order]
    masked = {point for card in made.cards for point in card}
    assert not masked & {point for card in cards for point in card}
    assert [len(part) // 32 for part in made.proof] == [count, count, 5 + 2 * count]


def test_first_deck_with_equal_cards_shuffles() -> None:
    """(G, M + X), and copies of one face."""
    faces = [hash_to_point("card", "test", n % 2) for n in range(6)]
    cards = [(G, add(face, KEY)) for face in faces]
    made = finish(shuffle(CONTEXT, KEY, cards, SECRET))
    assert holds(cards, made.cards, made.proof)
    assert Counter(opened(made.cards)) == Counter(faces)
    assert len(set(made.cards)) == 6, "copies cannot be told apart any more, nor seen to be copies"


def test_shuffle_follows_from_its_secret() -> None:
    cards = deck(5)
    one = finish(shuffle(CONTEXT, KEY, cards, SECRET))
    assert finish(shuffle(CONTEXT, KEY, cards, SECRET)) == one
    other = finish(shuffle(CONTEXT, KEY, cards, b"t" * 32))
    assert not {p for c in one.cards for p in c} & {p for c in other.cards for p in c}


def test_orders_are_fair() -> None:
    seen = Counter(tuple(shuffle_order(4, b"%032d" % n)) for n in range(4800))
    assert len(seen) == 24
    assert all(120 <= count <= 290 for count in seen.values()), "200 each, give or take six sigma"


def test_empty_list_is_no_shuffle() -> None:
    assert not holds([], [], [b"", b"", bytes(32 * 5)])


# Mutants.

N = 5
CARDS = deck(N)
MADE = finish(shuffle(CONTEXT, KEY, CARDS, SECRET))


def other_points(data: bytes, rng: random.Random) -> Iterator[bytes]:
    """Lists of points that differ from these."""
    points = [data[at : at + 32] for at in range(0, len(data), 32)]
    for number, point in enumerate(points):
        changes = [add(point, G), multiply(2, point), subtract(point, generator(1)), G]
        changes += [rng.choice([p for p in points if p != point] or [KEY])]
        for change in changes:
            yield b"".join([*points[:number], change, *points[number + 1 :]])
    yield b"".join(points[::-1])
    for number in range(len(points) - 1):
        points[number], points[number + 1] = points[number + 1], points[number]
        yield b"".join(points)
        points[number], points[number + 1] = points[number + 1], points[number]
    yield data[:-32]
    yield data + data[:32]
    yield data[:-1]


def other_scalars(data: bytes, rng: random.Random) -> Iterator[bytes]:
    """Proofs that differ from this one."""
    numbers = [read_scalar(data[at : at + 32]) for at in range(0, len(data), 32)]
    for number, value in enumerate(numbers):
        for change in (value + 1, value - 1, -value, 2 * value, 0, rng.randrange(Q)):
            if change % Q != value:
                changed = [*numbers[:number], change % Q, *numbers[number + 1 :]]
                yield b"".join(map(write_scalar, changed))
    for a, b in pairwise(range(len(numbers))):
        swapped = list(numbers)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        yield b"".join(map(write_scalar, swapped))
    yield data[:-32]
    yield data + bytes(32)


def flipped(data: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    for _ in range(count):
        at = rng.randrange(len(data))
        yield data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def mutants() -> Iterator[tuple[str, Any, Any, Any]]:
    """(what, cards, out, proof), each wrong in one place."""
    rng = random.Random("mutants")
    commitments, chain, linear = MADE.proof
    for number, (name, part) in enumerate(zip(("c", "chain"), MADE.proof, strict=False)):
        for change in (*other_points(part, rng), *flipped(part, rng, 60)):
            proof = [*MADE.proof[:number], change, *MADE.proof[number + 1 :]]
            yield name, CARDS, MADE.cards, proof
    for change in (*other_scalars(linear, rng), *flipped(linear, rng, 120)):
        yield "linear", CARDS, MADE.cards, [commitments, chain, change]
    yield "parts swapped", CARDS, MADE.cards, [chain, commitments, linear]
    yield "part missing", CARDS, MADE.cards, [commitments, chain]
    yield "part more", CARDS, MADE.cards, [*MADE.proof, b""]
    for side in ("out", "in"):
        cards = list(MADE.cards if side == "out" else CARDS)
        for i in range(N):
            a, b = cards[i]
            neighbour = cards[(i + 1) % N]
            wrong = [
                (b, a),
                (multiply(2, a), multiply(2, b)),
                (multiply(3, a), b),
                (add(a, G), b),
                (a, add(b, G)),
                (add(a, base(7)), add(b, multiply(7, KEY))),
                (add(a, neighbour[0]), add(b, neighbour[1])),
                neighbour,
                (a, neighbour[1]),
                (G, add(hash_to_point("card", "test", 0), KEY)),
            ]
            for card in wrong:
                changed = [*cards[:i], card, *cards[i + 1 :]]
                both = (changed, MADE.cards) if side == "in" else (CARDS, changed)
                yield side, *both, MADE.proof
        yield (
            f"{side} turned",
            *((CARDS, cards[::-1]) if side == "out" else (cards[::-1], cards)),
            (MADE.proof),
        )


def test_at_least_500_mutants_are_all_refused() -> None:
    every = list(mutants())
    for what, cards, out, proof in every:
        finish(read_points(write_pairs(out), 2 * len(out)))  # they come through the door
        assert not holds(cards, out, proof), what
    assert len(every) >= 500
    assert {what for what, *_ in every} >= {"c", "chain", "linear", "in", "out"}
    assert holds(CARDS, MADE.cards, MADE.proof), "the one they are made of holds"


def test_proof_holds_in_its_context_and_under_its_key_alone() -> None:
    assert not holds(CARDS, MADE.cards, MADE.proof, context=b"another context")
    assert not holds(CARDS, MADE.cards, MADE.proof, key=base(X + 1))
    assert not holds(CARDS[:-1], MADE.cards[:-1], MADE.proof)
    elsewhere = finish(shuffle(b"another context", KEY, CARDS, SECRET))
    assert elsewhere.cards == MADE.cards
    assert not holds(CARDS, MADE.cards, elsewhere.proof)


def test_two_shuffles_cannot_be_told_as_one() -> None:
    second = finish(shuffle(CONTEXT, KEY, MADE.cards, b"t" * 32))
    assert holds(MADE.cards, second.cards, second.proof)
    assert not holds(CARDS, second.cards, second.proof)


@pytest.mark.parametrize("count", [2, 5])
def test_linear_mixing_is_refused(count: int) -> None:
    """The mixture keeps every sum; only the product of the challenges tells it."""
    cards = deck(count)
    out, proof = finish(mix_linearly(CONTEXT, KEY, cards, SECRET))
    assert total(opened(out)) == total(opened(cards))
    assert not set(opened(out)[:2]) & set(opened(cards))
    assert not holds(cards, out, proof)


def test_cards_changed_after_the_challenges_are_known_are_refused() -> None:
    """What is added to one card and taken from another, each divided by its challenge, leaves the
    weighed sum: it would pass if the challenges did not depend on the cards that go out."""
    statement = shuffle_module._statement(
        CONTEXT, KEY, CARDS, MADE.cards, finish(read_points(MADE.proof[0], N))
    )
    u = shuffle_module._challenges(statement, N)
    order = shuffle_order(N, SECRET)
    shifts = [multiply(pow(u[j], -1, Q), generator(7)) for j in order[:2]]
    (a0, b0), (a1, b1), *rest = MADE.cards
    out = [(a0, add(b0, shifts[0])), (a1, subtract(b1, shifts[1])), *rest]
    weighed = [
        total(multiply(u[j], b) for j, (_, b) in zip(order, cards, strict=True))
        for cards in (out, MADE.cards)
    ]
    assert weighed[0] == weighed[1]
    masks = list(islice(scalars(SECRET, "masks"), N))
    proof = finish(shuffle_module._prove(CONTEXT, KEY, CARDS, out, order, masks, SECRET))
    assert proof[0] == MADE.proof[0], "the commitments are the same"
    assert not holds(CARDS, out, proof)


@pytest.mark.parametrize(
    "proof",
    [
        *(None, 0, 1.5, b"", "abc", [], {}, [None] * 3, [b""] * 3, [[]] * 3, [""] * 3),
        *([*MADE.proof[:2], None], tuple(MADE.proof), [bytes(10**6)] * 3),
    ],
    ids=lambda value: str(value)[:20],
)
def test_anything_else_is_no_proof_and_raises_nothing(proof: Any) -> None:
    assert not holds(CARDS, MADE.cards, proof)


def test_cards_are_read_as_they_were_written() -> None:
    data = write_pairs(CARDS)
    assert split_pairs(data) == CARDS
    with pytest.raises(ValueError, match="not so many points"):
        finish(read_points(data, 2 * N + 1))
    with pytest.raises(ValueError, match="not a point of the group"):
        finish(read_points(bytes(64 * N), 2 * N))


# The equations, against the sketch that the protocol was measured with.

SKETCH = Path(__file__).parents[3] / "shared" / "reference" / "sealed_sketch.py"


@pytest.fixture
def sketch() -> ModuleType:
    """The sketch, hashing as we do: its domain and the order of items in its challenge differ."""
    if not SKETCH.exists():
        pytest.skip("the protocol's sketch is not beside this checkout")
    spec = importlib.util.spec_from_file_location("sealed_sketch", SKETCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module).update(
        DOMAIN=b"sobremesa/v1/",
        _challenge=lambda context, rows, masks: hash_to_scalar(
            "challenge", proof_module._statement(context, rows), *masks
        ),
    )
    return module


def test_sketch_accepts_our_shuffle(sketch: ModuleType) -> None:
    commitments, chain, linear = (
        [part[at : at + 32] for at in range(0, len(part), 32)] for part in MADE.proof
    )
    c, *answers = map(read_scalar, linear)

    def verdict(answers: list[int]) -> bool:
        proof = (commitments, chain, (c, answers))
        accepted: bool = sketch.verify_shuffle(CONTEXT, KEY, CARDS, list(MADE.cards), proof)
        return accepted

    assert verdict(answers)
    assert not verdict([*answers[:-1], answers[-1] + 1])


def test_we_accept_the_shuffle_of_the_sketch(sketch: ModuleType) -> None:
    rand = sketch.Rand(b"seed" * 8)
    out, order, masks = sketch.shuffle(KEY, CARDS, rand)
    commitments, chain, (c, answers) = sketch.prove_shuffle(
        CONTEXT, KEY, CARDS, out, order, masks, rand
    )
    linear = b"".join(map(write_scalar, (c, *answers)))
    proof = [b"".join(commitments), b"".join(chain), linear]
    assert holds(CARDS, out, proof)
    assert not holds(CARDS, out[::-1], proof)
