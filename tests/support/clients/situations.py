"""Games in situations worth looking at, for goldens and tests of the clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from support.clients.sessions import (
    FIVES,
    FOUR,
    ROLES,
    DudoSession,
    FixedChance,
    OpenSession,
    ScriptedSession,
    intrigue_table,
    kitchen_table,
    lives_table,
    waiting_room,
)

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.result import ResultScreen
from sobremesa.cli.screen.room import RoomScreen
from sobremesa.cli.screen.session import SessionScreen, SessionState
from sobremesa.cli.screen.table import TableScreen
from sobremesa.cli.session.moments import Absent, Asked, Chat, Moment, Over, RoomChanged, Told
from sobremesa.cli.session.session import Again
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.net.events import Absence
from sobremesa.plugins import cinco_vidas, dudo, five_alive, house_of_jokers, intriga


@dataclass(slots=True)
class NoStage:
    """A stage without an application, for screens that are only looked at."""

    theme: Theme = field(default_factory=Theme)
    own: OwnSettings = field(default_factory=OwnSettings)

    def refresh(self) -> None:
        """Nothing is painted."""


class QuietStage(NoStage):
    """The same for screens that begin work of their own, which is not done."""

    def work(self, what: Coroutine[Any, Any, None]) -> None:
        what.close()

    def help(self, page: str = "") -> None:
        """None is opened."""


@dataclass(slots=True)
class Situation:
    """What happened, and the faces that Cai sees after it."""

    moments: list[Moment]
    game: Game[Any] = dudo.GAME
    faces: Faces = field(default_factory=dict)

    @property
    def question(self) -> Question:
        """What Cai is asked."""
        return next(m.question for m in reversed(self.moments) if isinstance(m, Asked))


def _at(session: OpenSession, *more: Moment) -> Situation:
    moments = [waiting_room(), *session.moments, *more]
    return Situation(moments, session.game, session.faces())


def _resting(session: OpenSession) -> Situation:
    """At the last reveal."""
    found = _at(session)
    rests = [place for place, m in enumerate(found.moments) if isinstance(m, Told) and m.rest]
    found.moments = found.moments[: rests[-1] + 1]
    return found


def _ended(session: OpenSession) -> Situation:
    """After the end, verified."""
    found = _at(session)
    over = found.moments.pop()
    assert isinstance(over, Over)
    found.moments.append(replace(over, verified=True))
    return found


# Dudo.


NOW = 1000.0
"""What the loop's clock shows in every situation."""


def opening() -> Situation:
    dice = dict.fromkeys(FOUR, (1, 2, 3, 4, 5))
    return _at(DudoSession("Cai", FOUR, FixedChance(2, dice)))


def asked() -> Situation:
    return _at(kitchen_table(), Chat("Ana", "that's brave"))


def waiting() -> Situation:
    return _at(kitchen_table("Dora"))


def reveal() -> Situation:
    return _resting(kitchen_table().play("dudo"))


def palifico() -> Situation:
    dice = {"Ana": (2, 2, 3), "Bento": (4, 4, 5), "Cai": (1, 6, 6)}
    session = DudoSession("Cai", tuple(dice), FixedChance(0, dice, dice, dice), {"dice": "3"})
    return _at(session.play("9x2", "dudo", "8x2", "dudo", "1x1", "2x1"))


def eight() -> Situation:
    names = ("Ana", "Bento", "Cai", "日本語の名前はとても長い", "W" * 40, "é́́́", "Zoë", "x")
    dice = dict.fromkeys(names, (1, 2, 3, 4, 6))
    return _at(DudoSession("Cai", names, FixedChance(0, dice)).play("10x6", "20x6"))


def missing(*absences: Absence, alone: bool = False) -> Callable[[], Situation]:
    def situation() -> Situation:
        found = asked()
        found.moments.append(Absent(absences, 4, alone))
        return found

    return situation


DORA = Absence("Dora", NOW - 14, NOW + 46)
BENTO = Absence("Bento", NOW - 9, NOW + 51)


def room() -> Situation:
    return Situation([waiting_room("Ana", opener=True), waiting_room("Ana", opener=True, Cai=True)])


def room_of_two_copies() -> Situation:
    opened = waiting_room("Ana", opener=True).room
    warning = (
        f"Cai's copy of {opened.game} is another one (sobremesa 0.2.0, yours 0.1.0): "
        "a dispute about the rules would end the game without a result."
    )
    return Situation([RoomChanged(opened), RoomChanged(replace(opened, warnings=(warning,)))])


def result() -> Situation:
    dice = {"Ana": (2, 2, 3), "Cai": (1, 6, 6)}
    options = {"dice": "3", "palifico": "off"}
    session = DudoSession("Cai", tuple(dice), FixedChance(0, *[dice] * 3), options)
    return _ended(session.play("6x2", "dudo", "5x2", "dudo", "4x2", "dudo"))


# Cinco Vidas.


