"""Requests that are done by commit-reveal: tosses, dice, answers, and the first and last step.

docs/protocol.md says why each is fair.

Rule 1: everybody is bound by a hash before anybody says a thing that others could use.
Rule 2: a toss or roll that lost a reveal is made again by the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .encoding import Rand, below, blocks, digest
from .errors import BadReveal, Diverged, IllegalAnswer, InvalidAnswer, Malformed, PlayedIllegally
from .pieces import Die, Face, Piece, Seat
from .questions import Answer, Question
from .requests import Ask, AskAll, Mark, Roll, Toss
from .steps import HASH, SECRET, Bodies, Body, Choices, Protocol, Step, is_bytes, is_list

if TYPE_CHECKING:
    from .desk import Desk


def toss(desk: Desk, request: Toss) -> Protocol[int]:
    """A public number that nobody chose: all commit to 32 bytes, then all reveal them.

    A toss that lost a reveal is made again by the rest.
    """
    value = None
    while value is None:
        value = yield from _toss_once(desk, request)
    return value


def _toss_once(desk: Desk, request: Toss) -> Protocol[int | None]:
    context = desk.context()

    def commitment(peer: int, secret: bytes) -> bytes:
        return digest("toss", context, peer, secret)

    commits = yield Step(
        "toss-commit",
        desk.present,
        lambda peer, body: is_bytes(desk, peer, body, HASH),
        lambda peer, rand, _: commitment(peer, rand.secret("toss", context)),
    )

    def check(peer: int, body: Body) -> None:
        is_bytes(desk, peer, body, SECRET)
        if commitment(peer, body) != commits[peer]:
            raise desk.blame(peer, BadReveal, "revealed a number that it had not committed to")

    opens = yield Step(
        "toss-open",
        tuple(commits),
        check,
        lambda peer, rand, _: rand.secret("toss", context),
        bound=True,
    )
    if opens.keys() != commits.keys():
        return None
    joint = digest("toss-value", context, *[opens[peer] for peer in sorted(opens)])
    return below(request.n, blocks(joint, "toss", request.label))


@dataclass(frozen=True, slots=True)
class Cup:
    """What everybody knows of a covered cup, enough to check the secret that opens it."""

    seat: Seat
    dice: tuple[Die, ...]
    sides: int
    context: bytes
    commitment: bytes
    nonces: bytes
    """A hash of all peers' nonces, in peer order."""

    def fits(self, secret: bytes) -> bool:
        """Whether the secret is the one that the owner committed to."""
        return cup_commitment(self.context, self.seat, secret) == self.commitment

    def faces(self, secret: bytes) -> dict[Piece, Face]:
        """What the dice show under this secret."""
        stream = blocks(secret, "dice", self.context, self.nonces, self.seat)
        return {die: below(self.sides, stream) + 1 for die in self.dice}


def cup_commitment(context: bytes, seat: Seat, secret: bytes) -> bytes:
    return digest("dice-secret", context, seat, secret)


def nonce_commitment(context: bytes, peer: int, nonce: bytes) -> bytes:
    return digest("dice-nonce", context, peer, nonce)


def roll(desk: Desk, request: Roll) -> Protocol[dict[Seat, tuple[Die, ...]]]:
    """Dice that their owner knows, could not choose, and nobody else knows.

    Each peer commits to a nonce, and to a secret for each of its cups; then all reveal their
    nonces. Secret and nonces together make the dice. A roll that lost a nonce is made again.
    """
    dice = None
    while dice is None:
        dice = yield from _roll_once(desk, request)
    return dice


