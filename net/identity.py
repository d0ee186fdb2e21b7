"""Who a peer is: an Ed25519 key.

Rule 1: the private half leaves this object only to be written into the peer's own store.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Identity:
    """A peer's key. `key` is the public half, 32 bytes; `private` the other, 32 bytes."""

    def __init__(self, private: bytes) -> None:
        """:raises ValueError: if it is not 32 bytes"""
        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self.key = self._private.public_key().public_bytes_raw()

    @classmethod
    def fresh(cls) -> Identity:
        """A new key, known to nobody."""
        return cls(Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def private(self) -> bytes:
        """The private half, for the store."""
        return self._private.private_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """Sign; 64 bytes (RFC 8032)."""
        return self._private.sign(data)

    def __repr__(self) -> str:
        return f"Identity({self.key.hex()[:16]})"
