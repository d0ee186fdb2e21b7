"""Who is gone: the ballots of one step, and how the step is decided with them.

What a peer says about a step beside its message is its *stand*, a list that only grows:

    Ballot    nothing is expected of these peers, from this step on
    Hold      I hold this peer's message for the step, and it is right; or it owes none, and is here
    Done      I have decided the step: without these peers, or by all its messages

A ballot that is signed by every present peer outside it, and by more than half of the present ones
in all, is *complete*: it takes the place of the messages of those that it names. It names one at
least for whom the step waits, and with it whoever else is lost and so could not sign.

Rule 1: a ballot is dead for whoever has a Hold, from a peer outside it, against a peer in it. It
can never become complete: that peer will not sign it.
Rule 2: who has signed a ballot signs another one only if it contains all its ballots that are not
dead, and counts messages alone only when all of them are.
Rule 3: a step is decided by the last of one's ballots that is not dead, when it is complete; by all
its messages, if there is none; or as somebody has decided it whose signature one's last ballot
needs. Who has decided signs nothing but that it has.
Rule 4: farewells decide nothing, but where all but one have said theirs: one reader cannot part
from himself. A leaver's signature under a ballot that names it counts for the majority.
Rule 5: nothing here is a matter of clocks or links: when to sign is for others to say.

Why honest peers cannot part, and what can stop them, says docs/protocol.md;
`tests/support/peers/ballots.py` tries what can happen in a step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sobremesa.core.schema import Bytes, Int, Kinds, ListOf, read_whole

from .charter import MAX_PEERS

MOST_ACTS = 48
"""Acts in a stand: more than there are ballots that each contain the one before, with every hold
between them."""

_PEERS = Int(0, (1 << MAX_PEERS) - 1)

STAND = ListOf(
    Kinds({"ballot": (_PEERS,), "hold": (Int(0, MAX_PEERS - 1), Bytes(32, 32)), "done": (_PEERS,)}),
    MOST_ACTS,
)
"""A stand: sets of peers are numbers with a bit for each."""

Peers = frozenset[int]


@dataclass(frozen=True, slots=True)
class Ballot:
    """Nothing is expected of these peers."""

    gone: Peers


NO_MESSAGE = bytes(32)
"""What stands for the message of a peer that owes none."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A peer's message for the step, by its hash, is here and right; or `NO_MESSAGE`: the peer
    owes none, and is here."""

    peer: int
    message: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """The step is decided without these peers; by all its messages, if they are none."""

    gone: Peers


Act = Ballot | Hold | Done
Stand = tuple[Act, ...]


def write_stand(stand: Stand) -> list[list[int | bytes | str]]:
    """The body of the message that says it."""
    rows: list[list[int | bytes | str]] = []
    for act in stand:
        match act:
            case Ballot(gone):
                rows.append(["ballot", _bits(gone)])
            case Hold(peer, message):
                rows.append(["hold", peer, message])
            case Done(gone):
                rows.append(["done", _bits(gone)])
    return rows


def read_stand(packed: bytes) -> Stand:
    """A stand from the body of a message.

    :raises Misfit: if it is none
    """
    acts: list[Act] = []
    for kind, *values in read_whole(STAND, packed):
        match kind:
            case "ballot":
                acts.append(Ballot(_peers(values[0])))
            case "hold":
                acts.append(Hold(*values))
            case _:
                acts.append(Done(_peers(values[0])))
    return tuple(acts)


def is_majority(signers: int, present: Peers) -> bool:
    """Whether so many are more than half of those who are present."""
    return 2 * signers > len(present)


def begins_with(stand: Stand, earlier: Stand) -> bool:
    """Whether a stand is an earlier one, gone on with."""
    return stand[: len(earlier)] == earlier


def why_no_stand(stand: Stand, author: int, present: Peers) -> str | None:
    """What no honest peer says, whatever it knows, as a clause that follows its name."""
    if not stand:
        return "said nothing about a step"
    ballots: list[Peers] = []
    held: set[int] = set()
    for number, act in enumerate(stand):
        match act:
            case Ballot(gone):
                if not gone or not gone < present or gone in ballots:
                    return "signed a ballot that cannot be"
                if held & gone:
                    return "signed a ballot against somebody whose message it holds"
                ballots.append(gone)
            case Hold(peer, _):
                if peer == author or peer not in present or peer in held:
                    return "holds a message that cannot be"
                held.add(peer)
            case Done(gone):
                if number != len(stand) - 1:
                    return "signed more about a step that it had decided"
                if author in gone or not gone < present:
                    return "decided a step as it cannot be decided"
    return None


@dataclass(slots=True)
class Poll:
    """The ballots of one step, as one replica knows them. Of the `present` peers messages are
    `expected` from some; `valid` are those that came and are right, by peer and hash; `stands` is
    the longest that is known of each peer."""

    present: Peers
    expected: Peers
    valid: dict[int, bytes] = field(default_factory=dict)
    stands: dict[int, Stand] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    """Who has said farewell."""
    convicted: set[int] = field(default_factory=set)

    # What was said.

    def ballots(self, peer: int) -> list[Peers]:
        """The ballots that a peer has signed, in order."""
        return [act.gone for act in self.stands.get(peer, ()) if isinstance(act, Ballot)]

    def holds(self) -> Iterator[tuple[int, int]]:
        """Who holds whose message, of those that are right."""
        for peer, stand in self.stands.items():
            for act in stand:
                if isinstance(act, Hold) and self._message(act.peer) == act.message:
                    yield peer, act.peer

    def _message(self, peer: int) -> bytes | None:
        """What there is of a peer to hold against ballots, None if the step waits for it."""
        return self.valid.get(peer) if peer in self.expected else NO_MESSAGE

    def is_dead(self, gone: Peers, signer: int | None = None) -> bool:
        """Whether a ballot can never be complete (rule 1). What its own `signer` holds shows
        nothing: it has signed."""
        return any(
            peer not in gone and held in gone and peer != signer for peer, held in self.holds()
        )

    def is_complete(self, gone: Peers) -> bool:
        """Whether a ballot is signed by all that it needs."""
        outside = self.present - gone
        signed = {p for p in outside | self.left if p in self.stands and gone in self.ballots(p)}
        return outside <= signed and self._is_enough(len(signed), gone)

    def _is_enough(self, signers: int, gone: Peers) -> bool:
        """Whether so many signatures carry a ballot, where all outside it are among them."""
        all_but_one_left = len(self.present - gone) == 1 and gone <= self.left
        return is_majority(signers, self.present) or all_but_one_left

    @property
    def counted(self) -> Peers:
        """The peers whose messages count. That of a convicted peer does not, unless somebody
        holds it: then no ballot without it can be complete."""
        held = {peer for _, peer in self.holds()} if self.convicted else set()
        return frozenset(p for p in self.valid if p not in self.convicted or p in held)

    # What one may do.

    def lacking(self) -> Peers:
        """The peers that a ballot may name by themselves: whose message is missing, or that have
        left or are convicted, unless their message counts."""
        named = (self.expected | self.left | self.convicted) & self.present
        return named - self.counted

    def nameable(self, lost: Peers) -> Peers:
        """Those among the lost that one ballot may name: none that somebody else holds something
        of, and nobody at all where the step waits for none of them."""
        gone = lost & self.present
        while held := {p for peer, p in self.holds() if p in gone and peer not in gone}:
            gone -= held
        return gone if gone & self.lacking() else frozenset()

    def may_sign(self, me: int, gone: Peers) -> bool:
        """Whether we may sign this ballot now (rule 2)."""
        if not gone < self.present or not gone & self.lacking():
            return False
        if me in gone and (me not in self.left or me in self.valid):
            return False
        mine = self.stands.get(me, ())
        if mine and isinstance(mine[-1], Done):
            return False
        if any(isinstance(act, Hold) and act.peer in gone for act in mine):
            return False
        if gone in self.ballots(me):
            return False
        if not self._is_enough(len(self.present - gone) + len(gone & self.left), gone):
            return False
        return all(ballot < gone for ballot in self._not_dead(me))

    def owed_holds(self, me: int, lost: Peers = frozenset()) -> list[Hold]:
        """What we have to hold against ballots of others. Nothing of those that are lost to us
        too: whoever reaches one of them will hold it."""
        alive = self._not_dead(me)
        named = {p for peer in self.stands if peer != me for b in self.ballots(peer) for p in b}
        said = {act.peer for act in self.stands.get(me, ()) if isinstance(act, Hold)}
        ours = said.union({me}, lost, *alive)
        held = ((peer, self._message(peer)) for peer in sorted(named - self.lacking() - ours))
        return [Hold(peer, message) for peer, message in held if message is not None]

    def decision(self, me: int | None) -> Peers | None:
        """How the step is decided for us, if it is: without whom (rule 3). `me` None, or one that
        is gone, decides nothing and follows those who do."""
        if me is None:
            return self._looked_on()
        alive = self._not_dead(me)
        if not alive and self.expected <= self.counted:
            return frozenset()
        if alive and me not in alive[-1] and self._is_settled(alive[-1], self.counted):
            return alive[-1]
        told = (gone for gone in self._told(me) if me not in gone)
        return next((gone for gone in told if self._is_settled(gone, self.valid)), None)

    def _told(self, me: int) -> Iterator[Peers]:
        """What others have decided whose signature our last ballot needs."""
        mine = self.ballots(me)
        for peer, stand in sorted(self.stands.items()):
            needed = peer != me and not (mine and peer in mine[-1])
            if needed and stand and isinstance(stand[-1], Done):
                yield stand[-1].gone

    def _looked_on(self) -> Peers | None:
        """How others have decided the step, by what a record shows of it. Of two complete ballots
        one contains the other, and it is the larger one with which those go on who are enough."""
        ballots = {ballot for peer in self.stands for ballot in self.ballots(peer)}
        for gone in sorted(ballots, key=len, reverse=True):
            if self.is_complete(gone):
                return gone if self._is_settled(gone, self.valid) else None
        return frozenset() if self.expected <= self.counted else None

    def _is_settled(self, gone: Peers, messages: Collection[int]) -> bool:
        whole = not gone or self.is_complete(gone)
        return whole and all(peer in messages for peer in self.expected - gone)

    def _not_dead(self, peer: int) -> list[Peers]:
        return [ballot for ballot in self.ballots(peer) if not self.is_dead(ballot, peer)]

    def follows(self, peer: int, stand: Stand, known: Mapping[int, bytes]) -> bool:
        """Whether a stand keeps the rules by what is `known` of the step, messages that are being
        checked included. What an honest peer knew when it signed has come before."""
        for length, act in enumerate(stand):
            said = replace(self, valid=dict(known), stands={**self.stands, peer: stand[:length]})
            if not said._may_say(peer, act):
                return False
        return True

    def _may_say(self, peer: int, act: Act) -> bool:
        """Whether a peer that has said no more than is here may go on with this."""
        alive = self._not_dead(peer)
        match act:
            case Ballot(gone):
                return all(b < gone for b in alive) and (peer not in gone or peer in self.left)
            case Hold(held, message):
                return self._message(held) == message and not any(held in b for b in alive)
            case Done(gone):
                own = alive[-1] if alive else frozenset()
                return gone in (own, *self._told(peer)) and self._is_settled(gone, self.valid)


def certified(present: Peers, stands: Mapping[int, Sequence[Stand]], left: Peers) -> Peers | None:
    """The ballot that these stands complete, each of them ending with it; None if none is."""
    for gone in {s[-1].gone for some in stands.values() for s in some if isinstance(s[-1], Ballot)}:
        signed = {p: s for p, some in stands.items() for s in some if Ballot(gone) in s}
        if Poll(present, frozenset(), stands=signed, left=set(left)).is_complete(gone):
            return gone
    return None


def _bits(peers: Peers) -> int:
    return sum(1 << peer for peer in peers)


def _peers(bits: int) -> Peers:
    return frozenset(peer for peer in range(MAX_PEERS) if bits >> peer & 1)
