"""The waiting room: who sits where, who is ready, and the charter that everybody signs.

Pure: what guests say comes in as calls, what to tell them is read from the object.

Rule 1: the opener keeps the room; a guest believes what it says about the room and nothing about
the game, for which it signs the charter itself after it has checked it.
Rule 2: the opener signs last. Until it has, it may call the start off and the room is open again;
once it has, the table stands and nobody orders anything (`TRANSITIONS`).
Rule 3: names are unique at a table: a name that is taken gets a number, and its owner is told.
Rule 4: who costs two starts, or is removed by the opener, does not sit down here again: by its key.
Rule 5: terms that were changed are signed only by who has said ready since, for these very terms.
"""

from __future__ import annotations

import enum
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sobremesa.core.encoding import digest, pack, unpack
from sobremesa.core.errors import BadMessage, LocalError
from sobremesa.core.game import SETTINGS, Game, OptionValue
from sobremesa.core.names import BOT_NAMES, are_apart, clean_name, clean_table_name, free_name
from sobremesa.core.replica.charter import Charter, Copy, Peer, SeatPlan, Settings
from sobremesa.core.replica.phase import step_on
from sobremesa.core.replica.transcript import Message
from sobremesa.core.text import clean_text
from sobremesa.net.links.channels import Refused


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


MOST_SPOILT = 2
"""Starts that one key may cost."""
SPOILT_TEXT = "Two starts were called off because of you: join another table."


@dataclass(slots=True, eq=False)
class Person:
    """Somebody at the table: the opener itself, or a peer on a link."""

    key: bytes
    name: str
    addresses: tuple[str, ...]
    copy: Copy
    ready: bool = False
    agreed: bytes = b""
    """The terms (`RoomView.terms`) that a guest found here, or was ready for last."""
    slow: bool = False
    """Whether they ask for twice the time, for everybody (`Settings.slow`)."""


class Chair(NamedTuple):
    """One seat of the room. An empty one has no name; only a person's has a key, 32 bytes. `slow`:
    who sits there asks for twice the time."""

    name: str = ""
    ready: bool = False
    bot: bool = False
    key: bytes = b""
    slow: bool = False


TERMS_WIDTH = 400
FINGERPRINT = 16
"""Bytes of a room's fingerprint. Who poses as a guest to the opener, and as the opener to that
guest, may choose keys in both rooms until their fingerprints are the same: a birthday's work, 2^64
for these 128 bits, of which much can only begin when the opener's table has its number. With 64
bits it would take seconds."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """The room as everybody sees it; `number` is the table's id, 16 bytes."""

    number: bytes
    table: str
    game: str
    title: str
    options: str
    seats: tuple[Chair, ...]
    you: int
    """The index of the reader's own seat."""
    copies: tuple[Copy, ...]
    """Each person's copy of the game, in the order of their seats, which come before the bots'."""

    def name_of(self, key: bytes) -> str | None:
        """What the person with this key is called here, or None if nobody has it."""
        return next((chair.name for chair in self.seats if key and chair.key == key), None)

    @property
    def fingerprint(self) -> bytes:
        """The same in every room whose readers see the same table and the same keys."""
        keys = sorted(chair.key for chair in self.seats if chair.key)
        return digest("room keys", self.number, *keys)[:FINGERPRINT]

    @property
    def terms(self) -> bytes:
        """What one is ready for: options, settings and number of chairs, as a hash."""
        return digest("room terms", self.options, len(self.seats))[:32]

    def encode(self) -> bytes:
        seats = [list(seat) for seat in self.seats]
        copies = [[copy.fingerprint, copy.package, copy.version] for copy in self.copies]
        parts = [self.number, self.table, self.game, self.title, self.options, seats, self.you]
        return pack([*parts, copies])

    @classmethod
    def decode(cls, data: bytes) -> RoomView:
        """:raises BadMessage: if it is no room"""
        try:
            number, table, game, title, options, seats, you, copies = unpack(data)
            rows = [
                Chair(
                    clean_name(_text(name)) if name else "",
                    ready is True,
                    bot is True,
                    key,
                    slow is True,
                )
                for name, ready, bot, key, slow in seats
            ]
            if not 1 <= len(rows) <= 8 or type(you) is not int or not 0 <= you < len(rows):
                raise ValueError("no room")
            if not are_apart(row.name for row in rows if row.name):
                raise ValueError("names that cannot be told apart")
            if any(_size(row.key) != (32 if row.name and not row.bot else 0) for row in rows):
                raise ValueError("somebody without a key, or a key without somebody")
            keys = [row.key for row in rows if row.key]
            if len(set(keys)) != len(keys) or _size(number) != 16:
                raise ValueError("a key that sits twice, or no number")
            told = tuple(read_copy(*copy) for copy in copies)
            if len(told) != len(keys):
                raise ValueError("not everybody's copy of the game")
            texts = [clean_text(_text(part), 200) for part in (table, game, title)]
            terms = clean_text(_text(options), TERMS_WIDTH)
        except (ValueError, TypeError) as error:
            raise BadMessage("a waiting room that makes no sense") from error
        return cls(number, texts[0], texts[1], texts[2], terms, tuple(rows), you, told)


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


