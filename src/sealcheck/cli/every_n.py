"""``sealcheck prove --every-n``: theorems, built and checked by Coq now."""

import json as json_format
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sealcheck.cli.answers import Code, Document, remark, write
from sealcheck.cli.wording import entry
from sealcheck.errors import InputError, LimitReached, Unfinished

if TYPE_CHECKING:
    from sealcheck.theorems.checking.record import Established
    from sealcheck.theorems.checking.statement import Claim, Statement

COLUMN = 12


@dataclass(frozen=True)
class _Proved:
    """What was found about a claim."""

    about: "Statement"
    claim: "Claim"
    established: "tuple[Established, ...]"
    """The result of Coq for each theorem, if Coq is installed and finished."""
    limit: str = ""

    @property
    def verdict(self) -> str:
        """Whether Coq has accepted the theorems now."""
        return "proved" if self.established else "unknown"


def prove_every_n(names: Sequence[str], seconds: int, *, as_json: bool) -> Code:
    """Build and check what proves these statements for every n, and print it.

    Raises InputError where there is nothing, Disagreement where a proof is none.
    """
    found = [_proved(about, claim, seconds) for about, claim in _claims(names)]
    if as_json:
        write(json_format.dumps([_document(each) for each in found]))
    else:
        for each in found:
            write("\n".join([*_lines(each), ""]))
    for limit in dict.fromkeys(each.limit for each in found if each.limit):
        remark(f"unknown: {limit}")
    return Code.YES if all(each.established for each in found) else Code.UNKNOWN


def _claims(names: Sequence[str]) -> "list[tuple[Statement, Claim]]":
    from sealcheck.theorems.registry import statement

    found = []
    for about in map(statement, dict.fromkeys(names)):
        having = [claim for claim in about.claims if claim.theorems]
        if not having:
            raise InputError(f"there is no theorem about {about.id}")
        found += [(about, claim) for claim in having]
    return found


def _proved(about: "Statement", claim: "Claim", seconds: int) -> _Proved:
    from sealcheck.evidence.coq import build

    try:
        return _Proved(about, claim, build(claim.theorems, seconds))
    except (LimitReached, Unfinished) as error:
        return _Proved(about, claim, (), str(error))


def _document(found: _Proved) -> Document:
    from sealcheck.cli.ledger import form_of

    theorems = zip(found.claim.theorems, found.established, strict=bool(found.established))
    return {
        "statement": found.about.id,
        "form": found.claim.form.value,
        "number": form_of(found.about, found.claim),
        "claim": found.claim.text,
        "verdict": found.verdict,
        "theorems": [asdict(by_coq) | {"of": theorem.of, "state": "rebuilt"} for theorem, by_coq in theorems],
        "limits": [found.limit] if found.limit else [],
    }


def _lines(found: _Proved) -> Iterator[str]:
    from sealcheck.cli.ledger import form_of

    yield f"{found.about.id}, {form_of(found.about, found.claim)}: {found.verdict}"
    yield from entry("  claim", found.claim.text, COLUMN)
    if found.established:
        for theorem, by_coq in zip(found.claim.theorems, found.established, strict=True):
            axioms = ", ".join(by_coq.axioms) or "no axiom"
            yield from entry(
                "  theorem", f"{theorem.name}, {theorem.file}: {theorem.of}; from {axioms}", COLUMN
            )
            yield from (" " * COLUMN + line for line in by_coq.statement.splitlines()[1:])
        yield from entry("  rebuilt", f"and checked now, by Coq {found.established[0].coq}", COLUMN)
