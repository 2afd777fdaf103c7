"""What somebody expects to be accepted: ``sealability n=3 messages=0..4``."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from sealcheck.errors import InputError
from sealcheck.evidence.outcome import (
    Acceptance,
    Accepted,
    AcceptedClaim,
    AcceptedProofs,
    AcceptedTable,
    Level,
)

_RANGE = r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?"
_SYNTAX = re.compile(
    rf"(?:(table|proofs|ledger) )?([A-Za-z0-9:.-]+)(?: (as-printed|repaired))? n={_RANGE} messages={_RANGE}"
)
_MEANT = {"table": AcceptedTable, "proofs": AcceptedProofs, "ledger": AcceptedClaim}


@dataclass(frozen=True)
class Expectation:
    """A kind of table, or a statement, for every one of some levels."""

    text: str
    name: str
    meant: tuple[type[Acceptance], ...]
    form: str | None
    levels: tuple[Level, ...]

    @classmethod
    def parsed(cls, text: str) -> "list[Expectation]":
        """What the text says: of each statement, where there are several with a label of the paper.

        Raises InputError.

        >>> (found,) = Expectation.parsed("table sealability n=2..3 messages=0")
        >>> found.levels
        ((2, 0), (3, 0))
        >>> [found.name for found in Expectation.parsed("th:decide.sealing n=2 messages=0")]
        ['decide-sealing']
        """
        match = _SYNTAX.fullmatch(" ".join(text.split()))
        if match is None:
            raise InputError(
                f"'{text[:60]}' is no expectation: write, for instance, 'sealability n=3 messages=0..4', with"
                " table, proofs or ledger before it, and as-printed or repaired after the name, if you like"
            )
        which, name, form, *bounds = match.groups()
        n, messages = (range(int(a), int(b or a) + 1) for a, b in (bounds[:2], bounds[2:]))
        if not n or not messages:
            raise InputError(f"'{text[:60]}' expects an empty range")
        meant = (_MEANT[which],) if which else tuple(_MEANT.values())
        levels = tuple(product(n, messages))
        return [cls(text, each, meant, form, levels) for each in _named(name)]

    def missing(self, accepted: Sequence[Accepted]) -> list[Level]:
        """The levels for which nothing of what was accepted is as expected, and leaves nothing out."""
        return min((self._missing(kind, accepted) for kind in self.meant), key=len)

    def _missing(self, kind: type[Acceptance], accepted: Sequence[Accepted]) -> list[Level]:
        covered: dict[int | None, set[Level]] = {}
        for each in accepted:
            if isinstance(each, kind) and each.name == self.name:
                covered.setdefault(getattr(each, "claim", None), set()).update(each.levels)
        if not covered:
            return list(self.levels)
        return [level for level in self.levels if not self._has_all(kind, level, covered)]

    def _has_all(
        self, kind: type[Acceptance], level: Level, covered: Mapping[int | None, set[Level]]
    ) -> bool:
        """Whether the level is there of a table; of a statement, for each claim that there must be."""
        if kind is AcceptedTable:
            return self.form is None and level in covered[None]
        from sealcheck.evidence.proofs import asks
        from sealcheck.theorems.registry import statement

        claims = [
            (number, claim)
            for number, claim in enumerate(statement(self.name).claims)
            if self.form in (None, claim.form.value)
        ]
        if kind is AcceptedClaim:
            return bool(claims) and all(level in covered.get(number, ()) for number, _ in claims)
        asked = [number for number, claim in claims if claim.whole_space is not None]
        return bool(asked) and all(
            level in covered.get(number, ()) or not asks(self.name, number, *level) for number in asked
        )


def _named(name: str) -> list[str]:
    """What a label of the paper stands for; the name itself, if it is none.  Raises InputError."""
    if re.fullmatch("[a-z0-9-]+", name):
        return [name]
    from sealcheck.theorems.registry import named

    return named(name)
