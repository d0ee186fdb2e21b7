"""The waiting room on the machine that opened the table: guests on links, around `room.Room`.

Rule 1: the opener signs last, and begins with everybody's signatures in its hand. Until then it
may call the start off; afterwards it is a peer like any other and this room is closed.
Rule 2: a guest that cannot be reached, or does not sign in time, is out of the room; a start that
waited for it is called off, and the next one goes on without it.
Rule 3: no guest can flood the others: each is read twenty times a second at most, and its chat is
cut. Who sends more than that waits, and nobody else does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from sobremesa.core.addresses import peer_addresses
from sobremesa.core.errors import BadMessage, LocalError
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Message
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.channels import LEFT, Channel, Channels
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Link

from .events import RoomEvents
from .room import Person, Room, RoomPhase, read_copy
from .talk import RoomLine, Talk

SIGNING = 10.0
"""Seconds in which everybody must sign a charter."""
CLOSED = "The opener closed the table."
SEATING = 5.0
"""Seconds in which a guest that came in must sit down."""

Begin = Callable[[Charter, Sequence[Message], Sequence[Channel]], None]
"""Make the table of a charter that all guests signed, with their signatures and their links."""


class RoomHost:
    """The room of an opener with the key `me`. `where` says where we can be dialled, `code` what
    guests are asked for at the door; `begin` is called once, when everybody has signed; `on_room`
    whenever seats were taken or given up."""

    rest = 0.05

    def __init__(
        self,
        room: Room,
        me: Identity,
        channels: Channels,
        events: RoomEvents,
        start: Callable[[Coroutine[Any, Any, None]], None],
        where: Callable[[], Sequence[Address]],
        code: Callable[[], str | None],
        begin: Begin,
    ) -> None:
        self.room = room
        self.on_room: Callable[[], None] = lambda: None
        self._channels = channels
        self._events = events
        self._start = start
        self._where = where
        self._code = code
        self._begin = begin
        self._guests: dict[Channel, Person] = {}
        self._coming: set[Channel] = set()
        """Those that came in and have not sat down."""
        self._talk = Talk(room.table, me)

    # What the opener does.

    def ready(self, ready: bool) -> None:
        """The opener is ready, or not any more."""
        self.room.opener.ready = ready
        self.publish()

    def slow(self, slow: bool) -> None:
        """The opener asks for twice the time, or not any more."""
        self.room.ask_slow(self.room.opener, slow)
        self.publish()

    def add_bot(self) -> None:
        """Seat a bot of this machine.

        :raises LocalError: if there is no seat
        """
        self.room.add_bot()
        self.publish()

    def change(self, given: Mapping[str, str]) -> None:
        """Other chairs, options or settings; errors as of `Room.change`."""
        self.room.change(given)
        self.publish()

    def remove(self, name: str, reason: str) -> None:
        """Take the chair of a guest, who may not come back and is told the reason, if there is
        one; or that of a bot.

        :raises LocalError: if nobody is called so, or a bot sits at a game that is starting
        """
        if name in self.room.bots:
            self.room.remove_bot(name)
        else:
            guest = next((guest for guest in self._guests.values() if guest.name == name), None)
            if guest is None:
                raise LocalError(f"no guest is called {name} here")
            why = f": {reason}" if reason else ""
            told = f"The opener removed you from this table{why}."
            self.room.barred[guest.key] = told
            self._send_away([guest], told, f"{name} was removed.")
        self.publish()

    def propose(self) -> None:
        """Close the room and ask everybody to sign. `room.why_not_start()` must be None."""
        self.room.opener.addresses = peer_addresses(self._where())
        charter = self.room.propose()
        for channel in self._guests:
            channel.post("charter", charter=charter.encode())
        self._start(self._await_signatures(charter))
        self._begin_if_signed()

    def say(self, text: str) -> None:
        """Chat."""
        name = self.room.opener.name
        self._pass_on(self._talk.say(name, text, int(time.time() * 1000)), name)

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

    def tell_code(self) -> None:
        """There is another code: whoever sits here asks those for it who look on at its machine,
        and comes back with it."""
        for channel in self._guests:
            self._give_code(channel)
        self.publish()

    async def close(self) -> None:
        """Send everybody home; who has signed hears that nothing came of it."""
        if self.room.phase is RoomPhase.SIGNING:
            guests, self._guests = list(self._guests), {}
            await asyncio.gather(*(_part(channel, CLOSED) for channel in guests))

    # Guests on links.

    def came(self, link: Link) -> None:
        """Somebody who knows the code came in."""
        channel = self._channels.attach(link, self)
        self._coming.add(channel)
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
            case "seat" if channel in self._coming:
                self._sit(channel, incoming)
            case "ready" if guest is not None:
                self.room.hear_ready(guest, incoming["ready"], incoming["terms"])
                self.publish()
            case "slow" if guest is not None:
                self.room.ask_slow(guest, incoming["slow"])
                self.publish()
            case "say" if guest is not None and incoming["key"] == guest.key:
                self._pass_on(RoomLine.read(incoming), guest.name)
            case "msg" if guest is not None:
                self.room.signed(guest, incoming["payload"], incoming["sig"])
                self._begin_if_signed()
            case kind:
                raise BadMessage(f"a {kind} frame that has no place in the waiting room")

    def next_frame(self, channel: Channel) -> Frame | None:
        return None

    def ended(self, channel: Channel) -> None:
        """A guest is out of the room."""
        self._coming.discard(channel)
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
        if channel in self._coming:
            await channel.link.close("refused", "You did not sit down.")

    def _sit(self, channel: Channel, incoming: Frame) -> None:
        hosts = [channel.link.address, *incoming["addresses"]]
        self._guests[channel] = self.room.sit(
            channel.link.key,
            incoming["name"],
            peer_addresses((host, incoming["port"]) for host in hosts),
            incoming["game"],
            incoming["rules_version"],
            read_copy(incoming["rules"], incoming["package"], incoming["version"]),
        )
        self._coming.remove(channel)
        self._give_code(channel)  # it may have come in by an older one
        self.publish()

    def _give_code(self, channel: Channel) -> None:
        code = self._code()
        if code is not None:
            channel.post("code", code=code)

    def _pass_on(self, line: RoomLine, name: str) -> None:
        """:raises BadMessage: if its author, who has this name, did not sign it"""
        text = self._talk.hear(line, name, asyncio.get_running_loop().time())
        if text is not None:
            self._events.chatted(name, text)
            for channel in self._guests:
                channel.pass_on(line.frame())

    def _send_away(self, guests: Sequence[Person], told: str, others: str) -> None:
        """Guests lose their chairs and are told why; a start that was under way is called off, and
        the `others` are told why."""
        for channel in [channel for channel, guest in self._guests.items() if guest in guests]:
            del self._guests[channel]
            self._start(_part(channel, told))
        self.room.remove(*guests)
        if self.room.phase is RoomPhase.CALLED_OFF:
            self._announce_call_off(others)

    # The start.

    async def _await_signatures(self, charter: Charter) -> None:
        await asyncio.sleep(SIGNING)
        room = self.room
        # Another proposal may be under way by now, with seconds of its own.
        if room.phase is RoomPhase.SIGNING and room.charter is charter:
            missing = room.unsigned()
            told = "You did not sign in time, so your chair is free again: join anew to play."
            self._send_away(missing, told, _unsigned_text([guest.name for guest in missing]))
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


async def _part(channel: Channel, why: str) -> None:
    """Send a guest away; if it has signed meanwhile, nothing came of it."""
    await channel.link.send(Frame.make("calloff", text=why[:300]))
    await channel.link.close("removed", why)


def _unsigned_text(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]}'s machine did not sign in time, so its chair is free again."
    return f"The machines of {', '.join(names)} did not sign in time: their chairs are free again."
