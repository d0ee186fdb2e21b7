"""The commands as the contract has them: what they print, on which stream, and how they end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.games.packages import Environment
from support.peers import cheats
from support.peers.tabletop import Tabletop
from support.processes.commands import Commands
from support.processes.machines import ROOT, SOBREMESA, environment, machine

from sobremesa.cli.lines.printing import Counter
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.progress import SHOWN_AFTER
from sobremesa.core.encoding import pack, unpack
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.transcript import MAGIC, read_transcript
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.loader import load_games

QUICK = ("--auto", "--plain", "--pace", "0", "--bots", "1", "--option", "dice=3")
"""A game that is over at once."""

INSTALLED = dict.fromkeys(range(3), load_games([]).copy(DUDO).fingerprint)
"""Everybody has the copy of this machine."""

SMALL = Tabletop(DUDO, 2, {"dice": "3"}, seed=4, rules=INSTALLED).run()
"""A whole game of two peers."""

GOOD = SMALL.tables[0].transcript()


@pytest.fixture
def sobremesa(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


@pytest.fixture
def good(sobremesa: Commands) -> str:
    return sobremesa.file("good", GOOD)


# games, rules


def test_games_lists_what_is_installed_with_options_and_origin(sobremesa: Commands) -> None:
    ran = sobremesa.run("games")
    assert (ran.status, ran.err) == (0, "")
    (dudo,) = (line for line in ran.lines if line.startswith("dudo: "))
    assert dudo.startswith("dudo: Liar's Dice (Dudo), 2 to 8 players (built in). ")
    after = ran.lines[ran.lines.index(dudo) + 1]
    assert after.split()[:2] == ["--option", "dice=5|3"]
    assert after.endswith("Default: 5.")


def test_games_as_json_has_the_same(sobremesa: Commands) -> None:
    ran = sobremesa.run("games", "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["broken"] == []
    (dudo,) = (game for game in found["games"] if game["id"] == "dudo")
    assert dudo["seats"] == [2, 8]
    assert dudo["origin"] == "built in"
    assert dudo["options"][0] == {
        "key": "dice",
        "default": 5,
        "choices": [5, 3],
        "help": DUDO.options[0].help,
    }


SECOND_BOT = """
from sobremesa import Bot
@hookimpl
def sobremesa_bots():
    return (("dudo", Bot("first", "Thinks little", lambda seen, question, pick: question.default)),)
