"""The `tables` command: look for a while, then say what is open on this network."""

from __future__ import annotations

import asyncio

from sobremesa.cli.exits import DONE
from sobremesa.cli.lines.printing import say, say_object
from sobremesa.cli.session.seats import describe_seat, kept_seats
from sobremesa.net.finding.discovery import Browser
from sobremesa.net.finding.listing import Listing
from sobremesa.plugins.loader import load_games


def run(seconds: float, *, as_json: bool) -> int:
    """Look for so many seconds and print what answered."""
    tables, trouble = asyncio.run(_look(seconds))
    games = load_games()
    kept = [describe_seat(games, seat) for seat in kept_seats()]
    if as_json:
        found = [_object(table) for table in tables]
        say_object({"seats": kept, "tables": found, "trouble": trouble})
        return DONE
    for seat in kept:
        say(f"You have a seat at {seat}. Back to it: sobremesa resume")
    for table in tables:
        say(_line(table))
    if not tables:
        say(f"No tables in {seconds:g} s. {trouble or HINT}")
    return DONE


HINT = "Same Wi-Fi? Firewall port 5353/udp? Or: sobremesa join HOST:PORT"


async def _look(seconds: float) -> tuple[tuple[Listing, ...], str | None]:
    browser = Browser()
    trouble = await browser.start()
    try:
        await asyncio.sleep(seconds)
        return browser.tables, trouble
    finally:
        await browser.stop()


def _line(table: Listing) -> str:
    entry = "open to all" if table.open else "with a code"
    return (
        f"{table.label}: {table.game_title}, {table.seats_taken}/{table.seats} seats, "
        f"{table.options}, {table.state}, {entry}, opened by {table.opener}, "
        f"at {table.addresses[0]}, {table.seconds * 1000:.0f} ms"
    )


def _object(table: Listing) -> dict[str, object]:
    return {
        "table": table.table.hex(),
        "name": table.label,
        "game": table.game,
        "title": table.game_title,
        "taken": table.seats_taken,
        "seats": table.seats,
        "options": table.options,
        "state": table.state,
        "open": table.open,
        "opener": table.opener,
        "address": str(table.addresses[0]),
        "ping_ms": round(table.seconds * 1000, 1),
    }
