"""Who is there: how two peers prove their keys, and a guest the code, to each other.

    1 →  hello     what the dialler wants, its key and nonce, and the first half of spake2
    2 ←  welcome   the listener's nonce; to a guest the table, its key and the second half
    3 →  auth      the dialler's signature over both and what follows, and a mac
    4 ←  auth      the listener's signature and mac

Rule 1: both signatures cover everything said, the certificate of the TLS connection it was said
on, and the listener's key, so neither a relay in the middle nor a recording proves anything.
Rule 2: the dialler confirms the code first. Who listens in, connects or breaks off learns nothing
about it, and each guess costs one try.
Rule 3: peers name each other's keys and the table before they meet, so a listener tells a peer
nothing, and refuses it in one way, until it has proved to sit at that table. A guest, and who comes
to look on, is told what the listing says, and nothing of the key that it names.
Rule 4: no socket and no clock here; frames go in and come out.
"""

from __future__ import annotations

import hmac
import os
import secrets
from typing import Protocol

from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B

from sobremesa.core.encoding import digest, frame
from sobremesa.core.errors import SobremesaError
from sobremesa.core.replica.charter import PROTOCOL
from sobremesa.core.replica.transcript import signed_by
from sobremesa.core.text import clean_text
from sobremesa.net.identity import Identity

from .frames import Frame


class Gate(Protocol):
    """What a table decides about those who knock."""

    @property
    def table(self) -> bytes | None:
        """The id of the table that can be joined here; None if there is none."""

    @property
    def watched(self) -> bytes | None:
        """The id of the table that can be looked on at here; None if there is none."""

    @property
    def code(self) -> str | None:
        """The code that is asked of both; None: everybody may come in."""

    def admit(self, mode: str, key: bytes | None) -> str | None:
        """None, or in the player's words why the owner of this key may not come in for this; `key`
        None: why nobody may. Asked so before the key is proved."""

    def sits(self, table: bytes, key: bytes) -> bool:
        """Whether the owner of this key is another peer of the table, and we play there."""


class HandshakeFailed(SobremesaError):
    """The two did not come to know each other.

    `code` says why in one word, for programs: version, table, code, open, wait, refused, self,
    key, bad, busy, or whatever word the other side gave.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def new_code(digits: int = 6) -> str:
    """A join code."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def goodbye(bye: Frame) -> HandshakeFailed:
    """The error that a `bye` of the other side is to us."""
    return HandshakeFailed(clean_text(bye["code"], 20), clean_text(bye["text"], 300))


class Dialler:
    """The side that connects. Send `hello`; give the answer to `auth` and send what it returns;
    give the answer to that to `confirm`; then `key` and `table` are the other side's, proved.

    `certificate` is the hash of the listener's TLS certificate. `table` None: whichever is there.
    `code` None: come without one. `whom`: the key that the listener has; None: whoever answers. A
    peer gives table and key.
    """

    def __init__(
        self,
        me: Identity,
        certificate: bytes,
        mode: str,
        *,
        table: bytes | None = None,
        code: str | None = None,
        whom: bytes | None = None,
    ) -> None:
        self._me = me
        self._certificate = certificate
        self._mode = mode
        self._whom = whom
        self._table = table
        self._pake = None if code is None else SPAKE2_A(code.encode())
        self.hello = Frame.make(
            "hello",
            v=PROTOCOL,
            mode=mode,
            table=table,
            pub=me.key,
            nonce=os.urandom(32),
            pake=self._pake and self._pake.start(),
        )
        self.key = b""
        self.table = b""
        self._link = b""
        self._secret: bytes | None = None

    def auth(self, welcome: Frame) -> Frame:
        """:raises HandshakeFailed: if the listener refuses, or is not the one we want"""
        _expect("welcome", welcome)
        if welcome["v"] != PROTOCOL:
            raise versions_differ(yours=PROTOCOL, table=welcome["v"])
        table, key = welcome["table"], welcome["pub"]
        if self._mode == "peer":
            table, key = self._table, self._whom
        if table is None or key is None:
            raise _not_kept()
        if self._table not in (None, table):
            raise HandshakeFailed("table", "Another table answers at that address.")
        if key == self._me.key:
            raise HandshakeFailed("self", "That table is this very program.")
        if self._whom not in (None, key):
            raise HandshakeFailed("key", "Somebody else answers at that address.")
        if self._pake and welcome["pake"] is None:
            raise HandshakeFailed(
                "open",
                "That table asks for no code, so it may be anybody's and nothing was joined: give "
                "no code if you mean it all the same.",
            )
        self.key = key
        self.table = table
        self._link = _link(self.hello, welcome, self._certificate, key)
        self._secret = _secret(self._pake, welcome["pake"])
        return _auth(self._me, "dialler", self._link, self._secret)

    def confirm(self, auth: Frame) -> None:
        """:raises HandshakeFailed: if the listener refuses, or did not prove its key and code"""
        _expect("auth", auth)
        if not _is_signed("listener", self.key, self._link, auth):
            raise _somebody_between()
        if not _same_mac("listener", self._link, self._secret, auth):
            raise HandshakeFailed("code", "That table does not know the code.")


