"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import playouts
from support.games.playouts import NAMES, fingerprints_under, mostly, of_kind, open_table

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Card, Face, Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.cinco_vidas import GAME
from sobremesa.plugins.cinco_vidas.cards import PACK

SEATS = st.integers(2, 8)
OPTIONS = st.fixed_dictionaries(
    {
        "one_card_last": st.sampled_from(["total", "literal"]),
        "wipeout": st.sampled_from(["rank", "replay"]),
    }
)
SEEDS = st.integers(0, 2**32)

play_out = partial(playouts.play_out, by_bot=mostly(4))
fingerprint = partial(playouts.fingerprint, GAME, by_bot=mostly(4))


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_game_ends_and_ranks_every_seat_once(
    seats: int, options: dict[str, str], seed: int
) -> None:
    table = open_table(GAME, seats, seed, options)
    play_out(table, seed)
    assert table.outcome is not None
    winners, *others = table.outcome.places
    ranked = [seat for place in (winners, *others) for seat in place]
    assert sorted(ranked) == list(NAMES[:seats])
    told = {event["seat"]: event["place"] for event in of_kind(table, "out")}
    assert told == {
        seat: ranked.index(place[0]) + 1 for place in others for seat in place
    }  # a shared place counts all who share it


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_tricks_are_all_won_and_never_come_out_even_with_the_bids(
    seats: int, options: dict[str, str], seed: int
) -> None:
    table = open_table(GAME, seats, seed, options)
    play_out(table, seed)
    for over in of_kind(table, "round_over"):
        bids, won, lost = over["bids"], over["won"], over["lost"]
        assert over["cards"] == (5, 4, 3, 2, 1)[(over["round"] - 1) % 5]
        assert bids.keys() == won.keys() == lost.keys()
        assert sum(won.values()) == over["cards"]
        assert sum(bids.values()) != over["cards"]
        assert any(lost.values())
        assert lost == {seat: abs(bids[seat] - won[seat]) for seat in bids}
        assert all(0 <= bid <= over["cards"] for bid in bids.values())


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_lives_fall_as_told_and_rise_only_in_a_replay(
    seats: int, options: dict[str, str], seed: int
) -> None:
    lives = dict.fromkeys(NAMES[:seats], 5)

    def each(table: OpenTable) -> None:
        assert len(table.asked) == 1
        assert GAME.public(table.run.state)["lives"] == lives

    def watch(event: Event) -> None:
        match event:
            case {"kind": "loss", "seat": seat, "lost": lost, "left": left}:
                assert lost > 0
                lives[seat] = max(0, lives[seat] - lost)
                assert lives[seat] == left
            case {"kind": "back", "seats": back}:
                assert options["wipeout"] == "replay"
                assert set(lives.values()) == {0}
                lives.update(dict.fromkeys(back, 1))
            case {"kind": "wipeout"}:
                assert set(lives.values()) == {0}

    table = open_table(GAME, seats, seed, options, watch)
    play_out(table, seed, each)
    assert len(of_kind(table, "wipeout")) <= (options["wipeout"] == "rank")
    assert table.outcome is not None
    survivors = tuple(seat for seat, left in lives.items() if left)
    assert len(survivors) <= 1
    assert survivors in ((), table.outcome.places[0])


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_deal_and_turns_go_clockwise_among_the_living(
    seats: int, options: dict[str, str], seed: int
) -> None:
    names = NAMES[:seats]
    living, dealer = list(names), None
    order: list[Seat] = []
    leader = played = None

    def after(seat: Seat) -> Seat:
        place = names.index(seat)
        return next(s for s in (*names[place + 1 :], *names[: place + 1]) if s in living)

    def watch(event: Event) -> None:
        nonlocal dealer, leader, played
        match event:
            case {"kind": "round"}:
                assert dealer is None or event["dealer"] == after(dealer)
                dealer, leader = event["dealer"], after(event["dealer"])
                order.clear()
                assert event["first"] == leader
            case {"kind": "bid", "seat": seat}:
                assert seat == (after(order[-1]) if order else leader)
                order.append(seat)
                played = None
            case {"kind": "play", "seat": seat}:
                assert len(order) == len(living)
                assert order[-1] == dealer
                assert seat == (after(played) if played else leader)
                played = seat
            case {"kind": "trick", "seat": seat}:
                leader, played = seat, None
            case {"kind": "out", "seat": seat}:
                living.remove(seat)
            case {"kind": "back", "seats": back}:
                assert back == living

    play_out(open_table(GAME, seats, seed, options, watch), seed)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=20, deadline=None)
