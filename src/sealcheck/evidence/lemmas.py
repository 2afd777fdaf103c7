"""Lemmas that queries may take for granted: statements that are theorems for every n and every length."""

from dataclasses import dataclass

from sealcheck.errors import InputError
from sealcheck.theorems.checking.record import established
from sealcheck.theorems.registry import STATEMENTS, named, statement
from sealcheck.words import or_choose


@dataclass(frozen=True)
class Lemma:
    """A statement that is a theorem, and what is on record about that: whatever uses it rests on this."""

    statement: str
    file: str
    """The Coq file that has the proof."""
    theorem: str
    sources: str
    """The digest, on record, of the file and of all that it requires."""

    def __str__(self) -> str:
        return f"{self.statement} ({self.theorem} in {self.file}, sources {self.sources[:12]})"


LEMMAS = tuple(
    dict.fromkeys(
        found.lemma for about in STATEMENTS.values() for claim in about.claims for found in claim.by_lemma
    )
)
"""The ids of all statements that some queries can take for granted."""


def lemma(id: str) -> Lemma:
    """One of these, as it is on record now.

    Raises InputError where it is not: where a file that its proof needs is not as it was when Coq checked it.

    >>> print(str(lemma("graph-cause")).partition(", sources")[0])
    graph-cause (graph_cause in GraphCause.v
    """
    theorem = next(theorem for claim in statement(id).claims for theorem in claim.theorems)
    found = established(theorem)
    if found is None:
        raise InputError(
            f"{id} can't be taken for granted: there is no record that Coq has checked {theorem.name} in"
            f" {theorem.file} as it is now"
        )
    return Lemma(id, found.file, found.name, found.sources)


def lemma_meant(name: str) -> str:
    """The id of the lemma that has this id, or this label in the paper.

    >>> lemma_meant("GraphCause")
    'graph-cause'

    Raises InputError, listing the ids, where there is none.
    """
    try:
        meant = [id for id in named(name) if id in LEMMAS]
    except InputError:
        meant = []
    if not meant:
        raise InputError(f"unknown lemma '{name}': {or_choose(name, LEMMAS)}")
    return meant[0]


def claims_using(id: str, lemma: str) -> list[int]:
    """The numbers of those claims of a statement about which there are queries that use the lemma.

    Raises InputError, saying why, where there are none.

    >>> claims_using("decide-sealing", "graph-cause")
    [0]
    >>> claims_using("sealability", "graph-cause")
    Traceback (most recent call last):
    sealcheck.errors.InputError: no query about sealability can use graph-cause: those about ... can
    """
    if id == lemma:
        raise InputError(f"{id} can't be proved by using {lemma}: that would be circular")
    found = _claims(id, lemma)
    if not found:
        able = " and ".join(other for other in STATEMENTS if _claims(other, lemma))
        raise InputError(f"no query about {id} can use {lemma}: those about {able} can")
    return found


def _claims(id: str, lemma: str) -> list[int]:
    claims = enumerate(statement(id).claims)
    return [number for number, claim in claims if any(found.lemma == lemma for found in claim.by_lemma)]
