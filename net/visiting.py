"""The waiting room as a guest lives it: one link, to the machine that opened the table.

Rule 1: a guest believes what the opener says about the room, and nothing about the game: it signs
a charter only if that is the table it sees (`lobby.check_proposal`).
Rule 2: who has signed does not know whether the table stands until it has the opener's signature
or the start is called off. If the link breaks in between, it looks for the table as a peer; after
`UNDECIDED` seconds it gives up and says farewell, in case the table stands somewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sobremesa.core.errors import BadMessage
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import BadCharter, Charter

from .audience import Audience
from .chat import CHAT_WIDTH
from .identity import Identity
from .link import Link
from .lobby import Refused, RoomState, check_proposal
from .playing import Playing
from .store import UsedBefore
from .text import clean_name, clean_text
from .wire import Frame
from .wires import BROKEN, Wire, Wires

UNDECIDED = 15.0
"""Seconds after our signature in which the start must be decided; the opener takes ten."""
SEATING = 6.0
"""Seconds in which a table that let us in must give us a chair."""

Begin = Callable[[Charter, int], Playing]
"""Make the table of a charter and sign it."""


class Visiting:
    """A guest's room. `playing` is the game that we signed, while we do not know whether it
    began and afterwards; `end` is called when a start was called off."""

    rest = 0.0

    def __init__(
        self,
        me: Identity,
        game: Game,
        link: Link,
        wires: Wires,
        audience: Audience,
        start: Callable[[Coroutine[Any, Any, None]], None],
        begin: Begin,
        call_off: Callable[[], None],
    ) -> None:
        self._me = me
        self._game = game
        self._audience = audience
        self._start = start
        self._begin = begin
        self._call_off = call_off
        self._room: RoomState | None = None
        self._playing: Playing | None = None
        self._seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wire = wires.attach(link, self)

    async def sit(
        self, name: str, port: int, addresses: tuple[str, ...], rules_version: int
    ) -> None:
        """Ask for a chair and wait until we have it.

        :raises Refused: if we get none, with the reason
        """
        self._wire.post(
            "seat",
            name=name,
            port=port,
            addresses=list(addresses),
            game=self._game.id,
            rules_version=rules_version,
        )
        try:
            async with asyncio.timeout(SEATING):
                await self._seated
        except TimeoutError:
            raise Refused("The table does not answer any more; try again.") from None

    def ready(self, ready: bool) -> None:
        """We are ready, or not any more."""
        self._wire.post("ready", ready=ready)

    def say(self, text: str) -> None:
        """Chat."""
        self._wire.post("say", text=text[:500])

    def beat(self) -> None:
        """Let the opener know that we are there."""
        if self._wire.owner is self:
            self._wire.post("beat", beats=[])

    # The link.

    def take(self, wire: Wire, incoming: Frame) -> None:
        match incoming.kind:
            case "beat":
                pass
            case "room":
                self._enter(RoomState.decode(incoming["room"]))
            case "said":
                name, text = clean_name(incoming["name"]), clean_text(incoming["text"], CHAT_WIDTH)
                self._audience.chatted(name, text)
            case "charter" if self._playing is None:
                self._sign(wire, incoming["charter"])
            case "calloff":
                if self._playing is not None:
                    self._playing = None
                    self._call_off()
                self._audience.called_off(clean_text(incoming["text"], 200))
            case "have" if self._playing is not None:
                # The opener plays: from now on this link is one of the mesh.
                self._playing.adopt_wire(wire)
                self._playing.take(wire, incoming)
            case kind:
                raise BadMessage(f"a {kind} frame that has no place in the waiting room")

    def next_frame(self, wire: Wire) -> Frame | None:
        return None

    def ended(self, wire: Wire) -> None:
        why = wire.link.closed_why
        text = why.text if why is not None else "the connection broke"
        if not self._seated.done():
            self._seated.set_exception(Refused(text))
        elif self._playing is not None and why is not None and why.code in BROKEN:
            self._playing.seek(0)
        else:
            self._audience.lost(text)

    def _enter(self, room: RoomState) -> None:
        self._room = room
        if not self._seated.done():
            self._seated.set_result(None)
        self._audience.room_changed(room)

    def _sign(self, wire: Wire, encoded: bytes) -> None:
        """Check the opener's proposal and sign it.

        :raises Refused: if it is not what we came for; we leave the table then
        """
        if self._room is None:
            raise BadMessage("a charter before a room")
        try:
            charter = Charter.decode(encoded)
            me = check_proposal(charter, self._room, self._game, wire.link.key, self._me.key)
            playing = self._playing = self._begin(charter, me)
        except (BadCharter, Refused, UsedBefore) as error:
            raise Refused(f"Did not sign: {error}.") from error
        ours = playing.mesh.table.log[0]
        wire.post("msg", payload=ours.payload, sig=ours.signature)
        self._start(self._await_start(playing))

    async def _await_start(self, playing: Playing) -> None:
        await asyncio.sleep(UNDECIDED)
        if self._playing is playing and not playing.mesh.table.started:
            await playing.leave()
            self._audience.lost("The opener is out of reach, and nobody knows if the game began")
