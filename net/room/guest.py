"""The waiting room as a guest lives it: one link, to the machine that opened the table.

Rule 1: a guest believes what the opener says about the room, and nothing about the game: it signs
a charter only if that is the table it sees (`room.check_proposal`), and its player was ready for it
or found it so: terms that were changed since are not signed.
Rule 2: who has signed does not know whether the table stands until it has the opener's signature
or the start is called off. If the link breaks in between, it looks for the table as a peer; after
`UNDECIDED` seconds it gives up and says farewell, in case the table stands somewhere.
Rule 3: what the opener says of a link that ends is a text. Who has signed looks for the table.
Rule 4: an opener that calls off what we signed, again and again, is left (`MOST_CALLED_OFF`), and
is read no faster than an honest one has to speak.
Rule 5: once everybody has signed, nothing of the room means anything, on any link: the table is
never void, and an opener that keeps this link to itself is dialled as a peer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from sobremesa.core.errors import BadMessage, LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import BadCharter, Charter, Copy
from sobremesa.core.text import clean_text
from sobremesa.net.identity import Identity
from sobremesa.net.links.channels import Channel, Channels, Refused
from sobremesa.net.links.frames import PACKAGE, Frame
from sobremesa.net.links.link import Link
from sobremesa.net.match import Match, MatchPhase
from sobremesa.net.peer_links import PeerLinks
from sobremesa.net.store import UsedBefore
from sobremesa.net.text import read_code

from .events import RoomEvents
from .room import RoomView, check_proposal
from .talk import RoomLine, Talk

UNDECIDED = 15.0
"""Seconds after our signature in which the start must be decided; the opener takes ten."""
ROOM_FRAMES = ("beat", "room", "say", "charter", "calloff", "code")
"""What an opener says in the room."""
SEATING = 6.0
"""Seconds in which a table that let us in must give us a seat."""
MOST_CALLED_OFF = 3
"""Starts that we signed and the opener called off; each costs a signature and a place on the disk.
Then we go."""

Begin = Callable[[Charter], tuple[Match, PeerLinks]]
"""Make the table of a charter and sign it."""


class RoomGuest:
    """A guest's room. `_match` is the game that we signed, while we do not know whether it
    began and afterwards; `end` is called when a start was called off."""

    rest = 0.005
    """Seven guests make an honest opener speak 140 times a second at most (`RoomHost.rest`)."""

    def __init__(
        self,
        me: Identity,
        game: Game[Any],
        copy: Copy,
        link: Link,
        channels: Channels,
        events: RoomEvents,
        start: Callable[[Coroutine[Any, Any, None]], None],
        begin: Begin,
        call_off: Callable[[], None],
        learn: Callable[[str], None],
    ) -> None:
        """`begin` and `call_off` make and undo the match; `learn` is told the code of the table."""
        self._me = me
        self._game = game
        self._copy = copy
        self._events = events
        self._start = start
        self._begin = begin
        self._call_off = call_off
        self._learn = learn
        self._room: RoomView | None = None
        self._agreed = b""
        """The terms that we found here, or were ready for last."""
        self._match: Match | None = None
        self._links: PeerLinks | None = None
        self._called_off = 0
        self._talk = Talk(link.table, me)
        self._overdue = False
        """Whether we have waited once for the opener to make this link one of the mesh."""
        self._seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._channel = channels.attach(link, self)

    async def sit(
        self, name: str, port: int, addresses: tuple[str, ...], rules_version: int
    ) -> None:
        """Ask for a seat and wait until we have it.

        :raises Refused: if we get none, with the reason
        """
        self._channel.post(
            "seat",
            name=name,
            port=port,
            addresses=list(addresses),
            game=self._game.id,
            rules_version=rules_version,
            rules=self._copy.fingerprint,
            package=self._copy.package[:PACKAGE],
            version=self._copy.version[:PACKAGE],
        )
        try:
            async with asyncio.timeout(SEATING):
                await self._seated
        except TimeoutError:
            raise Refused("The table does not answer any more; try again.") from None

    def ready(self, ready: bool) -> None:
        """We are ready for the room as it is, or not any more."""
        assert self._room is not None
        if ready:
            self._agreed = self._room.terms
        self._channel.post("ready", ready=ready, terms=self._room.terms)

    def slow(self, slow: bool) -> None:
        """We ask for twice the time, or not any more."""
        self._channel.post("slow", slow=slow)

    def say(self, text: str) -> None:
        """Chat; it is told to us as to everybody when it comes back from the opener."""
        assert self._room is not None
        name = self._room.seats[self._room.you].name
        self._channel.pass_on(self._talk.say(name, text, int(time.time() * 1000)).frame())

    def beat(self) -> None:
        """Let the opener know that we are there; or, when the game has begun and it still keeps
        this link in the room, give the link up and dial it like any other peer."""
        if self._channel.owner is not self:
            return
        if not self._started:
            self._channel.post("beat", beats=[])
        elif self._overdue:
            self._channel.link.abort("room", "the room is over")
        else:
            self._overdue = True

    @property
    def _started(self) -> bool:
        """Whether everybody has signed, so that the table stands."""
        return self._match is not None and self._match.table.started

    # The link.

    def take(self, channel: Channel, incoming: Frame) -> None:
        try:
            self._take(channel, incoming)
        except BadMessage as error:
            raise Refused(f"Left the table: the opener's machine sent {error}.") from error

    def _take(self, channel: Channel, incoming: Frame) -> None:
        match incoming.kind:
            case kind if kind in ROOM_FRAMES and self._started:
                pass  # sent before the opener knew, or in the hope that we obey
            case "beat":
                pass
            case "room":
                self._enter(channel.link, RoomView.decode(incoming["room"]))
            case "say":
                self._hear(RoomLine.read(incoming))
            case "code" if self._match is None:
                self._learn(_expect_code(incoming["code"]))
            case "charter" if self._match is None:
                self._sign(channel, incoming["charter"])
            case "calloff":
                if self._match is not None:  # of a start that we did not sign we heard nothing
                    self._take_back(clean_text(incoming["text"], 200))
            case "have" if self._links is not None:
                # The opener plays: from now on this link is one of the mesh.
                self._links.adopt_channel(channel)
                self._links.take(channel, incoming)
            case kind:
                raise BadMessage(f"a {kind} frame that has no place in the waiting room")

    def next_frame(self, channel: Channel) -> Frame | None:
        return None

    def ended(self, channel: Channel) -> None:
        why = channel.link.closed_why
        text = why.text if why is not None else "the connection broke"
        if not self._seated.done():
            self._seated.set_exception(Refused(text))
        elif self._links is not None:
            self._links.seek(0)
        else:
            self._events.lost(text)

    def _enter(self, link: Link, room: RoomView) -> None:
        shown = room.number, room.seats[0].key, room.seats[room.you].key
        if shown != (link.table, link.key, self._me.key):
            raise BadMessage("a waiting room with other keys than the two of this link")
        before, self._room = self._room, room
        if not self._seated.done():
            self._agreed = room.terms
            self._seated.set_result(None)
        if room != before:
            self._events.room_changed(room)

    def _hear(self, line: RoomLine) -> None:
        name = self._room.name_of(line.key) if self._room is not None else None
        if name is None:
            raise BadMessage("a line of chat of nobody in the room")
        text = self._talk.hear(line, name, asyncio.get_running_loop().time())
        if text is not None:
            self._events.chatted(name, text)

    def _take_back(self, why: str) -> None:
        """The start is off: there is no such table.

        :raises Refused: if that was once too often
        """
        self._match = self._links = None
        self._call_off()
        self._events.called_off(why)
        self._called_off += 1
        if self._called_off == MOST_CALLED_OFF:
            raise Refused(
                f"The opener has called off {MOST_CALLED_OFF} starts that you had signed, so you "
                "left the table: join another."
            )

    def _sign(self, channel: Channel, encoded: bytes) -> None:
        """Check the opener's proposal and sign it.

        :raises Refused: if it is not what we came for; we leave the table then
        """
        if self._room is None:
            raise BadMessage("a charter before a room")
        try:
            charter = Charter.decode(encoded)
            opener, copy = channel.link.key, self._copy.fingerprint
            check_proposal(charter, self._room, self._game, opener, self._me.key, copy)
            if self._agreed != self._room.terms:
                raise Refused("the table was changed, and you have not said ready to that")
            match, self._links = self._begin(charter)
        except (BadCharter, Refused, UsedBefore) as error:
            raise Refused(f"Did not sign: {error}.") from error
        self._match = match
        ours = match.table.log[0]
        channel.post("msg", payload=ours.payload, sig=ours.signature)
        self._start(self._await_start(match))

    async def _await_start(self, match: Match) -> None:
        await asyncio.sleep(UNDECIDED)
        if self._match is match and match.phase is MatchPhase.DIALLING:
            await match.leave()
            self._events.lost("The opener is out of reach, and nobody knows if the game began")


def _expect_code(text: str) -> str:
    """:raises BadMessage: if that is no code"""
    try:
        return read_code(text)
    except LocalError as error:
        raise BadMessage("a code that is none") from error
