"""What bots are given of chance, and what an audit says of how they moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.games import toy
from support.games.packages import import_example
from support.peers.tabletop import Tabletop

from sobremesa.core.game import Bot, Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.audit import Report, audit, remake
from sobremesa.core.replica.bots import BotPlay, BotWitness
from sobremesa.core.replica.table import Table
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.dudo.questions import Turn

ByHand = Callable[[Table, Seat, Question, Answer], Answer]
"""What is answered for a bot's seat, in the place of the bot's answer."""

MORRA = import_example()

OWNERS = (0, 0, 1)
"""Bea is the bot of Ana's machine."""


def own(table: Table, seat: Seat, question: Question, answer: Answer) -> Answer:
    """The bot's."""
    return answer


class Attended(Tabletop):
    """A tabletop whose bots answer as their tables have them, or somebody does `by_hand`."""

    by_hand: ByHand = staticmethod(own)

    def answer(self, peer: int, seat: Seat) -> None:
        if seat not in bots(self):
            super().answer(peer, seat)
            return
        table, question = self.tables[peer], self.tables[peer].asked[seat]
        answer = table.bot_answer(self.game.bots[0], seat, question)
        table.answer(seat, self.by_hand(table, seat, question, answer))
        self.pump()


def bots(tabletop: Tabletop) -> list[Seat]:
    return [plan.name for plan in tabletop.charter.seats if plan.bot]


def attended(
    game: Game[Any], owners: Sequence[int] = OWNERS, by_hand: ByHand = own, seed: int = 1
) -> Attended:
    tabletop = Attended(game, max(owners) + 1, seed=seed, owners=owners)
    tabletop.by_hand = by_hand
    return tabletop


def told(tabletop: Tabletop, game: Game[Any]) -> tuple[BotPlay, ...]:
    """What a machine with this game says of the bots. It accuses nobody."""
    report: Report = audit(tabletop.tables[0].transcript(), lambda _: game)
    assert (report.trouble, report.culprit) == (None, None)
    return report.bots


def drawn(table: Table, seat: Seat) -> tuple[int, ...]:
    pick = table.replica_state.pick(seat)
    return tuple(pick(2**64) for _ in range(3))


# Chance.


def test_chance_of_a_bot_is_one_stream_for_each_step_and_seat() -> None:
    tabletop = attended(toy.GAME, (0, 0, 0, 1))
    seen: dict[tuple[int, ...], tuple[int, Seat]] = {}

    def look() -> bool:
        table = tabletop.tables[0]
        for seat in table.asked:
            assert seen.setdefault(drawn(table, seat), (table.step, seat)) == (table.step, seat)
        return False

    tabletop.run(look)
    assert len(seen) == 3 * 3


def test_chance_of_a_bot_follows_from_the_seed_and_all_that_was_said() -> None:
    def first(**seeds: bytes) -> tuple[int, ...]:
        changed = {int(peer[1:]): seed for peer, seed in seeds.items()}
        tabletop = Tabletop(toy.GAME, 2, seed=1, owners=OWNERS, seeds=changed)
        tabletop.run(lambda: "Bea" in tabletop.tables[0].asked)
        return drawn(tabletop.tables[0], "Bea")

    assert first() == first()
    assert len({first(), first(_0=bytes(32)), first(_1=bytes(32))}) == 3


def test_bot_of_a_machine_that_crashed_answers_the_same_again() -> None:
    bot: Bot[Any] = Bot(
        "chance", "Chance", lambda seen, question, pick: Answer("said", (pick(2**64),))
    )
    tabletop = attended(toy.GAME)
    asked = 0

    def look() -> bool:
        nonlocal asked
        table = tabletop.tables[0]
        if "Bea" in table.asked:
            asked += 1
            question = table.asked["Bea"]
            before = table.bot_answer(bot, "Bea", question)
            tabletop.restart(0)
            again = tabletop.tables[0]
            assert again.bot_answer(bot, "Bea", again.asked["Bea"]) == before
        return asked == 3

    tabletop.run(look)
    assert asked == 3


