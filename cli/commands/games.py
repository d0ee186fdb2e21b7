"""The commands about the games themselves: games, rules, scenario."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from sobremesa.cli.draw.theme import one_line
from sobremesa.cli.exits import DONE
from sobremesa.cli.lines.printing import complain, say, say_object
from sobremesa.cli.words.pages import spoken_page
from sobremesa.cli.words.speech import sentence
from sobremesa.core.game import Game
from sobremesa.core.scenario import differences, exit_status, play_scenario, read_scenario
from sobremesa.plugins.loader import Games, load_games

from .files import Unreadable, limited, read

MOST_SCENARIO = 1 << 20
"""Bytes of a scenario file: a whole game by hand has some thousands."""


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    games = load_games()
    match args.verb:
        case "games" if args.check is not None:
            from .checking import check

            return check(games.named(args.check), as_json=args.json)
        case "games":
            return list_games(games, as_json=args.json)
        case "rules":
            return show_rules(games.named(args.game), tips=args.tips, faq=args.faq)
        case "scenario":
            return scenario(games, args.file)
        case verb:
            raise AssertionError(verb)


def list_games(games: Games, *, as_json: bool) -> int:
    """What is installed, with options and origin; what could not be loaded, with the reason."""
    if as_json:
        rows = [
            _game_object(game, games.sources[id].label) for id, game in sorted(games.games.items())
        ]
        say_object({"games": rows, "broken": games.broken})
        return DONE
    for id, game in sorted(games.games.items()):
        least, most = game.seats[0], game.seats[-1]
        source = games.sources[id].label
        say(f"{id}: {game.title}, {least} to {most} players ({source}). {game.about}")
        for option in game.options:
            choices = "|".join(map(str, option.choices))
            about = f"{sentence(option.help)} Default: {option.default}."
            say(f"    --option {option.key}={choices}  {about}")
        if len(game.bots) > 1:
            ids = "|".join(bot.id for bot in game.bots)
            titles = "; ".join(f"{bot.id}: {bot.title}" for bot in game.bots)
            say(f"    --bot {ids}  {titles}. Default: {game.bots[0].id}.")
    for line in games.broken:
        complain(line)
    return DONE


def _game_object(game: Game[Any], origin: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "about": game.about,
        "seats": [game.seats[0], game.seats[-1]],
        "rules_version": game.rules_version,
        "origin": origin,
        "bots": [bot.id for bot in game.bots],
        "options": [
            {"key": o.key, "default": o.default, "choices": list(o.choices), "help": o.help}
            for o in game.options
        ],
    }


def show_rules(game: Game[Any], *, tips: bool, faq: bool) -> int:
    """A help page as text."""
    page = game.help.tips if tips else game.help.faq if faq else game.help.rules
    for line in spoken_page(page):
        say(line)
    return DONE


def scenario(games: Games, file: str) -> int:
    """Play a scenario file and print the state that it leads to.

    :raises LocalError: if it cannot be read or played
    """
    name = "the standard input" if file == "-" else file
    if file == "-":
        data = limited(sys.stdin.buffer, name, MOST_SCENARIO)
    else:
        data = read(Path(file), MOST_SCENARIO)
    try:
        given = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name} is not UTF-8 text (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name} is not JSON: {error}") from error
    played = read_scenario(given, games.find)
    output = play_scenario(played)
    say_object(output, indent=1)
    unexpected = differences(played.expect, output) if played.expect is not None else []
    for line in unexpected:
        print(one_line(line), file=sys.stderr)
    return exit_status(played, output, unexpected)
