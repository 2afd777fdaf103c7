"""Files of proofs, put together level by level: which levels they prove, and what is missing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sealcheck.evidence.outcome import AcceptedProofs, Outcome, Trust

if TYPE_CHECKING:
    from sealcheck.evidence.proofs import Part


def accept_proofs(proofs: "Mapping[Path, Part]", named: set[Path], of: Path, outcome: Outcome) -> None:
    """Put proofs together, level by level; a level of which some are missing is rejected."""
    if not proofs:
        return
    from sealcheck.evidence.cubes import numbered
    from sealcheck.evidence.proofs import together

    conclusion = together(proofs.values())
    by_level: dict[tuple[str, int, int, int], list[Path]] = {}
    for file, part in proofs.items():
        by_level.setdefault(part.query.level, []).append(file)
    for level, files in sorted(by_level.items()):
        queries = numbered(*level)
        proved = len(conclusion.proved & set(queries))
        if set(files) <= named:
            continue
        accepted = _accepted(level, files, proved, len(queries))
        outcome.accepted.append(accepted)
        if proved < len(queries):
            proven = f"{proved} of {len(queries)} {'query is' if len(queries) == 1 else 'queries are'} proved"
            where = f"{accepted.name}, {accepted.form}, n = {level[2]}, messages = {level[3]}"
            outcome.reject(str(of), 0, f"the level is incomplete: {where}: {proven}")
    for gap in conclusion.gaps:
        outcome.reject(str(of), 0, gap)


def _accepted(
    level: tuple[str, int, int, int], files: list[Path], proved: int, queries: int
) -> AcceptedProofs:
    from sealcheck.theorems.registry import statement

    id, claim, n, messages = level
    return AcceptedProofs(
        name=id,
        by=(Trust.FORMULA,),
        levels=frozenset({(n, messages)} if proved == queries else ()),
        files=tuple(map(str, files)),
        claim=claim,
        form=statement(id).claims[claim].form.value,
        n=n,
        messages=messages,
        queries=queries,
        proved=proved,
    )
