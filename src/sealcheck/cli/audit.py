"""``sealcheck audit`` and ``report``: the paper's statements, checked up to a bound."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli import options
from sealcheck.cli.inputs import folder
from sealcheck.cli.options import MIB, PART_SECONDS, Json, Largest, Master, Memory, Messages, Seconds, option
from sealcheck.cli.output import (
    GAP,
    code_of,
    print_table,
    remark,
    step_shown,
    write,
    write_json,
    write_styled,
)
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError
from sealcheck.programs.space import spaces, up_to
from sealcheck.support.files import make_folder, require_writable, write_file
from sealcheck.support.processes import Limits
from sealcheck.words import counted, entry, harmless, terminal_width, whole_words

if TYPE_CHECKING:
    from rich.text import Text

    from sealcheck.theorems.checking.verdicts import Finding

Levels = list[tuple[int, int]]

Statements = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STATEMENT",
        help="Ids of statements, labels in the paper, or FILE.py with your own statements. [default: all]",
        autocompletion=options.statements,
    ),
]
Solver = Annotated[str | None, option("--solver", "S", f"Solver: {', '.join(SOLVERS)}. [default: all]")]
SmtLib = Annotated[
    str | None, option("--smt-lib", "DIR", "Folder for the queries about whole levels, as SMT-LIB.")
]
Certify = Annotated[str | None, option("--certify", "DIR", "Folder for the evidence, which `verify` checks.")]
Plan = Annotated[bool, typer.Option("--plan", help="Show the plan without running it.")]


def audit(
    statements: Statements = None,
    n: Largest = "3",
    messages: Messages = 4,
    solver: Solver = None,
    smt_lib: SmtLib = None,
    certify: Certify = None,
    plan: Plan = False,
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Check the paper's statements up to a bound: all of them in a table, or some in full.

    A statement is a theorem, lemma, remark, figure or procedure of the paper. Each statement makes one or
    several claims. A claim is checked as printed. If the printed claim fails, a repaired claim is checked,
    which is as close to the printed claim as we found. The table has a row with the verdict on each claim.

    Algorithms, explorers and SMT solvers check a claim for each program up to the bound. Solvers also get
    queries about all programs with n processes and m messages at once. Then each hypothesis of the claim is
    dropped in turn, and the check is repeated without it. The next audit reuses the answers. If a part of the
    check hits a limit, the verdict may be unknown.

    Exit code 0 if all statements hold, 1 if one is refuted, 2 if one of your own has an error, 3 if one stays
    unknown.
    """
    bounds = spaces(up_to(n), messages)
    evidence = None if certify is None else folder("--certify", certify)
    queries = None if smt_lib is None else folder("--smt-lib", smt_lib)
    limits = Limits(seconds, memory)
    names = _chosen(statements, solver, limits)
    if plan:
        _show_plan(names, bounds, solver, as_json=json)
        return
    if evidence is not None:
        from sealcheck.spark_sweeps.certify import take_up
        from sealcheck.theorems.own import is_own

        if any(map(is_own, names)):
            raise InputError(
                "--certify takes the paper's statements only: a ledger must not need other files"
            )
        take_up(evidence, names, bounds)
    if queries is not None:
        _write_queries(queries, names, bounds)
    from sealcheck.spark_sweeps.audit import decided

    rows = decided(names, bounds, solver=solver, master=master, limits=limits)
    with closing(rows):
        findings = list(rows if json else _shown(rows, names, bounds, in_full=bool(statements)))
    if evidence is not None:
        _certify(findings, evidence, bounds, master)
    if json:
        from sealcheck.evidence.rows import document

        write_json([document(finding) for finding in findings])
    for why in dict.fromkeys(finding.trouble for finding in findings if finding.trouble):
        remark(why)
    if any(finding.unknown for finding in findings):
        remark(f"unknown: {_limits_hit(seconds, memory)}")
    verdicts = (each for finding in findings for each in (finding.verdict, finding.bounded))
    raise typer.Exit(code_of(each.value for each in verdicts))


def _chosen(statements: Sequence[str] | None, solver: str | None, limits: Limits) -> list[str]:
    from sealcheck.encodings.solving import require_solver
    from sealcheck.theorems import own
    from sealcheck.theorems.registry import STATEMENTS, named

    if solver is not None:
        require_solver(solver)
    own.admit(statements or (), limits)
    return list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))


def _limits_hit(seconds: int, memory: int) -> str:
    from sealcheck.theorems.checking.check import SECONDS as OF_A_SOLVER

    parts = f"{seconds} s (--seconds) and {memory} MiB (--memory) for a part"
    solver = f"{OF_A_SOLVER:.0f} s for a question to a solver"
    return f"a limit was hit ({parts}, {solver}), or the run in a proof is invalid"


