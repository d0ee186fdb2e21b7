"""The waiting room: who sits where, who is ready, and the charter that everybody signs.

Pure: what guests say comes in as calls, what to tell them is read from the object.

Rule 1: the opener keeps the room; a guest believes what it says about the room and nothing about
the game, for which it signs the charter itself after it has checked it.
Rule 2: the opener signs last. Until it has, it may call the start off and the room is open again;
once it has, the table stands and nobody orders anything (`TRANSITIONS`).
Rule 3: names are unique at a table: a name that is taken gets a number, and its owner is told.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sobremesa.core.encoding import digest, pack, unpack
from sobremesa.core.errors import BadMessage, LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Charter, Copy, Peer, SeatPlan, Settings
from sobremesa.core.replica.transcript import Message
from sobremesa.net.chat import ChatLimit
from sobremesa.net.links.channels import Refused
from sobremesa.net.text import BOT_NAMES, NAME_WIDTH, clean_name, clean_text, name_key


class RoomPhase(enum.Enum):
    """Where a room is on its way to a table."""

    GATHERING = "gathering"
    """People and bots take seats and give them up, and say that they are ready."""
    SIGNING = "signing"
    """A charter is proposed; nobody comes in until everybody has signed it."""
    STARTED = "started"
    """Everybody has signed: the table stands, and the room is closed for good."""
    CALLED_OFF = "called off"
    """Somebody left or did not sign; the room opens again when everybody has been told."""


TRANSITIONS: Mapping[RoomPhase, frozenset[RoomPhase]] = {
    RoomPhase.GATHERING: frozenset({RoomPhase.SIGNING}),
    RoomPhase.SIGNING: frozenset({RoomPhase.STARTED, RoomPhase.CALLED_OFF}),
    RoomPhase.STARTED: frozenset(),
    RoomPhase.CALLED_OFF: frozenset({RoomPhase.GATHERING}),
}


@dataclass(slots=True, eq=False)
class Person:
    """Somebody at the table: the opener itself, or a peer on a link."""

    key: bytes
    name: str
    addresses: tuple[str, ...]
    copy: Copy
    ready: bool = False
    chat: ChatLimit = field(default_factory=ChatLimit)


@dataclass(frozen=True, slots=True)
class RoomView:
    """The room as everybody sees it. A seat is (name, ready, bot); an empty one has no name."""

    table: str
    game: str
    title: str
    options: str
    seats: tuple[tuple[str, bool, bool], ...]
    you: int
    """The index of the reader's own seat."""
    copies: tuple[Copy, ...]
    """Each person's copy of the game, in the order of their seats, which come before the bots'."""

    def encode(self) -> bytes:
        seats = [list(seat) for seat in self.seats]
        copies = [[copy.fingerprint, copy.package, copy.version] for copy in self.copies]
        return pack([self.table, self.game, self.title, self.options, seats, self.you, copies])

    @classmethod
    def decode(cls, data: bytes) -> RoomView:
        """:raises BadMessage: if it is no room"""
        try:
            table, game, title, options, seats, you, copies = unpack(data)
            rows = [
                (clean_name(_text(name)) if name else "", ready is True, bot is True)
                for name, ready, bot in seats
            ]
            if not 1 <= len(rows) <= 8 or type(you) is not int or not 0 <= you < len(rows):
                raise ValueError("no room")
            told = tuple(read_copy(*copy) for copy in copies)
            if len(told) != sum(bool(name) and not bot for name, _, bot in rows):
                raise ValueError("no room")
            texts = [clean_text(_text(part), 200) for part in (table, game, title, options)]
        except (ValueError, TypeError) as error:
            raise BadMessage("a waiting room that makes no sense") from error
        return cls(texts[0], texts[1], texts[2], texts[3], tuple(rows), you, told)


def read_copy(fingerprint: Any, package: Any, version: Any) -> Copy:
    """Somebody's copy of the game, as told, its texts made safe to show.

    :raises ValueError: if it is none
    :raises TypeError: if it is none
    """
    if type(fingerprint) is not bytes or len(fingerprint) != 32:
        raise ValueError("no fingerprint")
    return Copy(fingerprint, clean_text(_text(package), 40), clean_text(_text(version), 20))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def options_in_short(game: Game[Any], options: Mapping[str, OptionValue]) -> str:
    """Options for a line of the list: "dice 5, palifico on"."""
    return ", ".join(f"{option.key} {options[option.key]}" for option in game.options)


def terms_in_short(game: Game[Any], options: Mapping[str, OptionValue], settings: Settings) -> str:
    """All that those who sign agree to, for the room: "dice 5, palifico on; answers in 90 s,
    backup on"."""
    limit = f"answers in {settings.seconds} s" if settings.seconds else "no limit for answers"
    backup = "on" if settings.backup else "off"
    table = f"{limit}, backup {backup}"
    return "; ".join(filter(None, (options_in_short(game, options), table)))


