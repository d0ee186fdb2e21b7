"""One peer's copy of a table: what was signed, what it means, what is owed.

From the bottom up: values (`charter`, `transcript`, `faults`, `cups`, `ledger`), the `state` that
holds them, `steps` and one file of exchanges for each kind of request, `dispatch` to them, and the
`table` that runs them with its `history`, its `own_seats`, its queue of `work` and its `phase`;
`audit` on top.
"""
