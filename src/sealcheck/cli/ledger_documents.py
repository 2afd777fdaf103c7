"""The ledger as JSON: what an audit has found."""

from collections.abc import Sequence
from dataclasses import asdict

from sealcheck.cli.answers import Document
from sealcheck.cli.ledger import certificate, why
from sealcheck.encodings.solvers import PROVING
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.record import Established, Theorem
from sealcheck.theorems.checking.statement import Hypothesis, Verdict
from sealcheck.theorems.checking.verdicts import Finding


def document(finding: Finding) -> Document:
    """The finding as a JSON object."""
    return {
        "statement": finding.statement.id,
        "label": finding.statement.label,
        "form": finding.claim.form.value,
        "claim": finding.claim.text,
        "verdict": finding.verdict.value,
        "bounded": finding.bounded.value,
        "n": finding.n,
        "messages": finding.messages,
        "measure": finding.statement.measure,
        "counterexample": finding.counterexample
        and instance_document(finding.counterexample) | {"why": "\n".join(why(finding))},
        "hypotheses": [_hypothesis_document(*pair) for pair in finding.ablations],
        "evidence": {
            "instances": finding.instances,
            "vacuous": finding.vacuous,
            "questions": [question.id for question in finding.statement.questions],
            "oracles": finding.oracles,
            "abstained": dict(finding.abstained),
            "queries": finding.queries,
            "solvers": finding.level_solvers,
            "counts": finding.counts,
            "theorems": theorems_document(finding.claim.theorems, finding.theorems),
            "refutations": theorems_document(finding.claim.refutations, finding.refutations),
            "unknown": finding.unknown,
            "limits": finding.statement.limits,
            "not_boundable": finding.statement.not_boundable or finding.claim.not_boundable or None,
            "proof_checked": not set(PROVING).isdisjoint(finding.level_solvers),
            "certificate": certificate(finding),
        },
    } | _trouble(finding)


def _trouble(finding: Finding) -> Document:
    """Why it could not be checked, which is there only then."""
    if not finding.trouble:
        return {}
    return {"error" if finding.verdict is Verdict.ERROR else "unknown": finding.trouble}


def instance_document(instance: Instance) -> Document:
    """The instance as a JSON object; `q` is null where there is one program only."""
    texts = instance.texts
    return {
        "n": instance.n,
        "messages": instance.messages,
        "program": texts[0],
        "q": texts[1] if len(texts) > 1 else None,
        "programs": texts,
    }


def _hypothesis_document(hypothesis: Hypothesis, ablation: Ablation | None) -> Document:
    return {
        "hypothesis": hypothesis.name,
        "without": ablation
        and {
            "counterexample": ablation.breaking and instance_document(ablation.breaking),
            "n": ablation.n,
            "messages": ablation.messages,
            "unknown": ablation.unknown,
        },
        "remark": hypothesis.remark or None,
    }


def theorems_document(theorems: Sequence[Theorem], established: Sequence[Established]) -> list[Document]:
    """Theorems about a claim that are on record as JSON objects."""
    return [
        asdict(found) | {"of": theorem.of, "state": "on record"}
        for theorem, found in zip(theorems, established, strict=bool(established))
    ]
