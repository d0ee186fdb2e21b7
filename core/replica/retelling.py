"""A record told again, message by message, with every face that the seeds in it reveal.

Rule 1: this judges nobody: signatures, order and form are checked, and no proof is. Whether a
record holds is for `audit` to say.
Rule 2: a seed counts if its peer committed to it in the record; without one only what is public is
known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sobremesa.core.encoding import Rand
from sobremesa.core.game import Game
from sobremesa.core.requests import Event
from sobremesa.core.schema import Misfit, read_whole

from .bodies import HASH, SECRET
from .charter import Charter
from .life import seed_commitment
from .summary import only_form
from .table import Table
from .transcript import ENVELOPE, Record

OnEvent = Callable[[Table, Event], None]
"""Is called at each event, while the script rests there."""


def retell(
    charter: Charter,
    game: Game[Any],
    records: Iterable[Record],
    seeds: dict[int, bytes],
    on_event: OnEvent,
) -> Iterator[Table]:
    """Play the records of a game again, and rest after each of them, with the table as it stands.

    :raises BadMessage: if a record proves nothing against anybody at this table
    :raises TooFarAhead: if one would have to wait for its step, and there is no room for it
    """

    def tell(event: Event) -> None:
        on_event(table, event)

    vault = {peer: Rand(seed) for peer, seed in seeds.items()}
    table = Table(charter, game, vault=vault, check=only_form, on_event=tell)
    table.start()
    yield table
    for payload, signature in records:
        table.receive(payload, signature)
        yield table


class RevealedSeeds:
    """The seeds that a record reveals, as it is gone through: the commitments stand in its first
    step, the seeds in its last."""

    def __init__(self, charter: Charter) -> None:
        self.found: dict[int, bytes] = {}
        self._root = charter.root()
        self._commitments: dict[int, bytes] = {}

    def look(self, payload: bytes) -> None:
        """The next message."""
        if not any(kind in payload for kind in (b"sign", b"seed")):
            return  # of long records nearly all are others
        try:
            _, _, peer, kind, _, body = read_whole(ENVELOPE, payload)
            if kind == "sign":
                self._commitments.setdefault(peer, read_whole(HASH, body))
            elif kind == "seed":
                seed = read_whole(SECRET, body)
                if seed_commitment(self._root, peer, seed) == self._commitments.get(peer):
                    self.found[peer] = seed
        except Misfit:
            pass  # whoever tells the record says where it is damaged
