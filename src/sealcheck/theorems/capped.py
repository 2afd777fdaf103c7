"""A domain cut off where its instances get too many, or too large, for the ways to the truth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sealcheck.theorems.statement import Domain, Instance


@dataclass(frozen=True)
class Capped:
    """The instances of a domain with at most `most[n]` messages; none where `most` has no n.

    >>> from sealcheck.theorems.domains import Programs
    >>> domain = Capped(Programs(), {2: 1})
    >>> [domain.size(n, messages) for n, messages in ((2, 1), (2, 2), (3, 0))]
    [2, 0, 0]
    """

    domain: Domain
    most: Mapping[int, int]

    @property
    def noun(self) -> str:
        """What the instances are, in the plural."""
        return self.domain.noun

    def _has(self, n: int, messages: int) -> bool:
        return messages <= self.most.get(n, -1)

    def size(self, n: int, messages: int) -> int:
        """The number of indices of the level."""
        return self.domain.size(n, messages) if self._has(n, messages) else 0

    def expected(self, n: int, messages: int) -> int:
        """The number of instances of the level."""
        return self.domain.expected(n, messages) if self._has(n, messages) else 0

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop."""
        if self._has(n, messages):
            yield from self.domain.instances(n, messages, start, stop)

    def __str__(self) -> str:
        """How far it goes, for people."""
        return "; ".join(f"up to {most} messages at n = {n}" for n, most in self.most.items())
