"""Sealed cards at a table of honest peers: the same game as on the open table, one transcript, a
restart in any step, and an audit that lets no changed byte pass."""

from __future__ import annotations

import hashlib
import random
from collections.abc import ItemsView, Sequence
from typing import Any, NamedTuple

import pytest
from campaigns import proofs
from support.games.flowers import GAME
from support.games.playouts import played_at_random
from support.peers.card_tables import CardTable, Pause, Twin, play_openly
from support.peers.tabletop import NAMES, Wires, feed, key, make_charter, seed_of

from sobremesa.core.crypto.slices import finish, is_work
from sobremesa.core.encoding import Rand, pack
from sobremesa.core.game import OptionValue
from sobremesa.core.pieces import Card
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.dispatch import exchange
from sobremesa.core.replica.faults import BadKeyShare
from sobremesa.core.replica.state import ReplicaState
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import read_transcript, write_transcript
from sobremesa.core.requests import Reveal, Show, Shuffle
from sobremesa.core.script import ScriptRun
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games


def assert_same_as_open(table: CardTable) -> Twin:
    """Play, then play the same openly: equal public states and faces for every seat at each pause,
    equal events and outcome."""
    game = table.game
    pauses: list[Pause] = []
    states: list[set[bytes]] = []

    def keep_states() -> None:
        assert all(replica.fault is None for replica in table.tables)
        states.append({pack(game.public(replica.state)) for replica in table.tables})

    for pause in table.pauses():
        pauses.append(pause)
        keep_states()
    assert all(replica.over for replica in table.tables)
    keep_states()

    def look(number: int, twin: Twin) -> None:
        assert states[number] == {pack(game.public(twin.run.state))}
        for seat, faces in pauses[number].faces.items():
            assert dict(twin.faces(seat)) == faces

    twin = play_openly(table, pauses, look)
    assert states[-1] == {pack(game.public(twin.run.state))}
    for replica in table.tables:
        assert replica.events == twin.events
        assert replica.outcome == twin.outcome
    return twin


@pytest.mark.parametrize("backup", [True, False], ids=["backup", "no-backup"])
@pytest.mark.parametrize("peers", [1, 2, 3])
def test_sealed_game_is_the_open_game(peers: int, backup: bool) -> None:
    table = CardTable(GAME, peers, seed=peers, backup=backup)
    assert_same_as_open(table)
    (data,) = table.transcripts()
    report = audit(data, lambda _: GAME)
    assert (report.trouble, report.outcome) == (None, table.tables[0].outcome)
    kinds = {message.kind for message in table.tables[0].messages()}
    assert ("key-shares" in kinds) == ("complaints" in kinds) == (backup and peers > 2)


@pytest.mark.parametrize("peers", [4, 5])
def test_sealed_game_is_the_open_game_at_larger_tables(peers: int) -> None:
    table = CardTable(GAME, peers, seed=peers)
    assert_same_as_open(table)
    assert len(table.transcripts()) == 1


@pytest.mark.parametrize("owners", [(0, 0, 1), (1, 0, 1, 0), (2, 0, 1, 1), (0, 0, 0)])
def test_peers_with_several_seats_play_the_open_game(owners: tuple[int, ...]) -> None:
    table = CardTable(GAME, max(owners) + 1, {"rounds": "1"}, seed=3, owners=owners)
    assert_same_as_open(table)
    (data,) = table.transcripts()
    assert audit(data, lambda _: GAME).ok


def test_rounds_go_on_with_the_same_keys() -> None:
    table = CardTable(GAME, 2, {"rounds": "3"}, seed=1)
    assert_same_as_open(table)
    kinds = [message.kind for message in table.tables[0].messages()]
    assert kinds.count("keys") == 2
    assert kinds.count("shuffle") > 6