def _size(value: Any) -> int:
    if not isinstance(value, bytes):
        raise TypeError("not bytes")
    return len(value)


def options_in_short(game: Game[Any], options: Mapping[str, OptionValue]) -> str:
    """Options for a line of the list: "dice 5, palifico on"."""
    return ", ".join(f"{option.key} {options[option.key]}" for option in game.options)


def terms_in_short(game: Game[Any], options: Mapping[str, OptionValue], settings: Settings) -> str:
    """All that those who sign agree to, for the room: "dice 5, palifico on; answers in 90 s,
    patience 60 s, backup on". Where there are cards, what a backup can be misused for is said with
    it."""
    seconds = settings.seconds * (2 if settings.slow else 1)
    limit = f"answers in {seconds} s" if seconds else "no limit for answers"
    if settings.slow:
        limit += ", twice the time for all"
    backup = "on" if settings.backup else "off"
    table = f"{limit}, patience {settings.patience} s, backup {backup}"
    if settings.backup and game.cards:
        table += ". With it all other machines together could read a player's cards"
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
    barred: dict[bytes, str] = field(default_factory=dict)
    """Keys that may not sit down here any more, and what they are told."""
    spoilt: Counter[bytes] = field(default_factory=Counter)
    """How many starts each key has cost."""

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
        return RoomView(
            self.table,
            self.name,
            self.game.id,
            self.game.title,
            terms_in_short(self.game, self.options, self.agreed_settings),
            _chairs(self),
            self.people().index(reader),
            tuple(person.copy for person in self.people()),
        )

    @property
    def agreed_settings(self) -> Settings:
        """The settings with what those who sit here ask for."""
        return replace(self.settings, slow=any(person.slow for person in self.people()))

    @property
    def terms(self) -> bytes:
        """As in every view of this room."""
        return self.view(self.opener).terms

    def refusal(self) -> str | None:
        """Why nobody can sit down now, or None."""
        if not self.is_open:
            return f"the game at {self.name} has begun: look on, and sit down at the next"
        if self.full:
            return f"Table full ({self.seats_taken}): ask the opener for more chairs"
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
        if reason := self.barred.get(key) or self.refusal():
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
        name = _free_name(self, clean_name(name))
        guest = Person(key, name, addresses, copy, agreed=self.terms)
        self.guests.append(guest)
        return guest

    def add_bot(self) -> str:
        """Seat a bot that the opener's machine plays.

        :raises LocalError: if there is no seat
        :raises UnknownBot: if the game has no such bot
        """
        if self.full or not self.is_open:
            raise LocalError("no bot can sit down: there is no free chair")
        name = _free_name(self, next(n for n in BOT_NAMES if n not in self.bots))
        self.bots[name] = self.game.bot_in_turn(self.bot_ids, len(self.bots)).id
        return name

    def remove(self, *gone: Person) -> None:
        """Guests are gone before the table stood; a start that was under way is called off, and
        counts against them."""
        before = self.terms
        for guest in gone:
            self.guests.remove(guest)
        if self.phase is RoomPhase.SIGNING:
            for guest in gone:
                self.spoilt[guest.key] += 1
                if self.spoilt[guest.key] == MOST_SPOILT:
                    self.barred.setdefault(guest.key, SPOILT_TEXT)
            self.call_off()
        elif self.terms != before:
            self._unready()

    def remove_bot(self, name: str) -> None:
        """A bot gives its seat up.

        :raises LocalError: if the game is starting
        """
        self._expect_open()
        del self.bots[name]

    def change(self, given: Mapping[str, str]) -> None:
        """Other chairs ("seats"), options or settings, as text. Nobody is ready any more but bots.

        :raises LocalError: if the game is starting, or one of them cannot be
        """
        self._expect_open()
        before = self.terms
        self.options, self.settings, self.size = _changed(self, given)
        if self.terms != before:
            self._unready()

    def ask_slow(self, person: Person, slow: bool) -> None:
        """Somebody asks for twice the time, or does not any more. While the game is starting that
        comes too late."""
        before = self.terms
        if self.is_open:
            person.slow = slow
            if self.terms != before:
                self._unready()

    def hear_ready(self, guest: Person, ready: bool, terms: bytes) -> None:
        """A guest is ready for these terms, or not any more; for others than ours it counts not."""
        guest.ready = ready and terms == self.terms
        guest.agreed = terms if guest.ready else guest.agreed

    def _unready(self) -> None:
        for person in self.people():
            person.ready = False

    def _expect_open(self) -> None:
        if not self.is_open:
            raise LocalError("the game is starting already")

    def unsigned(self) -> list[Person]:
        """The guests whose signature of the proposal is missing."""
        people = enumerate(self.people())
        return [guest for index, guest in people if index and index not in self.signatures]

    def call_off(self) -> None:
        """Give up the proposal; nobody is ready any more but bots."""
        self._change_to(RoomPhase.CALLED_OFF)
        self.charter = None
        self.signatures.clear()
        self._unready()

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
        if unsure := [guest.name for guest in self.guests if guest.agreed != self.terms]:
            return f"the table was changed, and waits for who must say ready: {', '.join(unsure)}"
        return None

    @property
    def all_ready(self) -> bool:
        """Whether every seat is taken and everybody is ready."""
        return self.full and all(person.ready for person in self.people())

    def propose(self) -> Charter:
        """The charter for those who are there; the room is closed until it is signed."""
        self._change_to(RoomPhase.SIGNING)
        self.charter = _proposal(self)
        self.proposals += 1
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
        self.phase = step_on(TRANSITIONS, self.phase, phase)


