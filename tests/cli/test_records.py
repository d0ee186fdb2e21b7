"""The kept games as commands tell them: by themselves, by number, and what they add up to."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.processes.commands import Commands
from support.processes.machines import ROOT, SOBREMESA, environment, machine

from sobremesa.cli.session.tallies import OWN, Listing, Tally, add_up
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.records import (
    NEWEST,
    NOTHING,
    records_page,
    speak_latest,
    speak_records,
    speak_sums,
)
from sobremesa.core.replica.charter import Charter, Peer, SeatPlan, Settings
from sobremesa.core.replica.summary import End, Summary
from sobremesa.core.replica.transcript import write_transcript
from sobremesa.net import kept as kept_module
from sobremesa.net.kept import Kept, KeptGames
from sobremesa.net.store import Store

QUICK = ("--auto", "--plain", "--pace", "0", "--bots", "1", "--option", "dice=3")
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
ANA, BEA, CAI = (bytes([n]) * 32 for n in (1, 2, 3))
NAMES = {ANA: "Ana", BEA: "Bea", CAI: "Cai"}


@pytest.fixture
def sobremesa(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def game(
    n: int,
    *keys: bytes,
    game: str = "dudo",
    names: dict[bytes, str] = NAMES,
    end: End = "over",
    bots: tuple[str, ...] = (),
) -> Summary:
    """A game that its people ended in the order of their keys."""
    people = tuple((key, names[key]) for key in keys)
    places = tuple((name,) for _, name in people) if end == "over" else ()
    why = "Ana won" if end == "over" else "Bea left the table"
    table = n.to_bytes(4, "big") * 4
    title = game.capitalize()
    return Summary(table, "Kitchen", game, title, people, bots, 9, end, why, places)


def record_of(summary: Summary) -> bytes:
    """The record of such a game, without a message in it."""
    seats = [SeatPlan(name, peer) for peer, (_, name) in enumerate(summary.people)]
    seats += [SeatPlan(bot, 0, "bot") for bot in summary.bots]
    peers = tuple(Peer(key, bytes(32)) for key, _ in summary.people)
    parts = (summary.table, summary.name, summary.game, 1, (), Settings(), peers, tuple(seats))
    return write_transcript(Charter(*parts), [])


def listing(*newest_first: Summary, own: bytes | None = None) -> Listing:
    rows = enumerate(newest_first, 1)
    return Listing([(n, Kept(Path("f"), NOON, summary)) for n, summary in rows], own)


# What they add up to.


def tallies(*newest_first: Summary, own: bytes | None = None) -> dict[str, Tally]:
    return {tally.name: tally for tally in add_up(newest_first, own)[-1].people}


def test_played_won_places_and_the_longest_run_are_counted_for_each_person() -> None:
    found = tallies(
        game(6, ANA, BEA), game(5, BEA, ANA, CAI), game(4, CAI, BEA, ANA),
        game(3, ANA, BEA, end="broken off"), game(2, ANA, BEA), game(1, ANA, BEA),
    )  # fmt: skip
    ana, bea, cai = found["Ana"], found["Bea"], found["Cai"]
    assert (ana.played, ana.won, ana.run) == (6, 3, 2)
    assert dict(ana.places) == {1: 3, 2: 1, 3: 1}
    assert (bea.played, bea.won, bea.run, dict(bea.places)) == (6, 1, 1, {1: 1, 2: 4})
    assert (cai.played, cai.won, cai.run, dict(cai.places)) == (2, 1, 1, {1: 1, 3: 1})


def test_a_game_without_a_result_neither_makes_nor_ends_a_run() -> None:
    games = [game(3, ANA, BEA), game(2, ANA, BEA, end="broken off"), game(1, ANA, BEA)]
    (only,) = add_up(games, None)
    assert (only.played, only.without_result) == (3, 1)
    assert only.people[0].run == 2


def test_games_won_together_are_wins_without_places() -> None:
    shared = replace(game(3, ANA, BEA), places=(("Ana", "Bea"),), together="won")
    lost = replace(shared, table=bytes(16), together="lost")
    found = tallies(lost, shared, replace(shared, table=bytes([1]) * 16))
    assert [(t.played, t.won, t.run, dict(t.places)) for t in found.values()] == [(3, 2, 2, {})] * 2


def test_each_game_has_its_sums_the_most_played_first_and_all_come_last() -> None:
    sums = add_up([game(1, ANA, game="intriga"), game(2, ANA, BEA), game(3, BEA, ANA)], None)
    assert [(sum.game, sum.played) for sum in sums] == [("dudo", 2), ("intriga", 1), ("", 3)]
    assert [sum.game for sum in add_up([game(1, ANA)], None)] == ["dudo"]
    assert add_up([], None) == []


def test_a_game_that_was_watched_is_listed_and_not_counted() -> None:
    found = listing(game(2, ANA, BEA), game(1, ANA, BEA))
    (first, played), (second, watched) = found.games
    found = Listing([(first, played), (second, replace(watched, watched=True))], None)
    assert [sum.played for sum in found.sums] == [1]
    assert [line.endswith("You looked on.") for line in speak_records(found)] == [False, True]


def test_two_records_of_one_table_count_once_by_the_one_that_tells_most() -> None:
    short = replace(game(1, ANA, BEA, end="broken off"), messages=20)
    for records in ([short, game(1, ANA, BEA)], [game(1, ANA, BEA), short]):
        found = tallies(*records)
        assert [(tally.played, tally.won) for tally in found.values()] == [(1, 1), (1, 0)]


def test_a_key_with_two_names_is_one_person_by_the_newest() -> None:
    found = tallies(game(2, ANA, BEA, names={**NAMES, ANA: "Anita"}), game(1, ANA, BEA))
    assert {name: tally.played for name, tally in found.items()} == {"Anita": 2, "Bea": 2}


def test_two_keys_with_one_name_are_two_people_told_apart() -> None:
    names = {**NAMES, BEA: "Аna"}  # with a Cyrillic letter
    games = listing(game(2, ANA, CAI, names=names), game(1, BEA, CAI, names=names))
    ((_, lines),) = speak_sums(games.sums)
    words = ["-".join(fingerprint(key).split("-")[:2]) for key in (ANA, BEA)]
    assert lines == [
        f"Ana ({words[0]}): 1 played, 1 won (1st once).",
        f"Аna ({words[1]}): 1 played, 1 won (1st once).",
        "Cai: 2 played, 0 won (2nd twice).",
    ]


def test_the_key_of_this_machine_and_whoever_played_alone_are_you() -> None:
    alone = replace(game(3, CAI, bots=("Dora",)), places=(("Dora",), ("Cai",)))
    games = listing(alone, game(2, BEA, ANA), game(1, BEA, ANA), own=BEA)
    everything = {tally.key: tally for tally in games.sums[-1].people}
    assert set(everything) == {OWN, ANA}
    assert (everything[OWN].played, everything[OWN].won) == (3, 2)
    assert speak_records(games)[:2] == [
        "1: 2026-01-31 12:00, Dudo at Kitchen: you and Dora (bot). "
        "Ranking: 1 Dora (bot), 2 you. Not checked.",
        "2: 2026-01-31 12:00, Dudo at Kitchen: you and Ana. Ranking: 1 you, 2 Ana. Not checked.",
    ]
    assert speak_sums(games.sums) == [
        (
            "Dudo: 3 played",
            [
                "you: 3 played, 2 won, 2 in a row (1st twice, 2nd once).",
                "Ana: 2 played, 0 won (2nd twice).",
            ],
        )
    ]


def test_a_line_says_how_it_ended_and_whether_it_was_checked() -> None:
    over = game(1, ANA, BEA)
    ends = {
        replace(over, verified=True): "Ranking: 1 Ana, 2 Bea.",
        replace(over, verified=False): "Ranking: 1 Ana, 2 Bea. NOT VERIFIED.",
        game(1, ANA, BEA, end="broken off"): "Broken off: Bea left the table.",
        game(1, ANA, BEA, end="unknown"): "How it ended cannot be told here: Bea left the table.",
    }
    lines = speak_records(listing(*ends))
    assert [line.partition("Bea. ")[2] for line in lines] == list(ends.values())
    damaged = Listing([(7, Kept(Path("f"), NOON, None, "it is cut short"))], None)
    assert speak_records(damaged) == ["7: 2026-01-31 12:00. Damaged: It is cut short."]
    assert damaged.sums == []


def test_the_page_has_the_newest_and_the_sums_of_all() -> None:
    page = records_page(listing(*(game(n, ANA, BEA) for n in range(NEWEST + 5))))
    items = [part.text for part in page if part.kind == "item"]
    assert len(items) == NEWEST + 2
    assert items[-2] == "Ana: 25 played, 25 won, 25 in a row (1st 25 times)."
    assert [part.text for part in records_page(listing())] == [NOTHING]


def test_home_says_the_newest_game_and_how_many_were_won() -> None:
    games = (game(3, BEA, ANA, CAI), game(2, ANA, BEA), game(1, ANA, game="ludo", bots=("Edu",)))
    said = "Last: Dudo with Bea and Cai, you came 2nd. 3 kept, 1 won"
    assert speak_latest(listing(*games, own=ANA)) == said
    broken = game(4, ANA, BEA, end="broken off")
    assert speak_latest(listing(broken, own=ANA)) == (
        "Last: Dudo with Bea, without a result. 1 kept, 0 won"
    )
    together = replace(game(5, ANA, BEA), together="won", places=(("Ana", "Bea"),))
    assert "you came" not in speak_latest(listing(together, own=ANA))
    assert speak_latest(listing()) == ""


# The commands.


def test_every_game_is_kept_by_itself_and_told_again_by_its_number(sobremesa: Commands) -> None:
    assert sobremesa.run("records").lines == [NOTHING]
    ran = sobremesa.run("play", "dudo", *QUICK, "--name", "Zoë")
    assert (ran.status, ran.err) == (0, "")
    ran = sobremesa.run("play", "intriga", *QUICK[:-2], "--name", "Zoë", "--save", "copy")
    (newest, older) = KeptGames(sobremesa.folder / "home").paths()
    assert newest.read_bytes() == (sobremesa.folder / "copy").read_bytes()
    ran = sobremesa.run("records")
    assert (ran.status, ran.err) == (0, "")
    assert "Intriga at This machine: you and Bento (bot). Ranking: 1 " in ran.lines[0]
    assert ran.lines[0].endswith(f" {newest.name}")
    assert ran.lines[1].startswith("2: ")
    assert "Not checked" not in ran.out
    (title,) = (n for n, line in enumerate(ran.lines) if line == "All games: 2 played")
    assert ran.lines[title + 1].startswith("  you: 2 played, ")
    for name in ("2", older.name, older.stem, str(older)):
        check = sobremesa.run("verify", name)
        assert check.lines[0] == (
            f"{name}: verified. Liar's Dice (Dudo) at This machine: Zoë, Bento."
        )
    assert sobremesa.run("replay", "1").lines[-1] == sobremesa.run("replay", "copy").lines[-1]


def test_a_file_comes_before_a_number_and_a_wrong_number_says_so(sobremesa: Commands) -> None:
    sobremesa.run("replay", "1").refused(
        "there is no record 1: 0 are kept here; sobremesa records lists them"
    )
    sobremesa.run("play", "dudo", *QUICK)
    sobremesa.run("verify", "0").refused("there is no record 0: 1 are kept here")
    sobremesa.run("verify", "my game").refused("cannot read my game: No such file or directory")
    sobremesa.file("1", "a letter")
    assert "1: NOT VERIFIED: this is no Sobremesa transcript" in sobremesa.run("verify", "1").out


def test_verify_notes_what_it_finds(sobremesa: Commands) -> None:
    sobremesa.run("play", "dudo", *QUICK)
    (path,) = KeptGames(sobremesa.folder / "home").paths()
    path.with_suffix(".index").unlink()
    assert "Not checked." in sobremesa.run("records").out
    assert sobremesa.run("verify", "1").status == 0
    assert "Not checked." not in sobremesa.run("records").out


def test_a_game_that_was_left_is_kept_as_broken_off(sobremesa: Commands) -> None:
    with machine(sobremesa.folder) as here:
        command = here.run("play", "dudo", "--plain", "--pace", "0", "--bots", "1", home="home")
        command.hear("Your turn")
        assert command.process.stdin is not None
        command.process.stdin.close()
        assert command.wait() == 3
    ran = sobremesa.run("records")
    assert "you and Bento (bot). Broken off: It was left before its end." in ran.lines[0]
    assert ran.lines[2:4] == [
        "Liar's Dice (Dudo): 1 played, 1 without a result",
        "  you: 1 played, 0 won.",
    ]


def test_two_programs_that_end_at_once_keep_both_their_games(sobremesa: Commands) -> None:
    env = environment(sobremesa.folder / "home")
    words = (*SOBREMESA, "play", "dudo", *QUICK)
    programs = [
        subprocess.Popen(words, env=env, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)
    ]
    assert [program.wait(60) for program in programs] == [0, 0]
    assert sobremesa.run("records").out.count(".sobremesa\n") == 2


def test_records_are_found_by_game_people_and_date(sobremesa: Commands) -> None:
    three = [
        (game(1, ANA, BEA), NOON),
        (game(2, BEA, CAI, game="five-alive"), NOON + timedelta(days=1)),
        (game(3, ANA, CAI, end="broken off"), NOON + timedelta(days=2)),
    ]
    _put(sobremesa, three)

    def numbers(*words: str) -> list[int]:
        found = json.loads(sobremesa.run("records", "--json", *words).out)
        return [record["number"] for record in found["records"]]

    assert numbers() == [1, 2, 3]
    assert numbers("--game", "DUDO") == [1, 3]
    assert numbers("--game", "five alive") == numbers("--game", "Five_Alive") == [2]
    assert numbers("--with", "bea") == [2, 3]
    assert numbers("--since", "2026-02-01") == [1, 2]
    assert numbers("--since", "2026-02-01", "--with", "Cai", "--game", "dudo") == [1]
    ran = sobremesa.run("records", "--with", "Zoë")
    assert ran.lines == ["None of the 3 games that are kept is such a one."]
    sobremesa.run("records", "--since", "soon").refused(
        "a date is like 2026-01-31 (you gave 'soon')"
    )


def test_records_as_json_have_the_same(sobremesa: Commands) -> None:
    with Store(sobremesa.folder / "home") as store:
        own = store.identity().key
    names = {**NAMES, own: "Zoë"}
    _put(sobremesa, [(game(1, own, BEA, names=names, bots=("Dora",)), NOON)])
    ran = sobremesa.run("records", "--json")
    assert ran.out.isascii()
    found = json.loads(ran.out)
    assert found["folder"] == str(sobremesa.folder / "home" / "records")
    assert found["records"] == [
        {
            "number": 1,
            "file": "20260131T120000Z-dudo-kitchen-00000001.sobremesa",
            "when": "2026-01-31T12:00:00+00:00",
            "watched": False,
            "game": "dudo",
            "title": "Dudo",
            "table": "Kitchen",
            "people": [
                {"key": own.hex(), "name": "Zoë", "you": True},
                {"key": BEA.hex(), "name": "Bea", "you": False},
            ],
            "bots": ["Dora"],
            "end": "over",
            "why": "Ana won",
            "places": [["Zoë"], ["Bea"]],
            "together": "",
            "verified": None,
        }
    ]
    (only,) = found["sums"]
    assert (only["game"], only["played"], only["without_result"]) == ("dudo", 1, 0)
    assert only["people"][0] == {
        "key": None, "name": "Zoë", "you": True, "played": 1, "won": 1, "places": {"1": 1},
        "longest_run": 1,
    }  # fmt: skip


def test_a_record_whose_game_is_not_installed_stays_listed(
    sobremesa: Commands,
) -> None:
    _put(sobremesa, [(game(1, ANA, BEA, game="chess"), NOON)])
    assert "Chess at Kitchen: Ana and Bea. Ranking: 1 Ana, 2 Bea." in sobremesa.run("records").out
    for index in (sobremesa.folder / "home" / "records").glob("*.index"):
        index.unlink()
    ran = sobremesa.run("records", "--game", "chess")
    assert "Ana and Bea. How it ended cannot be told here: No game is called 'chess'" in ran.out
    assert (ran.status, ran.err) == (0, "")


def test_two_hundred_records_are_listed_without_playing_one_again(
    sobremesa: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [(game(n, ANA, BEA), NOON + timedelta(minutes=n)) for n in range(203)]
    _put(sobremesa, games)

    def played(*_: object) -> Summary:
        raise AssertionError("an index was not used")

    monkeypatch.setattr(kept_module, "summary_of", played)
    found = json.loads(sobremesa.run("records", "--json").out)
    assert [record["number"] for record in found["records"]] == list(range(1, 201))
    assert found["records"][-1]["file"].endswith("00000003.sobremesa")


@pytest.mark.parametrize("words", [("--plain",), ("--plain", "--json")])
def test_a_game_that_cannot_be_kept_counts_and_says_so_in_one_line(
    sobremesa: Commands, words: tuple[str, ...]
) -> None:
    (sobremesa.folder / "home").mkdir()
    sobremesa.file("home/records", "in the way")
    ran = sobremesa.run("play", "dudo", *QUICK, *words)
    assert (ran.status, ran.err) == (0, "")
    (said,) = (line for line in ran.lines if "The record of this game is not kept. " in line)
    assert "home/records: File exists." in said
    assert "verified" in ran.lines[-1]
    assert (sobremesa.folder / "home" / "records").read_text() == "in the way"


def test_line_mode_tells_the_kept_games(sobremesa: Commands) -> None:
    _put(sobremesa, [(game(1, ANA, BEA), NOON)])
    with machine(sobremesa.folder) as here:
        command = here.run("play", "dudo", "--plain", "--pace", "0", "--bots", "1", home="home")
        command.hear("Your turn")
        command.type("records")
        command.hear("The newest of the last 200 games")
        command.hear("- 1: 2026-01-31 12:00, Dudo at Kitchen: Ana and Bea.")
        command.hear("- Ana: 1 played, 1 won")


def _put(sobremesa: Commands, games: list[tuple[Summary, datetime]]) -> None:
    """Keep games that nobody played: the records hold a charter only."""
    kept = KeptGames(sobremesa.folder / "home")
    for summary, when in games:
        assert kept.keep(record_of(summary), summary, when)