def _certify(findings: "list[Finding]", folder: Path, bounds: Levels, master: str | None) -> None:
    from sealcheck.spark_sweeps.certify import certify
    from sealcheck.spark_sweeps.session import spark_session

    with step_shown("certify") as follow:
        files = certify(findings, folder, bounds, lambda: spark_session(master, "sealcheck audit"), follow)
    remark(f"wrote {counted(files, 'file')} to {folder}")


def _show_plan(names: Sequence[str], bounds: Levels, solver: str | None, *, as_json: bool) -> None:
    from sealcheck.spark_sweeps.audit import forecast
    from sealcheck.spark_sweeps.findings import Setup
    from sealcheck.spark_sweeps.kept import Kept

    with closing(Kept(Setup.of(bounds, solver).smt)) as kept:
        found = forecast(names, bounds, solver=solver, kept=kept)
    if as_json:
        asked = [{"question": question, "asked": times} for question, times in found.asked.items()]
        bounded = {"n": found.setup.n, "messages": found.setup.messages, "seconds": round(found.seconds, 1)}
        write_json(bounded | {"statements": [asdict(part) for part in found.parts], "questions": asked})
        return
    write(f"{_how_far(found.setup.n, found.setup.messages)}; left to be done:\n")
    rows = []
    for part in found.parts:
        numbers = (part.instances, part.levels, part.hypotheses, part.growth)
        rows.append((part.statement, *(number or "" for number in numbers)))
    columns = ("instances", "whole levels", "hypotheses", "growth")
    print_table(("statement",), columns, rows)
    write("")
    print_table(("question",), ("asked of",), found.asked.items())
    write("\nMore questions may follow from the answers.")
    write(f"About {found.seconds:.0f} s of one core.")


def _write_queries(folder: Path, names: Sequence[str], bounds: Levels) -> None:
    """Write each query as an SMT-LIB file. A query asks for a counterexample among all programs of a size."""
    from sealcheck.theorems.own import there
    from sealcheck.theorems.registry import statement

    make_folder(folder)
    for name in names:
        for which, claim in enumerate(statement(name).claims):
            for n, messages in bounds if claim.whole_space else ():
                for number, text in enumerate(there(name, _texts, name, which, n, messages)):
                    file = f"{name}-{claim.form.value}-n{n}-m{messages}-{number}.smt2"
                    write_file(folder / file, text.encode())


def _texts(name: str, number: int, n: int, messages: int) -> list[str]:
    from sealcheck.encodings.solving import fresh_formulas, smt_lib
    from sealcheck.theorems.registry import statement

    claim = statement(name).claims[number]
    assert claim.whole_space is not None
    with fresh_formulas():
        queries = claim.whole_space(n, messages)
        return [f"; {claim.text}\n; {query.name}\n{smt_lib(query.formulas)}" for query in queries]


VERIFIED = "verified"
COLOURS = {
    "proved": "bold green",
    VERIFIED: "green",
    "refuted": "red",
    "unknown": "yellow",
    "not boundable": "blue",
    "error": "bold red",
}

ONLY_THERE = "within the stated bounds only"


def _shown(
    findings: "Iterable[Finding]", names: Sequence[str], bounds: Levels, *, in_full: bool
) -> "Iterator[Finding]":
    from sealcheck.evidence.rows import in_full as full_text

    n, messages = max(n for n, _ in bounds), max(messages for _, messages in bounds)
    write(f"{_how_far(n, messages)}.\n")
    if not in_full:
        yield from _ledger(findings, names)
        return
    verified = False
    for _, group in groupby(findings, key=lambda finding: finding.statement):
        about = list(group)  # when all claims of the statement are decided
        write("\n".join([*full_text(about), ""]))
        verified |= any(finding.verdict.value == VERIFIED for finding in about)
        yield from about
    if verified:
        write(f"{VERIFIED}: {ONLY_THERE}")


def _ledger(findings: "Iterable[Finding]", names: Sequence[str]) -> "Iterator[Finding]":
    from sealcheck.evidence.rows import evidence, form, form_of
    from sealcheck.theorems.registry import statement

    forms = [form_of(about, claim) for about in map(statement, names) for claim in about.claims]
    columns = (["statement", *names], ["form", *forms], ["verdict", *COLOURS])
    widths = [max(map(len, column)) for column in columns]
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


