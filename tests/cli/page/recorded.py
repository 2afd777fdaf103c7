"""The findings of the default audit, from the manifest."""

from functools import cache
from itertools import islice

from tests.manifest import Row, expected

from sealcheck.errors import InputError
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Program
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.record import established
from sealcheck.theorems.checking.statement import Claim, Growth, Statement, Verdict
from sealcheck.theorems.checking.verdicts import Counts, Finding
from sealcheck.theorems.registry import STATEMENTS

WHOLE_LANGUAGE = ("diverging-seals", "while-exchange")
"""Statements about syntax trees whose bound is a number of messages."""


@cache
def findings(id: str | None = None) -> tuple[Finding, ...]:
    claims = [(about, claim) for about in STATEMENTS.values() for claim in about.claims]
    rows = zip(claims, expected(), strict=True)
    return tuple(_finding(*pair, row) for pair, row in rows if id in (None, pair[0].id))


def named(id: str, form: str = "as-printed") -> Finding:
    return next(
        each
        for each in findings(id)
        if each.claim.form.value == form and (form != "as-printed" or each.verdict is Verdict.REFUTED)
    )


def _finding(about: Statement, claim: Claim, row: Row) -> Finding:
    found = row["counterexample"]
    return Finding(
        statement=about,
        claim=claim,
        n=row["n"],
        messages=row["messages"],
        verdict=Verdict(row["verdict"]),
        counterexample=found and _instance(about, found["n"], found["programs"]),
        instances=row["instances"],
        vacuous=row["vacuous"],
        queries=row["queries"],
        unknown=row["unknown"],
        oracles=("explorer", "clocks"),
        level_solvers=(),
        ablations=tuple((hypothesis, None) for hypothesis in claim.hypotheses),
        counts=_counts(claim.growth) if claim.growth else None,
        bounded=Verdict.VERIFIED if row["verdict"] == "proved" else Verdict(row["verdict"]),
        theorems=tuple(filter(None, map(established, claim.theorems))),
        refutations=tuple(filter(None, map(established, claim.refutations))),
        abstained={"explorer": 2},
    )


def _counts(growth: Growth) -> Counts:
    """Use two points, because counting at larger sizes takes seconds."""
    with inline(()) as ask:
        return tuple(islice(growth.counts(ask), 2))


def _instance(about: Statement, n: int, texts: list[str]) -> Instance:
    return Instance(n, tuple(_program(about, n, text) for text in texts))


def _program(about: Statement, n: int, text: str) -> StraightLine | Program:
    if about.measure == "messages" and about.id not in WHOLE_LANGUAGE:
        try:
            return parse_straight_line(text, n)
        except InputError:
            pass
    return parse(text)
