"""Listening: who may knock, how often and for how long, and who comes in.

Rule 1: a stranger costs little, and silence keeps nobody out (`limits`).
Rule 2: running out of file descriptors stops nobody who is at the table, and the next guest is
accepted as soon as there is one again.
Rule 3: guessing the code is slow, one try in two seconds for all strangers together, and tells
whom it is guessed from; it changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from sobremesa.core.errors import LocalError
from sobremesa.net.identity import Identity

from .addresses import plain_host
from .frames import BadFrame, Frame
from .handshake import Gate, HandshakeFailed, Responder
from .limits import Handshakes, Limits, Place, Tries, Try
from .link import Link, Pace
from .stream import PIECE, FrameStream
from .tls import Certificate

BACKLOG = 128
"""Strangers that the system keeps waiting until we accept them."""

log = logging.getLogger(__name__)


class CannotListen(LocalError):
    """The port cannot be had."""


class Door(Gate, Protocol):
    """What a table decides about those who knock, and what it is told of them."""

    def listing(self) -> bytes:
        """What a guest is shown in the list of tables; at most 3,000 bytes."""

    def knows(self, address: str) -> bool:
        """Whether somebody who sits at the table said that it can be dialled there."""

    def guessed(self) -> None:
        """A try at the code was not right."""


class Listener:
    """Listens on all interfaces. `on_link` is given each link that came to be. Open it with
    `Listener.open`, end it with `close`; links outlive it."""

    def __init__(
        self,
        listening: socket.socket,
        me: Identity,
        gate: Door,
        on_link: Callable[[Link], None],
        limits: Limits,
        pace: Pace,
    ) -> None:
        self.port: int = listening.getsockname()[1]
        self._socket = listening
        self._me = me
        self._gate = gate
        self._on_link = on_link
        self._limits = limits
        self._pace = pace
        self._certificate = Certificate()
        self._handshakes = Handshakes(limits)
        self._tries = Tries(limits, self._handshakes.visits)
        self._next_try: asyncio.TimerHandle | None = None
        self._under_way: set[asyncio.Task[Link | None]] = set()
        self._spare = _spare_descriptor()
        self._accepting = asyncio.create_task(self._accept())

    @classmethod
    def open(
        cls,
        me: Identity,
        gate: Door,
        on_link: Callable[[Link], None],
        port: int = 0,
        *,
        limits: Limits | None = None,
        pace: Pace | None = None,
    ) -> Listener:
        """Listen on a port, 0: any. Needs a running loop.

        :raises CannotListen: if the port is taken or not ours to take
        """
        return cls(_bind(port), me, gate, on_link, limits or Limits(), pace or Pace())

    async def close(self) -> None:
        """Stop listening, and end the handshakes under way."""
        tasks = {self._accepting, *self._under_way}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._next_try is not None:
            self._next_try.cancel()
        self._socket.close()
        self._spare.close()

    async def _accept(self) -> None:
        while True:
            try:
                connection, peer = await self._next()
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE):
                    self._refuse_with_spare()
                await asyncio.sleep(0.05)
                continue
            address = plain_host(peer[0])
            self._let_in(connection, address)
            # A flood of them must not keep the loop from its other work.
            await asyncio.sleep(0)

    def _let_in(self, connection: socket.socket, address: str) -> None:
        """Begin a handshake, if there is a place for one."""
        place = self._handshakes.enter(address, member=self._gate.knows(address))
        if place is None:
            log.debug("too many strangers at once: %s is refused", address)
            connection.close()
            return
        task = asyncio.create_task(self._receive(connection, address, place))
        place.turn_away = task.cancel
        self._under_way.add(task)
        task.add_done_callback(partial(self._received, connection, place))

    async def _next(self) -> tuple[socket.socket, Any]:
        """The next connection. None is lost, and left open, if we are cancelled meanwhile."""
        loop = asyncio.get_running_loop()
        while True:
            with contextlib.suppress(BlockingIOError):
                connection, peer = self._socket.accept()
                connection.setblocking(False)
                return connection, peer
            knocked = asyncio.Event()
            try:
                loop.add_reader(self._socket, knocked.set)
            except NotImplementedError:  # Windows' own event loop
                return await loop.sock_accept(self._socket)
            try:
                await knocked.wait()
            finally:
                loop.remove_reader(self._socket)

    def _refuse_with_spare(self) -> None:
        """Out of descriptors: give up the one kept back to refuse all who knock now, so that the
        next guest does not stand behind them."""
        self._spare.close()
        with contextlib.suppress(OSError):
            # As many as wait now, and not as many as may come meanwhile.
            for _ in range(BACKLOG):
                self._socket.accept()[0].close()
        with contextlib.suppress(OSError):
            self._spare = _spare_descriptor()

    async def _receive(self, connection: socket.socket, address: str, place: Place) -> Link | None:
        """Who it is, or None if nobody that we want."""
        stream: FrameStream | None = None
        link: Link | None = None
        try:
            async with asyncio.timeout(self._limits.handshake):
                async with asyncio.timeout(self._limits.silence):
                    await _first_byte(connection)
                place.spoke = True
                stream = await self._encrypt(connection)
                link = await self._shake(stream, place)
        except TimeoutError:
            log.info("%s did not say who it is in time", address)
        except BadFrame as error:
            log.info("%s sent %s", address, error)
            if stream:
                stream.send_last("bad", f"You sent {error}.")
        except HandshakeFailed as error:
            log.info("%s was refused: %s", address, error)
            if stream:
                stream.send_last(error.code, str(error))
        except OSError as error:
            log.debug("%s hung up: %s", address, error)
        finally:
            if stream and not link:
                stream.abort()
        return link

    def _received(
        self, connection: socket.socket, place: Place, task: asyncio.Task[Link | None]
    ) -> None:
        """A handshake is over, or was ended before it began."""
        self._under_way.discard(task)
        link = None if task.cancelled() else task.result()
        place.served |= link is not None
        self._handshakes.leave(place)
        if link is not None:
            self._on_link(link)
        elif not place.spoke:
            connection.close()  # later it belongs to the loop

    async def _encrypt(self, connection: socket.socket) -> FrameStream:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=PIECE)
        protocol = asyncio.StreamReaderProtocol(reader)
        encrypting = asyncio.ensure_future(
            loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=self._certificate.context,
                ssl_handshake_timeout=self._limits.handshake + 1,
            )
        )
        encrypting.add_done_callback(_look_at)
        try:
            transport, _ = await asyncio.shield(encrypting)
        except asyncio.CancelledError:
            # The loop takes its time to end TLS: it must not go on to read from the number of a
            # socket that is closed, which another has by then. So it is told that nothing comes.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            raise
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        return FrameStream(reader, writer, self._certificate.hash)

    async def _shake(self, stream: FrameStream, place: Place) -> Link | None:
        """The link, or None if the stranger only asked for the listing or hung up."""
        hello = await stream.receive()
        if hello is None:
            return None
        if hello.kind == "hello" and hello["mode"] == "info":
            await stream.send(Frame.make("listing", listing=self._gate.listing()))
            place.served = True
            await stream.receive()
            return None
        side = Responder(self._me, self._certificate.hash, self._gate)
        if not side.guesses(hello):
            return await self._prove(stream, side, hello)
        await self._await_turn(place)
        try:
            return await self._prove(stream, side, hello)
        finally:
            if side.knew_code:
                self._tries.give_back()
                self._let_try()
            else:
                self._gate.guessed()

    async def _prove(self, stream: FrameStream, side: Responder, hello: Frame) -> Link | None:
        """The link, or None if the stranger hung up."""
        await stream.send(side.welcome(hello))
        auth = await stream.receive()
        if auth is None:
            return None
        await stream.send(side.confirm(auth))
        return Link(stream, side.key, side.table, side.mode, dialled=False, pace=self._pace)

    async def _await_turn(self, place: Place) -> None:
        """Stand in the line before the code. Whoever comes too early waits instead of being sent
        away: it may be an honest guest. The handshake's own limit ends the wait."""
        turn = asyncio.Event()
        one = Try(place, turn.set)
        self._tries.join(one)
        self._let_try()
        try:
            await turn.wait()
        finally:
            self._tries.give_up(one)

    def _let_try(self) -> None:
        """Let the next of the line begin, now or as soon as it is time."""
        if self._next_try is not None:
            self._next_try.cancel()
        loop = asyncio.get_running_loop()
        wait = self._tries.advance(loop.time())
        self._next_try = None if wait is None else loop.call_later(wait, self._let_try)


