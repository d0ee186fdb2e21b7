"""What `verify` says of a game that is right."""

from __future__ import annotations

from sobremesa.cli.commands.records import speak_checked
from sobremesa.core.replica.audit import Report
from sobremesa.core.replica.departures import Departure


def test_of_whom_not_all_can_be_checked_is_said() -> None:
    whole = "40 steps, all signed, all by the rules, all made again from the seeds."
    assert speak_checked(Report(None, None, 40, None)) == [whole]
    dan = Departure(3, "Dan", 12, "away", "seed")
    assert speak_checked(Report(None, None, 40, None, departures=(dan,))) == [
        "40 steps, all signed, all by the rules, those of all but Dan made again from the seeds.",
        "From step 12 the game went on without Dan, who was away and did not give its seed, so "
        "nobody can check how it played.",
    ]
