"""``sealcheck audit``: the paper's statements, checked up to a bound."""

import json as json_format
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli import completing
from sealcheck.cli.answers import Code, remark, write
from sealcheck.cli.bounds import Master, spaces, up_to
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import folder
from sealcheck.cli.limits import MIB, PART_SECONDS, Memory, Seconds
from sealcheck.cli.progress import progress_bar, step_shown
from sealcheck.cli.tables import GAP, print_table, styled, whole_words
from sealcheck.cli.wording import entry, terminal_width
from sealcheck.encodings.solvers import SMT_SOLVERS, SOLVERS
from sealcheck.errors import InputError
from sealcheck.files import whole_file
from sealcheck.words import counted

if TYPE_CHECKING:
    from rich.text import Text

    from sealcheck.harness.finding import Finding
    from sealcheck.spark_sweeps.crews import Crew
    from sealcheck.spark_sweeps.forecast import Forecast

VERIFIED = "verified"
COLOURS = {
    "proved": "bold green",
    VERIFIED: "green",
    "refuted": "red",
    "unknown": "yellow",
    "not boundable": "blue",
}

ONLY_THERE = "for what is named as evidence, and for nothing larger"
"""What must not be read as more."""

WITHOUT_SPARK = 15.0
"""Seconds of work that are done before Spark would have started."""

LIMITS = Limits(PART_SECONDS, MIB)

Levels = list[tuple[int, int]]