async def _first_byte(connection: socket.socket) -> None:
    """Wait until something comes in: TLS takes a third of a mebibyte, and silence must not.

    :raises OSError: if the stranger hung up instead
    """
    loop = asyncio.get_running_loop()
    spoken = asyncio.Event()
    # Windows' own event loop cannot wait for this; there a stranger costs what it costs.
    with contextlib.suppress(NotImplementedError):
        loop.add_reader(connection, spoken.set)
        try:
            await spoken.wait()
        finally:
            loop.remove_reader(connection)
        if not connection.recv(1, socket.MSG_PEEK):
            raise ConnectionResetError("nothing was said")


def _look_at(task: asyncio.Future[Any]) -> None:
    """What ended a task that nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()


def _bind(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotListen(f"Port {port} cannot be: choose 1024 to 65535 with --port.")
    try:
        if socket.has_dualstack_ipv6():
            listening = socket.create_server(
                ("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
            )
        else:
            listening = socket.create_server(("", port), backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = f"Port {port} is taken by another program: choose another with --port."
        elif error.errno == errno.EACCES:
            why = f"Port {port} is not ours to take: choose 1024 to 65535 with --port."
        else:
            why = f"Cannot listen on port {port}: {os.strerror(error.errno or 0)}."
        raise CannotListen(why) from error
    listening.setblocking(False)
    return listening


def _spare_descriptor() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
