"""Comparing two histories over one link, to find where they part if they do.

Both ends say their step and the head before it, then the heads that halve what is open, each the
same steps in the same order: neither asks, neither waits for more than the other's next head. Two
histories that part do so after one step, in which somebody signed two messages; both ends show
each other that step, and two signatures convict whoever made them.

Rule 1: a head convicts nobody. Histories are compared, and then only what was signed counts.
Rule 2: a comparison ends after 21 heads a side, whatever the other end says, and costs less than
the handshake of the link that it is on; a link has one.
"""

from __future__ import annotations

from sobremesa.core.errors import BadMessage

from .history import History

Said = tuple[int, bytes]
"""A step, and the head before it."""


class Comparison:
    """Our end of it. `opening` is what we say first; `agreed` and `parted` how it came out: the
    step up to which both histories are one, or the step after which they are two."""

    def __init__(self, history: History) -> None:
        self.opening: Said = history.step, history.head
        self.agreed: int | None = None
        self.parted: int | None = None
        self._history = history
        self._same = 0
        self._different: int | None = None
        self._next: int | None = None
        """The step whose heads are compared next."""

    def meet(self, step: int, head: bytes) -> list[Said]:
        """The other end has said its step and head. Returns what we say next.

        :raises BadMessage: if it has said so before, or has another charter
        """
        if self._next is not None or self.agreed is not None or self.parted is not None:
            raise BadMessage("a second word on where it stands")
        ours = self.opening[0]
        self._next = min(ours, step)
        said = [self._said()] if step < ours else []
        # Who is further on says the other's head next; until then there is nothing to compare.
        return said + (self._compare(head) if step <= ours else [])

    def hear(self, step: int, head: bytes) -> list[Said]:
        """The other end has said a head. Returns what we say next.

        :raises BadMessage: if no head of that step is due
        """
        if step != self._next:
            raise BadMessage("a head that was not due")
        return self._compare(head)

    def _compare(self, theirs: bytes) -> list[Said]:
        assert self._next is not None
        here = self._next
        if self._history.head_before(here) == theirs:
            self._same = here
        elif here == 0:
            raise BadMessage("the head of another table")
        else:
            self._different = here
        self._next = None
        if self._different is None:
            self.agreed = here
        elif self._different - self._same == 1:
            self.parted = self._same
        else:
            self._next = (self._same + self._different) // 2
            return [self._said()]
        return []

    def _said(self) -> Said:
        assert self._next is not None
        head = self._history.head_before(self._next)
        assert head is not None
        return self._next, head