class SealedGame(NamedTuple):
    """A whole game of this project on a sealed table: which peer plays each seat, and kinds of
    events without which it would show too little."""

    game: str
    owners: tuple[int, ...]
    options: dict[str, str]
    seed: int
    kinds: set[str]
    by_bots: bool = False
    """Whether its bots play; else it is played at random."""

    def __str__(self) -> str:
        owners = "".join(map(str, self.owners))
        return "-".join([self.game, owners, *(f"{k}={v}" for k, v in self.options.items())])


# Cinco Vidas with a round of one card, which only the others see; Intriga with cards returned and
# drawn; 5 Alive with hands dealt anew; House of Jokers with cards that are turned down.
SEALED_GAMES = [
    SealedGame("cinco-vidas", (0, 1), {}, 2, {"wipeout"}),
    SealedGame("cinco-vidas", (0, 1), {"wipeout": "replay"}, 0, {"back", "forced", "reveal"}),
    SealedGame(
        "cinco-vidas", (0, 1, 2, 0, 1, 2, 0, 1), {"one_card_last": "literal"}, 1, {"reveal", "out"}
    ),
    SealedGame("intriga", (0, 1), {"window": "0", "late_block": "on"}, 1, {"redrawn", "caught"}),
    SealedGame("intriga", (0, 1, 2), {"window": "5"}, 14, {"redrawn", "exchanged", "refund"}),
    SealedGame("intriga", (0, 1, 2, 0), {}, 19, {"redrawn", "exchanged", "blocked", "void"}),
    SealedGame("intriga", (0, 1, 2, 3, 4, 5), {"window": "20"}, 0, {"redrawn", "exchanged"}),
    SealedGame("five-alive", (0, 1), {"sudden_death": "on"}, 0, {"redeal", "zeros", "sudden"}),
    SealedGame("five-alive", (0, 1, 0), {}, 1, {"draw", "redeal", "out"}),
    SealedGame(
        "five-alive", (0, 1, 0, 1, 0, 1), {"teams": "on"}, 0, {"redeal", "zeros", "reshuffle"}
    ),
    SealedGame(
        "house-of-jokers",
        (0, 1, 2),
        {"difficulty": "easy", "jokers": "3"},
        0,
        {"joker_removed"},
        by_bots=True,
    ),
    SealedGame("house-of-jokers", (0, 1, 2, 3), {"joker_rounds": "2"}, 1, {"flip", "joker"}),
    SealedGame(
        "house-of-jokers",
        (0, 1, 0, 1, 1),
        {"difficulty": "hard", "joker_rounds": "0"},
        5,
        {"flip", "joker"},
    ),
]


@pytest.mark.parametrize("played", SEALED_GAMES, ids=str)
def test_games_of_this_project_are_the_same_sealed_and_open(played: SealedGame) -> None:
    game = GAMES[played.game] if played.by_bots else played_at_random(GAMES[played.game])
    peers = len(set(played.owners))
    table = CardTable(game, peers, played.options, seed=played.seed, owners=played.owners)
    twin = assert_same_as_open(table)
    assert played.kinds <= {event["kind"] for event in twin.events}
    (data,) = table.transcripts()
    report = audit(data, lambda _: game)
    assert (report.trouble, report.outcome) == (None, twin.outcome)


def test_every_choice_and_the_least_and_most_seats_of_the_card_games_are_played_sealed() -> None:
    choices = {(s.game, *choice) for s in SEALED_GAMES for choice in _choices(s)}
    names = {played.game for played in SEALED_GAMES}
    assert choices == {
        (name, option.key, choice)
        for name in names
        for option in GAMES[name].options
        for choice in option.choices
    }
    for name in names:
        counts = {len(s.owners) for s in SEALED_GAMES if s.game == name}
        assert {GAMES[name].seats[0], GAMES[name].seats[-1]} <= counts


def _choices(played: SealedGame) -> ItemsView[str, OptionValue]:
    return GAMES[played.game].read_options(played.options).items()


