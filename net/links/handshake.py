"""Who is there: how two peers prove their keys, and a guest the code, to each other.

    1 →  hello     what the dialler wants, its key and nonce, and the first half of spake2
    2 ←  welcome   the table, the listener's key and nonce, and the second half
    3 →  auth      the dialler's signature over both and the listener's certificate, and a mac
    4 ←  auth      the listener's signature and mac

Rule 1: both signatures cover everything said and the certificate of the TLS connection it was
said on, so neither a relay in the middle nor a recording proves anything.
Rule 2: the dialler confirms the code first. Who listens in, connects or breaks off learns nothing
about it, and each guess costs one wrong try.
Rule 3: no socket and no clock here; frames go in and come out.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Callable, Collection

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

Admit = Callable[[str, bytes], str | None]
"""`admit(mode, key)`: None, or why this peer may not come in, in the player's words."""


class HandshakeFailed(SobremesaError):
    """The two did not come to know each other.

    `code` says why in one word, for programs: version, table, code, open, wait, refused, self,
    key, bad, busy, or whatever word the other side gave.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def new_code() -> str:
    """A join code: six digits."""
    return f"{secrets.randbelow(10**6):06d}"


def goodbye(bye: Frame) -> HandshakeFailed:
    """The error that a `bye` of the other side is to us."""
    return HandshakeFailed(clean_text(bye["code"], 20), clean_text(bye["text"], 300))


class Dialler:
    """The side that connects. Send `hello`; give the answer to `auth` and send what it returns;
    give the answer to that to `confirm`; then `key` and `table` are the other side's, proved.

    `certificate` is the hash of the listener's TLS certificate. `table` None: whichever is there.
    `code` None: come without one. `allowed` None: whoever answers; else its key is one of these.
    """

    def __init__(
        self,
        me: Identity,
        certificate: bytes,
        mode: str,
        *,
        table: bytes | None = None,
        code: str | None = None,
        allowed: Collection[bytes] | None = None,
    ) -> None:
        self._me = me
        self._certificate = certificate
        self._allowed = allowed
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
        if self._table not in (None, welcome["table"]):
            raise HandshakeFailed("table", "Another table answers at that address.")
        if welcome["pub"] == self._me.key:
            raise HandshakeFailed("self", "That table is this very program.")
        if self._allowed is not None and welcome["pub"] not in self._allowed:
            raise HandshakeFailed("key", "Somebody else answers at that address.")
        if self._pake and welcome["pake"] is None:
            raise HandshakeFailed(
                "open",
                "That table asks for no code, so it may be anybody's and nothing was joined: give "
                "no code if you mean it all the same.",
            )
        self.key = welcome["pub"]
        self.table = welcome["table"]
        self._link = _link(self.hello, welcome, self._certificate)
        self._secret = _secret(self._pake, welcome["pake"])
        return _auth(self._me, "dialler", self._link, self._secret)

    def confirm(self, auth: Frame) -> None:
        """:raises HandshakeFailed: if the listener refuses, or did not prove its key and code"""
        _expect("auth", auth)
        _check_key("listener", self.key, self._link, auth)
        if not _same_mac("listener", self._link, self._secret, auth):
            raise HandshakeFailed("code", "That table does not know the code.")


class Responder:
    """The side that is connected to. Give it the first frame and send back what `welcome`
    returns; give the answer to `confirm` and send what that returns; then `key` and `mode` are
    the dialler's, proved. `code` None: the table is open.
    """

    def __init__(
        self, me: Identity, certificate: bytes, table: bytes | None, code: str | None, admit: Admit
    ) -> None:
        self._me = me
        self._certificate = certificate
        self._code = code
        self._admit = admit
        self._table = table
        self.table = table or b""
        self.key = b""
        self.mode = ""
        self._link = b""
        self._secret: bytes | None = None

    def guesses(self, hello: Frame) -> bool:
        """Whether this hello is a try at the code."""
        return self._code is not None and hello["mode"] == "join" and hello["pake"] is not None

    def welcome(self, hello: Frame) -> Frame:
        """:raises HandshakeFailed: with what to tell the dialler"""
        _expect("hello", hello)
        if hello["v"] != PROTOCOL:
            raise versions_differ(yours=hello["v"], table=PROTOCOL)
        if self._table is None or hello["table"] not in (None, self._table):
            raise HandshakeFailed("table", "That table is not here.")
        self.key = hello["pub"]
        self.mode = hello["mode"]
        self._check_admitted()
        pake = None
        if self.mode == "join" and self._code is not None:
            if hello["pake"] is None:
                raise HandshakeFailed("code", "This table asks for its code (--code).")
            pake = SPAKE2_B(self._code.encode())
        welcome = Frame.make(
            "welcome",
            v=PROTOCOL,
            table=self._table,
            pub=self._me.key,
            nonce=os.urandom(32),
            pake=pake and pake.start(),
        )
        self._link = _link(hello, welcome, self._certificate)
        self._secret = _secret(pake, hello["pake"])
        return welcome

    def confirm(self, auth: Frame) -> Frame:
        """:raises HandshakeFailed: with what to tell the dialler; `code` is "code" if it did not
        know the code, which is one wrong try
        """
        _expect("auth", auth)
        _check_key("dialler", self.key, self._link, auth)
        if not _same_mac("dialler", self._link, self._secret, auth):
            raise HandshakeFailed("code", "That is not the table's code: look at its screen.")
        self._check_admitted()
        return _auth(self._me, "listener", self._link, self._secret)

    def _check_admitted(self) -> None:
        # Asked twice, since the last seat may be taken while the two still talk.
        if self.key == self._me.key:
            raise HandshakeFailed("self", "That table is this very program.")
        why = self._admit(self.mode, self.key)
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
        raise HandshakeFailed("bad", "The other side does not keep to the protocol.")


def _link(hello: Frame, welcome: Frame, certificate: bytes) -> bytes:
    return digest(
        "link", digest("hello", hello.payload), digest("hello", welcome.payload), certificate
    )


def _secret(pake: SPAKE2_A | SPAKE2_B | None, theirs: bytes | None) -> bytes | None:
    if pake is None:
        return None
    try:
        key = pake.finish(theirs)
    except Exception as error:  # the library has no common class for bytes that are no point
        raise HandshakeFailed("bad", "The other side does not keep to the protocol.") from error
    return HKDF(SHA512(), 32, salt=None, info=frame("code")).derive(key)


def _mac(side: str, link: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, frame(side, link), "sha512")


def _auth(me: Identity, side: str, link: bytes, secret: bytes | None) -> Frame:
    mac = None if secret is None else _mac(side, link, secret)
    return Frame.make("auth", sig=me.sign(frame(side, link)), mac=mac)


def _check_key(side: str, key: bytes, link: bytes, auth: Frame) -> None:
    if not signed_by(key, frame(side, link), auth["sig"]):
        raise HandshakeFailed("key", "Somebody stands between the two machines, or posed as one.")


def _same_mac(side: str, link: bytes, secret: bytes | None, auth: Frame) -> bool:
    if secret is None:
        return auth["mac"] is None
    return auth["mac"] is not None and hmac.compare_digest(auth["mac"], _mac(side, link, secret))
