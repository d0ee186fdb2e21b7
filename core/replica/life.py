"""The life of a table: all sign, all compare their state now and then, all open their seeds."""

from __future__ import annotations

from sobremesa.core.encoding import digest
from sobremesa.core.requests import Mark

from .bodies import HASH, SECRET
from .faults import BadReveal, Diverged, Finding
from .state import ReplicaState
from .steps import Bodies, Body, Exchange, Step, unchecked


def mark(state: ReplicaState, request: Mark) -> Exchange[None]:
    """All compare a digest of the public state: replicas that differ are found within a round."""
    ours = digest("mark", state.public())

    def check(peer: int, body: Body) -> None:
        if body != ours:
            raise Finding(Diverged, "sees another table than we do: its rules differ")

    yield Step("mark", state.present, lambda _: HASH, check, lambda peer, rand, _: ours)


def seed_commitment(root: bytes, peer: int, seed: bytes) -> bytes:
    """What a peer signs the charter with: a commitment to the seed of all its randomness."""
    return digest("seed", root, peer, seed)


def signing(state: ReplicaState, root: bytes) -> Exchange[Bodies]:
    """Step 0: everybody signs the charter, through the head, and commits to a seed."""
    everybody = tuple(range(len(state.charter.peers)))
    return (
        yield Step(
            "sign",
            everybody,
            lambda _: HASH,
            unchecked,
            lambda peer, rand, _: seed_commitment(root, peer, rand.seed),
        )
    )


def opening(state: ReplicaState, root: bytes, commitments: Bodies) -> Exchange[Bodies]:
    """The last step: everybody present reveals its seed, and anybody can audit the game."""

    def check(peer: int, body: Body) -> None:
        if seed_commitment(root, peer, body) != commitments[peer]:
            raise Finding(BadReveal, "revealed a seed that it had not committed to")

    return (
        yield Step("seed", state.present, lambda _: SECRET, check, lambda peer, rand, _: rand.seed)
    )