"""


def test_games_lists_the_bots_of_a_game_that_has_several(
    sobremesa: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--bot" not in sobremesa.run("games").out
    Environment(tmp_path, monkeypatch).install("more", SECOND_BOT)
    line = "    --bot odds|first  odds: Counts and reckons; first: Thinks little. Default: odds."
    assert sobremesa.run("games").lines.count(line) == 1


def test_the_bots_that_are_asked_for_play(
    sobremesa: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Environment(tmp_path, monkeypatch).install("more", SECOND_BOT)
    wanted = ("--bot", "odds, First", "--bot", "first", "--bots", "3", "--save", "game")
    assert sobremesa.run("play", "dudo", *QUICK, *wanted).status == 0
    charter, _, _ = read_transcript((tmp_path / "game").read_bytes())
    assert [plan.bot for plan in charter.seats] == ["", "first", "first", "odds"]


@pytest.mark.parametrize("page", ["rules", "tips", "faq"])
def test_rules_prints_the_page_that_is_asked_for(sobremesa: Commands, page: str) -> None:
    ran = sobremesa.run("rules", "DUDO", *(() if page == "rules" else (f"--{page}",)))
    assert (ran.status, ran.err) == (0, "")
    title = getattr(DUDO.help, page).splitlines()[0].lstrip("# ")
    assert ran.lines[0].rstrip(".") == title
    assert len(ran.lines) > 5


# verify


def test_verify_accepts_a_good_game_and_says_how_it_ended(sobremesa: Commands, good: str) -> None:
    ran = sobremesa.run("verify", good)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == "good: verified. Liar's Dice (Dudo) at Test: Ana, Bea."
    assert ran.lines[1].startswith(f"{SMALL.tables[0].step} steps, all signed")
    ana, bea = (fingerprint(peer.key) for peer in SMALL.charter.peers)
    assert ran.lines[2:4] == [
        f"The key that signed for Ana: {ana}.",
        f"The key that signed for Bea: {bea}.",
    ]
    assert ran.lines[4].startswith("Ranking: 1 ")


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    """A byte of the last signature is another."""
    return data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]


def without_a_message(data: bytes) -> bytes:
    return rewritten(data, lambda messages: messages[:-4] + messages[-3:])


def swapped(data: bytes) -> bytes:
    return rewritten(data, lambda messages: [messages[1], messages[0], *messages[2:]])


def repeated(data: bytes) -> bytes:
    return rewritten(data, lambda messages: [*messages[:3], *messages[2:]])


def named(data: bytes) -> bytes:
    """Peers have names beside those of their seats, and not the same."""
    charter, messages, _ = read_transcript(data)
    values = unpack(charter.encode())
    peers = zip(values[7], ("Bea", "Ana"), strict=True)
    values[7] = [[key, name, *rest] for (key, *rest), name in peers]
    records = [["message", *message] for message in messages]
    return MAGIC + b"".join(map(pack, [["charter", pack(values)], *records]))


def rewritten(data: bytes, change: Any) -> bytes:
    charter, messages, _ = read_transcript(data)
    records = [["message", *message] for message in change(list(messages))]
    return MAGIC + b"".join(map(pack, [["charter", charter.encode()], *records]))


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (cut, "damaged or cut short in record"),
        (flipped, "did not sign"),
        (without_a_message, "should be"),
        (swapped, "should be"),
        (repeated, "record 4 repeats Ana's message for step 1"),
        (named, "that is no charter"),
        (lambda data: data + b"\x00", "damaged or cut short"),
        (lambda data: b"", "no Sobremesa transcript"),
        (lambda data: MAGIC, "cut short in record 0"),
        (lambda data: MAGIC + pack(["message", b"", bytes(64)]), "no charter"),
        (lambda data: MAGIC + bytes(range(256)), "damaged"),
        (lambda data: bytes(range(256)), "no Sobremesa transcript"),
        (lambda data: b"\x89PNG\r\n\x1a\n" + data, "no Sobremesa transcript"),
        (lambda data: data.replace(b"dudo", b"ludo", 1), "signed over another history"),
    ],
)  # fmt: skip
def test_verify_names_every_kind_of_damage(sobremesa: Commands, damage: Any, what: str) -> None:
    damaged = damage(GOOD)
    assert damaged != GOOD
    ran = sobremesa.run("verify", sobremesa.file("damaged", damaged))
    assert (ran.status, ran.err) == (1, "")
    (line,) = ran.lines
    assert line.startswith("damaged: NOT VERIFIED: ")
    assert what in line


def test_verify_names_the_culprit_whom_a_signature_convicts(sobremesa: Commands) -> None:
    tabletop = Tabletop(
        DUDO, 2, {"dice": "3"}, seed=1, cheats={1: cheats.OpensAnotherToss()}, rules=INSTALLED
    ).run()
    data = tabletop.tables[0].transcript()
    ran = sobremesa.run("verify", sobremesa.file("cheat", data))
    assert ran.status == 1
    (line,) = ran.lines
    assert line.startswith("cheat: NOT VERIFIED: Bea revealed a number that it had not committed")


def test_nothing_in_a_file_reaches_the_terminal_raw(sobremesa: Commands) -> None:
    evil = GOOD.replace(b"\xa4Test", b"\xa4\x1b[2J", 1)
    assert evil != GOOD
    for verb in ("verify", "replay"):
        ran = sobremesa.run(verb, sobremesa.file("evil", evil))
        assert "\x1b" not in ran.out + ran.err


# replay


def test_replay_tells_a_game_again_as_a_spectator_saw_it(sobremesa: Commands, good: str) -> None:
    ran = sobremesa.run("replay", good)
    assert (ran.status, ran.err) == (0, "")
    events = SMALL.tables[0].events
    assert ran.lines[0].startswith("Round 1: 6 dice on the table")
    assert len(ran.lines) == len(events)
    assert not any(line.startswith("  ") for line in ran.lines)


def test_replay_goes_on_where_the_words_of_the_game_break(
    sobremesa: Commands, good: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise KeyError("lost")

    games = load_games([])
    games.games["dudo"] = replace(DUDO, describe=broken)
    monkeypatch.setattr("sobremesa.cli.words.played.load_game", lambda _: games)
    told = sobremesa.run("replay", good)
    assert told.status == 0
    assert "Bid: seat " in told.out
    line = broken.__code__.co_firstlineno + 1
    assert told.err == (
        "sobremesa: the words of Liar's Dice (Dudo) broke (tests/cli/test_commands.py, line "
        f"{line}: KeyError: 'lost')\n"
    )


def test_replay_of_a_seat_shows_its_hands_and_those_of_others_when_they_are_open(
    sobremesa: Commands, good: str
) -> None:
    ran = sobremesa.run("replay", good, "--seat", "bea", "--json")
    assert (ran.status, ran.err) == (0, "")
    told = [json.loads(line) for line in ran.lines]
    lifted = [event for event in told if event["kind"] == "reveal"]
    assert lifted
    assert all("Ana" not in event["hands"] for event in told if event["kind"] != "reveal")
    assert all("Ana" in event["hands"] for event in lifted)
    first = next(event["hands"] for event in told if event["hands"])
    assert first["Bea"] == lifted[0]["faces"]["Bea"]
    spoken = sobremesa.run("replay", good, "--seat", "bea").lines
    assert f"  Bea has {' '.join(map(str, first['Bea']))}" in spoken
    assert any(line.startswith("You ") for line in spoken)


def test_replay_with_everything_open_shows_what_lay_under_each_cup(
    sobremesa: Commands, good: str
) -> None:
    ran = sobremesa.run("replay", good, "--all", "--json")
    assert (ran.status, ran.err) == (0, "")
    told = [json.loads(line) for line in ran.lines]
    events = SMALL.tables[0].events
    assert [event["kind"] for event in told] == [event["kind"] for event in events]
    hands = [event["hands"] for event in told if event["hands"]]
    lifted = [event["faces"] for event in events if event["kind"] == "reveal"]
    plain = [{s: sorted(d) for s, d in some.items()} for some in hands]
    assert plain == [{s: sorted(d) for s, d in some.items()} for some in lifted]


def test_replay_of_a_damaged_game_tells_what_is_right_and_then_what_is_wrong(
    sobremesa: Commands,
) -> None:
    ran = sobremesa.run("replay", sobremesa.file("short", without_a_message(GOOD)), "--json")
    assert ran.status == 1
    assert all(json.loads(line)["kind"] for line in ran.lines)
    assert len(ran.lines) > 3
    assert ran.err.startswith("sobremesa: short: NOT VERIFIED: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("verb", ["verify", "replay"])
def test_charter_that_cannot_be_is_a_check_that_failed(sobremesa: Commands, verb: str) -> None:
    record = pack(["charter", pack([1, b"too short"])])
    ran = sobremesa.run(verb, sobremesa.file("odd", MAGIC + record))
    assert ran.status == 1
    assert "odd: NOT VERIFIED: " in ran.out + ran.err
    assert (ran.out + ran.err).count("\n") == 1


# scenario

SCENE = {
    "game": "dudo",
    "seats": ["Ana", "Bea"],
    "options": {"dice": 3},
    "tosses": {"opener": 0},
    "rolls": [{"Ana": [2, 4, 6], "Bea": [1, 3, 5]}],
}


def scene(**more: Any) -> str:
    return json.dumps({**SCENE, **more})


def test_scenario_prints_where_the_moves_lead(sobremesa: Commands) -> None:
    text = scene(moves=["Ana 2x4"])
    from_file = sobremesa.run("scenario", sobremesa.file("s.json", text))
    assert (from_file.status, from_file.err) == (0, "")
    output = json.loads(from_file.out)
    assert [entry["seat"] for entry in output["to_move"]] == ["Bea"]
    assert output["sees"]["Bea"] == {"Ana": ["??"] * 3, "Bea": [1, 3, 5]}
    assert sobremesa.run("scenario", "-", stdin=text.encode()) == from_file
    assert sobremesa.run("scenario", "-", stdin=b"\xef\xbb\xbf" + text.encode()) == from_file


def test_scenario_that_comes_out_otherwise_says_where_on_stderr(sobremesa: Commands) -> None:
    text = scene(moves=["Ana 2x4"], expect={"public": {"round": 2}, "refused": None})
    ran = sobremesa.run("scenario", sobremesa.file("s.json", text))
    assert ran.status == 1
    assert json.loads(ran.out)["public"]["round"] == 1
    assert ran.err == "- public.round: 2\n+ public.round: 1\n"


def test_scenario_with_a_move_that_is_refused_ends_with_3_unless_that_was_expected(
    sobremesa: Commands,
) -> None:
    moves = ["Ana 2x4", "Bea 1x2"]
    ran = sobremesa.run("scenario", sobremesa.file("s.json", scene(moves=moves)))
    assert (ran.status, ran.err) == (3, "")
    assert json.loads(ran.out)["refused"]["index"] == 1
    foreseen = scene(moves=moves, expect={"refused": {"index": 1}})
    assert sobremesa.run("scenario", sobremesa.file("s.json", foreseen)).status == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "s.json is not JSON"),
        ('{"game": "dudo"', "s.json is not JSON"),
        ("[" * 100_000, "s.json is not JSON"),
        (b"\xff\xfe", "s.json is not UTF-8 text (byte 0)"),
        (scene().encode("utf-16"), "s.json is not UTF-8 text"),
        (bytes(range(256)), "s.json is not"),
        ("[]", "a scenario is one JSON object"),
        ('{"game": "dudo"}', "the key 'seats' is missing"),
        (scene(game="chess"), "game: no game is called 'chess'"),
        (scene(moves=["Zed 2x4"]), "moves[0] must be NAME NOTATION"),
        (scene(rolls=[{"Ana": [2, 4, 7]}]), "rolls[0].Ana: a die shows 1 to 6 (not 7)"),
        (scene(jokers=1), 'unknown key "jokers"'),
        (scene(seed=float("nan")), "seed must be a whole number"),
        (scene(seats=["Ana", "\ud800"]), "seats must be a list of names"),
    ],
)
def test_unusable_scenario_is_refused_with_the_place(
    sobremesa: Commands, content: str | bytes, why: str
) -> None:
    sobremesa.run("scenario", sobremesa.file("s.json", content)).refused(why)


# tables


def test_tables_says_that_there_are_none_and_why(sobremesa: Commands) -> None:
    ran = sobremesa.run("tables", "--seconds", "0")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        "No tables in 0 s. Discovery is switched off (SOBREMESA_NO_MDNS); "
        "join by the HOST:PORT on the opener's screen."
    ]
    ran = sobremesa.run("tables", "--seconds", "0", "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["tables"] == []
    assert "switched off" in found["trouble"]


# play


def test_play_saves_a_game_that_verify_accepts(sobremesa: Commands) -> None:
    ran = sobremesa.run("play", "dudo", *QUICK, "--name", "Zoë", "--save", "game")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1] == "The record of the game is verified."
    check = sobremesa.run("verify", "game")
    assert check.status == 0
    assert check.lines[0].startswith("game: verified. Liar's Dice (Dudo) at This machine: Zoë, ")
    assert "One machine played every seat and chose all chance: nobody else added to it." in (
        check.lines
    )


def test_play_saves_beside_what_is_there_and_says_so(sobremesa: Commands) -> None:
    for name in ("game", "game-2", "game.part"):
        sobremesa.file(name, f"the user's {name}")
    (sobremesa.folder / "game-3").symlink_to("nowhere")
    ran = sobremesa.run("play", "dudo", *QUICK, "--save", "game")
    assert ran.status == 0
    assert "Saved to game-4: game was there already." in "\n".join(ran.lines)
    assert sobremesa.run("verify", "game-4").status == 0
    for name in ("game", "game-2", "game.part"):
        assert (sobremesa.folder / name).read_text() == f"the user's {name}"
    assert (sobremesa.folder / "game-3").is_symlink()
    assert len(list(sobremesa.folder.glob("game*"))) == 5


def test_play_in_json_is_one_event_an_object_a_line(sobremesa: Commands) -> None:
    ran = sobremesa.run("play", "dudo", *QUICK, "--json")
    assert (ran.status, ran.err) == (0, "")
    moments = [json.loads(line) for line in ran.lines]
    assert moments[0]["moment"] == "started"
    assert moments[-1]["moment"] == "over"
    assert moments[-1]["verified"] is True


def test_play_takes_every_flag_of_the_contract(sobremesa: Commands) -> None:
    ran = sobremesa.run(
        *("play", "dudo", "--bots", "2", "--name", "Ana", "--plain", "--auto", "--pace", "0.0"),
        *("--option", "dice=3", "--option", "palifico=off"),
        *("--option", "backup=off", "--option", " seconds = 60", "--save", "g", "--ascii"),
        *("--colors", "mono", "--bell", "off", "--pips", "--mouse", "--slow"),
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.isascii()
    assert ran.lines[0].count("(bot)") == 2


def test_play_reads_what_is_typed_and_keeps_the_game_when_the_input_ends(
    sobremesa: Commands,
) -> None:
    with machine(sobremesa.folder) as here:
        command = here.run("play", "dudo", "--plain", "--pace", "0", "--bots", "1")
        command.hear("Your turn")
        assert command.process.stdin is not None
        command.process.stdin.close()
        assert command.wait() == 3
        assert command.lines[-1] == "Your game is kept: sobremesa resume."
        assert command.errors == []


@pytest.mark.parametrize(
    ("save", "why"),
    [
        ("there/game", "there is no folder"),
        (".", "that is a folder; name a file"),
        ("file/game", "there is no folder"),
    ],
)
def test_a_game_is_not_begun_that_could_not_be_saved(
    sobremesa: Commands, save: str, why: str
) -> None:
    sobremesa.file("file", "")
    sobremesa.run("play", "dudo", *QUICK, "--save", save).refused(why)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may all")
def test_files_that_are_not_ours_are_named(sobremesa: Commands, good: str) -> None:
    (sobremesa.folder / good).chmod(0)
    sobremesa.run("verify", good).refused("cannot read good: Permission denied")
    (sobremesa.folder / "locked").mkdir(0o500)
    sobremesa.run("play", "dudo", *QUICK, "--save", "locked/game").refused(
        "it may not be written there"
    )


# What cannot be


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("play", "sobremesa play: the following arguments are required: GAME. See sobremesa play"),
        ("play chess", "no game is called 'chess'; installed here: "),
        ("play dudo --bots 0", "Liar's Dice (Dudo) is for 2 to 8 players: --bots 1 to 7"),
        ("play dudo --bots 8", "is for 2 to 8 players: --bots 1 to 7"),
        ("play dudo --bots -1", "argument --bots: a number of players is wanted (you gave '-1')"),
        ("play dudo --bots many", "a number of players is wanted (you gave 'many')"),
        ("play dudo --pace soon", "argument --pace: must be 0 to 600 seconds (you gave 'soon')"),
        ("play dudo --pace -1", "must be 0 to 600 seconds"),
        ("play dudo --pace nan", "must be 0 to 600 seconds"),
        ("play dudo --option dice=4 --plain", "option dice must be one of 5, 3 (you gave '4')"),
        ("play dudo --option jokers=2 --plain", "has no option 'jokers' (it has: dice, palifico)"),
        ("play dudo --bot x", "Liar's Dice (Dudo) has no bot called 'x' (it has: odds)"),
        ("play dudo --bot odds,x --plain", "has no bot called 'x' (it has: odds)"),
        ("host dudo --bot odds --bot x --plain", "has no bot called 'x' (it has: odds)"),
        ("join --bot odds", "unrecognized arguments: --bot"),
        ("play dudo --option dice --plain", "an option is KEY=VALUE (you gave 'dice')"),
        ("play dudo --option seconds=3601", "option seconds must be 0 to 3600 seconds"),
        (f"play dudo --option seconds={'9' * 5000}", "option seconds must be 0 to 3600 seconds"),
        ("play dudo --option backup=yes", "option backup must be on or off"),
        ("play dudo --colors 3", "argument --colors: invalid choice: '3'"),
        ("play dudo --bell loud", "must be off, or some of turn, join, chat"),
        ("play dudo --nonsense", "unrecognized arguments: --nonsense. See sobremesa --help"),
        ("play dudo extra", "unrecognized arguments: extra"),
        ("host dudo --seats 9 --plain", "is for 2 to 8 players: --seats says 9"),
        ("host dudo --seats 2 --bots 2 --plain", "of 2 chairs 0 to 1 can be for bots"),
        ("host dudo --port 65536", "a port is 0 to 65535 (you gave '65536')"),
        ("host dudo --port -1", "a port is 0 to 65535"),
        ("host dudo --port ²", "a port is 0 to 65535"),
        ("host dudo --code 12345 --plain", "a code is 6 or 8 digits"),
        ("host dudo --code １２３４５ --plain", "a code is 6 or 8 digits"),
        ("host dudo --code 123456 --open", "not allowed with argument"),
        ("join 127.0.0.1:99999 --plain", "The port after the last colon must be 1 to 65535"),
        ("tables --seconds long", "must be 0 to 600 seconds"),
        ("games extra", "unrecognized arguments: extra"),
        ("games --check chess", "no game is called 'chess'"),
        ("rules", "the following arguments are required: GAME"),
        ("rules chess", "no game is called 'chess'"),
        ("rules dudo --tips --faq", "argument --faq: not allowed with argument --tips"),
        ("verify", "the following arguments are required: FILE"),
        ("verify nofile", "cannot read nofile: No such file or directory"),
        ("verify .", "cannot read .: Is a directory"),
        ("replay nofile", "cannot read nofile: No such file or directory"),
        ("replay .", "cannot read .: Is a directory"),
        ("replay nofile --seat Ana --all", "not allowed with argument"),
        ("scenario nofile", "cannot read nofile: No such file or directory"),
        ("scenario .", "cannot read .: Is a directory"),
        ("bench --nonsense", "unrecognized arguments: --nonsense"),
        ("nonsense", "argument COMMAND: invalid choice: 'nonsense'"),
        ("--nonsense", "unrecognized arguments: --nonsense"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(sobremesa: Commands, words: str, why: str) -> None:
    sobremesa.run(*words.split()).refused(why)


def test_replay_of_somebody_who_is_not_there_names_those_who_are(
    sobremesa: Commands, good: str
) -> None:
    why = "nobody at this table is called 'Zed'; there are: Ana, Bea"
    sobremesa.run("replay", good, "--seat", "Zed").refused(why)


def test_file_without_an_end_is_refused(
    sobremesa: Commands, good: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.cli.commands.records.MOST_TRANSCRIPT", len(GOOD) - 1)
    monkeypatch.setattr("sobremesa.cli.commands.games.MOST_SCENARIO", len(GOOD) - 1)
    sobremesa.run("verify", good).refused("good is too large")
    sobremesa.run("scenario", "-", stdin=GOOD).refused("the standard input is too large")


def test_log_that_cannot_be_written_is_named(
    sobremesa: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_LOG", str(sobremesa.folder))
    sobremesa.run("games").refused(f"the log cannot be written to {sobremesa.folder}: Is a dir")


def test_a_bug_is_one_line_and_its_traceback_is_in_the_log(
    sobremesa: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("lost\nface")

    monkeypatch.setattr("sobremesa.cli.commands.games.show_rules", broken)
    log = sobremesa.folder / "log"
    monkeypatch.setenv("SOBREMESA_LOG", str(log))
    sobremesa.run("rules", "dudo").refused("this is a bug: KeyError: 'lost\\nface'. Run it again")
    assert "Traceback" in log.read_text("utf-8")


# Streams and signals: real processes.


def piped(*words: str, folder: Path, **streams: Any) -> subprocess.Popen[bytes]:
    env = environment(folder)
    env.pop("PYTHONUNBUFFERED", None)  # or nothing would be left for the last flush
    return subprocess.Popen([*SOBREMESA, *words], env=env, **streams)


@pytest.fixture
def closed() -> Iterator[int]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("words", ["rules dudo", "games --json", "--help"])
def test_reader_that_went_away_is_no_error(tmp_path: Path, closed: int, words: str) -> None:
    with piped(*words.split(), folder=tmp_path, stdout=closed, stderr=subprocess.PIPE) as process:
        assert process.communicate()[1] == b""
        assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_full_disk_is_said_and_the_status_tells(tmp_path: Path) -> None:
    with (
        Path("/dev/full").open("wb") as full,
        piped("rules", "dudo", folder=tmp_path, stdout=full, stderr=subprocess.PIPE) as process,
    ):
        errors = process.communicate()[1].decode()
    assert errors == "sobremesa: cannot go on: No space left on device\n"
    assert process.returncode == 2


def test_started_without_any_stream_it_still_does_its_work(tmp_path: Path) -> None:
    saved = tmp_path / "game"
    command = shlex.join([*SOBREMESA, "play", "dudo", *QUICK, "--save", str(saved)])
    subprocess.run(
        ["sh", "-c", f"{command} <&- >&- 2>&-"], env=environment(tmp_path), check=True, cwd=ROOT
    )
    assert saved.stat().st_size > 1000


def test_terminal_that_knows_ascii_only_gets_letters_that_are_like_ours(tmp_path: Path) -> None:
    env = environment(tmp_path, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    words = (*SOBREMESA, "play", "dudo", *QUICK, "--name", "Zoë", "--save", str(tmp_path / "g"))
    subprocess.run(words, env=env, check=True, capture_output=True)
    ran = subprocess.run((*SOBREMESA, "verify", str(tmp_path / "g")), env=env, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b": Zoe, " in ran.stdout


@pytest.mark.parametrize(
    "words", ["tables --seconds 60", "scenario -", "play dudo --plain --bots 1 --pace 60"]
)
def test_ctrl_c_ends_with_130_and_without_a_word(tmp_path: Path, words: str) -> None:
    with piped(
        *words.split(),
        folder=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        _wait_until_it_sleeps(process.pid)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"")


def _wait_until_it_sleeps(pid: int) -> None:
    """Until a process has started up and waits for something, twice looked at."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        time.sleep(3)
        return
    spent, still = -1, 0
    while still < 5:
        time.sleep(0.1)
        fields = status.read_text().rpartition(")")[2].split()
        now = int(fields[11]) + int(fields[12])
        still = still + 1 if now == spent and now > 5 and fields[0] == "S" else 0
        spent = now