def _lives(deals: int, first: int = 3) -> OpenSession:
    """Cinco Vidas after so many rounds in which everybody bids 1 and plays from the left."""
    session = OpenSession(cinco_vidas.GAME, "Cai", FOUR, FixedChance(first, FIVES))
    while session.table.run.state.round <= deals:
        _play_any(session)
    return session


def _play_any(session: OpenSession) -> None:
    for move in ("#1", "bid 1", "bid 2", "win", "lose"):
        try:
            session.play(move)
        except LocalError:
            continue
        return


def bid() -> Situation:
    """Cai deals, bids last, and one number is barred."""
    session = OpenSession(cinco_vidas.GAME, "Cai", FOUR, FixedChance(2, FIVES))
    return _at(session.play("bid 1", "bid 0", "bid 2"))


def trick() -> Situation:
    return _at(lives_table())


def round_over() -> Situation:
    session = lives_table()
    while session.table.run.state.round == 1:
        _play_any(session)
    return _resting(session)


def one_card() -> Situation:
    """Cai sees all cards but one, and is asked."""
    session = _lives(4)
    while session.question is None:
        _play_any(session)
    return _at(session)


def lives_gone() -> Situation:
    session = _lives(4)
    while session.table.outcome is None:
        _play_any(session)
    return _ended(session)


# Intriga.


def action() -> Situation:
    return _at(OpenSession(intriga.GAME, "Cai", FOUR, FixedChance(2, ROLES)))


def claimed() -> Situation:
    return _at(intrigue_table(), Chat("Dora", "hm"))


def stolen() -> Situation:
    """Dora steals from Cai, nobody doubts it, and Cai may block."""
    session = OpenSession(intriga.GAME, "Cai", FOUR, FixedChance(3, ROLES))
    return _at(session.play("steal Cai", "Ana: pass", "Bento: pass", "Cai: pass"))


def losing() -> Situation:
    """Cai was wrong to doubt and chooses the card to turn up."""
    return _at(intrigue_table().play("Bento: pass", "Cai: liar", "Dora: pass"))


def shown() -> Situation:
    return _resting(intrigue_table().play("Bento: pass", "Cai: liar", "Dora: pass", "lose lady"))


def exchange() -> Situation:
    session = OpenSession(intriga.GAME, "Cai", FOUR, FixedChance(2, ROLES))
    return _at(session.play("exchange", "Ana: pass", "Bento: pass", "Dora: pass"))


def last_one_in() -> Situation:
    """Two players; Ana doubts both of Cai's true claims."""
    deck = ("corsair", "lady", "banker", "banker")
    session = OpenSession(intriga.GAME, "Cai", ("Ana", "Cai"), FixedChance(1, deck, ("banker",)))
    return _ended(session.play("tax", "liar", "lose lady", "income", "tax", "liar"))


# 5 Alive and House of Jokers.

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SIX = ("Ana", "Bento", "Cai", "Dora", "Eva", "Fay")


def _given(game: Game[Any], scenario: dict[str, object], moves: int | None = None) -> OpenSession:
    """A scenario with Cai's eyes, or its first moves."""
    given = json.loads(json.dumps({"game": game.id} | scenario))
    read = read_scenario(given, lambda name: game)
    options = {key: str(value) for key, value in read.options.items()}
    session = OpenSession(game, "Cai", read.seats, GivenChance(read), options)
    played = (move.replace(" ", ": ", 1) for move in read.moves[:moves])
    return session.play(*played)


def _filed(game: Game[Any], name: str, moves: int | None = None) -> OpenSession:
    """The same from the scenario files."""
    folder = game.id.replace("-", "_")
    scenario = json.loads((SCENARIOS / folder / f"{name}.json").read_text("utf-8"))
    return _given(game, scenario, moves)


def _until(session: OpenSession, holds: Callable[[], object]) -> OpenSession:
    """Everybody plays what the table would play for those who are late."""
    while not holds():
        seat, question = next(iter(session.table.asked.items()))
        faces = session.table.faces(seat)
        session.play(f"{seat}: {question.write(question.late(faces), faces)}")
    return session


def alive_first() -> Situation:
    """Six players and full hands; Cai begins."""
    return _at(_given(five_alive.GAME, {"seats": SIX, "seed": 4, "tosses": {"starter": 2}}))


def alive_tight() -> Situation:
    """A total at which few of Cai's cards can be played."""
    session = _given(five_alive.GAME, {"seats": SIX[:4], "seed": 7, "tosses": {"starter": 0}})
    state = session.table.run.state
    return _at(_until(session, lambda: session.question and state.total > 17))


def alive_teams() -> Situation:
    """Teams of three, each with flipped cards."""
    options = {"teams": "on"}
    scenario = {"seats": SIX, "seed": 7, "options": options, "tosses": {"starter": 0}}
    session = _given(five_alive.GAME, scenario)
    state = session.table.run.state
    return _at(_until(session, lambda: session.question and min(s.alive for s in state.sides) < 4))


def alive_opened() -> Situation:
    """A hand is over, and all that was held lies open."""
    session = _given(five_alive.GAME, {"seats": SIX, "seed": 4, "tosses": {"starter": 2}})
    return _resting(_until(session, lambda: session.table.run.state.hand_no > 1))


