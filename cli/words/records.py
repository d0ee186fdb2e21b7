"""Kept games as text: a line for each, and what they add up to.

Rule 1: whoever is meant by a key is called "you" where it is this machine's, and by the newest of
its names elsewhere; of two with one name each is named with the beginning of its key's words.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.cli.session.tallies import OWN, Listing, Sum, Tally, owner_of
from sobremesa.core.names import are_alike
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.summary import Summary
from sobremesa.net.kept import MOST, Kept
from sobremesa.plugins.voice import listed

from .fingerprint import fingerprint
from .pages import Part
from .recap import nth
from .speech import Players, sentence, speak_places

NEWEST = 20
"""So many games are on the page."""

NOTHING = "No game was kept here yet. Each one is, when it is over or broken off."

HOW_TO = "To see one again type sobremesa replay NUMBER, to check it sobremesa verify NUMBER."


def speak_records(listing: Listing) -> list[str]:
    """A line for each game."""
    return [_speak(number, kept, listing.own) for number, kept in listing.games]


def records_page(listing: Listing) -> list[Part]:
    """The newest games and the sums of all, as a page."""
    if not listing.games:
        return [Part("text", NOTHING)]
    page = [Part("title", f"The newest of the last {MOST} games")]
    page += [Part("item", line) for line in speak_records(listing)[:NEWEST]]
    for title, lines in speak_sums(listing.sums):
        page += [Part("title", title), *(Part("item", line) for line in lines)]
    page.append(Part("text", HOW_TO))
    return page


def speak_latest(listing: Listing) -> str:
    """The newest game, and what all add up to for this machine's owner; nothing without any."""
    summaries = [kept.summary for _, kept in listing.games if kept.summary is not None]
    if not summaries:
        return ""
    last = summaries[0]
    mine = [seat for key, seat in last.people if owner_of(last, key, listing.own) == OWN]
    others = [seat for _, seat in last.people if seat not in mine] + list(last.bots)
    with_whom = f" with {listed(others)}" if others else ""
    own = [tally for tally in listing.sums[-1].people if tally.key == OWN]
    won = f", {own[0].won} won" if own else ""
    how = _own_end(last, mine[0]) if mine else ""
    return f"Last: {last.title}{with_whom}{how}. {len(summaries)} kept{won}"


def _own_end(summary: Summary, seat: Seat) -> str:
    """How it ended for one seat, as a clause."""
    place = summary.place(seat)
    if summary.end != "over":
        return ", without a result"
    if summary.is_ranking and place is not None:
        return f", you came {nth(place)}"
    return f", all {summary.together}" if summary.together else ""


def _speak(number: int, kept: Kept, own: bytes | None) -> str:
    """One game: when, what, with whom, and how it ended."""
    date = day_and_time(kept)
    summary = kept.summary
    if summary is None:
        return f"{number}: {date}. Damaged: {sentence(kept.trouble)}"
    who, how = speak_people(summary, own), speak_end(summary, own)
    watched = " You looked on." if kept.watched else ""
    return f"{number}: {date}, {summary.title} at {summary.name}: {who}. {how}{watched}"


def day_and_time(kept: Kept) -> str:
    """When a game ended."""
    return kept.when.astimezone().strftime("%Y-%m-%d %H:%M")


def speak_people(summary: Summary, own: bytes | None) -> str:
    """Who played."""
    players = players_of(summary, own)
    seats = [seat for _, seat in summary.people] + list(summary.bots)
    return listed([players.name(seat) for seat in seats])


def players_of(summary: Summary, own: bytes | None) -> Players:
    """Who is who in a record, on a machine whose own key is `own`."""
    mine = [seat for key, seat in summary.people if owner_of(summary, key, own) == OWN]
    return Players(mine[0] if mine else None, summary.bots)


def own_place(kept: Kept, own: bytes | None) -> str:
    """How a game ended for us, in a word or two: "2 of 4", "won"."""
    summary = kept.summary
    if summary is None:
        return "damaged"
    if summary.end != "over":
        return summary.end
    if summary.together:
        return summary.together
    me = players_of(summary, own).me
    place = summary.place(me) if me is not None else None
    return "" if place is None else f"{place} of {sum(map(len, summary.places))}"


def speak_end(summary: Summary, own: bytes | None) -> str:
    """How a game ended, and whether anybody has checked."""
    match summary.end:
        case "unknown":
            return f"How it ended cannot be told here: {sentence(summary.why)}"
        case "broken off":
            return f"Broken off: {sentence(summary.why)}"
    checked = {None: " Not checked.", False: " NOT VERIFIED.", True: ""}[summary.verified]
    return speak_places(summary.places, summary.together, players_of(summary, own)) + checked


def speak_sums(sums: Sequence[Sum]) -> list[tuple[str, list[str]]]:
    """A title for each game and for all, and a line for each person."""
    everybody = {tally.key: tally.name for sum in sums for tally in sum.people}
    return [(_sum_title(sum), [_tally(tally, everybody) for tally in sum.people]) for sum in sums]


def _sum_title(sum: Sum) -> str:
    games = f"{sum.title or 'All games'}: {sum.played} played"
    return games + (f", {sum.without_result} without a result" if sum.without_result else "")


def _tally(tally: Tally, everybody: dict[bytes, str]) -> str:
    places = ", ".join(f"{nth(place)} {times(n)}" for place, n in sorted(tally.places.items()))
    said = f"{_person(tally.key, everybody)}: {tally.played} played, {tally.won} won"
    if tally.run > 1:
        said += f", {tally.run} in a row"
    return said + (f" ({places})." if places else ".")


def _person(key: bytes, everybody: dict[bytes, str]) -> str:
    if key == OWN:
        return "you"
    name = everybody[key]
    alike = [other for other in everybody if other != OWN and are_alike(everybody[other], name)]
    return name if len(alike) == 1 else f"{name} ({'-'.join(fingerprint(key).split('-')[:2])})"


def times(n: int) -> str:
    """How often: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(n, f"{n} times")