def test_each_card_is_in_one_hand_only_and_a_seat_sees_what_the_round_lets_it_see(
    seats: int, options: dict[str, str], seed: int
) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        held = [card for hand in state.hands.values() for card in hand]
        assert len({table.all_faces[card] for card in held}) == len(held)
        rest = state.cards - state.tricks
        for seat, hand in state.hands.items():
            assert len(hand) in (rest, rest - 1)
            for other in table.seats:
                one_card = state.cards == 1 and other != seat and other in state.hands
                may = one_card or (state.cards > 1 and other == seat)
                assert all((card in table.faces(other)) == may for card in hand)
            assert not any(card in table.faces(None) for card in hand)

    play_out(open_table(GAME, seats, seed, options), seed, each)


class Decks:
    """Fair chance that remembers its decks, or chance that deals the decks of another game."""

    def __init__(self, seed: int, given: Sequence[Sequence[Face]] = ()) -> None:
        self._fair = FairChance(random.Random(seed).randrange)
        self._given = list(given)
        self.dealt: list[list[Face]] = []

    def toss(self, n: int, label: str) -> int:
        return self._fair.toss(n, label)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("this game has no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        self.dealt.append(list(self._given.pop(0) if self._given else self._fair.shuffle(faces)))
        return self.dealt[-1]


def other_decks(table: OpenTable, decks: Sequence[Sequence[Face]], seat: Seat | None,
                seed: int) -> list[list[Face]]:  # fmt: skip
    """The same decks, but with all the cards that the seat has not seen in another order."""
    seen = table.faces(seat)
    shuffled = []
    for number, deck in enumerate(decks):
        start = number * len(PACK)
        hidden = [place for place in range(len(PACK)) if Card(start + place) not in seen]
        faces = [deck[place] for place in hidden]
        random.Random(seed).shuffle(faces)
        other = list(deck)
        for place, face in zip(hidden, faces, strict=True):
            other[place] = face
        shuffled.append(other)
    return shuffled


@given(SEATS, OPTIONS, SEEDS, st.floats(0, 1), st.booleans())
@settings(max_examples=50, deadline=None)
def test_nothing_seen_told_or_asked_depends_on_hidden_cards(
    seats: int, options: dict[str, str], seed: int, part: float, spectator: bool
) -> None:
    """Two tables with the same answers, up to a moment, and other cards where the seat sees none
    until then."""
    names, chosen = NAMES[:seats], GAME.read_options(options)
    seat = None if spectator else names[seed % seats]
    answers = play_out(OpenTable(GAME, names, chosen, Decks(seed)), seed)
    answers = answers[: int(part * (len(answers) - 1))]  # without the last, the game goes on

    def moments(chance: Decks) -> tuple[OpenTable, list[Any]]:
        def note(event: Event) -> None:
            state = tables[0].run.state if tables else None
            drawn = GAME.view(state, seat, tables[0].faces(seat)) if tables else None
            seen.append((GAME.tell(event, seat), drawn))

        seen: list[Any] = []
        tables: list[OpenTable] = []
        tables.append(OpenTable(GAME, names, chosen, chance, note))
        (table,) = tables
        for answer in (*answers, None):
            state = table.run.state
            seen.append((repr(state), dict(table.asked), GAME.view(state, seat, table.faces(seat))))
            if seat in table.asked:
                pick = random.Random(seed).randrange
                seen.append(GAME.bots[0].choose(table.sight(seat), table.asked[seat], pick))
            if answer is not None:
                table.answer(*answer)
        return table, seen

    chance = Decks(seed)
    one, seen = moments(chance)
    two, again = moments(Decks(seed, other_decks(one, chance.dealt, seat, seed + 1)))
    assert seen == again
    assert one.all_faces != two.all_faces


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=10, deadline=None)
def test_same_chance_and_answers_give_the_same_digest(
    seats: int, options: dict[str, str], seed: int
) -> None:
    assert fingerprint(seats, options, seed) == fingerprint(seats, options, seed)
    assert fingerprint(seats, options, seed) != fingerprint(seats, options, seed + 1)


def test_hash_seed_of_the_interpreter_changes_nothing() -> None:
    games = [(n, {"wipeout": "replay"}, n) for n in (2, 4, 8)]
    first, second = (fingerprints_under(seed, __file__, games) for seed in (1, 2))
    assert first == second
    assert len(set(first)) == 3
