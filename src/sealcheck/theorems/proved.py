"""Proofs that whole levels hold no counterexample, as files.

A file is a line of JSON that says which query of which claim it refutes, and then an LRAT proof.  To check
it, the query is made again from the statement; a proof of anything else is rejected.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from sealcheck.encodings.cnf import to_cnf
from sealcheck.encodings.proofs import Clauses, digest, refutation
from sealcheck.encodings.solving import fresh_formulas
from sealcheck.errors import InputError
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import canonical, fields, lines, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Claim, Statement

VERSION = 1

_TYPES: dict[str, type] = {
    "sealcheck": str,
    "version": int,
    "statement": str,
    "form": str,
    "claim": int,
    "n": int,
    "messages": int,
    "query": str,
    "clauses": int,
    "formula": str,
    "steps": int,
    "sha256": str,
}


@dataclass(frozen=True)
class Proved:
    """What a proof file shows."""

    statement: str
    claim: int
    n: int
    messages: int
    query: str
    steps: int = field(default=0, compare=False)


def refuted_queries(about: Statement, claim: int, n: int, messages: int) -> Iterator[tuple[str, bytes]]:
    """For each query about the level that has no model, its name and the text of its proof file.

    Raises LimitReached and Disagreement as `refutation` does.

    >>> name, text = next(refuted_queries(statement("graph-cause"), 0, 2, 1))
    >>> name, text.count(b"\\n") > 1
    ('n=2 m=1', True)
    """
    form = about.claims[claim].form.value
    with fresh_formulas():
        for name, clauses in _queries(about.claims[claim], n, messages):
            steps = refutation(clauses)
            if isinstance(steps, set):
                continue
            body = "".join(f"{step}\n" for step in steps).encode()
            header = {
                "sealcheck": "proof",
                "version": VERSION,
                "statement": about.id,
                "form": form,
                "claim": claim,
                "n": n,
                "messages": messages,
                "query": name,
                "clauses": len(clauses),
                "formula": digest(clauses),
                "steps": len(steps),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
            yield name, canonical(header) + b"\n" + body


def query_names(claim: Claim, n: int, messages: int) -> list[str]:
    """The queries about a level."""
    if claim.whole_space is None:
        return []
    with fresh_formulas():
        return [query.name for query in claim.whole_space(n, messages)]


def _queries(claim: Claim, n: int, messages: int) -> Iterator[tuple[str, Clauses]]:
    if claim.whole_space is not None:
        for query in claim.whole_space(n, messages):
            yield query.name, to_cnf(query.formulas).clauses


def verify_proof(path: Path) -> Proved:
    """Check a proof file.  Raises Rejected where it proves nothing or something else.

    Raises InputError where it can't be read.
    """
    try:
        with open(path, "rb") as stream:
            return _verified(stream)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _verified(stream: BinaryIO) -> Proved:
    text = lines(stream)
    header = fields(value_of(next(text, b"")), _TYPES)
    if header["sealcheck"] != "proof" or header["version"] != VERSION:
        raise Rejected(f"this is no proof that version {VERSION} knows")
    clauses = _regenerated(header["statement"], header["claim"], header["form"], header)
    if header["formula"] != digest(clauses) or header["clauses"] != len(clauses):
        raise Rejected("the proof is about another formula than the statement's")
    body = hashlib.sha256()

    def steps() -> Iterator[str]:
        for line in text:
            body.update(line + b"\n")
            yield line.decode("latin-1")

    if check_proof(clauses, steps()) != header["steps"]:
        raise Rejected("the proof has more or fewer steps than its header says")
    if body.hexdigest() != header["sha256"]:
        raise Rejected("the digest over the steps is not that of the header")
    return Proved(*(header[key] for key in ("statement", "claim", "n", "messages", "query", "steps")))


MOST = (8, 12)
"""Processes and messages: for more, not even the formula would be made in reasonable time."""


def _regenerated(id: str, number: int, form: str, header: dict[str, int | str]) -> Clauses:
    """The clauses of the query that the header names."""
    n, messages = int(header["n"]), int(header["messages"])
    try:
        claims = statement(id).claims
    except InputError as error:
        raise Rejected(str(error)) from None
    if not (0 <= number < len(claims) and form == claims[number].form.value):
        raise Rejected(f"{id} has no such claim")
    if not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"n and messages must be at most {MOST[0]} and {MOST[1]}")
    with fresh_formulas():
        for name, clauses in _queries(claims[number], n, messages):
            if name == header["query"]:
                return clauses
    raise Rejected(f"{id} has no query '{str(header['query'])[:40]}'")
