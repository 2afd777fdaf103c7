"""``sealcheck prove --every-n``: theorems, built and checked by Coq now, and the steps that solvers check."""

import json as json_format
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sealcheck.cli.answers import Code, Document, remark, write
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError, LimitReached, Unfinished
from sealcheck.words import counted, entry

if TYPE_CHECKING:
    from sealcheck.every_n.checking import CheckedStep
    from sealcheck.every_n.record import Established
    from sealcheck.harness.statement import Claim, Statement

COLUMN = 12


@dataclass(frozen=True)
class _Proved:
    """What was found about a claim."""

    about: "Statement"
    claim: "Claim"
    established: "tuple[Established, ...]"
    """What Coq said about its theorems now, if it has any, and Coq was there."""
    steps: "tuple[CheckedStep, ...]"
    limits: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """A claim without a theorem is not proved, whatever the solvers say."""
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
    for limit in dict.fromkeys(limit for each in found for limit in each.limits):
        remark(f"unknown: {limit}")
    return Code.YES if all(each.established for each in found) else Code.UNKNOWN


def _claims(names: Sequence[str]) -> "list[tuple[Statement, Claim]]":
    from sealcheck.theorems.registry import statement

    found = []
    for about in map(statement, dict.fromkeys(names)):
        having = [claim for claim in about.claims if claim.theorems or claim.first_order]
        if not having:
            raise InputError(f"for every n there is neither a theorem about {about.id} nor steps of a proof")
        found += [(about, claim) for claim in having]
    return found


def _proved(about: "Statement", claim: "Claim", seconds: int) -> _Proved:
    from sealcheck.every_n.checking import check
    from sealcheck.evidence.theorems import build

    steps = check(claim.first_order) if claim.first_order else ()
    limits = [limit for step in steps for limit in step.unknown]
    if not claim.theorems:
        limits.append(f"no theorem about {about.id}: what its steps leave to be trusted is not proved")
        return _Proved(about, claim, (), steps, tuple(limits))
    try:
        return _Proved(about, claim, build(claim.theorems, seconds), steps, tuple(limits))
    except (LimitReached, Unfinished) as error:
        return _Proved(about, claim, (), steps, (*limits, str(error)))


def _document(found: _Proved) -> Document:
    from sealcheck.evidence.rows import first_order_document, form_of

    theorems = zip(found.claim.theorems, found.established, strict=bool(found.established))
    return {
        "statement": found.about.id,
        "form": found.claim.form.value,
        "number": form_of(found.about, found.claim),
        "claim": found.claim.text,
        "verdict": found.verdict,
        "theorems": [asdict(by_coq) | {"of": theorem.of, "state": "rebuilt"} for theorem, by_coq in theorems],
        "first_order": first_order_document(found.claim, found.steps),
        "limits": found.limits,
    }


def _lines(found: _Proved) -> Iterator[str]:
    from sealcheck.evidence.rows import form_of

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
    yield from _steps(found)


def _steps(found: _Proved) -> Iterator[str]:
    """The steps, and for everything they need what becomes of them without it."""
    if not found.steps or not found.claim.first_order:
        return
    solvers = " and ".join(SMT_SOLVERS)
    yield from entry("  steps", f"{counted(len(found.steps), 'step')} that {solvers} both check:", COLUMN)
    for step in found.steps:
        yield from entry("", f"- {step.text}{' (unknown)' if step.unknown else ''}", COLUMN)
        for model in step.counter_models:
            yield from entry("", f"    unless {model.without}:", COLUMN + 4)
            yield from (" " * (COLUMN + 6) + line for line in model.shown)
    yield from entry("  trusted", found.claim.first_order.trusted, COLUMN)
