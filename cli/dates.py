"""Days, as they are typed."""

from __future__ import annotations

from datetime import datetime

from sobremesa.core.errors import LocalError


def read_day(text: str) -> datetime:
    """The beginning of a day, by this machine's clock.

    :raises LocalError: if it is none
    """
    try:
        return datetime.strptime(text, "%Y-%m-%d").astimezone()
    except (ValueError, OverflowError, OSError):
        raise LocalError(f"a date is like 2026-01-31 (you gave {text!r})") from None
