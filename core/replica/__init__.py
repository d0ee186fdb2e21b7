"""One peer's copy of a table: what was signed, what it means, what is owed.

From the bottom up: values (`charter`, `transcript`, `faults`, `cups`, `ledger`), the state that
holds them, the steps, one file of protocols for each kind of request, and the table that runs them.
"""
