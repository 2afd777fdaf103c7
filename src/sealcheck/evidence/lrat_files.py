"""LRAT proofs as files: a line of JSON that says what is proved, and then the steps."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sealcheck.encodings.proofs import Clauses, digest
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import canonical
from sealcheck.kernel.rejected import Rejected

STEPS: dict[str, type] = {"clauses": int, "formula": str, "steps": int, "sha256": str}
"""What the first line says of the formula and of the steps."""


def lrat_file(about: Mapping[str, Any], clauses: Clauses, steps: Sequence[str]) -> bytes:
    """The text of a file: what it is about, and the proof that these clauses have no model."""
    body = "".join(f"{step}\n" for step in steps).encode()
    said = {"clauses": len(clauses), "formula": digest(clauses), "steps": len(steps)}
    first = {**about, **said, "sha256": hashlib.sha256(body).hexdigest()}
    return canonical(first) + b"\n" + body


def check_steps(first: Mapping[str, Any], clauses: Clauses, text: Iterator[bytes]) -> None:
    """That the lines after the first one prove that the clauses, which were made again, have no model.

    Raises Rejected where they don't, or where the first line says something else.  One pass over the steps.
    """
    if first["formula"] != digest(clauses) or first["clauses"] != len(clauses):
        raise Rejected("the proof is about another formula than the statement's")
    body = hashlib.sha256()

    def steps() -> Iterator[str]:
        """The steps, which go into the digest on their way."""
        for line in text:
            body.update(line + b"\n")
            yield line.decode("latin-1")

    if check_proof(clauses, steps()) != first["steps"]:
        raise Rejected("the proof has more or fewer steps than its header says")
    if body.hexdigest() != first["sha256"]:
        raise Rejected("the digest over the steps is not that of the header")
