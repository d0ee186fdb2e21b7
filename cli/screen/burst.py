"""Whether keys come faster than anybody types: as lines do that were pasted unmarked."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from prompt_toolkit.application import get_app
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

ENTERS = (Keys.ControlM, Keys.ControlJ)


class Burst:
    """Looks at what waits behind the key that is read now."""

    def __init__(self) -> None:
        self._goes_on = False

    def takes_enter(self) -> bool:
        """Whether this Enter is a part of a text that came at once: more of it follows, or came
        before. A single key may follow: the yes to what that line asks."""
        if _is_text(get_app().key_processor.input_queue) and not self._goes_on:
            self._goes_on = True
            # All that came at once is read before anything else happens.
            asyncio.get_running_loop().call_soon(self._end)
        return self._goes_on

    def _end(self) -> None:
        self._goes_on = False


def _is_text(waiting: Collection[KeyPress]) -> bool:
    text = [press for press in waiting if press.key in ENTERS or len(press.key) == 1]
    return len([press for press in text if press.data != "_Flush"]) > 1
