"""The kept games, and what they add up to for each game and each person.

Rule 1: a person is a key, and called by the newest of its names. Whoever played alone is the owner
of this machine: such a table has a key of its own.
Rule 2: a table counts once, whatever records there are of it.
Rule 3: a game without a result counts as played, and neither makes nor ends a run of wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sobremesa.core import typed
from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.summary import Summary
from sobremesa.net.kept import Kept, KeptGames
from sobremesa.net.store import own_key

OWN = b""
"""Whose machine this is, in the place of a key."""


@dataclass(slots=True)
class Tally:
    """What one person has played. `places` counts how often each was reached, in games that have
    a ranking; `run` is the longest row of wins."""

    key: bytes
    name: Seat
    played: int = 0
    won: int = 0
    places: Counter[int] = field(default_factory=Counter)
    run: int = 0
    _row: int = 0

    def add(self, summary: Summary, seat: Seat) -> None:
        """Count one more game, the next one in time."""
        self.name = seat
        self.played += 1
        if summary.end != "over":
            return
        won = summary.won(seat)
        self.won += won
        self._row = self._row + 1 if won else 0
        self.run = max(self.run, self._row)
        place = summary.place(seat)
        if place is not None and summary.is_ranking:
            self.places[place] += 1


@dataclass(frozen=True, slots=True)
class Sum:
    """What was played of one game, or of all (`game` and `title` are empty then)."""

    game: str
    title: str
    played: int
    without_result: int
    people: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which kept games are wanted: of a game, by its id or title, with somebody, since then."""

    game: str | None = None
    person: Seat | None = None
    since: datetime | None = None

    def takes(self, kept: Kept) -> bool:
        """Whether a kept game is such a one."""
        if self.since is not None and kept.when < self.since:
            return False
        summary = kept.summary
        if summary is None:
            return self.game is None and self.person is None
        names = summary.game, summary.title, summary.game.replace("-", " ")
        if self.game is not None and not typed.meant(
            self.game.replace("_", "-"), [summary], lambda _: names
        ):
            return False
        if self.person is None:
            return True
        from sobremesa.core.names import are_alike  # loads how wide letters are

        people = (seat for _, seat in summary.people)
        return any(are_alike(self.person, seat) for seat in people)


@dataclass(frozen=True, slots=True)
class Listing:
    """Kept games with their numbers, 1 for the newest of all, and the key of this machine."""

    games: Sequence[tuple[int, Kept]]
    own: bytes | None

    def only(self, wanted: Wanted) -> Listing:
        """Those that are wanted."""
        return Listing([(n, kept) for n, kept in self.games if wanted.takes(kept)], self.own)

    @property
    def sums(self) -> list[Sum]:
        """What those add up to that were played here."""
        played = (kept.summary for _, kept in self.games if kept.summary and not kept.watched)
        return add_up(played, self.own)


def read_listing(find_game: Callable[[str], Game[Any]]) -> Listing:
    """All that is kept here; `find_game` as for `KeptGames.games`."""
    return Listing(list(enumerate(KeptGames().games(find_game), 1)), own_key())


def owner_of(summary: Summary, key: bytes, own: bytes | None) -> bytes:
    """The person of a key in a record, on a machine whose own key is `own`."""
    return OWN if key == own or summary.is_alone else key


def add_up(summaries: Iterable[Summary], own: bytes | None) -> list[Sum]:
    """The sums of each game, the most played first; then, if there are several games, that of all.
    `summaries` are the newest first."""
    tables = _one_of_each(summaries)
    games: dict[str, list[Summary]] = {}
    for summary in tables:
        games.setdefault(summary.game, []).append(summary)
    sums = [_sum(some, some[0].game, some[0].title, own) for some in games.values()]
    sums.sort(key=lambda sum: (-sum.played, sum.game))
    return [*sums, _sum(tables, "", "", own)] if len(sums) > 1 else sums


def _one_of_each(summaries: Iterable[Summary]) -> list[Summary]:
    """Of each table the record that tells most."""
    found: dict[bytes, Summary] = {}
    for summary in summaries:
        other = found.get(summary.table)
        if other is None or _worth(summary) > _worth(other):
            found[summary.table] = summary
    return list(found.values())


def _worth(summary: Summary) -> tuple[bool, int]:
    return summary.end == "over", summary.messages


def _sum(newest_first: Sequence[Summary], game: str, title: str, own: bytes | None) -> Sum:
    tallies: dict[bytes, Tally] = {}
    for summary in reversed(newest_first):
        for key, seat in summary.people:
            person = owner_of(summary, key, own)
            tallies.setdefault(person, Tally(person, seat)).add(summary, seat)
    people = sorted(tallies.values(), key=lambda t: (-t.won, -t.played, t.name, t.key))
    without = sum(summary.end != "over" for summary in newest_first)
    return Sum(game, title, len(newest_first), without, tuple(people))