def _roll_once(desk: Desk, request: Roll) -> Protocol[dict[Seat, tuple[Die, ...]] | None]:
    context = desk.context()
    cups = {peer: desk.among(peer, request.dice) for peer in desk.present}

    def owe_commit(peer: int, rand: Rand, _: Choices) -> Body:
        secrets = [cup_secret(rand, context, seat) for seat in cups[peer]]
        return [
            nonce_commitment(context, peer, rand.secret("dice-nonce", context)),
            [cup_commitment(context, s, it) for s, it in zip(cups[peer], secrets, strict=True)],
        ]

    def check_commit(peer: int, body: Body) -> None:
        is_list(desk, peer, body, 2)
        is_bytes(desk, peer, body[0], HASH)
        is_list(desk, peer, body[1], len(cups[peer]))
        for commitment in body[1]:
            is_bytes(desk, peer, commitment, HASH)

    commits = yield Step("roll-commit", desk.present, check_commit, owe_commit)

    def check_open(peer: int, body: Body) -> None:
        is_bytes(desk, peer, body, SECRET)
        if nonce_commitment(context, peer, body) != commits[peer][0]:
            raise desk.blame(peer, BadReveal, "revealed a nonce that it had not committed to")

    opens = yield Step(
        "roll-open",
        tuple(commits),
        check_open,
        lambda peer, rand, _: rand.secret("dice-nonce", context),
        bound=True,
    )
    if opens.keys() != commits.keys():
        return None
    nonces = digest("dice-nonces", context, *[opens[peer] for peer in sorted(opens)])
    dice = desk.run.rolled(request)
    for peer, (_, commitments) in commits.items():
        for seat, commitment in zip(cups[peer], commitments, strict=True):
            cup = Cup(seat, dice[seat], request.sides, context, commitment, nonces)
            desk.cups.update(dict.fromkeys(cup.dice, cup))
            if peer in desk.vault:
                desk.learn(seat, cup.faces(cup_secret(desk.vault[peer], context, seat)))
    return dice


def cup_secret(rand: Rand, context: bytes, seat: Seat) -> bytes:
    return rand.secret("dice-secret", context, seat)


def open_cups(desk: Desk, dice: tuple[Die, ...]) -> Protocol[None]:
    """Open cups to everybody: their owners publish the secrets, everybody recomputes the dice."""
    closed: dict[int, list[Cup]] = {}
    for die in dice:
        cup = desk.cups[die]
        mine = closed.setdefault(desk.charter.owner(die.seat), [])
        if die not in desk.run.faces and cup not in mine:
            mine.append(cup)
    closed = {peer: cups for peer, cups in sorted(closed.items()) if cups}
    if not closed:
        return

    def check(peer: int, body: Body) -> None:
        is_list(desk, peer, body, len(closed[peer]))
        for cup, secret in zip(closed[peer], body, strict=True):
            is_bytes(desk, peer, secret, SECRET)
            if not cup.fits(secret):
                raise desk.blame(peer, BadReveal, "opened a cup with a secret that is not its own")

    bodies = yield Step(
        "reveal",
        tuple(closed),
        check,
        lambda peer, rand, _: [cup_secret(rand, cup.context, cup.seat) for cup in closed[peer]],
    )
    faces: dict[Piece, Face] = {}
    for peer, secrets in bodies.items():
        for cup, secret in zip(closed[peer], secrets, strict=True):
            faces.update(cup.faces(secret))
    desk.publish(faces)


def ask(desk: Desk, request: Ask) -> Protocol[Answer]:
    """An open answer, judged by everybody with what is public."""
    seat, question = request.seat, request.question
    owner = desk.charter.owner(seat)
    bodies = yield Step(
        "answer",
        (owner,),
        lambda peer, body: read_answer(desk, peer, seat, question, body),
        lambda peer, rand, choices: choices[seat],
        asks={seat: question},
        choices=lambda peer, body: {seat: body},
    )
    return desk.settle(seat, question, question.read_notation(bodies[owner]))


