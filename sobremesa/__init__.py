"""Sobremesa: card and dice games on the local network, with nobody to trust.

This is the public face for authors of games: everything a plugin needs is imported from here, and
the built-in games import nothing else.
"""

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.game import Bot, Game, Help, Observation, Option, Options, OptionValue, Outcome
from sobremesa.core.hookspecs import hookimpl
from sobremesa.core.pieces import Card, Die, Face, Faces, Piece, Seat
from sobremesa.core.questions import (
    NO_FACES,
    Answer,
    CardField,
    CardsField,
    Choice,
    Field,
    Move,
    Number,
    Question,
    SeatField,
    Value,
)
from sobremesa.core.recap import Recap
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Gone,
    Mark,
    Request,
    Reveal,
    Roll,
    Script,
    Show,
    Shuffle,
    Tell,
    Toss,
)
from sobremesa.core.seating import clockwise, from_left_of
from sobremesa.core.views import (
    Area,
    Block,
    Cards,
    Cell,
    Counter,
    Dice,
    Gap,
    Grid,
    Hand,
    Headline,
    Role,
    Row,
    Seats,
    Text,
    View,
)
from sobremesa.plugins.help_pages import help_pages
from sobremesa.plugins.playing_cards import PACK, RANKS, SUITS, card_code, card_name, card_rank
from sobremesa.plugins.recaps import Rounds, Shares, counts_said, facts
from sobremesa.plugins.standing import Place, Standing, leavers, ranked
from sobremesa.plugins.voice import Voice, capital, counted, listed

__version__ = "0.1.0"

__all__ = (
    "NO_FACES",
    "PACK",
    "RANKS",
    "SUITS",
    "Answer",
    "Area",
    "Ask",
    "AskAll",
    "Block",
    "Bot",
    "Card",
    "CardField",
    "Cards",
    "CardsField",
    "Cell",
    "Choice",
    "Claim",
    "Counter",
    "Dice",
    "Die",
    "Event",
    "Face",
    "Faces",
    "Field",
    "Game",
    "Gap",
    "Gone",
    "Grid",
    "Hand",
    "Headline",
    "Help",
    "InvalidAnswer",
    "Mark",
    "Move",
    "Number",
    "Observation",
    "Option",
    "OptionValue",
    "Options",
    "Outcome",
    "Pick",
    "Piece",
    "Place",
    "Question",
    "Recap",
    "Request",
    "Reveal",
    "Role",
    "Roll",
    "Rounds",
    "Row",
    "Script",
    "Seat",
    "SeatField",
    "Seats",
    "Shares",
    "Show",
    "Shuffle",
    "Standing",
    "Tell",
    "Text",
    "Toss",
    "Value",
    "View",
    "Voice",
    "capital",
    "card_code",
    "card_name",
    "card_rank",
    "clockwise",
    "counted",
    "counts_said",
    "facts",
    "from_left_of",
    "help_pages",
    "hookimpl",
    "leavers",
    "listed",
    "ranked",
)
