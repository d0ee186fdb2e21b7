"""A game as the table knows it: one frozen value that a plugin hands over.

Rule 1: everything is checked when the value is made, so that a broken plugin is found when it is
loaded and not in mid-game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

from .encoding import Pick
from .errors import BadOption, LocalError
from .pieces import Faces, Piece, Seat
from .questions import Answer, Question
from .recap import Recap
from .requests import Event, Script
from .typed import key
from .views import Tint, View

S = TypeVar("S")
"""A game's own `State`. What holds any game is a `Game[Any]`."""

OptionValue = int | str
Options = Mapping[str, OptionValue]

GAME_ID = "[a-z][a-z0-9_-]{1,30}"
OPTION_KEY = "[a-z][a-z0-9_-]{0,30}"
MOST_OPTIONS = 16
MOST_RULES = 2**16
"""The highest version of rules."""


def is_option_value(value: OptionValue) -> bool:
    """Whether an option can have this value: a number of nine digits, or 1 to 32 characters that
    can be typed and shown."""
    if isinstance(value, int):
        return abs(value) < 10**9
    return 0 < len(value) <= 32 and value.isprintable()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that the opener of a table may choose."""

    key: str
    default: OptionValue
    choices: tuple[OptionValue, ...]
    help: str

    def __post_init__(self) -> None:
        if not re.fullmatch(OPTION_KEY, self.key):
            raise ValueError(f"an option's key is 1 to 31 of a-z, 0-9, _ and - (not {self.key!r})")
        if not all(map(is_option_value, self.choices)):
            raise ValueError(f"option {self.key}: a choice is too large, or cannot be shown")
        if self.default not in self.choices:
            raise ValueError(f"option {self.key}: the default is none of the choices")

    def read(self, text: str) -> OptionValue:
        """:raises BadOption: if the text is none of the choices"""
        for choice in self.choices:
            if str(choice).casefold() == key(text):
                return choice
        names = ", ".join(map(str, self.choices))
        raise BadOption(f"option {self.key} must be one of {names} (you gave {text!r})")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `places` from first to last, seats that share one stand together.

    Of a game that is won or lost by all, `together` says which, and there is but one place.
    """

    places: tuple[tuple[Seat, ...], ...]
    reason: str
    together: Literal["", "won", "lost"] = ""


class Brief(NamedTuple):
    """An event in a few words, for a log with little room: `Dora 4♣`; without `text` it needs none
    there. What follows each other in a `line` of the same name is written in one row, each behind
    its sign `after`, until one without that sign begins another, or the `last` was written."""

    text: str
    line: str = ""
    after: str = ""
    last: bool = False


BOT_ID = "[a-z][a-z0-9_-]{0,30}"
"""What a bot's id is, here and in a charter: text that may be typed and shown anywhere."""


class UnknownBot(LocalError):
    """A game has no bot of that id."""


# Generic and frozen classes have no slots here: on Python 3.11 `Game[State](...)` would raise.


@dataclass(frozen=True)
class Observation(Generic[S]):
    """All that a bot may know: what its seat sees, and what was told (C11).

    `state` is the script's public state and holds no face; `faces` are those its seat may see.
    """

    seat: Seat
    seats: tuple[Seat, ...]
    options: Options
    state: S
    faces: Faces
    events: Sequence[Event]