def test_the_way_of_the_messages_matters_nowhere() -> None:
    plain = CardTable(GAME, 3, seed=2).run()
    nasty = Wires(delay=True, reorder=True, duplicate=0.3, cut=0.03)
    assert CardTable(GAME, 3, seed=2, wires=nasty).run().transcripts() == plain.transcripts()


# A restart.


def kinds_of(table: CardTable) -> list[str]:
    messages = table.tables[0].messages()
    return [next(m.kind for m in messages if m.step == n) for n in range(table.tables[0].step)]


UNDISTURBED = 4
"""The seed of a game whose steps are all of the kinds below."""


@pytest.mark.parametrize("who", range(3))
@pytest.mark.parametrize("kind", ["keys", "key-shares", "complaints", "shuffle", "shares", "seed"])
def test_peer_that_is_restarted_says_the_same_byte_for_byte(kind: str, who: int) -> None:
    wires = Wires(delay=True)
    undisturbed = CardTable(GAME, 3, seed=UNDISTURBED, wires=wires).run()
    places = [n for n, k in enumerate(kinds_of(undisturbed)) if k == kind]
    step = places[who % len(places)]
    table = CardTable(GAME, 3, seed=UNDISTURBED, wires=wires)
    table.run(lambda: table.tables[who].step >= step)
    before = {m.payload: m.signature for m in table.tables[who].log if m.peer == who}
    table.restart(who)
    after = {m.payload: m.signature for m in table.tables[who].log if m.peer == who}
    assert before.items() <= after.items()
    assert all(replica.over for replica in table.run().tables)
    assert table.transcripts() == undisturbed.transcripts()


def test_own_message_that_comes_back_while_it_is_made_again_is_not_said_twice() -> None:
    """A peer that lost the end of its log makes its message in slices, and meanwhile gets it from
    the others, as it had said it before."""
    lived = CardTable(GAME, 2, seed=2).run()
    charter, records, _ = read_transcript(lived.tables[0].transcript())
    again = Table(
        charter,
        GAME,
        me=0,
        sign=key(0).sign,
        vault={0: Rand(lived.seeds[0])},
        at_once=False,
    )
    again.start(lived.recorded[0])
    for payload, signature in records:
        again.receive(payload, signature)
        if again.busy:
            again.work()
    while again.busy:
        again.work()
    assert again.fault is None
    assert again.over
    assert again.transcript() == lived.tables[0].transcript()
    assert len({message.payload for message in again.log}) == len(again.log)


# What the audit sees.


def short_game() -> tuple[CardTable, bytes]:
    table = CardTable(GAME, 2, seed=1).run()
    (data,) = table.transcripts()
    return table, data


def test_no_changed_byte_passes_the_audit() -> None:
    _, data = short_game()
    assert audit(data, lambda _: GAME).ok
    rng = random.Random("bytes")
    for at in rng.sample(range(len(data)), 40):
        changed = bytearray(data)
        changed[at] ^= 1 << rng.randrange(8)
        assert not audit(bytes(changed), lambda _: GAME).ok, at


def test_no_lost_swapped_or_repeated_message_passes_the_audit() -> None:
    table, _ = short_game()
    messages = table.tables[0].messages()
    cards = [n for n, m in enumerate(messages) if m.kind in ("keys", "shuffle", "shares")]
    for at in cards:
        lost = messages[:at] + messages[at + 1 :]
        twice = [*messages[: at + 1], *messages[at:]]
        swapped = [*messages[: at - 1], messages[at], messages[at - 1], *messages[at + 1 :]]
        for wrong in (lost, twice, swapped):
            data = write_transcript(table.charter, wrong)
            assert not audit(data, lambda _: GAME).ok, (at, len(wrong))


def test_spectator_checks_every_proof_and_sees_what_is_public() -> None:
    table = CardTable(GAME, 3, seed=1, watcher=True).run()
    watcher = table.watcher
    assert watcher is not None
    assert watcher.over
    assert watcher.events == table.tables[0].events
    assert dict(watcher.replica_state.known) == dict(table.tables[0].replica_state.run.faces)