def ask_all(desk: Desk, request: AskAll) -> Protocol[dict[Seat, Answer]]:
    """Sealed answers: all commit, then all reveal, so that no answer can follow another."""
    context = desk.context()
    questions = request.questions
    asked = {peer: desk.among(peer, questions) for peer in desk.present}
    owners = tuple(peer for peer, seats in asked.items() if seats)

    def salt(rand: Rand, seat: Seat) -> bytes:
        return rand.secret("answer-salt", context, seat)

    def commitment(seat: Seat, salt: bytes, text: str) -> bytes:
        return digest("answer", context, seat, salt, text)

    def check_commit(peer: int, body: Body) -> None:
        is_list(desk, peer, body, len(asked[peer]))
        for part in body:
            is_bytes(desk, peer, part, HASH)

    commits = yield Step(
        "answer-commit",
        owners,
        check_commit,
        lambda peer, rand, choices: [
            commitment(seat, salt(rand, seat), choices[seat]) for seat in asked[peer]
        ],
        asks=questions,
        choices=None,
    )

    def check_open(peer: int, body: Body) -> None:
        is_list(desk, peer, body, len(asked[peer]))
        for seat, sealed, part in zip(asked[peer], commits[peer], body, strict=True):
            is_list(desk, peer, part, 2)
            is_bytes(desk, peer, part[0], SECRET)
            if type(part[1]) is not str or commitment(seat, *part) != sealed:
                raise desk.blame(peer, BadReveal, "revealed an answer that it had not sealed")
            read_answer(desk, peer, seat, questions[seat], part[1])

    opens = yield Step(
        "answer-open",
        tuple(commits),
        check_open,
        lambda peer, rand, choices: [[salt(rand, seat), choices[seat]] for seat in asked[peer]],
        choices=lambda peer, body: {
            seat: part[1] for seat, part in zip(asked[peer], body, strict=True)
        },
        bound=True,
    )
    answers: dict[Seat, Answer] = {}
    for peer, parts in opens.items():
        for seat, (_, text) in zip(asked[peer], parts, strict=True):
            answer = questions[seat].read_notation(text)
            answers[seat] = desk.settle(seat, questions[seat], answer)
    return {seat: answers[seat] for seat in questions if seat in answers}


def read_answer(desk: Desk, peer: int, seat: Seat, question: Question, body: Body) -> None:
    """:raises Malformed: if the body is not an answer in notation
    :raises PlayedIllegally: if the rules refuse it, by the faces that this replica knows
    """
    if type(body) is not str:
        raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
    try:
        with desk.run.game_code():
            answer = question.read_notation(body)
        desk.run.check_answer(seat, question, answer, desk.faces(seat))
    except InvalidAnswer as error:
        raise desk.blame(peer, Malformed, "answered with something that is no move") from error
    except IllegalAnswer as error:
        raise desk.blame(peer, PlayedIllegally, f"answered {body}: {error}") from error


def mark(desk: Desk, request: Mark) -> Protocol[None]:
    """All compare a digest of the public state: replicas that differ are found within a round."""
    ours = digest("mark", desk.public())

    def check(peer: int, body: Body) -> None:
        if body != ours:
            raise desk.blame(peer, Diverged, "sees another table than we do: its rules differ")

    yield Step("mark", desk.present, check, lambda peer, rand, _: ours)


def seed_commitment(root: bytes, peer: int, seed: bytes) -> bytes:
    """What a peer signs the charter with: a commitment to the seed of all its randomness."""
    return digest("seed", root, peer, seed)


def signing(desk: Desk, root: bytes) -> Protocol[Bodies]:
    """Step 0: everybody signs the charter, through the head, and commits to a seed."""
    everybody = tuple(range(len(desk.charter.peers)))
    return (
        yield Step(
            "sign",
            everybody,
            lambda peer, body: is_bytes(desk, peer, body, HASH),
            lambda peer, rand, _: seed_commitment(root, peer, rand.seed),
        )
    )


def opening(desk: Desk, root: bytes, commitments: Bodies) -> Protocol[Bodies]:
    """The last step: everybody present reveals its seed, and anybody can audit the game."""

    def check(peer: int, body: Body) -> None:
        is_bytes(desk, peer, body, SECRET)
        if seed_commitment(root, peer, body) != commitments[peer]:
            raise desk.blame(peer, BadReveal, "revealed a seed that it had not committed to")

    return (yield Step("seed", desk.present, check, lambda peer, rand, _: rand.seed, bound=True))