@dataclass(slots=True)
class Room:
    """The opener's side of the room."""

    table: bytes
    name: str
    game: Game[Any]
    options: dict[str, OptionValue]
    settings: Settings
    size: int
    opener: Person
    bot_ids: tuple[str, ...] = ()
    """Which of the game's bots sit down, in turn (`Game.bot_in_turn`)."""
    bots: dict[str, str] = field(default_factory=dict)
    """The ids of the bots that sit here, by their names at the table."""
    guests: list[Person] = field(default_factory=list)
    phase: RoomPhase = RoomPhase.GATHERING
    charter: Charter | None = None
    """The proposal that is being signed, or was; None before there is one."""
    signatures: dict[int, Message] = field(default_factory=dict)
    proposals: int = 0

    def people(self) -> list[Person]:
        """Everybody with a machine of their own, in the order of their seats."""
        return [self.opener, *self.guests]

    @property
    def taken(self) -> int:
        return len(self.people()) + len(self.bots)

    @property
    def seats_taken(self) -> str:
        """As the list of tables says it: "3/5"."""
        return f"{self.taken}/{self.size}"

    @property
    def full(self) -> bool:
        return self.taken >= self.size

    @property
    def is_open(self) -> bool:
        """Whether seats may be taken and given up."""
        return self.phase is RoomPhase.GATHERING

    def view(self, reader: Person) -> RoomView:
        """The room as this person sees it."""
        seats = [(guest.name, guest.ready, False) for guest in self.people()]
        seats += [(name, True, True) for name in self.bots]
        seats += [("", False, False)] * (self.size - len(seats))
        return RoomView(
            self.name,
            self.game.id,
            self.game.title,
            terms_in_short(self.game, self.options, self.settings),
            tuple(seats),
            self.people().index(reader),
            tuple(person.copy for person in self.people()),
        )

    def refusal(self) -> str | None:
        """Why nobody can sit down now, or None."""
        if not self.is_open:
            return f"the game at {self.name} has begun: wait for the next, or join another table"
        if self.full:
            return (
                f"Table full ({self.size}/{self.size}): ask the opener for another with more chairs"
            )
        return None

    def sit(
        self,
        key: bytes,
        name: str,
        addresses: tuple[str, ...],
        game: str,
        rules: int | None,
        copy: Copy,
    ) -> Person:
        """Seat a guest. `game` is the game that it came for, `rules` the version of its rules,
        None if it has no such game, and `copy` its copy of it.

        :raises Refused: if there is no seat, or its game is not ours
        """
        reason = self.refusal()
        if reason:
            raise Refused(reason)
        if any(guest.key == key for guest in self.people()):
            raise Refused("that key sits at the table already")
        if game != self.game.id or rules is None:
            raise Refused(f"the table plays {self.game.title}, which is not installed there")
        if rules != self.game.rules_version:
            raise Refused(
                f"Versions differ: your {self.game.title} has rules {rules}, "
                f"the table's {self.game.rules_version}; update the older one"
            )
        guest = Person(key, self._free_name(clean_name(name)), addresses, copy)
        self.guests.append(guest)
        return guest

    def add_bot(self) -> str:
        """Seat a bot that the opener's machine plays.

        :raises LocalError: if there is no seat
        :raises UnknownBot: if the game has no such bot
        """
        if self.full or not self.is_open:
            raise LocalError("no bot can sit down: there is no free chair")
        name = self._free_name(next(n for n in BOT_NAMES if n not in self.bots))
        self.bots[name] = self.game.bot_in_turn(self.bot_ids, len(self.bots)).id
        return name

    def remove(self, guest: Person) -> None:
        """A guest is gone before the table stood; a start that was under way is called off."""
        self.guests.remove(guest)
        if self.phase is RoomPhase.SIGNING:
            self.call_off()

    def call_off(self) -> None:
        """Give up the proposal; nobody is ready any more but bots."""
        self._change_to(RoomPhase.CALLED_OFF)
        self.charter = None
        self.signatures.clear()
        for person in self.people():
            person.ready = False

    def reopen(self) -> None:
        """Everybody knows that the start was called off: gather again."""
        self._change_to(RoomPhase.GATHERING)

    def why_not_start(self) -> str | None:
        """Why the opener cannot start with those who are there, or None."""
        if not self.is_open:
            return "the game is starting already"
        if self.taken not in self.game.seats:
            least = self.game.seats[0]
            return f"{self.game.title} needs at least {least} players; {self.taken} here"
        return None

    @property
    def all_ready(self) -> bool:
        """Whether every seat is taken and everybody is ready."""
        return self.full and all(person.ready for person in self.people())

    def propose(self) -> Charter:
        """The charter for those who are there; the room is closed until it is signed."""
        self._change_to(RoomPhase.SIGNING)
        people = self.people()
        # A signature of a proposal that was called off must prove nothing in the next one.
        again = digest("proposal", self.table, self.proposals)[:16]
        table = again if self.proposals else self.table
        self.proposals += 1
        plans = [SeatPlan(person.name, index) for index, person in enumerate(people)]
        plans += [SeatPlan(name, 0, bot) for name, bot in self.bots.items()]
        self.charter = Charter(
            table,
            self.name,
            self.game.id,
            self.game.rules_version,
            tuple(sorted(self.options.items())),
            self.settings,
            tuple(Peer(person.key, person.copy.fingerprint, person.addresses) for person in people),
            tuple(plans),
        )
        self.signatures.clear()
        return self.charter

    def signed(self, guest: Person, payload: bytes, signature: bytes) -> None:
        """A guest's signature of the charter.

        :raises BadMessage: if it is none
        """
        if self.charter is None:
            return  # of a proposal that was called off in the meantime
        try:
            message = Message.read(self.charter, payload, signature)
        except BadMessage:
            return  # likewise: a signature of the proposal before this one
        index = self.people().index(guest)
        if message.step != 0 or message.head != self.charter.root() or message.peer != index:
            return
        self.signatures[index] = message

    @property
    def everybody_signed(self) -> bool:
        """Whether all guests have signed, so that the opener may."""
        return self.phase is RoomPhase.SIGNING and len(self.signatures) == len(self.guests)

    def start(self) -> tuple[Charter, list[Message]]:
        """Everybody has signed, and the room is closed for good: the charter, and the guests'
        signatures in the order of their seats."""
        self._change_to(RoomPhase.STARTED)
        assert self.charter is not None
        return self.charter, [self.signatures[index] for index in sorted(self.signatures)]

    def _change_to(self, phase: RoomPhase) -> None:
        """:raises ValueError: if there is no such way from where the room is"""
        if phase not in TRANSITIONS[self.phase]:
            raise ValueError(f"a room that is {self.phase.value} cannot be {phase.value}")
        self.phase = phase

    def _free_name(self, wanted: str) -> str:
        taken = {"you", *(name_key(person.name) for person in self.people())}
        taken |= {name_key(name) for name in self.bots}
        name, number = wanted, 2
        while name_key(name) in taken:
            name = f"{clean_text(wanted, NAME_WIDTH - 2)} {number}"
            number += 1
        return name