def test_a_seeded_game_is_pinned_to_the_byte() -> None:
    """A change of any of these is a change of the protocol: raise `PROTOCOL` with it."""
    (data,) = CardTable(GAME, 3, seed=1).run().transcripts()
    assert hashlib.sha256(data).hexdigest() == PINNED
    charter, records, _ = read_transcript(data)
    tables = [
        Table(charter, GAME, me=i, sign=key(i).sign, vault={i: Rand(seed_of(i, 1))})
        for i in range(3)
    ]
    answers = CardTable(GAME, 3, seed=1).run().recorded
    for i, replica in enumerate(tables):
        replica.start(answers[i])
        feed(replica, records)
        mine = [(m.payload, m.signature) for m in replica.log if m.peer == i]
        assert mine == [r for r in records if r in set(mine)]
        assert replica.transcript() == data


PINNED = "11743016caa4895f85ab6e7df343c11d6940fe2b6b04bdc336ca07b52149f8ad"


# Requests by hand, in the states of all peers at once.


class States:
    """The states of some peers, and what they make of a request with everybody's honest
    messages."""

    def __init__(self, owners: Sequence[int]) -> None:
        peers = max(owners) + 1
        charter = make_charter(GAME, peers, owners=owners)
        rands = {peer: Rand(seed_of(peer, 0)) for peer in range(peers)}
        self.states = [
            ReplicaState(charter, ScriptRun(GAME, charter.seat_names, {}), {i: rands[i]})
            for i in rands
        ]
        self.seen: list[tuple[str, dict[int, Any]]] = []

    def do(self, request: Any) -> Any:
        """The result of a request; `seen` are the kinds and bodies of its steps."""
        self.seen = []
        lives = [exchange(state, request) for state in self.states]
        bodies = None
        while True:
            steps, results = [], []
            for life in lives:
                try:
                    steps.append(life.send(bodies))  # type: ignore[arg-type]
                except StopIteration as stop:
                    results.append(stop.value)
            if results:
                assert not steps
                assert all(result == results[0] for result in results)
                return results[0]
            bodies = {}
            for peer in steps[0].peers:
                body = steps[peer].owe(peer, self.states[peer].vault[peer], {})
                bodies[peer] = finish(body) if is_work(body) else body
            for step in steps:
                for peer, body in bodies.items():
                    checked = step.check(peer, body)
                    if checked is not None:
                        finish(checked)
            self.seen.append((steps[0].kind, bodies))
            for state in self.states:
                state.step += 1

    def see(self, card: Card) -> list[bool]:
        """For each peer, whether its replica can tell the card."""
        return [card in state.known for state in self.states]

    def open_to_all(self, card: Card) -> bool:
        """Whether the public shares alone open the card."""
        ledger = self.states[0].ledger
        return len(ledger.shares.get(card, {})) == len(self.states)


DECK = ("lily", "oak", "rose", "vine")


def test_showing_a_card_to_nobody_says_nothing() -> None:
    states = States((0, 1, 2))
    card, *_ = states.do(Shuffle(DECK))
    states.do(Show({card: ()}))
    assert states.seen == []
    assert states.see(card) == [False] * 3


def test_card_shown_to_one_after_the_other_is_seen_by_them_alone() -> None:
    states = States((0, 1, 2, 3))
    card, *_ = states.do(Shuffle(DECK))
    seen = [False] * 4
    for peer in (2, 0, 3):
        states.do(Show({card: (NAMES[peer],)}))
        seen[peer] = True
        assert states.see(card) == seen
        assert not states.open_to_all(card)
    states.do(Show({card: (NAMES[2],)}))
    assert states.seen == [], "who sees it is owed nothing more"
    (face,) = states.do(Reveal((card,)))
    assert face in DECK
    assert states.see(card) == [True] * 4
    states.do(Reveal((card,)))
    assert states.seen == []


