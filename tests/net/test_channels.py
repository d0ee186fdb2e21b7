"""Links in use, without a network: what waits on them, and that none keeps the others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

from sobremesa.net.links.channels import MOST_WAITING, Channel, Channels
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Ending
from sobremesa.net.tasks import Tasks

READY = Frame.make("ready", ready=True, terms=bytes(32))
MANY = 1000


class Unlimited:
    """A link that brings these frames at once, and takes `MANY`."""

    def __init__(self, *incoming: Frame) -> None:
        self.closed_why: Ending | None = None
        self.sent = 0
        self._incoming = incoming

    def abort(self, code: str, text: str) -> None:
        self.closed_why = Ending(code, text)

    async def send(self, frame: Frame) -> None:
        self.sent += 1
        if self.sent == MANY:
            self.abort("closed", "the test has seen enough")

    async def frames(self) -> AsyncIterator[Frame]:
        for frame in self._incoming:
            yield frame
        await asyncio.Event().wait()


class Busy:
    """An owner that always has something to say."""

    def __init__(self, rest: float = 0.0, says: Frame | None = None) -> None:
        self.rest = rest
        self.says = says
        self.taken: list[float] = []

    def take(self, channel: Channel, incoming: Frame) -> None:
        self.taken.append(asyncio.get_running_loop().time())

    def next_frame(self, channel: Channel) -> Frame | None:
        return self.says

    def ended(self, channel: Channel) -> None:
        raise AssertionError("nobody ended this link")


def wire_of(link: Unlimited) -> Channel:
    return Channel(link, Busy())  # type: ignore[arg-type]


def broke(error: BaseException) -> None:
    raise error


# What waits.


async def test_a_guest_that_does_not_read_is_dropped_before_it_fills_our_memory() -> None:
    link = Unlimited()
    channel = wire_of(link)
    for _ in range(10 * MOST_WAITING):
        channel.post("ready", ready=True, terms=bytes(32))
    assert link.closed_why is not None
    assert link.closed_why.code == "slow"
    assert len(channel.queue) == MOST_WAITING


async def test_a_room_takes_the_place_of_the_one_before_it_and_of_nothing_else() -> None:
    channel = wire_of(Unlimited())
    for _ in range(2):
        channel.post("ready", ready=True, terms=bytes(32))
    for room in (b"1", b"2"):
        channel.post("room", room=room)
    channel.post("charter", charter=b"")  # who signs it compares it with the room before it
    channel.post("calloff", text="")
    for room in (b"3", b"4"):
        channel.post("room", room=room)
    assert [(frame.kind, frame.values.get("room")) for frame in channel.queue] == [
        ("ready", None),
        ("ready", None),
        ("room", b"2"),
        ("charter", None),
        ("calloff", None),
        ("room", b"4"),
    ]


async def test_rooms_without_end_never_make_a_guest_slow() -> None:
    link = Unlimited()
    channel = wire_of(link)
    for number in range(10 * MOST_WAITING):
        channel.post("room", room=str(number).encode())
    assert link.closed_why is None
    assert len(channel.queue) == 1


# Giving way.


async def test_a_link_with_much_to_read_or_to_write_gives_way_to_others() -> None:
    tasks = Tasks(broke)
    owner = Busy(says=READY)
    link = Unlimited(*[READY] * MANY)
    Channels(tasks).attach(link, owner)  # type: ignore[arg-type]
    turns = 10
    for _ in range(turns):
        await asyncio.sleep(0)
    await tasks.stop()
    assert 0 < len(owner.taken) <= turns
    assert 0 < link.sent <= turns


async def test_a_link_is_read_no_faster_than_its_owner_says() -> None:
    rest, count = 0.02, 5

    tasks = Tasks(broke)
    owner = Busy(rest)
    Channels(tasks).attach(Unlimited(*[READY] * count), owner)  # type: ignore[arg-type]
    while len(owner.taken) < count:  # noqa: ASYNC110
        await asyncio.sleep(rest)
    await tasks.stop()
    assert min(later - earlier for earlier, later in pairwise(owner.taken)) > 0.9 * rest
