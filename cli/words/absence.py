"""Who is missing at a table, for how long, what becomes of it, and what the player can do: as one
row that counts, and as a sentence that is said once.

Rule 1: pure; the time, in seconds of the loop's clock, is handed in.
Rule 2: a player is a name, never "he" or "she": the program does not know them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sobremesa.cli.session.moments import Absent
from sobremesa.core import typed
from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Seat
from sobremesa.net.events import Absence
from sobremesa.plugins.voice import counted, listed

Absences = Sequence[Absence]


def clock(seconds: float) -> str:
    """A span of time as a clock shows it: "0:34"."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def span(seconds: float) -> str:
    """A span of time as it is said: "1 minute 12 seconds"."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    said = [counted(minutes, "minute")] if minutes else []
    return " ".join([*said, counted(rest, "second")] if rest or not minutes else said)


def banner(absent: Absent, now: float) -> tuple[str, ...]:
    """The row while somebody is missing, in ever fewer words; empty if nobody is."""
    absences = [a for a in absent.absences if a.needed or not _is_out(a)]
    if not absences:
        return ()
    away = clock(now - min(absence.since for absence in absences))
    who = _who(absences)
    if absent.unanswered:
        none, end = f"Nobody answers, {away}", "Your seat is kept; /leave ends it for you"
        return (
            f"Nobody answers at the addresses of this table, {away}. {end}",
            f"{none}. {end}",
            none,
        )
    if absent.alone:
        down = f"Your own network is down, {away}"
        waits = "The game waits, your seat is kept"
        return f"{down}: you reach nobody. {waits}", f"{down}. {waits}", down
    if not any(absence.needed for absence in absences):
        state = f"{who} {away}"
        return f"{state}. The game goes on until it needs {_names(absences)}", state
    if absent.looks_on:
        return _seen(absences, f"{who} {away}")
    if _too_few(absent):
        reach = f"You reach {_reached(absent)} of {absent.peers}, {away}: too few"
        end = "/leave ends it for you"
        waits = f"The game waits for {_names(absences)}"
        return (
            f"{reach} to go on. {waits}; {end}",
            f"{reach} to go on. {end}",
            f"{reach}; /leave",
            reach,
        )
    if any(absence.choice for absence in absences):
        return _choices(absent, f"{who} {away}")
    if all(map(_is_out, absences)):
        return f"{who}: out of the game as soon as this move is over", who
    kept = _kept(absences)
    if kept is None:
        state = f"{who} {away}"
        return f"{state}. The game waits; /leave ends it for you", f"{state}: the game waits", state
    then = f"Then: wait on, go on without {_names(absences)}, end"
    least = f"{who} {away} of {clock(kept)}"
    return (
        f"{who} {away}. {_seats(absences)} kept until {clock(kept)}. {then}",
        f"{least}. {then}",
        least,
    )


def _seen(absences: Absences, state: str) -> tuple[str, ...]:
    """The row of who looks on, after who is missing and how long."""
    if all(map(_is_out, absences)):
        return (f"{_who(absences)}: out of the game as soon as this move is over", _who(absences))
    kept, agreed = _kept(absences), _agreed(absences).rstrip()
    until = "The game waits" if kept is None else f"{_seats(absences)} kept until {clock(kept)}"
    least = state if kept is None else f"{state} of {clock(kept)}"
    return f"{state}. {until}" + (f". {agreed}" if agreed else ""), f"{state}. {until}", least


def _choices(absent: Absent, state: str) -> tuple[str, ...]:
    """The row where the player may choose, after who is missing and how long."""
    absences, go_on = absent.absences, _without(absent)
    in_full = f"{go_on} goes on, /wait waits, /leave ends it for you"
    words, least = f"{go_on}  /wait  /leave", f"{state}: {go_on}  /wait"
    doubt = _doubt(absences)
    if doubt:
        return f"{doubt} {in_full}", f"{doubt} {words}", f"{doubt} {go_on}?", least
    kept, agreed = _kept(absences), _agreed(absences)
    of = f" of {clock(kept)}" if kept is not None else ""
    until = f" {_seats(absences)} kept until {clock(kept)}." if kept is not None else ""
    return f"{state}.{until} {agreed}{in_full}", f"{state}{of}. {agreed}{words}", least


def speak_absent(absent: Absent) -> str:
    """The same as a sentence or two to be heard once; empty if nobody is missing."""
    if not absent.absences:
        return ""
    who = _who(absent.absences)
    if absent.unanswered:
        return (
            "Nobody answers at the addresses of this table: the others are away, or have ended the "
            "game. Your seat is kept when you quit; leave ends it for you."
        )
    if absent.alone:
        return "Your own network is down: you reach nobody. The game waits, and your seat is kept."
    if all(_is_out(absence) and not absence.needed for absence in absent.absences):
        if len(absent.absences) == absent.peers - 1:
            return f"{who}. Only you are left."
        return f"{who}. The others go on without {_names(absent.absences)}."
    if not any(absence.needed for absence in absent.absences):
        return f"{who}. The game goes on until it needs {_names(absent.absences)}."
    if absent.looks_on:
        return _speak_seen(absent.absences)
    if _too_few(absent):
        return (
            f"You reach {_reached(absent)} of {absent.peers}: too few to go on. The game waits for "
            f"{_names(absent.absences)}; leave ends it for you."
        )
    if any(absence.choice for absence in absent.absences):
        what = f"Type {_without(absent)[1:]} to go on, wait to wait on, leave to end it for you."
        doubt = _doubt(absent.absences)
        return f"{doubt or f'{who}.'} {_agreed(absent.absences)}{what}"
    if all(_is_out(absence) for absence in absent.absences):
        return f"{who}: out of the game as soon as this move is over."
    kept = _kept(absent.absences)
    if kept is None:
        return f"{who}. The game waits; leave ends it for you."
    return (
        f"{who}. {_seats(absent.absences)} kept for {span(kept)}. Then you can wait on, go "
        f"on without {_names(absent.absences)}, or end it for you."
    )


def _speak_seen(absences: Absences) -> str:
    """The same for who looks on."""
    if all(map(_is_out, absences)):
        return f"{_who(absences)}: out of the game as soon as this move is over."
    kept = _kept(absences)
    waits = "The game waits" if kept is None else f"{_seats(absences)} kept for {span(kept)}"
    return f"{_who(absences)}. {waits}. {_agreed(absences)}".rstrip()


def speak_news(before: Absent, now: Absent) -> str:
    """What of the new state has to be heard by who has heard the one before: all of it, or only
    who would go on now; empty if nothing has."""
    if {a.name: replace(a, agreed=()) for a in before.absences} != {
        a.name: replace(a, agreed=()) for a in now.absences
    } or (before.alone, before.unanswered) != (now.alone, now.unanswered):
        said = speak_absent(now)
        return said if said != speak_absent(before) else ""
    had = {(a.name, name) for a in before.absences for name in a.agreed}
    news = [(a.name, name) for a in now.absences for name in a.agreed if (a.name, name) not in had]
    return " ".join(f"{name} would go on without {missing}." for missing, name in news)


def speak_half(absence: Absence) -> str:
    """That half of the time is over for which a seat is kept."""
    assert absence.until is not None
    half = span((absence.until - absence.since) / 2)
    return f"{_who([absence])} for {half}, half of the time for which the seat is kept."


def meant_absence(named: str, absent: Absent) -> Absence:
    """Who is meant by a name, or by none if only one is missing.

    :raises LocalError: if nobody is, or nobody can go on without that one now
    """
    if not absent.absences:
        raise LocalError("the table waits for nobody who is away")
    found = list(absent.absences)
    if named.strip():
        found = typed.meant(named, found, lambda absence: [absence.name])
    if len(found) != 1:
        raise LocalError(f"without whom? Type one of these names: {_names(absent.absences)}")
    (absence,) = found
    if not absence.choice:
        raise LocalError(_why_not(absence, absent))
    return absence


def asking(absence: Absence) -> str:
    """What is asked before we say that we would go on without somebody."""
    name = absence.name
    doubt = f"{_doubt([absence])} " if absence.through else ""
    return f"{doubt}Go on without {name}? If all agree, {name} is out of this game and may look on."


def out_of_it(absent: Absent) -> list[Seat]:
    """Those among the missing for whom nobody waits."""
    return [absence.name for absence in absent.absences if _is_out(absence)]


def _why_not(absence: Absence, absent: Absent) -> str:
    """Why nobody can go on without this one now."""
    if not absence.needed:
        return f"the game does not wait for {absence.name} yet, so it goes on anyway"
    if _is_out(absence):
        return f"{absence.name} is out as soon as this move is over, and needs no word of yours"
    if absent.alone or _too_few(absent):
        return "you reach too few to go on: wait, or leave"
    if absence.until is not None:
        kept = clock(absence.until - absence.since)
        return f"{absence.name}'s seat is kept until {kept}: wait for that, or leave"
    return f"nobody can go on without {absence.name}: wait, or leave"


def _names(absences: Absences) -> str:
    return listed([absence.name for absence in absences])


def _who(absences: Absences) -> str:
    """ "Bea and Cai are away, Dan has left"."""
    return ", ".join(_alike(absences))


def _alike(absences: Absences) -> Iterator[str]:
    """What is said of those that are missing for the same reason."""
    said = {
        "left": ("has left", "have left"),
        "convicted": ("broke the rules", "broke the rules"),
        "silent": ("says nothing", "say nothing"),
        "away": ("is away", "are away"),
    }
    for why, (one, several) in said.items():
        names = [absence.name for absence in absences if absence.why == why]
        if names:
            yield f"{listed(names)} {one if len(names) == 1 else several}"


def _seats(absences: Absences) -> str:
    return "The seat is" if len(absences) == 1 else "The seats are"


def _kept(absences: Absences) -> float | None:
    """For how long, in seconds, the first of the seats is kept that are given up by a clock."""
    spans = [absence.until - absence.since for absence in absences if absence.until is not None]
    return min(spans, default=None)


def _agreed(absences: Absences) -> str:
    """Who would go on, as a sentence with a blank after it."""
    names: list[Seat] = list(dict.fromkeys(name for a in absences for name in a.agreed))
    return f"{listed(names)} would go on. " if names else ""


def _doubt(absences: Absences) -> str:
    """That others may keep somebody from us."""
    return " ".join(
        f"{a.name} can be reached through {listed(a.through)} only: look whether {a.name} is there."
        for a in absences
        if a.through
    )


def _without(absent: Absent) -> str:
    """What is typed to go on; the name where several are missing."""
    names = [absence.name for absence in absent.absences if absence.choice]
    return "/without" if len(absent.absences) == 1 else f"/without {names[0]}"


def _is_out(absence: Absence) -> bool:
    return absence.why in ("left", "convicted")


def _reached(absent: Absent) -> int:
    """How many machines are here, ours too."""
    return absent.peers - sum(not _is_out(absence) for absence in absent.absences)


def _too_few(absent: Absent) -> bool:
    """Whether we are no majority, where a majority could decide at all."""
    choice = any(absence.choice for absence in absent.absences)
    return not choice and absent.peers > 2 and 2 * _reached(absent) <= absent.peers