class _Copies(Sequence[Event]):
    """Events that nobody can change: each is copied when it is looked at."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        return deepcopy(self._events[place])


@dataclass(frozen=True)
class Bot(Generic[S]):
    """A way to play. `strategy(observation, question, pick)` gives the answer; it is given chance
    as `pick(n)`, a number in [0, n), and nothing else from outside. For the same it gives the same
    answer, whenever it is asked: the audit asks it again."""

    id: str
    title: str
    strategy: Callable[[Observation[S], Question, Pick], Answer]

    def __post_init__(self) -> None:
        if not re.fullmatch(BOT_ID, self.id):
            raise ValueError(f"a bot's id is 1 to 31 of a-z, 0-9, _ and - (not {self.id!r})")

    def choose(self, observation: Observation[S], question: Question, pick: Pick) -> Answer:
        """The bot's answer. What it is given it may spoil: the table never knows.

        State and question are copied in one go, so that what is one thing in both stays one.
        """
        state, question = deepcopy((observation.state, question))
        own = replace(
            observation,
            options=MappingProxyType(observation.options),
            state=state,
            faces=MappingProxyType(observation.faces),
            events=_Copies(observation.events),
        )
        return self.strategy(own, question, pick)


@dataclass(frozen=True, slots=True)
class Help:
    """The help pages, Markdown with `#` titles, paragraphs and `-` lists."""

    rules: str
    tips: str
    faq: str


@dataclass(frozen=True)
class Game(Generic[S]):
    """A game: its script, its faces to the world, its bots and its words.

    `play(seats, options)` is the script. `public(state)` is the public state as plain JSON-able
    values: what scenario files compare and peers digest. `view(state, seat, faces)` draws what a
    seat sees (`seat` None: a spectator); `pieces(state)` are the dice or cards before each seat,
    hand first, then what lies open; None is one that nobody may look at now, not even who knows
    it. `describe(event, seat)` is the one sentence for an event, as said to that seat. A change of
    rules that would make two machines disagree raises `rules_version`. Of the `bots` the first
    plays where nobody names another. `pauses` names the events after which a client rests, so that
    people can look at what was revealed (C9). `recap(seats, events, seat)` is the game in short
    when it is over, as said to that seat; `brief(event, seat)` is the short form of a sentence, or
    None where that is said whole. A game may do without these two.
    """

    id: str
    title: str
    seats: range
    rules_version: int
    play: Callable[[tuple[Seat, ...], Options], Script[Outcome]]
    public: Callable[[S], dict[str, Any]]
    view: Callable[[S, Seat | None, Faces], View]
    describe: Callable[[Event, Seat | None], str]
    help: Help
    bots: tuple[Bot[S], ...]
    options: tuple[Option, ...] = ()
    refused: Callable[[Options], str] = lambda options: ""
    """Why options cannot be chosen together, as a clause, or nothing."""
    pieces: Callable[[S], Mapping[Seat, Sequence[Piece | None]]] = lambda state: {}
    pauses: tuple[str, ...] = ()
    cards: bool = False
    """Whether the script shuffles cards, so that a table's `backup` means something."""
    card_names: Mapping[str, str] = field(default_factory=dict)
    """What cards are called in full, by face: {"lady": "Lady"}. Playing cards need none."""
    card_tints: Mapping[str, Tint] = field(default_factory=dict)
    """The paint of cards that are no playing cards, by face; they are drawn as tiles of it."""
    card_marks: Mapping[str, str] = field(default_factory=dict)
    """What is printed on a small card, by face, where the name is too long: {"pass": "PASS"}."""
    leaving: str = ""
    """What is asked before somebody leaves in mid-game, where the game has words of its own."""
    broken_off: str = ""
    """What the others are told when somebody has left, where the game has words of its own."""
    recap: Callable[[tuple[Seat, ...], Sequence[Event], Seat | None], Recap] | None = None
    brief: Callable[[Event, Seat | None], Brief | None] | None = None
    about: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(GAME_ID, self.id):
            raise ValueError(f"a game's id is 2 to 31 of a-z, 0-9, _ and - (not {self.id!r})")
        if not self.seats or self.seats[0] < 1 or self.seats[-1] > 8:
            raise ValueError(f"{self.id}: a table has 1 to 8 seats")
        if not 0 <= self.rules_version <= MOST_RULES:
            raise ValueError(f"{self.id}: the version of rules is 0 to {MOST_RULES}")
        if len(self.options) > MOST_OPTIONS:
            raise ValueError(f"{self.id}: a game has up to {MOST_OPTIONS} options")
        if not self.bots:
            raise ValueError(f"{self.id}: a game needs a bot")
        if len({bot.id for bot in self.bots}) != len(self.bots):
            raise ValueError(f"{self.id}: two bots have one id")
        clash = {option.key for option in self.options} & {*SETTINGS, *WORDS_OF_TABLES}
        if clash:
            names = ", ".join(sorted(clash))
            raise ValueError(f"{self.id}: options called {names} would hide the table's own")

    @property
    def names(self) -> tuple[str, ...]:
        """What people call it."""
        return self.id, self.title, self.id.replace("-", " ")

    def bot(self, id: str) -> Bot[S]:
        """The bot of this id.

        :raises UnknownBot: if the game has none
        """
        for bot in self.bots:
            if bot.id == id:
                return bot
        have = ", ".join(bot.id for bot in self.bots)
        raise UnknownBot(f"{self.title} has no bot called {id!r} (it has: {have})")

    def bot_in_turn(self, wanted: Sequence[str], turn: int) -> Bot[S]:
        """The bot of the `turn`-th seat that bots play, from 0: those of the ids `wanted` in turn,
        and the game's first where none is wanted.

        :raises UnknownBot: if the game has none of that id
        """
        return self.bot(wanted[turn % len(wanted)]) if wanted else self.bots[0]

    def read_options(self, given: Mapping[str, str]) -> dict[str, OptionValue]:
        """Complete and check options given as text.

        :raises BadOption: if one is unknown or has an unknown value, or they do not go together
        """
        known = {option.key: option for option in self.options}
        for name in given:
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOption(f"{self.title} has no option {name!r} (it has: {names})")
        chosen = {k: o.read(given[k]) if k in given else o.default for k, o in known.items()}
        if why := self.refused(chosen):
            raise BadOption(f"{self.title} cannot be played so: {why}")
        return chosen

    def check_options(self, options: Options) -> None:
        """:raises BadOption: if these, from another machine, are not options of this game"""
        chosen = self.read_options({key: str(value) for key, value in options.items()})
        if chosen != dict(options):
            raise BadOption(f"those are not the options of {self.title}")


SETTINGS = ("backup", "seconds", "patience")
"""Option keys that belong to every table: `charter.Settings`. No game has one of these itself, or
that could not be set."""

WORDS_OF_TABLES = ("seats", "table", "code", "bots", "bot", "game")
"""What else is chosen beside a game's options where a table is opened."""