def _proposal(room: Room) -> Charter:
    """A charter for those who are there."""
    people = room.people()
    # A signature of a proposal that was called off must prove nothing in the next one.
    again = digest("proposal", room.table, room.proposals)[:16]
    plans = [SeatPlan(person.name, index) for index, person in enumerate(people)]
    plans += [SeatPlan(name, 0, bot) for name, bot in room.bots.items()]
    return Charter(
        again if room.proposals else room.table,
        room.name,
        room.game.id,
        room.game.rules_version,
        tuple(sorted(room.options.items())),
        room.agreed_settings,
        tuple(Peer(person.key, person.copy.fingerprint, person.addresses) for person in people),
        tuple(plans),
    )


def _free_name(room: Room, wanted: str) -> str:
    return free_name(wanted, [*(person.name for person in room.people()), *room.bots])


def _chairs(room: Room) -> tuple[Chair, ...]:
    """All chairs, people first, then bots, then the empty ones."""
    seats = [Chair(one.name, one.ready, False, one.key, one.slow) for one in room.people()]
    seats += [Chair(name, True, True) for name in room.bots]
    return (*seats, *[Chair()] * (room.size - len(seats)))


def _changed(room: Room, given: Mapping[str, str]) -> tuple[dict[str, OptionValue], Settings, int]:
    """Options, settings and chairs of a room with what is given; errors as of `Room.change`."""
    options, settings, size = dict(room.options), room.settings, room.size
    known = {option.key: option for option in room.game.options}
    for key, text in given.items():
        if key in known:
            options[key] = known[key].read(text)
        elif key in SETTINGS:
            settings = Settings.read({key: text}, settings)
        elif key == "seats":
            size = _read_size(text, room)
        else:
            there = ", ".join(("seats", *known, *SETTINGS))
            raise LocalError(f"nothing here is called {key[:30]}. There are: {there}")
    return options, settings, size


def _read_size(text: str, room: Room) -> int:
    """:raises LocalError: if it is no number of chairs that this game, or this room, can have"""
    least, most = max(room.game.seats[0], room.taken), room.game.seats[-1]
    if text not in map(str, range(least, most + 1)):
        taken = f", {room.taken} are taken" if room.taken > room.game.seats[0] else ""
        raise LocalError(f"seats must be {least} to {most}{taken} (you typed {text[:20]})")
    return int(text)


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
    opener.name = free_name(clean_name(opener.name))
    room = Room(
        os.urandom(16),
        clean_table_name(name),
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
) -> None:
    """What a guest checks before it signs: that this is the table it sits at, opened by the owner
    of the key `opener`, and that every key has the name, the seat and the copy of the game that the
    room showed; `rules` is the fingerprint of our own copy.

    :raises Refused: if it is not
    :raises BadCharter: if it is not for our game
    """
    charter.check_game(game)
    if terms_in_short(game, dict(charter.options), charter.settings) != room.options:
        raise Refused("the charter has other options than the room")
    if charter.peers[0].key != opener:
        raise Refused("the charter names another opener")
    keys = [peer.key for peer in charter.peers]
    if key not in keys:
        raise Refused("the charter leaves us out")
    # Bots are of the opener's machine: whoever plays one knows what it holds.
    shown = [(chair.name, chair.bot, chair.key or opener) for chair in room.seats if chair.name]
    if shown != [(plan.name, bool(plan.bot), keys[plan.peer]) for plan in charter.seats]:
        raise Refused("the charter has other players than the room, or in other seats")
    copies = [peer.rules for peer in charter.peers]
    if copies[keys.index(key)] != rules or copies != [copy.fingerprint for copy in room.copies]:
        raise Refused("the charter names other copies of the game than the room")
