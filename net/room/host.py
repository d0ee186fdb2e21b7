"""The waiting room on the machine that opened the table: guests on links, around `room.Room`.

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
from sobremesa.net.chat import CHAT_WIDTH
from sobremesa.net.links.addresses import MOST_ADDRESSES, Address, is_numeric
from sobremesa.net.links.channels import LEFT, Channel, Channels
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Link
from sobremesa.net.text import clean_text

from .events import RoomEvents
from .room import Person, Room, RoomPhase, read_copy

SIGNING = 10.0
"""Seconds in which everybody must sign a charter."""
SEATING = 5.0
"""Seconds in which a guest that came in must sit down."""

Begin = Callable[[Charter, Sequence[Message], Sequence[Channel]], None]
"""Make the table of a charter that all guests signed, with their signatures and their links."""


class RoomHost:
    """The opener's room. `where` says where we can be dialled; `begin` is called once, when
    everybody has signed; `on_room` whenever seats were taken or given up."""

    rest = 0.05

    def __init__(
        self,
        room: Room,
        channels: Channels,
        events: RoomEvents,
        start: Callable[[Coroutine[Any, Any, None]], None],
        where: Callable[[], Sequence[Address]],
        begin: Begin,
    ) -> None:
        self.room = room
        self.on_room: Callable[[], None] = lambda: None
        self._channels = channels
        self._events = events
        self._start = start
        self._where = where
        self._begin = begin
        self._guests: dict[Channel, Person] = {}

    # What the opener does.

    def ready(self, ready: bool) -> None:
        """The opener is ready, or not any more."""
        self.room.opener.ready = ready
        self.publish()

    def add_bot(self) -> None:
        """Seat a bot of this machine.

        :raises LocalError: if there is no seat
        """
        self.room.add_bot()
        self.publish()

    def propose(self) -> None:
        """Close the room and ask everybody to sign. `room.why_not_start()` must be None."""
        self.room.opener.addresses = tuple(map(str, self._where()))
        charter = self.room.propose()
        for channel in self._guests:
            channel.post("charter", charter=charter.encode())
        self._start(self._await_signatures(charter))
        self._begin_if_signed()

    def say(self, text: str) -> None:
        """Chat."""
        self._chat(self.room.opener, text)

    def publish(self) -> None:
        """Tell everybody how the room is now, and start when all are ready."""
        room = self.room
        if not room.is_open:
            return
        self._events.room_changed(room.view(room.opener))
        for channel, guest in self._guests.items():
            channel.post("room", room=room.view(guest).encode())
        self.on_room()
        if room.all_ready and room.why_not_start() is None:
            self.propose()

    # Guests on links.

    def came(self, link: Link) -> None:
        """Somebody who knows the code came in."""
        channel = self._channels.attach(link, self)
        self._start(self._await_seat(channel))

    def beat(self) -> None:
        """Let every guest know that we are there."""
        for channel in self._guests:
            channel.post("beat", beats=[])

    def take(self, channel: Channel, incoming: Frame) -> None:
        guest = self._guests.get(channel)
        match incoming.kind:
            case "beat":
                pass
            case "seat" if guest is None:
                self._sit(channel, incoming)
            case "ready" if guest is not None:
                guest.ready = incoming["ready"]
                self.publish()
            case "say" if guest is not None:
                if guest.chat.allows(asyncio.get_running_loop().time()):
                    self._chat(guest, incoming["text"])
            case "msg" if guest is not None:
                self.room.signed(guest, incoming["payload"], incoming["sig"])
                self._begin_if_signed()
            case kind:
                raise BadMessage(f"a {kind} frame that has no place in the waiting room")

    def next_frame(self, channel: Channel) -> Frame | None:
        return None

    def ended(self, channel: Channel) -> None:
        """A guest is out of the room."""
        guest = self._guests.pop(channel, None)
        if guest is None:
            return
        self.room.remove(guest)
        if self.room.phase is RoomPhase.CALLED_OFF:
            why = channel.link.closed_why
            how = f" ({why.text.rstrip('.')})" if why is not None and why.code != LEFT else ""
            self._announce_call_off(f"{guest.name} is gone{how}.")
        self.publish()

    async def _await_seat(self, channel: Channel) -> None:
        await asyncio.sleep(SEATING)
        if channel.owner is self and channel not in self._guests:
            await channel.link.close("refused", "You did not sit down.")

    def _sit(self, channel: Channel, incoming: Frame) -> None:
        told = dict.fromkeys([channel.link.address, *incoming["addresses"]])
        # A guest may tell anything, and everybody at the table is going to dial it.
        hosts = [host for host in told if is_numeric(host)] if incoming["port"] else []
        addresses = tuple(str(Address(host, incoming["port"])) for host in hosts)
        self._guests[channel] = self.room.sit(
            channel.link.key,
            incoming["name"],
            addresses[:MOST_ADDRESSES],
            incoming["game"],
            incoming["rules_version"],
            read_copy(incoming["rules"], incoming["package"], incoming["version"]),
        )
        self.publish()

    def _chat(self, who: Person, text: str) -> None:
        line = clean_text(text, CHAT_WIDTH)
        self._events.chatted(who.name, line)
        for channel in self._guests:
            channel.post("said", name=who.name, text=line)

    # The start.

    async def _await_signatures(self, charter: Charter) -> None:
        await asyncio.sleep(SIGNING)
        room = self.room
        # Another proposal may be under way by now, with seconds of its own.
        if room.phase is RoomPhase.SIGNING and room.charter is charter:
            missing = [
                guest.name
                for index, guest in enumerate(room.people())
                if index and index not in room.signatures
            ]
            room.call_off()
            self._announce_call_off(f"{', '.join(missing)} did not sign in {SIGNING:g} s.")
            self.publish()

    def _begin_if_signed(self) -> None:
        if self.room.everybody_signed:
            charter, signatures = self.room.start()
            guests = list(self._guests)
            self._guests.clear()
            self._begin(charter, signatures, guests)

    def _announce_call_off(self, why: str) -> None:
        for channel in self._guests:
            channel.post("calloff", text=why[:300])
        self._events.called_off(why)
        self.room.reopen()