def alive_result() -> Situation:
    session = _given(five_alive.GAME, {"seats": SIX[:4], "seed": 7, "tosses": {"starter": 0}})
    return _ended(_until(session, lambda: session.table.outcome))


def jokers_choosing() -> Situation:
    return _at(_filed(house_of_jokers.GAME, "HJ-R2-sevens-lie-and-the-rest-is-dealt"))


def jokers_turn() -> Situation:
    """Five players in mid-game, and Cai is to play."""
    return _at(_filed(house_of_jokers.GAME, "HJ-R21-all-win-together", 33))


def jokers_covered() -> Situation:
    """Cai's face-down cards are to be seen in Cai's turn."""
    name = "HJ-R10-face-down-card-that-fits-brings-an-extra-turn"
    return _at(_filed(house_of_jokers.GAME, name, 39))


def jokers_only() -> Situation:
    """None of Cai's cards fits, so a joker moves."""
    name = "HJ-R13-who-can-only-move-a-joker-takes-no-penalty"
    return _at(_filed(house_of_jokers.GAME, name, -1))


def jokers_refill() -> Situation:
    return _at(_filed(house_of_jokers.GAME, "HJ-R21-all-win-together", 8))


def jokers_penalty() -> Situation:
    return _at(_filed(house_of_jokers.GAME, "HJ-R15-owner-chooses-the-card"))


def jokers_waiting() -> Situation:
    return _at(_filed(house_of_jokers.GAME, "HJ-R21-all-win-together", 30))


def jokers_won() -> Situation:
    return _ended(_filed(house_of_jokers.GAME, "HJ-R21-all-win-together"))


def jokers_lost() -> Situation:
    return _ended(_filed(house_of_jokers.GAME, "HJ-R21-all-lose-together"))


def jokers_canceled() -> Situation:
    """Bea left."""
    found = jokers_waiting()
    why = "Bea left the table, so the game ends without a result."
    found.moments.append(Over(f"{house_of_jokers.GAME.broken_off} {why}", 3))
    return found


SITUATIONS: dict[str, Callable[[], Situation]] = {
    "dudo/opening": opening,
    "dudo/asked": asked,
    "dudo/waiting": waiting,
    "dudo/reveal": reveal,
    "dudo/palifico": palifico,
    "dudo/eight": eight,
    "dudo/away": missing(DORA),
    "dudo/choice": missing(replace(DORA, choice=True, agreed=("Ana",))),
    "dudo/through": missing(replace(DORA, choice=True, through=("Bento",))),
    "dudo/too_few": missing(DORA, BENTO),
    "dudo/alone": missing(DORA, BENTO, Absence("Ana", NOW - 12, None), alone=True),
    "dudo/room": room,
    "dudo/room-of-two-copies": room_of_two_copies,
    "dudo/result": result,
    "cinco_vidas/bid": bid,
    "cinco_vidas/trick": trick,
    "cinco_vidas/round_over": round_over,
    "cinco_vidas/one_card": one_card,
    "cinco_vidas/result": lives_gone,
    "intriga/action": action,
    "intriga/claimed": claimed,
    "intriga/stolen": stolen,
    "intriga/losing": losing,
    "intriga/shown": shown,
    "intriga/exchange": exchange,
    "intriga/result": last_one_in,
    "five_alive/first": alive_first,
    "five_alive/tight": alive_tight,
    "five_alive/teams": alive_teams,
    "five_alive/opened": alive_opened,
    "five_alive/result": alive_result,
    "house_of_jokers/choosing": jokers_choosing,
    "house_of_jokers/turn": jokers_turn,
    "house_of_jokers/covered": jokers_covered,
    "house_of_jokers/only_jokers": jokers_only,
    "house_of_jokers/refill": jokers_refill,
    "house_of_jokers/penalty": jokers_penalty,
    "house_of_jokers/waiting": jokers_waiting,
    "house_of_jokers/won": jokers_won,
    "house_of_jokers/lost": jokers_lost,
    "house_of_jokers/canceled": jokers_canceled,
}
"""By the path of their goldens."""


async def _nobody() -> ScriptedSession:
    raise LocalError("nobody plays again")


def screen_of(situation: Situation, theme: Theme) -> SessionScreen:
    """The screen in this situation."""
    session = ScriptedSession(game=situation.game)
    session.seen = situation.faces
    story = Story(session)
    for moment in situation.moments:
        story.take(moment)
        if isinstance(moment, Absent):
            session.status.away = [absence.name for absence in moment.absences]
    session.status.verified = True
    session.again = Again(_nobody)
    session.status.asked = ("Cai" if story.asked else story.seats[1] if story.seats else "Bento",)
    session.status.asked_at, session.status.seconds = NOW - 34, 60
    kind = ResultScreen if story.over else TableScreen if story.game else RoomScreen
    return kind(NoStage(theme), SessionState(story, lambda: NOW))  # type: ignore[arg-type]
