"""A refuted claim is refuted at all bounds that include its smallest counterexample, by all oracles.

The manifest has the counterexamples. A bound is a number of processes n and of messages, or a size of
programs: the number of atoms and repetitions.
"""

from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest
from tests.evidence.certified import levels, rows, write
from tests.manifest import Row, expected
from tests.spark_sweeps.loops import audited
from tests.spark_sweeps.test_proving import LIMITS, inline

from sealcheck.evidence.outcome import AcceptedClaim
from sealcheck.evidence.verification import verify_path
from sealcheck.language.parser import parse
from sealcheck.programs.syntax import Choice, Eps, Layering, Program, Repetition, Send, is_transmission
from sealcheck.spark_sweeps import rounds
from sealcheck.spark_sweeps.audit_tasks import Do
from sealcheck.spark_sweeps.jobs import DropHypothesis, read_job, result_text
from sealcheck.spark_sweeps.jobs import Row as TaskRow
from sealcheck.spark_sweeps.proving import prove
from sealcheck.spark_sweeps.tables import write_table
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Verdict
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.registry import STATEMENTS

Bounds = tuple[int, int]

REFUTED = [row for row in expected() if row["verdict"] == "refuted"]
NAMES = list(dict.fromkeys(row["statement"] for row in REFUTED))
SLOW = {"seal-algebra-2", "no-barrier-whole-language", "balanced-necessary-whole-language"} | {
    "tcc-impossibility-whole-language",
    "signature-size",
    "decide-cost",
}
"""Statements that take seconds even at small bounds."""
AT_A_LEVEL = ["sealability"]
"""Refuted statements with queries about whole levels."""


def messages(program: Program) -> int:
    match program:
        case Layering(parts) | Choice(parts):
            return sum(map(messages, parts))
        case Repetition(body):
            return messages(body)
        case _:
            return isinstance(program, Send)


def size(program: Program) -> int:
    """The number of atoms and repetitions; mt is one atom, and so is eps inside a program."""
    match program:
        case Layering(parts):
            return sum(map(size, parts)) - sum(map(is_transmission, pairwise(parts)))
        case Choice(alternatives):
            return sum(max(1, size(each)) for each in alternatives)
        case Repetition(body):
            return 1 + size(body)
        case _:
            return not isinstance(program, Eps)


def smallest(row: Row) -> Bounds:
    """The least bounds that include the counterexample on record; None for claims about costs."""
    found = row["counterexample"]
    if found is None:
        return 1, 0
    measured = messages if STATEMENTS[row["statement"]].measure == "messages" else size
    return found["n"], sum(measured(parse(text)) for text in found["programs"])


def fits(row: Row, bounds: Bounds) -> bool:
    return all(least <= bound for least, bound in zip(smallest(row), bounds, strict=True))


