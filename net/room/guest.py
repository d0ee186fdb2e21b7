"""The waiting room as a guest lives it: one link, to the machine that opened the table.

Rule 1: a guest believes what the opener says about the room, and nothing about the game: it signs
a charter only if that is the table it sees (`room.check_proposal`).
Rule 2: who has signed does not know whether the table stands until it has the opener's signature
or the start is called off. If the link breaks in between, it looks for the table as a peer; after
`UNDECIDED` seconds it gives up and says farewell, in case the table stands somewhere.
Rule 3: once everybody has signed, nothing of the room means anything, on any link: the table is
never void, and an opener that keeps this link to itself is dialled as a peer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sobremesa.core.errors import BadMessage
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import BadCharter, Charter, Copy
from sobremesa.net.chat import CHAT_WIDTH
from sobremesa.net.identity import Identity
from sobremesa.net.links.channels import BROKEN, Channel, Channels, Refused
from sobremesa.net.links.frames import PACKAGE, Frame
from sobremesa.net.links.link import Link
from sobremesa.net.match import Match, MatchPhase
from sobremesa.net.peer_links import PeerLinks
from sobremesa.net.store import UsedBefore
from sobremesa.net.text import clean_name, clean_text

from .events import RoomEvents
from .room import RoomView, check_proposal

UNDECIDED = 15.0
"""Seconds after our signature in which the start must be decided; the opener takes ten."""
ROOM_FRAMES = ("beat", "room", "said", "charter", "calloff")
"""What an opener says in the room."""
SEATING = 6.0
"""Seconds in which a table that let us in must give us a seat."""

Begin = Callable[[Charter], tuple[Match, PeerLinks]]
"""Make the table of a charter and sign it."""


class RoomGuest:
    """A guest's room. `_match` is the game that we signed, while we do not know whether it
    began and afterwards; `end` is called when a start was called off."""

    rest = 0.0

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
    ) -> None:
        self._me = me
        self._game = game
        self._copy = copy
        self._events = events
        self._start = start
        self._begin = begin
        self._call_off = call_off
        self._room: RoomView | None = None
        self._match: Match | None = None
        self._links: PeerLinks | None = None
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
        """We are ready, or not any more."""
        self._channel.post("ready", ready=ready)

    def say(self, text: str) -> None:
        """Chat."""
        self._channel.post("say", text=text[:500])

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
        match incoming.kind:
            case kind if kind in ROOM_FRAMES and self._started:
                pass  # sent before the opener knew, or in the hope that we obey
            case "beat":
                pass
            case "room":
                self._enter(RoomView.decode(incoming["room"]))
            case "said":
                name, text = clean_name(incoming["name"]), clean_text(incoming["text"], CHAT_WIDTH)
                self._events.chatted(name, text)
            case "charter" if self._match is None:
                self._sign(channel, incoming["charter"])
            case "calloff":
                if self._match is not None:
                    self._match = self._links = None
                    self._call_off()
                self._events.called_off(clean_text(incoming["text"], 200))
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
        broken = why is not None and why.code in BROKEN
        if not self._seated.done():
            self._seated.set_exception(Refused(text))
        elif self._links is not None and (self._started or broken):
            self._links.seek(0)
        else:
            self._events.lost(text)

    def _enter(self, room: RoomView) -> None:
        self._room = room
        if not self._seated.done():
            self._seated.set_result(None)
        self._events.room_changed(room)

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
