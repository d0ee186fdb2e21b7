"""The `bench` command: what this machine does, beside a yardstick measured in the same run.

Rule 1: absolute times are this machine's; the ratios and medians are what can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from sobremesa.cli.exits import DONE

from . import measures
from .measures import Figures

PEERS = (2, 4, 8)
ALIVE_PEERS = (4, 6)


def run(*, as_json: bool) -> int:
    """Measure and print.

    :raises NotMeasured: if something does not work
    """
    figures: Figures = {}
    for title, measure in parts():
        found = measure()
        figures.update(found)
        if not as_json:
            print(f"{title}: {_listed(found)}")
    ratios = {
        f"step_{n}_peers_per_echo": round(figures[f"step_{n}_peers_ms"] / figures["echo_ms"], 1)
        for n in PEERS
    }
    print(json.dumps(figures | ratios) if as_json else f"beside the echo: {_listed(ratios)}")
    return DONE


def parts() -> list[tuple[str, Callable[[], Figures]]]:
    """What is measured, in this order, each with its title."""
    return [
        ("start-up", measures.start_up),
        ("playouts", measures.playouts),
        ("echo", measures.echo),
        *[(f"{n} peers", partial(measures.steps, n)) for n in PEERS],
        ("discovery", measures.discovery),
        ("proofs", measures.proofs),
        *[(f"{n} peers shuffle", partial(measures.shuffles, n)) for n in PEERS],
        *[(f"{n} peers deal 5 Alive", partial(measures.hands, n)) for n in ALIVE_PEERS],
        ("a peer is killed", measures.losses),
        ("a peer comes back", measures.comebacks),
        ("records", measures.records),
    ]


def _listed(figures: Figures) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())
