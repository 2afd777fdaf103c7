"""Files of proofs, put together: which levels or claims of every length they prove, and what is missing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sealcheck.evidence.outcome import AcceptedEveryLength, AcceptedProofs, Trust, Verification
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.evidence.cubes import Level
    from sealcheck.evidence.every_length import ProfileClaim
    from sealcheck.evidence.proofs import Part


def accept_proofs(proofs: "Mapping[Path, Part]", named: set[Path], of: Path, outcome: Verification) -> None:
    """Put proofs together, level by level; a level of which some are missing is rejected."""
    if not proofs:
        return
    from sealcheck.evidence.cubes import numbered
    from sealcheck.evidence.proofs import together

    conclusion = together(proofs.values())
    by_level: dict[Level, list[Path]] = {}
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


def accept_every_length(
    proofs: "Mapping[Path, tuple[ProfileClaim, int]]", of: Path, outcome: Verification
) -> None:
    """Put proofs about profiles together, claim by claim and n by n; where some are missing, reject.

    With each file stands its claim, and the number of its query.
    """
    by_claim: dict[ProfileClaim, dict[Path, int]] = {}
    for file, (about, number) in proofs.items():
        by_claim.setdefault(about, {})[file] = number
    for about, files in sorted(by_claim.items()):
        queries, proved = len(about.queries()), len(set(files.values()))
        outcome.accepted.append(
            AcceptedEveryLength(
                name=about.statement,
                by=(Trust.FORMULA,),
                files=tuple(map(str, files)),
                claim=about.claim,
                form=about.form,
                n=about.n,
                queries=queries,
                proved=proved,
            )
        )
        if proved < queries:
            what = f"{about.statement}, {about.form}, n = {about.n}, every length"
            done = f"{proved} of {counted(queries, 'query', 'queries')}"
            outcome.reject(str(of), 0, f"the claim is incomplete: {what}: {done} proved")
        elif reason := about.lacking():
            outcome.reject(str(of), 0, reason)


def _accepted(level: "Level", files: list[Path], proved: int, queries: int) -> AcceptedProofs:
    from sealcheck.evidence.lemmas import lemma
    from sealcheck.theorems.registry import statement

    id, claim, n, messages, using = level
    return AcceptedProofs(
        name=id,
        by=(Trust.FORMULA, Trust.RECORD) if using else (Trust.FORMULA,),
        levels=frozenset({(n, messages)} if proved == queries else ()),
        files=tuple(map(str, files)),
        claim=claim,
        form=statement(id).claims[claim].form.value,
        n=n,
        messages=messages,
        queries=queries,
        proved=proved,
        using=lemma(using) if using else None,
    )