def test_nobody_pays_twice_for_one_card() -> None:
    states = States((0, 1, 2))
    card, *_ = states.do(Shuffle(DECK))
    states.do(Show({card: ("Ana", "Bea")}))
    ((_, first),) = states.seen
    assert [len(body[0]) // 32 for body in first.values()] == [0, 0, 1]
    assert [len(body[1]) // 64 for body in first.values()] == [1, 1, 0]
    states.do(Reveal((card,)))
    ((_, second),) = states.seen
    assert second.keys() == {0, 1}
    assert [len(body[0]) // 32 for body in second.values()] == [1, 1]


def test_dead_card_is_forgotten_with_its_shares() -> None:
    states = States((0, 1))
    cards = states.do(Shuffle(DECK))
    states.do(Show({cards[0]: ("Ana",)}))
    again = states.do(Shuffle(cards))
    for state in states.states:
        ledger = state.ledger
        assert set(ledger.cards) == set(again)
        assert not ledger.shares
        assert not ledger.private_shares
        assert not ledger.shown


def test_everybody_notes_who_still_knows_what_it_shuffled_alone() -> None:
    states = States((0, 1, 2))
    mine, second, other, _ = states.do(Shuffle(DECK))
    states.do(Show({mine: ("Bea",), second: ("Bea",)}))
    made = states.do(Shuffle((mine, second), by=("Bea",)))
    assert [kind for kind, _ in states.seen] == ["shuffle"]
    for state in states.states:
        assert set(made) <= set(state.seen_by("Bea"))
        assert not set(made) & set(state.seen_by("Ana"))
    assert states.see(made[0]) == [False, True, False]
    unseen = states.do(Shuffle((made[0], other), by=("Bea",)))
    for state in states.states:
        assert not set(unseen) & set(state.seen_by("Bea"))
    assert not any(states.see(unseen[0]) + states.see(unseen[1]))


def test_two_seats_of_one_peer_shuffle_once_for_both() -> None:
    states = States((0, 0, 1))
    cards = states.do(Shuffle(DECK))
    states.do(Shuffle(cards, by=("Ana", "Bea")))
    assert [tuple(bodies) for _, bodies in states.seen] == [(0,)]
    states.do(Shuffle(states.do(Shuffle(DECK)), by=("Cai", "Ana")))
    assert [tuple(bodies) for _, bodies in states.seen] == [(0,), (1,)]


def test_errors_of_cards_hold_no_secret() -> None:
    """Nothing that a replica can print shows a key or a seed."""
    table = CardTable(GAME, 2, seed=1)
    table.run(lambda: table.tables[0].step > 8)
    state = table.tables[0].replica_state
    secret = state.secrets(0)
    state.convict(0, BadKeyShare, "")
    shown = f"{secret} {secret!r} {state.vault} {state.ledger} {state.convicted}"
    for number in (secret.x, secret.v):
        assert str(number) not in shown
    assert table.seeds[0].hex() not in shown
    assert repr(table.seeds[0])[2:-1] not in shown


# The campaign.


def test_a_slice_of_the_campaign_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert proofs.main(["--games", "2", "--mutants", "25", "--first", "100"]) == 0
    assert "2 sealed games, 25 mutants, 0 wrong" in capsys.readouterr().out


def test_the_campaign_reports_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mutant(number: int) -> str | None:
        return "it holds" if number == 2 else None

    monkeypatch.setattr(proofs, "mutant", mutant)
    assert proofs.main(["--mutants", "3"]) == 1
    assert "mutant 2: it holds" in capsys.readouterr().out


def test_figures_stand_beside_the_published_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """How fast this machine is today is not judged here."""
    monkeypatch.setattr(proofs, "PUBLISHED", {3: (4.0, 3.5)})
    monkeypatch.setattr(proofs, "GOAL", 1000)
    assert proofs.main([]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("shuffle and prove 3 cards", "verify 3 cards", "open ten"))
    monkeypatch.setattr(proofs, "GOAL", 0.001)
    assert proofs.main([]) == 1
