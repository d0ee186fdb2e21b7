"""Dice that their owner knows, could not choose, and nobody else knows; and cups that are opened.

Rule 1: secrets and nonces are bound by a hash before any nonce is revealed.
Rule 2: a roll that lost a nonce is made again by the rest.
"""

from __future__ import annotations

from sobremesa.core.encoding import Rand, digest
from sobremesa.core.pieces import Die, Face, Piece, Seat
from sobremesa.core.requests import Roll

from .bodies import SECRET, commit_roll, cup_secrets
from .cups import Cup, cup_commitment, cup_secret, nonce_commitment
from .faults import BadOpening, BadReveal, Finding
from .state import ReplicaState
from .steps import Body, Choices, Exchange, Step, unchecked


def roll(state: ReplicaState, request: Roll) -> Exchange[dict[Seat, tuple[Die, ...]]]:
    """Dice that their owner knows, could not choose, and nobody else knows.

    Each maker commits to a nonce, and to a secret for each of its cups; then all reveal their
    nonces. Secret and nonces together make the dice. A roll that lost a nonce is made again.
    """
    dice = None
    while dice is None:
        dice = yield from _roll_once(state, request)
    return dice


def _roll_once(state: ReplicaState, request: Roll) -> Exchange[dict[Seat, tuple[Die, ...]] | None]:
    context = state.context()
    cups = {peer: state.among(peer, request.dice) for peer in state.makers(request.by)}

    def owe_commit(peer: int, rand: Rand, _: Choices) -> Body:
        secrets = [cup_secret(rand, context, seat) for seat in cups[peer]]
        return [
            nonce_commitment(context, peer, rand.secret("dice-nonce", context)),
            [cup_commitment(context, s, it) for s, it in zip(cups[peer], secrets, strict=True)],
        ]

    commits = yield Step(
        "roll-commit",
        tuple(cups),
        lambda peer: commit_roll(len(cups[peer])),
        unchecked,
        owe_commit,
    )

    def check_open(peer: int, body: Body) -> None:
        if nonce_commitment(context, peer, body) != commits[peer][0]:
            raise Finding(BadReveal, "revealed a nonce that it had not committed to")

    opens = yield Step(
        "roll-open",
        tuple(commits),
        lambda _: SECRET,
        check_open,
        lambda peer, rand, _: rand.secret("dice-nonce", context),
    )
    if not opens or opens.keys() != commits.keys():
        return None
    nonces = digest("dice-nonces", context, *[opens[peer] for peer in sorted(opens)])
    dice = state.run.rolled(request)
    for peer, (_, commitments) in commits.items():
        for seat, commitment in zip(cups[peer], commitments, strict=True):
            cup = Cup(seat, dice[seat], request.sides, context, commitment, nonces)
            state.cups.update(dict.fromkeys(cup.dice, cup))
            if peer in state.vault:
                state.learn(seat, cup.faces(cup_secret(state.vault[peer], context, seat)))
    return dice


def open_cups(state: ReplicaState, dice: tuple[Die, ...]) -> Exchange[None]:
    """Open cups to everybody: their owners publish the secrets, everybody recomputes the dice. The
    cup of a peer that is gone stays closed for good."""
    closed: dict[int, list[Cup]] = {}
    for cup in dict.fromkeys(state.cups[die] for die in dice if die in state.cups):
        owner = state.charter.owner(cup.seat)
        if owner in state.present and cup.dice[0] not in state.run.faces:
            closed.setdefault(owner, []).append(cup)
    if not closed:
        return

    def check(peer: int, body: Body) -> None:
        for cup, secret in zip(closed[peer], body, strict=True):
            if not cup.fits(secret):
                raise Finding(BadOpening, "opened a cup with a secret that is not its own")

    bodies = yield Step(
        "reveal",
        tuple(sorted(closed)),
        lambda peer: cup_secrets(len(closed[peer])),
        check,
        lambda peer, rand, _: [cup_secret(rand, cup.context, cup.seat) for cup in closed[peer]],
    )
    faces: dict[Piece, Face] = {}
    for peer, secrets in bodies.items():
        for cup, secret in zip(closed[peer], secrets, strict=True):
            faces.update(cup.faces(secret))
    state.publish(faces)