def open_room(
    name: str,
    game: Game[Any],
    options: Mapping[str, OptionValue],
    settings: Settings,
    size: int,
    opener: Person,
    bots: int = 0,
    bot_ids: Sequence[str] = (),
) -> Room:
    """A room for a new table with a number of its own, and so many bots in it already.

    :raises LocalError: if there are not so many seats
    :raises UnknownBot: if the game has no such bot
    """
    room = Room(
        os.urandom(16),
        clean_text(name, 40),
        game,
        dict(options),
        settings,
        size,
        opener,
        tuple(bot_ids),
    )
    for _ in range(bots):
        room.add_bot()
    return room


def check_proposal(
    charter: Charter, room: RoomView, game: Game[Any], opener: bytes, key: bytes, rules: bytes
) -> int:
    """What a guest checks before it signs: that this is the table it sits at, with the people and
    the copies of the game that it saw in the room, opened by the owner of the key `opener`; `rules`
    is the fingerprint of our own copy. Returns our index among the peers.

    :raises Refused: if it is not
    :raises BadCharter: if it is not for our game
    """
    charter.check_game(game)
    if terms_in_short(game, dict(charter.options), charter.settings) != room.options:
        raise Refused("the charter has other options than the room")
    if any(clean_name(name) != name for name in charter.seat_names):
        raise Refused("the charter has a name that cannot be shown")
    if charter.peers[0].key != opener:
        raise Refused("the charter names another opener")
    index = next((i for i, peer in enumerate(charter.peers) if peer.key == key), None)
    if index is None:
        raise Refused("the charter leaves us out")
    if charter.seats_of(index) != (room.seats[room.you][0],):
        raise Refused("the charter gives us another seat than the room")
    seats = [(plan.name, bool(plan.bot)) for plan in charter.seats]
    if seats != [(name, bot) for name, _, bot in room.seats if name]:
        raise Refused("the charter has other players than the room")
    copies = [peer.rules for peer in charter.peers]
    if copies[index] != rules or copies != [copy.fingerprint for copy in room.copies]:
        raise Refused("the charter names other copies of the game than the room")
    return index
