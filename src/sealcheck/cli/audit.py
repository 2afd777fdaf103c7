"""``sealcheck audit``: the paper's statements, checked up to a bound."""

import json as json_format
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.answers import Code, write
from sealcheck.cli.bounds import Master, spaces, up_to
from sealcheck.cli.command import Json
from sealcheck.cli.progress import progress_bar, step_shown
from sealcheck.cli.tables import console, table
from sealcheck.cli.wording import counted, entry
from sealcheck.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from sealcheck.spark_sweeps.audit import Finding

COLOURS = {"verified": "green", "refuted": "red", "unknown": "yellow", "not boundable": "blue"}


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
    certify: Annotated[
        str | None,
        typer.Option("--certify", metavar="DIR", help="Also write the evidence there, for verify."),
    ] = None,
    master: Master = None,
    json: Json = False,
) -> None:
    """Check the paper's statements up to a bound: the ledger, or the full story of some.

    Each statement is checked as printed and, where that fails, as repaired: instance by instance
    against algorithms, an explorer and SMT solvers, and level by level with the program itself
    as a variable; and again without each of its hypotheses.  What was found is kept, so that the
    next audit by the same code goes on from there.  Exit code 0 if all hold, 1 if one is refuted,
    3 if something stays unknown.
    """
    bounds = spaces(up_to(n), messages)
    from sealcheck.encodings.solving import require_solver
    from sealcheck.spark_sweeps.session import require_master
    from sealcheck.theorems.registry import STATEMENTS, statement

    if solver is not None:
        require_solver(solver)
    if master is not None:
        require_master(master)
    names = [statement(name).id for name in dict.fromkeys(statements or STATEMENTS)]
    if certify is not None:
        from sealcheck.certified.certifying import require_new

        require_new(Path(certify))
    if smt_lib is not None:
        _write_queries(Path(smt_lib), names, bounds)
    findings = run(names, bounds, solver=solver, master=master)
    if certify is not None:
        _certify(findings, Path(certify), bounds, master)
    if json:
        from sealcheck.cli.ledger import document

        write(json_format.dumps([document(finding) for finding in findings]))
    else:
        _print(findings, in_full=bool(statements))
    raise typer.Exit(_code(findings))


def run(
    names: list[str], bounds: list[tuple[int, int]], *, solver: str | None = None, master: str | None = None
) -> "list[Finding]":
    """The findings of an audit; Spark is started only for what the cache does not have."""
    from sealcheck.spark_sweeps.audit import audit as run_audit
    from sealcheck.spark_sweeps.cache import Cache
    from sealcheck.spark_sweeps.session import spark_session

    cache = Cache()
    cache.forget_others()
    with progress_bar("audit") as follow:
        return run_audit(
            lambda: spark_session(master, "sealcheck audit"),
            names,
            bounds,
            solver=solver,
            cache=cache,
            on_progress=follow,
        )


def _certify(
    findings: "list[Finding]", folder: Path, bounds: list[tuple[int, int]], master: str | None
) -> None:
    from sealcheck.certified.certifying import certify
    from sealcheck.spark_sweeps.session import spark_session

    with step_shown("certify") as follow:
        files = certify(findings, folder, bounds, lambda: spark_session(master, "sealcheck audit"), follow)
    print(f"sealcheck: wrote {counted(files, 'file')} to {folder}", file=sys.stderr)


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
                if claim.whole_space is None:
                    continue
                for n, messages in bounds:
                    with fresh_formulas():
                        for number, query in enumerate(claim.whole_space(n, messages)):
                            file = folder / f"{name}-{claim.form.value}-n{n}-m{messages}-{number}.smt2"
                            file.write_text(f"; {claim.text}\n; {query.name}\n{smt_lib(query.formulas)}")
    except OSError as error:
        raise InputError(f"cannot write queries to {folder}: {error.strerror}") from None


def _print(findings: "list[Finding]", *, in_full: bool) -> None:
    from sealcheck.cli.ledger import story

    out = console()
    first = findings[0]
    out.print(f"Up to {first.n} processes and {first.messages} messages.\n")
    if in_full:
        for _, about in groupby(findings, key=lambda finding: finding.statement):
            for line in story(list(about)):
                out.print(line, markup=False, soft_wrap=True)
            out.print()
        return
    out.print(ledger_table(findings))
    for line in ("", *_legend(), *_refutations(findings)):
        out.print(line, markup=False, soft_wrap=True)


def ledger_table(findings: "list[Finding]") -> "Table":
    """One row a claim."""
    from sealcheck.cli.ledger import evidence, form

    rows = table(("statement", "form", "verdict", "evidence"), ())
    for finding in findings:
        verdict = finding.verdict.value
        coloured = f"[{COLOURS[verdict]}]{verdict}[/]"
        rows.add_row(finding.statement.id, form(finding), coloured, evidence(finding))
    return rows


def _legend() -> Iterator[str]:
    """What the column of evidence means."""
    for label, text in (
        ("evidence", "instances decided one by one, each for all its runs, by independent ways that agree;"),
        ("", "queries, each about all programs of a size at once; and, for costs, counts that were fitted"),
    ):
        yield from entry(label, text, 11)
    yield ""


def _refutations(findings: "list[Finding]") -> Iterator[str]:
    from sealcheck.cli.ledger import counts, form

    for finding in findings:
        if finding.verdict.value != "refuted":
            continue
        yield f"{finding.statement.id}, {form(finding)}:"
        yield from entry("  claim", finding.claim.text, 11)
        if finding.counterexample is not None:
            yield f"  fails    for n = {finding.counterexample.n}: {finding.counterexample}"
        yield from entry("  fails", counts(finding), 11)
    yield ""
    yield "The full story of a statement, with its hypotheses and pictures: sealcheck audit STATEMENT"
