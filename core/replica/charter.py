"""The charter: what everybody at the table agrees to and signs before anything is dealt.

Rule 1: it is a value with one encoding; its hash is the root of the transcript.
Rule 2: a charter that came over the network is checked here, whole, before anybody looks at it.
All that it holds is bounded in number, kind and size, whoever made it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from sobremesa.core.addresses import MOST_ADDRESSES, is_peer_address
from sobremesa.core.encoding import digest, pack, unpack
from sobremesa.core.errors import BadOption, SobremesaError
from sobremesa.core.game import (
    BOT_ID,
    GAME_ID,
    MOST_OPTIONS,
    MOST_RULES,
    OPTION_KEY,
    SETTINGS,
    Game,
    OptionValue,
    is_option_value,
)
from sobremesa.core.names import are_apart, clean_name, clean_table_name
from sobremesa.core.pieces import Seat

PROTOCOL = 1
"""The version of everything in docs/protocol.md. Peers of another version do not play together."""

MAX_PEERS = 8

MOST_SECONDS = 3600

LEAST_PATIENCE = 5
"""Seconds: less than this passes while a link is made anew."""

MOST_BYTES = 16 * 1024
"""Enough: the largest charter that the other bounds allow has 11 KiB."""


class BadCharter(SobremesaError):
    """A charter that no table can have."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One machine's copy of a game: the fingerprint of its code (32 bytes), and the package that it
    came with and that one's version, which are for people and prove nothing."""

    fingerprint: bytes
    package: str
    version: str


