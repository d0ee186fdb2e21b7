"""The vices of a liar among real tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from support.peers import ballot_cheats, cheats

VICES: Mapping[str, Callable[[], cheats.Cheat]] = {
    "two ballots": lambda: ballot_cheats.VotesTwice(1, 0),
    "a ballot against who is there": lambda: ballot_cheats.VotesAgainstTheLiving(2, 0),
    "a false decision": lambda: ballot_cheats.DecidesAlone(2, 0),
    "a hold of nothing": lambda: ballot_cheats.HoldsNothing(2, 0),
    "a hold and a ballot": lambda: ballot_cheats.VotesAgainstWhomItHolds(2, 0),
    "no reveal": lambda: cheats.FallsSilent("toss-open"),
    "no opened answer": lambda: cheats.FallsSilent("answer-open"),
    "no seed": lambda: cheats.FallsSilent("seed"),
    "two messages": lambda: cheats.Equivocates("toss-commit", [1]),
    "a farewell for some": lambda: cheats.LeavesForSome("answer-commit", [1]),
    "another digest": cheats.SendsAnotherDigest,
}
