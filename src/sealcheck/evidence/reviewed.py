"""Theorems that a person has read and compared with the claims that name them.

A *reading* is a pair of a claim and a Coq theorem that the claim names. `reviewed.toml`, next to the proofs,
has a line for each reading, with a digest of three texts:

- the claim;
- the theorem's statement, in its own file and on its *page*, a file that repeats statements for readers;
- every definition to which the statement *unfolds*: it uses them, directly or through other definitions.

If one of these texts changes, a person must read the theorem again. No program writes `reviewed.toml`.

`python -m sealcheck.evidence.reviewed` prints new and changed readings: the claim, the statement, and the
line for `reviewed.toml`.  With names of theorems as arguments, the command prints everything to which the
statements of these theorems unfold.
"""

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sealcheck.errors import Disagreement
from sealcheck.theorems.checking.record import SOURCES, Theorem, restated, sources, stated, unfolded
from sealcheck.theorems.port_claims import PORT_CLAIMS
from sealcheck.theorems.registry import STATEMENTS

REVIEWED = SOURCES / "reviewed.toml"


@dataclass(frozen=True)
class Reading:
    """A pair of a claim and a theorem that the claim names."""

    statement: str
    form: str
    claim: str
    theorem: Theorem
    refutes: bool

    @property
    def name(self) -> str:
        """The key of the reading's line."""
        word = "refuted by" if self.refutes else "proved by"
        return f"{self.statement}, {self.form}, {word} {self.theorem.module}.{self.theorem.name}"

    def digest(self, texts: Mapping[str, str]) -> str:
        """The digest of claim, statement and definitions.

        Raises Disagreement unless the theorem is stated exactly once in its file, and exactly once on its
        page.
        """
        statements = [restated(texts, self.theorem), unfolded(texts, self.theorem)]
        read = [self.name, self.claim, self.theorem.of, *statements]
        return hashlib.sha256(json.dumps(read).encode()).hexdigest()[:16]


def readings() -> Iterator[Reading]:
    """All readings: first for claims of the ledger, then for claims of `docs/ports.md`."""
    for about in STATEMENTS.values():
        for claim in about.claims:
            for theorem in (*claim.theorems, *claim.refutations):
                refutes = theorem in claim.refutations
                yield Reading(about.id, claim.form.value, claim.text, theorem, refutes)
    for said in PORT_CLAIMS:
        for theorem in said.theorems:
            yield Reading(said.id, "docs/ports.md", said.text, theorem, refutes=False)


def reviewed() -> dict[str, str]:
    """The digests in `reviewed.toml`, by the names of readings."""
    return tomllib.loads(REVIEWED.read_text(encoding="utf-8"))


def not_reviewed(
    found: Mapping[str, str], every: Sequence[Reading], texts: Mapping[str, str]
) -> tuple[list[Reading], list[str]]:
    """The readings whose present texts are not reviewed, and the names of lines that have no reading."""
    unread = [reading for reading in every if found.get(reading.name) != reading.digest(texts)]
    return unread, sorted(found.keys() - {reading.name for reading in every})


def require_reviewed(texts: Mapping[str, str]) -> None:
    """Raise Disagreement if the present texts of a reading are not reviewed, or a line has no reading."""
    unread, useless = not_reviewed(reviewed(), list(readings()), texts)
    if unread or useless:
        names = "; ".join([*(reading.name for reading in unread), *useless])
        raise Disagreement(
            f"{REVIEWED.name} is not up to date about: {names}."
            " Run 'python -m sealcheck.evidence.reviewed', and read what it prints"
        )


def shown(reading: Reading, texts: Mapping[str, str]) -> str:
    """A claim, its theorem, and the line for `reviewed.toml`."""
    line, theorem = f'"{reading.name}" = "{reading.digest(texts)}"', reading.theorem
    statements = f"{stated(texts, theorem)}\n{theorem.page}: {restated(texts, theorem)}."
    return f"Claim: {reading.claim}\nOf: {theorem.of}\n{statements}\n{line}\n"


def main() -> None:
    """Print the readings to review; for theorems named as arguments, print what they unfold to."""
    texts, every = sources(SOURCES), list(readings())
    for reading in every:
        if reading.theorem.name in sys.argv[1:]:
            print(f"{unfolded(texts, reading.theorem)}\n\n{shown(reading, texts)}")
    if sys.argv[1:]:
        return
    unread, useless = not_reviewed(reviewed(), every, texts)
    for reading in unread:
        print(shown(reading, texts))
    for name in useless:
        print(f"remove: {name}")
    if unread or useless:
        sys.exit(1)


if __name__ == "__main__":
    main()
