"""Exit statuses of the `sobremesa` command, which scripts may rely on."""

DONE = 0
"""Game over, or done."""
FAILED = 1
"""A check failed: a record does not verify, somebody cheated, a scenario is not as expected, or
a record could not be kept."""
USAGE = 2
"""The command cannot be carried out as it was given."""
LOST = 3
"""The table was lost or left."""
UNCHECKED = 4
"""A record cannot be checked here: its game is not installed, or is another copy."""
INTERRUPTED = 130
"""Stopped by Ctrl-C."""
