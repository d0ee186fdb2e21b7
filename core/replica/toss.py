"""Tosses: a public number that nobody chose (docs/protocol.md says why it is fair).

Rule 1: all are bound by a hash before anybody reveals.
Rule 2: whoever has committed and does not reveal is never merely late, or it could choose after it
saw the others' numbers: a toss that lost a reveal is made again by the rest.
"""

from __future__ import annotations

from sobremesa.core.encoding import below, blocks, digest
from sobremesa.core.requests import Toss

from .bodies import HASH, SECRET
from .faults import BadReveal, Finding
from .state import ReplicaState
from .steps import Body, Exchange, Step, unchecked


def toss(state: ReplicaState, request: Toss) -> Exchange[int]:
    """A public number that nobody chose: its makers commit to 32 bytes, then all reveal them.

    A toss that lost a reveal is made again by the rest.
    """
    value = None
    while value is None:
        value = yield from _toss_once(state, request)
    return value


def _toss_once(state: ReplicaState, request: Toss) -> Exchange[int | None]:
    context = state.context()

    def commitment(peer: int, secret: bytes) -> bytes:
        return digest("toss", context, peer, secret)

    commits = yield Step(
        "toss-commit",
        state.makers(request.by),
        lambda _: HASH,
        unchecked,
        lambda peer, rand, _: commitment(peer, rand.secret("toss", context)),
    )

    def check(peer: int, body: Body) -> None:
        if commitment(peer, body) != commits[peer]:
            raise Finding(BadReveal, "revealed a number that it had not committed to")

    opens = yield Step(
        "toss-open",
        tuple(commits),
        lambda _: SECRET,
        check,
        lambda peer, rand, _: rand.secret("toss", context),
    )
    if not opens or opens.keys() != commits.keys():
        return None
    joint = digest("toss-value", context, *[opens[peer] for peer in sorted(opens)])
    return below(request.n, blocks(joint, "toss", request.label))