class Responder:
    """The side that is connected to. Give it the first frame and send back what `welcome`
    returns; give the answer to `confirm` and send what that returns; then `key`, `mode` and
    `table` are the dialler's, proved, and before that `knew_code` whether its mac was right.
    """

    def __init__(self, me: Identity, certificate: bytes, gate: Gate) -> None:
        self._me = me
        self._certificate = certificate
        self._gate = gate
        self._code: str | None = None
        self.table = b""
        self.key = b""
        self.mode = ""
        self.knew_code = False
        self._link = b""
        self._secret: bytes | None = None

    def guesses(self, hello: Frame) -> bool:
        """Whether this is a try at the code, from somebody who might come in with it.

        :raises HandshakeFailed: with what to tell the dialler
        """
        _expect("hello", hello)
        if hello["v"] != PROTOCOL:
            raise versions_differ(yours=hello["v"], table=PROTOCOL)
        self.mode = hello["mode"]
        if self.mode == "peer":
            return False
        here = self._here()
        if here is None or hello["table"] not in (None, here):
            raise _not_here()
        if hello["pub"] == self._me.key:
            raise HandshakeFailed("self", "That table is this very program.")
        self._expect_admitted(None)
        if self._gate.code is None:
            return False
        if hello["pake"] is None and self.mode == "join":
            raise _code_wanted()
        return hello["pake"] is not None

    def _here(self) -> bytes | None:
        """The table that there is here for what the dialler came for."""
        return self._gate.watched if self.mode == "watch" else self._gate.table

    def welcome(self, hello: Frame) -> Frame:
        """:raises HandshakeFailed: with what to tell the dialler"""
        self._code = self._gate.code if self.guesses(hello) else None
        self.key = hello["pub"]
        told = None if self.mode == "peer" else self._here()
        self.table = told or hello["table"] or b""
        pake = None if self._code is None else SPAKE2_B(self._code.encode())
        welcome = Frame.make(
            "welcome",
            v=PROTOCOL,
            table=told,
            pub=told and self._me.key,
            nonce=os.urandom(32),
            pake=pake and pake.start(),
        )
        self._link = _link(hello, welcome, self._certificate, self._me.key)
        self._secret = _secret(pake, hello["pake"])
        return welcome

    def confirm(self, auth: Frame) -> Frame:
        """:raises HandshakeFailed: with what to tell the dialler"""
        _expect("auth", auth)
        signed = _is_signed("dialler", self.key, self._link, auth)
        known = _same_mac("dialler", self._link, self._secret, auth)
        if self.mode == "peer":
            # Asked last: how long we take must not tell whether we know the key or the table.
            if not (signed and known and self._gate.sits(self.table, self.key)):
                raise _not_here()
            return _auth(self._me, "listener", self._link, self._secret)
        if self._code is None and self._gate.code is not None:
            # Who had a seat at this table, and lost it, looks on without a code.
            if not (signed and self._gate.sits(self.table, self.key)):
                raise _code_wanted()
        elif self._code != self._gate.code:
            raise HandshakeFailed("code", "The table has another code now: look at its screen.")
        if not signed:
            raise _somebody_between()
        if not known:
            raise HandshakeFailed("code", "That is not the table's code: look at its screen.")
        self.knew_code = True
        # Asked again, since the last seat may be taken while the two still talk.
        self._expect_admitted(self.key)
        return _auth(self._me, "listener", self._link, self._secret)

    def _expect_admitted(self, key: bytes | None) -> None:
        why = self._gate.admit(self.mode, key)
        if why is not None:
            raise HandshakeFailed("refused", why)


def versions_differ(yours: int, table: int) -> HandshakeFailed:
    """The dialler's words for two protocol versions that cannot play together."""
    return HandshakeFailed(
        "version", f"Versions differ: yours {yours}, table {table}. Update the older one."
    )


def _expect(kind: str, given: Frame) -> None:
    if given.kind == "bye":
        raise goodbye(given)
    if given.kind != kind:
        raise _not_kept()


def _not_kept() -> HandshakeFailed:
    return HandshakeFailed("bad", "The other side does not keep to the protocol.")


def _code_wanted() -> HandshakeFailed:
    return HandshakeFailed("code", "This table asks for its code (--code).")


def _not_here() -> HandshakeFailed:
    return HandshakeFailed("table", "That table is not here: join at the machine that opened it.")


def _somebody_between() -> HandshakeFailed:
    return HandshakeFailed("key", "Somebody stands between the two machines, or posed as one.")


def _link(hello: Frame, welcome: Frame, certificate: bytes, listener: bytes) -> bytes:
    said = (digest("hello", part.payload) for part in (hello, welcome))
    return digest("link", *said, certificate, listener)


def _secret(pake: SPAKE2_A | SPAKE2_B | None, theirs: bytes | None) -> bytes | None:
    if pake is None:
        return None
    try:
        key = pake.finish(theirs)
    except Exception as error:  # the library has no common class for bytes that are no point
        raise _not_kept() from error
    return HKDF(SHA512(), 32, salt=None, info=frame("code")).derive(key)


def _mac(side: str, link: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, frame(side, link), "sha512")


def _auth(me: Identity, side: str, link: bytes, secret: bytes | None) -> Frame:
    mac = None if secret is None else _mac(side, link, secret)
    return Frame.make("auth", sig=me.sign(frame(side, link)), mac=mac)


def _is_signed(side: str, key: bytes, link: bytes, auth: Frame) -> bool:
    return signed_by(key, frame(side, link), auth["sig"])


def _same_mac(side: str, link: bytes, secret: bytes | None, auth: Frame) -> bool:
    if secret is None:
        return auth["mac"] is None
    return auth["mac"] is not None and hmac.compare_digest(auth["mac"], _mac(side, link, secret))