def _print_aligned(cells: Sequence[str], widths: Sequence[int], style: str = "") -> None:
    """Print a row of the table, on several lines if it is wider than the terminal."""
    most = terminal_width()
    if most is None or sum(widths) + len(GAP) * len(widths) + len(cells[-1]) <= most:
        padded = [cell.ljust(width) for cell, width in zip(cells, (*widths, 0), strict=True)]
        write_styled(_joined(padded, style))
        return
    first = [cell for row in cells[:-1] for cell in whole_words(row, most)]
    beside = sum(map(len, first)) + len(GAP) * len(first) <= most
    for line in [first] if beside else [[cell] for cell in first]:
        write_styled(_joined(line, style))
    for text in whole_words(cells[-1], most, GAP, GAP):
        write(text)


def _joined(cells: Sequence[str], style: str) -> "Text":
    from rich.text import Text

    coloured = [(harmless(cell), COLOURS.get(cell.strip(), "")) for cell in cells]
    return Text(GAP, style, end="").join([Text(*pair) for pair in coloured])


def _legend(*, verified: bool) -> Iterator[str]:
    if verified:
        yield from entry(VERIFIED, ONLY_THERE, 11)
    for label, text in (
        ("evidence", "theorems: checked by Coq, for every n and every length"),
        ("", "instances: checked one by one up to the bound, in all their runs; the oracles agree"),
        ("", "vacuous instances: they do not meet the hypotheses of the claim"),
        ("", "queries: each about all programs of a size at once"),
        ("", "counts: fitted, in claims about costs"),
        ("intervals", "finite, unless a claim speaks of infinite ones"),
        (
            "bound",
            'in rows with "whole language", the bound on messages is instead a bound on atoms (such as snd,'
            " rcv, mt, cut) and repetitions",
        ),
    ):
        yield from entry(label, text, 11)
    yield ""


def _refutations(findings: "Sequence[Finding]") -> Iterator[str]:
    from sealcheck.evidence.rows import by_theorem, counts, form, summary

    yield summary(findings)
    yield ""
    for finding in findings:
        if finding.verdict.value != "refuted":
            continue
        yield f"{finding.statement.id}, {form(finding)}:"
        yield from entry("  claim", finding.claim.text, 11)
        if finding.counterexample is not None:
            yield f"  fails    for n = {finding.counterexample.n}: {finding.counterexample}"
        for text in (counts(finding), *by_theorem(finding)):
            yield from entry("  fails", text, 11)
    yield ""
    yield "A statement in full, with its hypotheses and pictures: sealcheck audit STATEMENT"


def _how_far(n: int, messages: int) -> str:
    return f"Up to {counted(n, 'process', 'processes')} and {counted(messages, 'message')}"


FILES = ("report.html", "findings.md", "ledger.tex", "references.bib")
ANSWERING = "play.html"
"""The page of `sealcheck play`. A report has this page only if the installation has the page's parts."""


def report(
    out: Annotated[str, typer.Argument(metavar="DIR", help="Output folder.")],
    n: Largest = "3",
    messages: Messages = 4,
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Write the ledger of an audit, and each refutation step by step, into a folder.

    The ledger lists the claims of the paper with their verdicts. The audit runs first, and reuses the results
    of earlier audits.

    report.html is one page that works without a network and without JavaScript. findings.md and ledger.tex
    have the same content. references.bib has BibTeX entries for the paper and this tool. If this installation
    can write the page of `sealcheck play`, play.html is this page: it answers questions, such as those about
    the counterexamples in report.html.
    """
    bounds = spaces(up_to(n), messages)
    from sealcheck.cli.page.page import as_latex, as_markdown, bibtex, page
    from sealcheck.cli.play.folder import is_there, members, single
    from sealcheck.spark_sweeps.audit import decided
    from sealcheck.theorems.registry import STATEMENTS

    target = folder("DIR", out)
    names = (*FILES, *([ANSWERING] if is_there() else []))
    for name in names:
        require_writable(target / name)
    archive = members() if ANSWERING in names else None
    words = ["sealcheck", "report", out, "--n", n.strip(), "--messages", str(messages)]
    command = shlex.join(words + ([] if master is None else ["--master", master]))
    found = list(decided(list(STATEMENTS), bounds, master=master, limits=Limits(seconds, memory)))
    html = page(found, command, ANSWERING if archive else "")
    texts = html, as_markdown(found, command), as_latex(found, command), bibtex()
    documents = [text.encode() for text in texts] + ([single(archive)] if archive else [])
    make_folder(target)
    for name, content in zip(names, documents, strict=True):
        write_file(target / name, content)
    files = [str(target / name) for name in names]
    if json:
        write_json({"files": files})
    else:
        write(f"wrote {', '.join(files)}")
