"""The evidence of a small audit, and tools to forge it."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from sealcheck.errors import InputError
from sealcheck.evidence.verification import verify_path
from sealcheck.kernel.reading import canonical
from sealcheck.spark_sweeps.certify import certify
from sealcheck.theorems.checking.check import check_instances, check_level
from sealcheck.theorems.checking.statement import Tally, total
from sealcheck.theorems.checking.verdicts import Finding, bounded_verdict, count, verdict_on
from sealcheck.theorems.registry import statement

Level = tuple[int, int]
Row = dict[str, Any]


def levels(n: int, messages: int) -> list[Level]:
    return [(k, m) for k in range(1, n + 1) for m in range(messages + 1)]


def found(names: Iterable[str], spaces: Sequence[Level]) -> list[Finding]:
    return [finding for name in names for finding in _found(name, spaces)]


def _found(name: str, spaces: Sequence[Level]) -> Iterable[Finding]:
    about = statement(name)
    by_level = [check_instances(about, *level, solvers=("cvc5",)) for level in spaces]
    for number, claim in enumerate(about.claims):
        one_by_one = total([tallies[number] for tallies in by_level])
        queries = [
            check_level(about, number, *level, solver="cadical") if claim.whole_space else Tally()
            for level in spaces
        ]
        everything = total([one_by_one, *queries])
        counts = count(claim.growth) if claim.growth else None
        yield Finding(
            statement=about,
            claim=claim,
            n=max(n for n, _ in spaces),
            messages=max(m for _, m in spaces),
            verdict=verdict_on(about, claim, everything, counts),
            bounded=bounded_verdict(about, claim, everything, counts),
            counterexample=everything.refuting,
            instances=one_by_one.checked,
            vacuous=one_by_one.vacuous,
            queries=total(queries).checked,
            unknown=everything.unknown,
            oracles=(),
            level_solvers=("cadical",) if claim.whole_space else (),
            ablations=(),
            counts=counts,
            abstained={},
        )


def write(names: Sequence[str], spaces: Sequence[Level], folder: Path) -> int:
    return certify(found(names, spaces), folder, spaces, nullcontext, lambda step: None)


def accepts(path: Path, **options: Any) -> bool:
    try:
        return verify_path(path, **options).ok
    except InputError:
        return False


def header(path: Path) -> Row:
    first: Row = json.loads(path.read_bytes().splitlines()[0])
    return first


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_bytes().splitlines()[1:]]


def rewrite(path: Path, changed: Sequence[Row], **first: object) -> None:
    """Write the file with these rows, a digest and counts that fit, and other changes in its header."""
    body = b"".join(canonical(row) + b"\n" for row in changed)
    head = header(path) | {"rows": len(changed), "sha256": hashlib.sha256(body).hexdigest()} | first
    if head["sealcheck"] == "table":
        head["levels"] = [counted(level, changed) for level in head["levels"]]
    path.write_bytes(canonical(head) + b"\n" + body)


def counted(level: Row, changed: Sequence[Row]) -> Row:
    there = [row for row in changed if (row["n"], row["messages"]) == (level["n"], level["messages"])]
    return level | {"rows": len(there), "programs": sum(row["orbit_size"] for row in there)}
