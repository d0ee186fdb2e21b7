"""The life of a table: all sign, compare their state now and then, see the same end, and open their
seeds."""

from __future__ import annotations

from sobremesa.core.encoding import digest, pack
from sobremesa.core.game import Outcome
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


def closing(state: ReplicaState, outcome: Outcome) -> Exchange[None]:
    """All say that they see the same end. From then on the result stands, whatever is proven, and
    nobody has opened its seed for another one."""
    public = state.public() if state.run.state is not None else b""
    ours = digest(
        "end", public, pack([[list(place) for place in outcome.places], outcome.together])
    )

    def check(peer: int, body: Body) -> None:
        if body != ours:
            raise Finding(Diverged, "sees another end than we do: its rules differ")

    yield Step("end", state.present, lambda _: HASH, check, lambda peer, rand, _: ours)


def opening(state: ReplicaState, root: bytes, commitments: Bodies) -> Exchange[Bodies]:
    """The last step: everybody present reveals its seed, and anybody can audit the game."""

    def check(peer: int, body: Body) -> None:
        if seed_commitment(root, peer, body) != commitments[peer]:
            raise Finding(BadReveal, "revealed a seed that it had not committed to")

    return (
        yield Step("seed", state.present, lambda _: SECRET, check, lambda peer, rand, _: rand.seed)
    )
