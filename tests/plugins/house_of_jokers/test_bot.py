"""The computer player: what it knows, and that it is worth playing with."""

from __future__ import annotations

import pytest
from campaigns import house_of_jokers_bot as campaign
from support.games.playouts import NAMES

from sobremesa.core.game import Observation
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, Question
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import Choose, Flip, Refill, Turn
from sobremesa.plugins.house_of_jokers.state import Board, Slot, State

BOT = GAME.bots[0]


class Scene:
    """A table as Ana's bot sees it at her turn; Bea is on her left, Cai follows."""

    def __init__(
        self, board: Board, ana: str, bea: str = "", cai: str = "", hand: str = "", down: str = ""
    ) -> None:
        """Action cards of each, Ana's hand, and those of her action cards that lie face down."""
        serials = iter(range(99))
        self.faces: Faces = {}
        slots = {}
        for seat, faces in (("Ana", ana), ("Bea", bea), ("Cai", cai)):
            slots[seat] = tuple(Slot(Card(next(serials)), face) for face in faces.split())
        for face in down.split():
            card = Card(next(serials))
            slots["Ana"] += (Slot(card, None),)
            self.faces = {**self.faces, card: face}
        own = tuple(Card(next(serials)) for _ in hand.split())
        self.faces = {**self.faces, **dict(zip(own, hand.split(), strict=True))}
        hands = {"Ana": own, "Bea": (), "Cai": ()}
        self.state = State(NAMES[:3], 3, 2, 1, board, hands, slots, turn="Ana", stage="playing")

    def ask(self, question: Question) -> Answer:
        observation = Observation("Ana", NAMES[:3], {}, self.state, self.faces, ())
        answer = BOT.choose(observation, question, lambda n: 0)
        question.check(answer, self.faces)
        return answer

    def turn(self, extra: bool = False) -> str:
        question = Turn(self.state.board, self.state.slots["Ana"], self.state.may_shift, extra)
        answer = self.ask(question)
        faces: Faces = {slot.card: slot.face for slot in self.state.slots["Ana"] if slot.face}
        return question.write(answer, {**faces, **self.faces})


def board(text: str, jokers: str = "", to_place: int = 0) -> Board:
    """`S5-9 H7-7`: from where to where the suits run; those not named have their seven only."""
    low, high = dict.fromkeys("SHDC", 7), dict.fromkeys("SHDC", 7)
    for word in text.split():
        first, last = word[1:].split("-")
        low[word[0]], high[word[0]] = int(first), int(last)
    return Board(low, high, tuple(jokers.split()), to_place, 0)


def test_chooses_the_cards_nearest_to_their_sevens() -> None:
    scene = Scene(board(""), "", hand="KS 8S 2H 5D 6C AS")
    hand = scene.state.hands["Ana"]
    assert scene.ask(Choose(hand, 3)) == Answer("choose", ((2, 4, 5),))


def test_plays_the_card_from_which_the_next_one_can_go_on() -> None:
    assert Scene(board(""), "8S 8H", bea="9H KC").turn() == "play 8H"
    assert Scene(board(""), "8H 8S", bea="9S KC").turn() == "play 8S"


def test_plays_a_face_down_card_as_well() -> None:
    assert Scene(board(""), "KS", down="6D").turn() == "play 6D"


def test_goes_on_with_the_suit_that_is_behind() -> None:
    assert Scene(board("S3-11"), "2S 6H").turn() == "play 6H"


def test_moves_a_joker_off_the_card_that_the_next_player_needs() -> None:
    blocked = board("S6-8 H7-9", jokers="8S 6S")
    assert Scene(blocked, "KD", bea="9S").turn() == "joker 8S 9H"
    assert Scene(blocked, "KD", bea="5S").turn() == "joker 6S 9H"


def test_keeps_jokers_on_the_table_while_they_can_move() -> None:
    complete = board("S1-13 H7-9 D6-8", jokers="9H")
    assert Scene(complete, "KC").turn() == "joker 9H 6D"
    stalled = Scene(complete, "KC", bea="AC", cai="AD")
    stalled.state.stall = stalled.state.limit
    assert stalled.turn() == "joker 9H 7S"


def test_refills_with_the_card_that_can_be_played_soonest() -> None:
    scene = Scene(board("S3-11"), "KD", hand="6C QS AH 3D")
    hand, now = scene.state.hands["Ana"], scene.state.board
    assert scene.ask(Refill(hand, True, now)) == Answer("refill", (1,))


def test_turns_down_the_card_that_is_farthest_away() -> None:
    scene = Scene(board("S3-11"), "9H AH 5C")
    assert scene.ask(Flip(scene.state.slots["Ana"], scene.state.board)) == Answer("flip", (2,))


@pytest.mark.parametrize(
    ("seats", "difficulty", "jokers"),
    [(3, "easy", 2), (3, "hard", 3), (4, "normal", 2), (5, "hard", 3), (5, "normal", 3)],
)
def test_bots_win_as_often_as_they_should(seats: int, difficulty: str, jokers: int) -> None:
    wanted = campaign.WANTED[seats, difficulty][jokers - 2]
    assert campaign.win_rate(seats, difficulty, jokers, games=40) >= wanted


def test_random_players_hardly_ever_win() -> None:
    assert campaign.win_rate(4, "normal", 2, games=40, players="random players") <= 0.1


@pytest.mark.parametrize(("seats", "jokers"), [(3, 2), (5, 3)])
def test_careless_bots_win_less_where_there_are_fewer_action_cards(seats: int, jokers: int) -> None:
    rates = {
        difficulty: campaign.win_rate(seats, difficulty, jokers, games=40, players="careless bots")
        for difficulty in campaign.DIFFICULTIES
    }
    assert campaign.is_in_order(rates)


def test_campaign_reports_the_rates_from_most_to_least_and_fails_below_a_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wins = {"easy": 0.9, "normal": 0.6, "hard": 0.75}

    def win_rate(
        seats: int, difficulty: str, jokers: int, games: int, seed: int, players: str
    ) -> float:
        return wins[difficulty] if players == "bots" else careless[difficulty]

    monkeypatch.setattr(campaign, "win_rate", win_rate)
    monkeypatch.setattr(campaign, "WANTED", {(3, d): (0.5, 0.6) for d in wins})
    careless = {"easy": 0.9, "normal": 0.6, "hard": 0.3}
    assert campaign.main(["--games", "9", "--seats", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "3 bots, 2 jokers, of 9 games won: easy 90.0% (wanted: 50%), hard 75.0% (wanted: 50%), "
        "normal 60.0% (wanted: 50%)",
        "3 careless bots, 2 jokers, of 9 games won: easy 90.0%, normal 60.0%, hard 30.0%",
    ]
    careless["hard"] = 0.6
    assert campaign.main(["--seats", "3"]) == 1
    careless["hard"], wins["normal"] = 0.3, 0.59
    assert campaign.main(["--seats", "3"]) == 1