@dataclass(frozen=True, slots=True)
class Peer:
    """A process at the table: its Ed25519 public key (32 bytes), the fingerprint of its copy of the
    game (`Copy`, 32 bytes), and where it listens, as "HOST:PORT". Its name is that of its own seat
    (`Charter.name_of`)."""

    key: bytes
    rules: bytes
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat, the index of the peer that plays it, and the id of the bot that does, or "" where
    the peer's own player does."""

    name: Seat
    peer: int
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a table: `backup` of card keys for when somebody leaves, `seconds` for an answer
    (0: no limit), and the `patience` in seconds with somebody who is away before the others go on
    without it. `slow` is for who asked for it in the room: every limit for an answer, a game's own
    too, is twice as long."""

    backup: bool = True
    seconds: int = 0
    patience: int = 60
    slow: bool = False

    @classmethod
    def read(cls, given: dict[str, str], default: Settings) -> Settings:
        """Settings given as text over defaults.

        :raises BadOption: if a value cannot be
        """
        values: dict[str, Any] = {}
        for key, text in given.items():
            if key == "backup":
                if text not in ("on", "off"):
                    raise BadOption(f"option backup must be on or off (you gave {text!r})")
                values[key] = text == "on"
            else:
                least, most = LEAST_PATIENCE if key == "patience" else 0, MOST_SECONDS
                if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
                    raise BadOption(
                        f"option {key} must be {least} to {most} seconds (you gave {text!r})"
                    )
                values[key] = int(text)
        return replace(default, **values)

    def texts(self) -> list[tuple[str, str]]:
        """Each setting by its name, as `read` takes it."""
        values = [(key, getattr(self, key)) for key in SETTINGS]
        return [
            (key, ("off", "on")[value] if key == "backup" else str(value)) for key, value in values
        ]


@dataclass(frozen=True, slots=True)
class Charter:
    """What a table is: id (16 bytes), game, rules version, options, settings, peers, seats.

    A peer has one seat of its own and no other name than that one's, so that nobody can be blamed
    under the name of somebody else; the other seats that it plays are bots'.

    :raises BadCharter: when made of parts that do not fit together
    """

    table: bytes
    name: str
    game: str
    rules_version: int
    options: tuple[tuple[str, OptionValue], ...]
    settings: Settings
    peers: tuple[Peer, ...]
    seats: tuple[SeatPlan, ...]
    _encoded: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.table) != 16:
            raise BadCharter("a table id is 16 bytes")
        if not 1 <= len(self.peers) <= MAX_PEERS or not 1 <= len(self.seats) <= MAX_PEERS:
            raise BadCharter(f"a table has 1 to {MAX_PEERS} peers and seats")
        if any(len(peer.key) != 32 for peer in self.peers):
            raise BadCharter("a peer's key is 32 bytes")
        if any(len(peer.rules) != 32 for peer in self.peers):
            raise BadCharter("the fingerprint of a copy of the game is 32 bytes")
        if len({peer.key for peer in self.peers}) != len(self.peers):
            raise BadCharter("a peer sits at the table twice")
        for peer in self.peers:
            _expect_addresses(peer.addresses)
        if any(clean_name(name) != name for name in self.seat_names):
            raise BadCharter("a player has a name that cannot be shown as it is")
        if not are_apart(self.seat_names):
            raise BadCharter("two players have the same name, or one a name that screens use")
        if any(not 0 <= seat.peer < len(self.peers) for seat in self.seats):
            raise BadCharter("seats and peers do not fit together")
        if sorted(seat.peer for seat in self.seats if not seat.bot) != [*range(len(self.peers))]:
            raise BadCharter("a peer has not one seat of its own, or more than one")
        # Only the machine that runs a bot must have it; to the others its id is a text to keep.
        if any(seat.bot and not re.fullmatch(BOT_ID, seat.bot) for seat in self.seats):
            raise BadCharter("a bot has an id that none can have")
        if not 0 <= self.settings.seconds <= MOST_SECONDS:
            raise BadCharter("the seconds for an answer cannot be")
        if not LEAST_PATIENCE <= self.settings.patience <= MOST_SECONDS:
            raise BadCharter("the patience with who is away cannot be")
        if clean_table_name(self.name) != self.name:
            raise BadCharter("the table has a name that cannot be shown as it is")
        if not re.fullmatch(GAME_ID, self.game) or not 0 <= self.rules_version <= MOST_RULES:
            raise BadCharter("the table plays a game that cannot be")
        _expect_options(self.options)
        object.__setattr__(self, "_encoded", self._encode())

    @property
    def seat_names(self) -> tuple[Seat, ...]:
        return tuple(seat.name for seat in self.seats)

    def name_of(self, peer: int) -> Seat:
        """What a peer is called: the name of its own seat."""
        return next(plan.name for plan in self.seats if plan.peer == peer and not plan.bot)

    @property
    def one_copy(self) -> bool:
        """Whether all peers play by one copy of the game."""
        return len({peer.rules for peer in self.peers}) == 1

    def owner(self, seat: Seat) -> int:
        """The index of the peer that plays this seat."""
        return next(plan.peer for plan in self.seats if plan.name == seat)

    def seats_of(self, peer: int) -> tuple[Seat, ...]:
        """The seats that a peer plays, in seat order."""
        return tuple(plan.name for plan in self.seats if plan.peer == peer)

    def check_game(self, game: Game[Any]) -> None:
        """:raises BadCharter: if this machine's game is not the charter's"""
        if game.id != self.game:
            raise BadCharter(f"the table plays {self.game}, not {game.id}")
        if game.rules_version != self.rules_version:
            raise BadCharter(
                f"Versions differ: your {game.title} has rules {game.rules_version}, "
                f"the table plays by rules {self.rules_version}"
            )
        if len(self.seats) not in game.seats:
            raise BadCharter(f"{game.title} is not for {len(self.seats)} players")
        try:
            game.check_options(dict(self.options))
        except BadOption as error:
            raise BadCharter(str(error)) from error

    def encode(self) -> bytes:
        """The one encoding of this charter."""
        return self._encoded

    def _encode(self) -> bytes:
        settings = self.settings
        return pack(
            [
                PROTOCOL,
                self.table,
                self.name,
                self.game,
                self.rules_version,
                [list(option) for option in self.options],
                # Nothing is said of what nobody asked for, so that older records are read.
                [settings.backup, settings.seconds, settings.patience, *[True] * settings.slow],
                [[peer.key, peer.rules, list(peer.addresses)] for peer in self.peers],
                [[seat.name, seat.peer, seat.bot] for seat in self.seats],
            ]
        )

    @classmethod
    def decode(cls, data: bytes) -> Charter:
        """:raises BadCharter: if the bytes are not exactly one charter's encoding"""
        if len(data) > MOST_BYTES:
            raise BadCharter(f"a charter has up to {MOST_BYTES} bytes")
        try:
            version, table, name, game, rules, options, settings, peers, seats = unpack(data)
            if _expect(version, int) != PROTOCOL:
                raise BadCharter(f"Versions differ: yours {PROTOCOL}, the table's {version}")
            charter = cls(
                _expect(table, bytes),
                _expect(name, str),
                _expect(game, str),
                _expect(rules, int),
                tuple((_expect(key, str), _expect(value, int, str)) for key, value in options),
                Settings(
                    _expect(settings[0], bool),
                    *[_expect(n, int) for n in settings[1:3]],
                    *[_expect(flag, bool) for flag in settings[3:]],
                ),
                tuple(
                    Peer(
                        _expect(key, bytes),
                        _expect(copy, bytes),
                        tuple(_expect(a, str) for a in addresses),
                    )
                    for key, copy, addresses in peers
                ),
                tuple(
                    SeatPlan(_expect(seat, str), _expect(peer, int), _expect(bot, str))
                    for seat, peer, bot in seats
                ),
            )
        except (ValueError, TypeError, LookupError) as error:
            raise BadCharter("that is no charter") from error
        if charter.encode() != data:
            raise BadCharter("that is no charter")
        return charter

    def root(self) -> bytes:
        """The head before step 0: the hash of the charter, 64 bytes."""
        return digest("charter", self.encode())


def _expect_addresses(addresses: tuple[str, ...]) -> None:
    # Whoever signs is going to dial them.
    if len(addresses) > MOST_ADDRESSES or len(set(addresses)) != len(addresses):
        raise BadCharter(f"a peer has up to {MOST_ADDRESSES} addresses, each once")
    if not all(map(is_peer_address, addresses)):
        raise BadCharter("a peer has an address that cannot be dialled")


def _expect_options(options: tuple[tuple[str, OptionValue], ...]) -> None:
    keys = [key for key, _ in options]
    if keys != sorted(set(keys)) or len(keys) > MOST_OPTIONS:
        raise BadCharter(f"options are not in order, each once, or more than {MOST_OPTIONS}")
    if not all(re.fullmatch(OPTION_KEY, key) for key in keys):
        raise BadCharter("an option has a key that none can have")
    if not all(is_option_value(value) for _, value in options):
        raise BadCharter("an option has a value that none can have")


def _expect(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError("wrong type")
    return value