def test_python_m_and_the_entry_point_are_one_command() -> None:
    import sobremesa.__main__ as start

    assert callable(start.main)
    version = subprocess.run(
        (sys.executable, "-m", "sobremesa", "--version"), capture_output=True, text=True, cwd=ROOT
    )
    assert version.stdout == "sobremesa 0.1.0\n"


# How far it is.


def test_how_far_a_long_check_is_stands_on_a_terminal_only_and_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, SHOWN_AFTER / 2, *[SHOWN_AFTER] * 9])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with Counter("Checking") as counter:
        for done in (0.1, 0.2, 0.2, 0.3):
            counter.show(done)
    assert capsys.readouterr().out == "\rChecking: 20%\rChecking: 30%\r             \r"
    with Counter("Checking", shown=False) as counter:
        counter.show(0.5)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    with Counter("Checking") as counter:
        counter.show(0.5)
    assert capsys.readouterr().out == ""


def test_verify_tells_how_far_it_is() -> None:
    told: list[float] = []
    assert audit(GOOD, lambda _: DUDO, told.append).ok
    assert told == sorted(told)
    assert 0.4 < told[len(told) // 2] < 0.6
    assert 0.9 < told[-1] <= 1


# Home.


def test_without_a_terminal_home_is_said_and_ends_with_the_input(sobremesa: Commands) -> None:
    for words in ((), ("lobby",), ("--plain",), ("lobby", "--plain", "--name", "Zoe")):
        ran = sobremesa.run(*words)
        assert (ran.status, ran.err) == (0, "")
        assert "No tables yet" in ran.out
    assert "You are Zoe." in ran.out


def test_what_was_chosen_at_home_holds_for_every_command(sobremesa: Commands) -> None:
    (sobremesa.folder / "home").mkdir()
    sobremesa.file("home/settings", "name = Zoë\nascii = on\n")
    assert "You are Zoe." in sobremesa.run().out
    assert "You are Zoë." in sobremesa.run("--no-ascii").out
    assert "You are Bea." in sobremesa.run("--name", "Bea").out
    assert sobremesa.run("rules", "cinco-vidas").out.isascii()
    sobremesa.file("home/settings", "bell = gong\nname = Eva\n")
    for ran in (sobremesa.run("games"), sobremesa.run()):
        said = ran.err or ran.out
        assert "eft out of your settings in" in said
        assert "line 1. All else holds." in said
    assert "You are Eva." in sobremesa.run().out
