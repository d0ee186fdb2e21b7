"""The waiting room on the machine that opened the table: guests on links, around `lobby.Opening`.

Rule 1: the opener signs last, and begins with everybody's signatures in its hand. Until then it
may call the start off; afterwards it is a peer like any other and this room is closed.
Rule 2: a guest that cannot be reached is out of the room; a start that waited for it is called
off.
Rule 3: no guest can flood the others: each is read twenty times a second at most, and its chat is
cut. Who sends more than that waits, and nobody else does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Message

from .addresses import MOST_ADDRESSES, Address, is_numeric
from .audience import Audience
from .chat import CHAT_WIDTH
from .link import Link
from .lobby import Guest, Opening
from .text import clean_text
from .wire import Frame
from .wires import LEFT, Wire, Wires

SIGNING = 10.0
"""Seconds in which everybody must sign a charter."""
SEATING = 5.0
"""Seconds in which a guest that came in must sit down."""

Begin = Callable[[Charter, Sequence[Message], Sequence[Wire]], None]
"""Make the table of a charter that all guests signed, with their signatures and their links."""


class Hosting:
    """The opener's room. `where` says where we can be dialled; `begin` is called once, when
    everybody has signed; `on_room` whenever chairs were taken or given up."""

    rest = 0.05

    def __init__(
        self,
        opening: Opening,
        wires: Wires,
        audience: Audience,
        start: Callable[[Coroutine[Any, Any, None]], None],
        where: Callable[[], Sequence[Address]],
        begin: Begin,
    ) -> None:
        self.opening = opening
        self.on_room: Callable[[], None] = lambda: None
        self._wires = wires
        self._audience = audience
        self._start = start
        self._where = where
        self._begin = begin
        self._guests: dict[Wire, Guest] = {}

    # What the opener does.

    def ready(self, ready: bool) -> None:
        """The opener is ready, or not any more."""
        self.opening.opener.ready = ready
        self.changed()

    def add_bot(self) -> None:
        """Seat a bot of this machine.

        :raises LocalError: if there is no chair
        """
        self.opening.add_bot()
        self.changed()

    def propose(self) -> None:
        """Close the room and ask everybody to sign. `opening.why_not_start()` must be None."""
        self.opening.opener.addresses = tuple(map(str, self._where()))
        charter = self.opening.propose()
        for wire in self._guests:
            wire.post("charter", charter=charter.encode())
        self._start(self._await_signatures(charter))
        self._begin_if_signed()

    def say(self, text: str) -> None:
        """Chat."""
        self._chat(self.opening.opener, text)

    def changed(self) -> None:
        """Tell everybody how the room is now, and start when all are ready."""
        opening = self.opening
        if opening.charter is not None:
            return
        self._audience.room_changed(opening.room(opening.opener))
        for wire, guest in self._guests.items():
            wire.post("room", room=opening.room(guest).encode())
        self.on_room()
        if opening.all_ready and opening.why_not_start() is None:
            self.propose()

    # Guests on links.

    def came(self, link: Link) -> None:
        """Somebody who knows the code came in."""
        wire = self._wires.attach(link, self)
        self._start(self._await_seat(wire))

    def beat(self) -> None:
        """Let every guest know that we are there."""
        for wire in self._guests:
            wire.post("beat", beats=[])

    def take(self, wire: Wire, incoming: Frame) -> None:
        guest = self._guests.get(wire)
        match incoming.kind:
            case "beat":
                pass
            case "seat" if guest is None:
                self._sit(wire, incoming)
            case "ready" if guest is not None:
                guest.ready = incoming["ready"]
                self.changed()
            case "say" if guest is not None:
                if guest.chat.allows(asyncio.get_running_loop().time()):
                    self._chat(guest, incoming["text"])
            case "msg" if guest is not None:
                self.opening.signed(guest, incoming["payload"], incoming["sig"])
                self._begin_if_signed()
            case kind:
                raise BadMessage(f"a {kind} frame that has no place in the waiting room")

    def next_frame(self, wire: Wire) -> Frame | None:
        return None

    def ended(self, wire: Wire) -> None:
        """A guest is out of the room."""
        guest = self._guests.pop(wire, None)
        if guest is None:
            return
        starting = self.opening.charter is not None
        self.opening.remove(guest)
        if starting:
            why = wire.link.closed_why
            how = f" ({why.text.rstrip('.')})" if why is not None and why.code != LEFT else ""
            self._tell_off(f"{guest.name} is gone{how}.")
        self.changed()

    async def _await_seat(self, wire: Wire) -> None:
        await asyncio.sleep(SEATING)
        if wire.owner is self and wire not in self._guests:
            await wire.link.close("refused", "You did not sit down.")

    def _sit(self, wire: Wire, incoming: Frame) -> None:
        told = dict.fromkeys([wire.link.address, *incoming["addresses"]])
        # A guest may tell anything, and everybody at the table is going to dial it.
        hosts = [host for host in told if is_numeric(host)] if incoming["port"] else []
        addresses = tuple(str(Address(host, incoming["port"])) for host in hosts)
        self._guests[wire] = self.opening.sit(
            wire.link.key,
            incoming["name"],
            addresses[:MOST_ADDRESSES],
            incoming["game"],
            incoming["rules_version"],
        )
        self.changed()

    def _chat(self, who: Guest, text: str) -> None:
        line = clean_text(text, CHAT_WIDTH)
        self._audience.chatted(who.name, line)
        for wire in self._guests:
            wire.post("said", name=who.name, text=line)

    # The start.

    async def _await_signatures(self, charter: Charter) -> None:
        await asyncio.sleep(SIGNING)
        opening = self.opening
        if opening.charter is charter and not opening.everybody_signed:
            missing = [
                guest.name
                for index, guest in enumerate(opening.people())
                if index and index not in opening.signatures
            ]
            opening.call_off()
            self._tell_off(f"{', '.join(missing)} did not sign in {SIGNING:g} s.")
            self.changed()

    def _begin_if_signed(self) -> None:
        opening = self.opening
        if opening.charter is not None and opening.everybody_signed:
            signatures = [opening.signatures[index] for index in sorted(opening.signatures)]
            guests = list(self._guests)
            self._guests.clear()
            self._begin(opening.charter, signatures, guests)

    def _tell_off(self, why: str) -> None:
        for wire in self._guests:
            wire.post("calloff", text=why[:300])
        self._audience.called_off(why)
