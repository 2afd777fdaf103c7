"""Evidence counts only for its own query, level and claim."""

from dataclasses import replace
from pathlib import Path

import pytest

from sealcheck.encodings.clauses import Model, refutation
from sealcheck.encodings.solving import SatSolver
from sealcheck.errors import Disagreement
from sealcheck.evidence import cubes
from sealcheck.evidence.cubes import LevelQuery, answers_name, numbered
from sealcheck.evidence.ledger import Files, Scope, _Checker, model_document, table_name
from sealcheck.evidence.outcome import AcceptedAnswers, AcceptedClaim, Level, Trust
from sealcheck.evidence.proofs import Part, settled
from sealcheck.evidence.verification import Expectation
from sealcheck.kernel.reading import Rejected
from sealcheck.kernel.tables import Header
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.statement import Claim, Tally
from sealcheck.theorems.registry import STATEMENTS, statement

SCOPE = Scope(("sealability",), 3, 4)
FOLDER = Path("folder")


def test_no_query_does_without_evidence_because_another_one_has_a_model() -> None:
    """Printed sealability is the claim of the ledger that has proofs and a model, at its last level."""
    queries = [query for level in SCOPE.levels for query in numbered("sealability", 0, *level)]
    models = [(q, m.true) for q in queries[-3:] if isinstance(m := settled(q), Model)]
    parts = [Part(query) for query in queries if query not in dict(models)]
    by_level = {level: Tally() for level in SCOPE.levels}
    by_level[SCOPE.levels[-1]].refute(Instance.of(parse_straight_line("mt 1->2", 3)))
    checker = _Checker(
        FOLDER, SCOPE, Files(proofs={FOLDER / "proofs" / part.file_name: part for part in parts})
    )

    def checked(parts: list[Part], models: list[tuple[LevelQuery, frozenset[int]]]) -> int:
        row = {
            "proofs": [f"proofs/{p.file_name}" for p in parts],
            "models": [model_document(*each) for each in models],
        }
        return checker._checked_queries(STATEMENTS["sealability"], 0, by_level, row).checked

    assert len(models) == 1
    assert checked(parts, models) == len(queries)
    for at in range(len(parts)):
        with pytest.raises(Rejected, match="neither a proof nor a model"):
            checked([*parts[:at], *parts[at + 1 :]], models)
    with pytest.raises(Rejected, match="neither a proof nor a model"):
        checked(parts, [])


def test_answers_count_for_the_level_that_they_are_about() -> None:
    names = [answers_name("sealability", *level) for level in SCOPE.levels]
    answered = [
        AcceptedAnswers(
            name="sealability", by=(Trust.FORMULA,), levels=frozenset({level}), instances=0, asked={}
        )
        for level in SCOPE.levels
    ]

    def check(found: list[AcceptedAnswers]) -> None:
        files = Files(answers={FOLDER / name: each for name, each in zip(names, found, strict=True)})
        _Checker(FOLDER, SCOPE, files)._check_answers("sealability", names)

    check(answered)
    for at, name in enumerate(names):
        for other in (answered[at - 1], replace(answered[at], name="seal-size")):
            with pytest.raises(
                Rejected, match=f"{name} has no accepted answers about sealability at this level"
            ):
                check([*answered[:at], other, *answered[at + 1 :]])


def test_tables_count_for_the_bounds_that_they_are_about() -> None:
    right = Header("sealability", (1, SCOPE.n), (0, SCOPE.messages), {}, 0, "")

    def check(found: Header) -> None:
        files = Files(tables={FOLDER / table_name("sealability"): found})
        _Checker(FOLDER, SCOPE, files)._check_tables("seal-size")

    check(right)
    for other in (
        {"n": (1, 2)},
        {"n": (1, 4)},
        {"messages": (0, 3)},
        {"messages": (1, 4)},
        {"kind": "signatures"},
    ):
        with pytest.raises(Rejected, match="is not an accepted, complete sealability table of these bounds"):
            check(right._replace(**other))


def test_who_differs_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(tally: Tally, claim: Claim, instance: Instance, ask: object) -> None:
        tally.disagree(instance, "they differ")

    monkeypatch.setattr(Tally, "check", differs)
    with pytest.raises(Disagreement, match="they differ"):
        cubes._asked_again(statement("graph-cause"), 2, 1, SatSolver("cadical", refutation))


def accepted(number: int, *levels: Level) -> AcceptedClaim:
    return AcceptedClaim(
        name="sealability",
        by=(Trust.REPLAY,),
        levels=frozenset(levels),
        claim=number,
        form=statement("sealability").claims[number].form.value,
        verdict="verified",
        instances=0,
        vacuous=0,
        proofs=0,
        models=0,
    )


def test_every_claim_must_be_there_at_every_level() -> None:
    low, high = (2, 0), (2, 1)
    printed, repaired = accepted(0, low, high), accepted(1, low, high)
    (expected,) = Expectation.parsed("ledger sealability n=2 messages=0..1")
    assert expected.missing([]) == [low, high]
    assert expected.missing([printed]) == expected.missing([repaired]) == [low, high]
    assert expected.missing([printed, accepted(1, high)]) == [low]
    assert expected.missing([accepted(0, low), accepted(1, high)]) == [low, high]
    assert expected.missing([printed, repaired]) == []
    (one,) = Expectation.parsed("ledger sealability repaired n=2 messages=0..1")
    assert one.missing([printed]) == [low, high]
    assert one.missing([repaired]) == []
