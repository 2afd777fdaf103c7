"""``sealcheck audit``: the paper's statements, checked on every program up to a bound."""

import json as json_format
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.answers import Code, Document, write
from sealcheck.cli.bounds import Master, spaces, up_to
from sealcheck.cli.command import Json
from sealcheck.cli.progress import progress_bar
from sealcheck.cli.tables import console, table
from sealcheck.cli.wording import entry
from sealcheck.errors import InputError

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.audit import Finding


def audit(
    statements: Annotated[
        list[str] | None, typer.Argument(metavar="STATEMENT…", help="Their ids. [default: all]")
    ] = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="Up to so many processes.")] = "3",
    messages: Annotated[int, typer.Option("--messages", metavar="M", help="Up to so many messages.")] = 4,
    solver: Annotated[
        str | None, typer.Option("--solver", metavar="S", help="Ask only z3, cvc5 or cadical. [default: all]")
    ] = None,
    smt_lib: Annotated[
        str | None,
        typer.Option("--smt-lib", metavar="DIR", help="Also write the whole-space queries there as SMT-LIB."),
    ] = None,
    master: Master = None,
    json: Json = False,
) -> None:
    """Check the paper's statements on every program up to a bound.

    Each statement is checked as printed and, where that fails, as repaired: program by program
    against algorithms, an explorer and SMT solvers, and level by level with the program itself
    as a variable.  Exit code 0 if all hold, 1 if one is refuted, 3 if something stays unknown.
    """
    bounds = spaces(up_to(n), messages)
    from sealcheck.encodings.solving import require_solver
    from sealcheck.spark_sweeps.audit import audit as run_audit
    from sealcheck.spark_sweeps.session import spark_session
    from sealcheck.theorems.registry import STATEMENTS, statement

    if solver is not None:
        require_solver(solver)
    names = [statement(name).id for name in dict.fromkeys(statements or STATEMENTS)]
    if smt_lib is not None:
        _write_queries(Path(smt_lib), names, bounds)
    with progress_bar("audit") as follow, spark_session(master, "sealcheck audit") as spark:
        findings = run_audit(spark, names, bounds, solver=solver, on_progress=follow)
    if json:
        write(json_format.dumps([_document(finding) for finding in findings]))
    else:
        _print(findings)
    raise typer.Exit(_code(findings))


def _code(findings: "list[Finding]") -> Code:
    from sealcheck.theorems.statement import Verdict

    verdicts = {finding.verdict for finding in findings}
    if Verdict.REFUTED in verdicts:
        return Code.NO
    return Code.UNKNOWN if Verdict.UNKNOWN in verdicts else Code.YES


def _write_queries(folder: Path, names: list[str], bounds: list[tuple[int, int]]) -> None:
    """One SMT-LIB file for each whole-space query, all of which state the negated claim."""
    from sealcheck.encodings.solving import fresh_formulas, smt_lib
    from sealcheck.theorems.registry import statement

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            for claim in statement(name).claims:
                for n, messages in bounds:
                    with fresh_formulas():
                        for number, query in enumerate(claim.whole_space(n, messages)):
                            file = folder / f"{name}-{claim.form.value}-n{n}-m{messages}-{number}.smt2"
                            file.write_text(f"; {claim.text}\n; {query.name}\n{smt_lib(query.formulas)}")
    except OSError as error:
        raise InputError(f"cannot write queries to {folder}: {error.strerror}") from None


def _document(finding: "Finding") -> Document:
    counterexample = finding.counterexample
    return {
        "statement": finding.statement.id,
        "label": finding.statement.label,
        "form": finding.claim.form.value,
        "claim": finding.claim.text,
        "hypotheses": finding.statement.hypotheses,
        "verdict": finding.verdict.value,
        "n": finding.n,
        "messages": finding.messages,
        "counterexample": counterexample
        and {
            "n": counterexample.n,
            "messages": counterexample.messages,
            "program": str(counterexample.p),
            "q": counterexample.q and str(counterexample.q),
            "why": finding.claim.story(counterexample),
        },
        "evidence": {
            "instances": finding.instances,
            "ways": finding.ways,
            "queries": finding.queries,
            "solvers": finding.level_solvers,
            "unknown": finding.unknown,
            "limits": finding.statement.limits,
            "proof_checked": False,
        },
    }


def _print(findings: "list[Finding]") -> None:
    rows = table(("statement", "in the paper", "form", "verdict"), ("instances", "queries", "unknown"))
    colours = {"verified": "green", "refuted": "red", "unknown": "yellow"}
    for finding in findings:
        verdict = finding.verdict.value
        noun = "pairs" if finding.statement.about_pairs else "programs"
        rows.add_row(
            finding.statement.id,
            finding.statement.label,
            finding.claim.form.value,
            f"[{colours[verdict]}]{verdict}[/]",
            f"{finding.instances} {noun}",
            str(finding.queries),
            str(finding.unknown),
        )
    out = console()
    first = findings[0]
    out.print(f"Every program with up to {first.n} processes and {first.messages} messages.\n")
    out.print(rows)
    for line in (
        "",
        f"instances  each decided by {', '.join(first.ways)}, which agree; up to renaming processes",
        f"queries    each about a whole level at once, answered by {', '.join(first.level_solvers)}",
        *_limits(findings),
        *_counterexamples(findings),
    ):
        out.print(line, markup=False, soft_wrap=True)


def _limits(findings: "list[Finding]") -> Iterator[str]:
    for checked in dict.fromkeys(finding.statement for finding in findings):
        for limit in checked.limits:
            yield from entry("limits", f"{checked.id}: {limit}", 11)


def _counterexamples(findings: "list[Finding]") -> Iterator[str]:
    for finding in findings:
        found = finding.counterexample
        if found is not None:
            yield ""
            yield f"{finding.statement.id} {finding.claim.form.value}: the smallest counterexample"
            yield from entry("  claim", finding.claim.text, 11)
            yield f"  n = {found.n}    {found}"
            yield from entry("  because", finding.claim.story(found), 11)