class KeepingHypotheses(Do):
    """Drops no hypothesis, because that takes long and changes no verdict."""

    def _done(self, row: TaskRow) -> TaskRow:
        job = read_job(row["job"])
        if isinstance(job, DropHypothesis):
            return row | {"result": result_text(Ablation(None, job.n, job.messages)), "finished": 1}
        return super()._done(row)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep the answers of one audit for the next, which has other bounds."""
    return tmp_path_factory.mktemp("answers")


@pytest.fixture(autouse=True)
def _keeping_hypotheses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "Do", KeepingHypotheses)


def require_refuted(findings: list[Finding], bounds: Bounds) -> None:
    for row in expected():
        for finding in findings:
            if (row["statement"], row["claim"]) != (finding.statement.id, finding.claim.text):
                continue
            assert finding.statement.id in NAMES
            if row["verdict"] != "refuted":
                assert finding.verdict is not Verdict.REFUTED
            elif fits(row, bounds):
                assert finding.verdict is Verdict.REFUTED, f"{row['claim']}: {bounds}"
            elif (
                finding.verdict is Verdict.REFUTED
            ):  # by a theorem, an instance of another kind, or a smaller one
                assert finding.counterexample is not None or finding.refutations


def around(name: str) -> set[Bounds]:
    found = {smallest(row) for row in REFUTED if row["statement"] == name}
    less = {(n, m - 1) for n, m in found if m > 0} | {(n - 1, m) for n, m in found if n > 1}
    more = {(n, m + 1) for n, m in found} | {(n + 1, m) for n, m in found}
    return {(n, m) for n, m in found | less | more if (n, m) <= (3, 4) and m <= 4 and n + m < 7}


def test_every_refuted_statement_has_bounds_where_it_is() -> None:
    """The bounds are those of the manifest."""
    assert all(fits(row, (row["n"], row["messages"])) for row in REFUTED)
    assert sum(len(around(name)) for name in NAMES) > 3 * len(NAMES)
    asked = {about.id for about in STATEMENTS.values() for claim in about.claims if claim.whole_space}
    assert sorted(asked & set(NAMES)) == AT_A_LEVEL


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_an_audit_refutes_what_is_refuted(name: str, answers: Path) -> None:
    for bounds in sorted(around(name)):
        if name == "sealability" or sum(bounds) < 6:
            require_refuted(audited([name], levels(*bounds), solver="z3", folder=answers), bounds)


@pytest.mark.larger
@pytest.mark.parametrize("name", NAMES)
def test_an_audit_refutes_what_is_refuted_with_all_bounds(name: str, answers: Path) -> None:
    """Every n up to 3 and every number of messages up to 4, but not the largest of both."""
    for bounds in levels(3, 4)[:-1]:
        require_refuted(audited([name], levels(*bounds), solver="z3", folder=answers), bounds)


PROVED = [(2, 3, False), (3, 3, False), (3, 4, True), (3, 5, True)]
PROVED_MORE = [(4, 4, False), (3, 6, True), (4, 6, True), (5, 8, True)]
"""A level has exactly n processes. One more idle process would have closed channels, which connect the
others."""


@pytest.mark.parametrize(
    ("n", "m", "is_refuted"), PROVED + [pytest.param(*each, marks=pytest.mark.larger) for each in PROVED_MORE]
)
def test_a_proof_is_no_proof_of_what_is_refuted(n: int, m: int, is_refuted: bool) -> None:
    """A level has a counterexample if one process can exchange messages with each of the others."""
    for name in AT_A_LEVEL:
        printed, repaired = prove(inline, [(name, 0, n, m), (name, 1, n, m)], LIMITS)
        assert printed.verdict is (Verdict.REFUTED if is_refuted else Verdict.VERIFIED)
        assert repaired.verdict is not Verdict.REFUTED


@pytest.mark.parametrize("bounds", [(2, 4), (3, 3), (3, 4)])
def test_the_table_of_counterexamples_has_those_that_fit(bounds: Bounds, tmp_path: Path) -> None:
    (row,) = (row for row in REFUTED if row["statement"] == "sealability")
    write_table("counterexamples", "jsonl", tmp_path / "table", levels(*bounds), nullcontext)
    programs = [each["program"] for each in rows(tmp_path / "table")]
    assert (row["counterexample"]["programs"][0] in programs) == fits(row, bounds) == bool(programs)


def test_verify_accepts_refuted_claims_as_refuted(tmp_path: Path) -> None:
    slow, bounds = SLOW | {"sealability", "while-exchange"}, (2, 2)
    names = [name for name in NAMES if name not in slow]
    write(names, levels(*bounds), tmp_path)
    accepted = [each for each in verify_path(tmp_path).accepted if isinstance(each, AcceptedClaim)]
    assert {each.name for each in accepted} == set(names)
    for row in REFUTED:
        if row["statement"] in names and fits(row, bounds):
            claims = [claim.text for claim in STATEMENTS[row["statement"]].claims]
            (of,) = (
                a for a in accepted if (a.name, a.claim) == (row["statement"], claims.index(row["claim"]))
            )
            assert of.verdict == "refuted"
