"""Chat: how long a line may be, and how many one person may say, in the room as in the game.

Rule 1: no clock: times are passed in, seconds of one clock.
Rule 2: a flood of lines is cut, and nobody is stopped by it, not even who said them.
"""

from __future__ import annotations

from collections import deque

CHAT_WIDTH = 300
CHAT_BURST = 10
"""Lines that one person may say within `CHAT_WINDOW` seconds; more are dropped unread."""
CHAT_WINDOW = 5.0


class ChatLimit:
    """Counts the lines that one person says."""

    def __init__(self) -> None:
        self._said: deque[float] = deque(maxlen=CHAT_BURST)

    def allows(self, now: float) -> bool:
        """Whether one more line may be said now; it counts then."""
        if self.is_full(now):
            return False
        self._said.append(now)
        return True

    def is_full(self, now: float) -> bool:
        """Whether no more line may be said now."""
        return len(self._said) == CHAT_BURST and now - self._said[0] < CHAT_WINDOW