def test_what_a_bot_is_given_to_choose_with_holds_no_seed() -> None:
    tabletop = attended(toy.GAME).run()
    pick: Any = tabletop.tables[0].replica_state.pick("Bea")
    (cell,) = pick.__closure__
    held = cell.cell_contents.gi_frame.f_locals
    assert held["key"]
    assert tabletop.seeds[0] not in held.values()


# The audit.


@pytest.mark.parametrize("game", [toy.GAME, DUDO], ids=lambda game: game.id)
@pytest.mark.parametrize("owners", [(0, 0, 1), (0, 1, 0, 1, 1), (0, 0)], ids=str)
def test_bots_that_moved_by_themselves_are_known_by_all_their_answers(
    game: Game[Any], owners: tuple[int, ...]
) -> None:
    asked: dict[Seat, int] = {}

    def count(table: Table, seat: Seat, question: Question, answer: Answer) -> Answer:
        asked[seat] = asked.get(seat, 0) + 1
        return answer

    tabletop = attended(game, owners, count).run()
    assert told(tabletop, game) == tuple(
        BotPlay(seat, game.bots[0].id, True, asked[seat], (), ()) for seat in bots(tabletop)
    )
    if game is toy.GAME:
        assert set(asked.values()) == {3}, (
            "the fourth question leaves no choice, and counts for nobody"
        )


def otherwise(kind: type[Question], at: list[int]) -> ByHand:
    """The first question of a kind is answered otherwise than by the bot, at a step to be noted."""

    def answer(table: Table, seat: Seat, question: Question, own: Answer) -> Answer:
        others = (a for a in question.answers(table.faces(seat)) if a != own)
        if at or type(question) is not kind or (other := next(others, None)) is None:
            return own
        at.append(table.step)
        return other

    return answer


@pytest.mark.parametrize(
    ("game", "kind"),
    [(toy.GAME, toy.Play), (DUDO, Turn), (MORRA.GAME, MORRA.Throw)],
    ids=["of hidden dice", "open", "sealed"],
)
def test_answer_that_a_person_gave_for_a_bot_is_told_and_accuses_nobody(
    game: Game[Any], kind: type[Question]
) -> None:
    at: list[int] = []
    tabletop = attended(game, by_hand=otherwise(kind, at), seed=2).run()
    (play,) = told(tabletop, game)
    assert len(at) == 1
    assert (play.seat, play.other, play.broken) == ("Bea", tuple(at), ())
    assert play.answers > 1


def breaks(*_: Any) -> Answer:
    raise RuntimeError("the bot is confused")


@pytest.mark.parametrize(
    "strategy",
    [breaks, lambda *_: None, lambda *_: Answer("resign"), lambda seen, question, pick: pick(0)],
    ids=["raises", "gives nothing", "knows other moves", "chooses among nothing"],
)
def test_bot_that_breaks_while_it_is_audited_is_told_and_breaks_nothing(strategy: Any) -> None:
    tabletop = attended(DUDO).run()
    (sound,) = told(tabletop, DUDO)
    bot = replace(DUDO.bots[0], strategy=strategy)
    (play,) = told(tabletop, replace(DUDO, bots=(bot,)))
    assert play.answers == len(play.broken) == sound.answers


def test_of_a_bot_that_is_not_installed_nothing_is_told() -> None:
    tabletop = attended(DUDO).run()
    game = replace(DUDO, bots=(replace(DUDO.bots[0], id="another"),))
    assert told(tabletop, game) == (BotPlay("Bea", DUDO.bots[0].id, False, 0, (), ()),)


def test_of_bots_of_a_game_that_does_not_hold_nothing_is_told() -> None:
    data = attended(DUDO).run().tables[0].transcript()
    assert audit(data[:-70], lambda _: DUDO).bots == ()


def test_nothing_is_told_of_a_bot_whose_peer_has_not_opened_its_seed() -> None:
    """And the rest of the game is made again all the same."""
    tabletop = attended(toy.GAME, (0, 1, 1)).run()
    table = tabletop.tables[0]
    records = [(message.payload, message.signature) for message in table.messages()]
    witness = BotWitness(table.charter, toy.GAME)
    again = remake(table.charter, toy.GAME, records, {0: table.seeds[0]}, witness.look)
    assert again.outcome == table.outcome
    (play,) = witness.plays()
    assert (play.answers, play.other, play.broken) == (0, (), ())