def audit(
    statements: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STATEMENT",
            help="Their ids, or labels of the paper, or a file FILE.py of your own. [default: all]",
            autocompletion=completing.statements,
        ),
    ] = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="Up to so many processes.")] = "3",
    messages: Annotated[int, typer.Option("--messages", metavar="M", help="Up to so many messages.")] = 4,
    solver: Annotated[
        str | None,
        typer.Option("--solver", metavar="S", help=f"Ask one of {', '.join(SOLVERS)}. [default: all]"),
    ] = None,
    smt_lib: Annotated[
        str | None,
        typer.Option("--smt-lib", metavar="DIR", help="Also write the whole-space queries there as SMT-LIB."),
    ] = None,
    certify: Annotated[
        str | None,
        typer.Option("--certify", metavar="DIR", help="Also write the evidence there, for verify."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what there is to be done, and do nothing of it.")
    ] = False,
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Check the paper's statements up to a bound: the ledger, or some in full.

    Each statement is checked as printed and, where that fails, as repaired: instance by instance,
    with the answers of algorithms, explorers and SMT solvers; and level by level, with the program itself
    as a variable; and again without each of its hypotheses.  A row appears as soon as it is decided.
    What was found is kept, so that the next audit goes on from there.  A part that goes too far is
    unknown.  Exit code 0 if all hold, 1 if one is refuted, 3 if something stays unknown.
    """
    bounds = spaces(up_to(n), messages)
    evidence = None if certify is None else folder("--certify", certify)
    queries = None if smt_lib is None else folder("--smt-lib", smt_lib)
    from sealcheck.encodings.solving import require_solver
    from sealcheck.spark_sweeps.session import require_master
    from sealcheck.theorems.own import is_own
    from sealcheck.theorems.registry import STATEMENTS, named

    if solver is not None:
        require_solver(solver)
    if master is not None:
        require_master(master)
    names = list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))
    if plan:
        _show_plan(names, bounds, solver, as_json=json)
        return
    if evidence is not None:
        if any(map(is_own, names)):
            raise InputError("--certify is for the paper's statements: a ledger must not need other files")
        from sealcheck.spark_sweeps.certify import take_up

        take_up(evidence, names, bounds)
    if queries is not None:
        _write_queries(queries, names, bounds)
    rows = decided(names, bounds, solver=solver, master=master, limits=Limits(seconds, memory))
    with closing(rows):
        findings = list(rows if json else _shown(rows, names, bounds, in_full=bool(statements)))
    if evidence is not None:
        _certify(findings, evidence, bounds, master)
    if json:
        from sealcheck.cli.ledger import document

        write(json_format.dumps([document(finding) for finding in findings]))
    if any(finding.unknown for finding in findings):
        remark(f"unknown: {_limits_hit(seconds, memory)}")
    raise typer.Exit(_code(findings))


def _limits_hit(seconds: int, memory: int) -> str:
    """Which limits there are: only a count of what hit one is kept."""
    from sealcheck.harness.answering import SECONDS as OF_A_SOLVER

    parts = f"{seconds} s (--seconds) and {memory} MiB (--memory) for a part"
    solver = f"{OF_A_SOLVER:.0f} s for a question to a solver"
    return f"a limit was hit ({parts}, {solver}), or a run of a proof was none"


def run(
    names: Sequence[str], bounds: Levels, *, master: str | None = None, limits: Limits = LIMITS
) -> "list[Finding]":
    """All findings of an audit."""
    return list(decided(names, bounds, master=master, limits=limits))


def decided(
    names: Sequence[str],
    bounds: Levels,
    *,
    solver: str | None = None,
    master: str | None = None,
    limits: Limits = LIMITS,
) -> "Generator[Finding, None, None]":
    """The findings of an audit as they are made; nothing is done for what the cache has.

    While the caller looks at one, nothing is shown of the progress.
    """
    from sealcheck.spark_sweeps.audit import audit as run_audit
    from sealcheck.spark_sweeps.cache import Cache

    def open_crew(seconds: float) -> "Crew":
        from sealcheck.spark_sweeps.crews import Helpers

        if master is None and seconds < WITHOUT_SPARK:
            return Helpers()
        from sealcheck.spark_sweeps.on_spark import OnSpark
        from sealcheck.spark_sweeps.session import spark_session

        return OnSpark(lambda: spark_session(master, "sealcheck audit"))

    with closing(Cache()) as cache, progress_bar("audit") as follow:
        cache.forget_others()
        findings = run_audit(
            open_crew, names, bounds, solver=solver, cache=cache, on_progress=follow, limits=limits
        )
        with closing(findings):
            for finding in findings:
                with follow.hidden():
                    yield finding


def _certify(findings: "list[Finding]", folder: Path, bounds: Levels, master: str | None) -> None:
    from sealcheck.spark_sweeps.certify import certify
    from sealcheck.spark_sweeps.session import spark_session

    with step_shown("certify") as follow:
        files = certify(findings, folder, bounds, lambda: spark_session(master, "sealcheck audit"), follow)
    remark(f"wrote {counted(files, 'file')} to {folder}")


def _code(findings: "list[Finding]") -> Code:
    from sealcheck.harness.statement import Verdict

    verdicts = {verdict for finding in findings for verdict in (finding.verdict, finding.bounded)}
    if Verdict.REFUTED in verdicts:
        return Code.NO
    return Code.UNKNOWN if Verdict.UNKNOWN in verdicts else Code.YES


def _write_queries(folder: Path, names: list[str], bounds: Levels) -> None:
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
                            text = f"; {claim.text}\n; {query.name}\n{smt_lib(query.formulas)}"
                            with whole_file(file) as sink:
                                sink.write(text.encode())
    except OSError as error:
        raise InputError(f"cannot write queries to {folder}: {error.strerror}") from None


def _shown(
    findings: "Iterable[Finding]", names: Sequence[str], bounds: Levels, *, in_full: bool
) -> "Iterator[Finding]":
    """The findings, each of which is printed before the next one is made."""
    n, messages = max(n for n, _ in bounds), max(messages for _, messages in bounds)
    write(f"{_up_to(n, messages)}.\n")
    if not in_full:
        yield from _ledger(findings, names)
        return
    verified = False
    for finding in _statements(findings):
        verified |= finding.verdict.value == VERIFIED
        yield finding
    if verified:
        write(f"{VERIFIED}: {ONLY_THERE}")


def _up_to(n: int, messages: int) -> str:
    return f"Up to {counted(n, 'process', 'processes')} and {counted(messages, 'message')}"


def _statements(findings: "Iterable[Finding]") -> "Iterator[Finding]":
    """Print each statement in full when all of its claims are decided."""
    from sealcheck.cli.ledger import in_full

    for _, group in groupby(findings, key=lambda finding: finding.statement):
        about = list(group)
        write("\n".join([*in_full(about), ""]))
        yield from about


def _ledger(findings: "Iterable[Finding]", names: Sequence[str]) -> "Iterator[Finding]":
    """Print one row a claim, and at the end what refutes claims."""
    from sealcheck.cli.ledger import evidence, form

    widths = _widths(names)
    _print_aligned(("statement", "form", "verdict", "evidence"), widths, "bold")
    made = []
    for finding in findings:
        cells = (finding.statement.id, form(finding), finding.verdict.value, evidence(finding))
        _print_aligned(cells, widths)
        made.append(finding)
        yield finding
    verified = any(finding.verdict.value == VERIFIED for finding in made)
    for line in ("", *_legend(verified=verified), *_refutations(made)):
        write(line)


def _widths(names: Sequence[str]) -> tuple[int, ...]:
    """Of the first columns, whatever will be found."""
    from sealcheck.cli.ledger import form_of
    from sealcheck.theorems.registry import statement

    abouts = [statement(name) for name in names]
    forms = [form_of(about, claim) for about in abouts for claim in about.claims]
    columns = (["statement", *names], ["form", *forms], ["verdict", *COLOURS])
    return tuple(max(map(len, column)) for column in columns)


def _print_aligned(cells: Sequence[str], widths: Sequence[int], style: str = "") -> None:
    """Print a row of the table, in several lines where it is wider than the terminal."""
    most = terminal_width()
    if most is None or sum(widths) + len(GAP) * len(widths) + len(cells[-1]) <= most:
        padded = [cell.ljust(width) for cell, width in zip(cells, (*widths, 0), strict=True)]
        write(styled(_joined(padded, style)))
        return
    first = [cell for row in cells[:-1] for cell in whole_words(row, most)]
    beside = sum(map(len, first)) + len(GAP) * len(first) <= most
    for line in [first] if beside else [[cell] for cell in first]:
        write(styled(_joined(line, style)))
    for text in whole_words(cells[-1], most, GAP):
        write(text)


def _joined(cells: Sequence[str], style: str) -> "Text":
    """One line; verdicts have their colours."""
    from rich.text import Text

    coloured = [(cell, COLOURS.get(cell.strip(), "")) for cell in cells]
    return Text(GAP, style, end="").join([Text(*pair) for pair in coloured])


def _legend(*, verified: bool) -> Iterator[str]:
    """What the columns of verdict and evidence mean."""
    for label, text in (
        *([(VERIFIED, ONLY_THERE)] if verified else []),
        (
            "evidence",
            "theorems, which Coq has checked, for every n and every length; and, up to the bound,",
        ),
        ("", "instances checked one by one, each in all its runs, by oracles that agree with each other;"),
        ("", "vacuous ones do not meet the hypotheses of the claim; queries, each about all programs of a"),
        ("", "size at once; for costs, counts that were fitted; and steps of a proof for every n and every"),
        (
            "",
            f"length, which {' and '.join(SMT_SOLVERS)} both check, and beside which an induction is trusted",
        ),
        (
            "by size",
            "there the bound on messages is one on atoms (such as snd, rcv, mt, cut) and repetitions",
        ),
    ):
        yield from entry(label, text, 11)
    yield ""


def _refutations(findings: "Iterable[Finding]") -> Iterator[str]:
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
    yield "A statement in full, with its hypotheses and pictures: sealcheck audit STATEMENT"


def _show_plan(names: Sequence[str], bounds: Levels, solver: str | None, *, as_json: bool) -> None:
    from sealcheck.spark_sweeps.cache import Cache
    from sealcheck.spark_sweeps.forecast import forecast

    with closing(Cache()) as cache:
        found = forecast(names, bounds, solver=solver, cache=cache)
    if as_json:
        write(json_format.dumps(_plan_document(found)))
        return
    write(f"{_up_to(found.setup.n, found.setup.messages)}; left to be done:\n")
    rows = []
    for part in found.parts:
        numbers = (part.instances, part.levels, part.hypotheses, part.every_length, part.growth, part.every_n)
        rows.append((part.statement, *(number or "" for number in numbers)))
    columns = ("instances", "whole levels", "hypotheses", "every length", "growth", "every n")
    print_table(("statement",), columns, rows)
    write("")
    print_table(("question",), ("asked of",), found.asked.items())
    write("\nMore questions may follow from the answers.")
    write(f"About {found.seconds:.0f} s of one core.")


def _plan_document(found: "Forecast") -> dict[str, object]:
    return {
        "n": found.setup.n,
        "messages": found.setup.messages,
        "seconds": round(found.seconds, 1),
        "statements": [asdict(part) for part in found.parts],
        "questions": [{"question": question, "asked": times} for question, times in found.asked.items()],
    }
