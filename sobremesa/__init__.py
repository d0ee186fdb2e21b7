"""Sobremesa: card and dice games on the local network, with nobody to trust.

This is the public face for authors of games: everything a plugin needs is imported from here.
"""

from sobremesa.core.game import Bot, Game, Help, Option, Outcome, Sight
from sobremesa.core.hookspecs import hookimpl
from sobremesa.core.pieces import Card, Die, Faces, Piece, Seat
from sobremesa.core.questions import (
    NO_FACES,
    Answer,
    CardField,
    CardsField,
    Choice,
    Move,
    Number,
    Question,
    SeatField,
)
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Gone,
    Mark,
    Reveal,
    Roll,
    Script,
    Show,
    Shuffle,
    Tell,
    Toss,
)
from sobremesa.core.views import (
    Cards,
    Counter,
    Dice,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seats,
    Text,
    View,
)

__version__ = "0.1.0"

__all__ = (
    "NO_FACES",
    "Answer",
    "Ask",
    "AskAll",
    "Bot",
    "Card",
    "CardField",
    "Cards",
    "CardsField",
    "Choice",
    "Claim",
    "Counter",
    "Dice",
    "Die",
    "Event",
    "Faces",
    "Game",
    "Gap",
    "Gone",
    "Grid",
    "Hand",
    "Headline",
    "Help",
    "Mark",
    "Move",
    "Number",
    "Option",
    "Outcome",
    "Piece",
    "Question",
    "Reveal",
    "Roll",
    "Row",
    "Script",
    "Seat",
    "SeatField",
    "Seats",
    "Show",
    "Shuffle",
    "Sight",
    "Tell",
    "Text",
    "Toss",
    "View",
    "hookimpl",
)  # fmt: skip
