"""What peers sign beside the game: heartbeats, chat, farewells, changes of window."""

from __future__ import annotations

from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import signed_by


def expect_signed(
    charter: Charter, what: str, peer: int, statement: bytes, signature: bytes
) -> None:
    """:raises BadMessage: if this is not what a peer of the table signed"""
    if peer not in range(len(charter.peers)):
        raise BadMessage(f"{what} of nobody at this table")
    if not signed_by(charter.peers[peer].key, statement, signature):
        raise BadMessage(f"{what} that {charter.name_of(peer)} did not sign")
