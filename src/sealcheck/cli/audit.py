"""``sealcheck audit``: the paper's statements, checked up to a bound."""

import json as json_format
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli import completing
from sealcheck.cli.answers import Code, remark, write
from sealcheck.cli.audit_plan import show_plan
from sealcheck.cli.audit_queries import write_queries
from sealcheck.cli.audit_rows import shown
from sealcheck.cli.bounds import Master, spaces, up_to
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import folder
from sealcheck.cli.limits import MIB, PART_SECONDS, Memory, Seconds
from sealcheck.cli.progress import progress_bar, step_shown
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.crews import Crew
    from sealcheck.theorems.checking.verdicts import Finding

WITHOUT_SPARK = 15.0
"""Seconds of work that are done before Spark would have started."""

LIMITS = Limits(PART_SECONDS, MIB)

Levels = list[tuple[int, int]]


Statements = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STATEMENT",
        help="Their ids, or labels of the paper, or a file FILE.py of your own. [default: all]",
        autocompletion=completing.statements,
    ),
]
Solver = Annotated[
    str | None,
    typer.Option("--solver", metavar="S", help=f"Ask one of {', '.join(SOLVERS)}. [default: all]"),
]
SmtLib = Annotated[
    str | None,
    typer.Option("--smt-lib", metavar="DIR", help="Also write the whole-space queries there as SMT-LIB."),
]
Certify = Annotated[
    str | None,
    typer.Option("--certify", metavar="DIR", help="Also write the evidence there, for verify."),
]
Plan = Annotated[bool, typer.Option("--plan", help="Say what there is to be done, and do nothing of it.")]


def audit(
    statements: Statements = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="Up to so many processes.")] = "3",
    messages: Annotated[int, typer.Option("--messages", metavar="M", help="Up to so many messages.")] = 4,
    solver: Solver = None,
    smt_lib: SmtLib = None,
    certify: Certify = None,
    plan: Plan = False,
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
    unknown.  Exit code 0 if all hold, 1 if one is refuted, 2 if one of your own has an error, 3 if
    something stays unknown.
    """
    bounds = spaces(up_to(n), messages)
    evidence = None if certify is None else folder("--certify", certify)
    queries = None if smt_lib is None else folder("--smt-lib", smt_lib)
    limits = Limits(seconds, memory)
    names = _chosen(statements, solver, master, limits)
    if plan:
        show_plan(names, bounds, solver, as_json=json)
        return
    if evidence is not None:
        _take_up(evidence, names, bounds)
    if queries is not None:
        write_queries(queries, names, bounds)
    rows = decided(names, bounds, solver=solver, master=master, limits=limits)
    with closing(rows):
        findings = list(rows if json else shown(rows, names, bounds, in_full=bool(statements)))
    if evidence is not None:
        _certify(findings, evidence, bounds, master)
    if json:
        from sealcheck.cli.ledger_documents import document

        write(json_format.dumps([document(finding) for finding in findings]))
    for why in dict.fromkeys(finding.trouble for finding in findings if finding.trouble):
        remark(why)
    if any(finding.unknown for finding in findings):
        remark(f"unknown: {_limits_hit(seconds, memory)}")
    raise typer.Exit(_code(findings))


def _chosen(
    statements: Sequence[str] | None, solver: str | None, master: str | None, limits: Limits
) -> list[str]:
    """The ids of the statements that are meant.

    Raises InputError, also about the solver and the master; and LimitReached if a file takes too long.
    """
    from sealcheck.encodings.solving import require_solver
    from sealcheck.spark_sweeps.session import require_master
    from sealcheck.theorems import own
    from sealcheck.theorems.registry import STATEMENTS, named

    if solver is not None:
        require_solver(solver)
    if master is not None:
        require_master(master)
    own.admit(statements or (), limits)
    return list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))


def _take_up(evidence: Path, names: Sequence[str], bounds: Levels) -> None:
    """Begin the folder of the evidence, or go on with it.  Raises InputError."""
    from sealcheck.spark_sweeps.certify import take_up
    from sealcheck.theorems.own import is_own

    if any(map(is_own, names)):
        raise InputError("--certify is for the paper's statements: a ledger must not need other files")
    take_up(evidence, names, bounds)


def _limits_hit(seconds: int, memory: int) -> str:
    """Which limits there are: only a count of what hit one is kept."""
    from sealcheck.theorems.checking.check import SECONDS as OF_A_SOLVER

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
        """For little work, processes beside this one: Spark would take longer to start."""
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
    """Write the evidence for what was found, and say how much it is."""
    from sealcheck.spark_sweeps.certify import certify
    from sealcheck.spark_sweeps.session import spark_session

    with step_shown("certify") as follow:
        files = certify(findings, folder, bounds, lambda: spark_session(master, "sealcheck audit"), follow)
    remark(f"wrote {counted(files, 'file')} to {folder}")


def _code(findings: "list[Finding]") -> Code:
    """The exit code: a refutation by checking counts, too; what could not be checked is bad input."""
    from sealcheck.theorems.checking.statement import Verdict

    verdicts = {verdict for finding in findings for verdict in (finding.verdict, finding.bounded)}
    if Verdict.ERROR in verdicts:
        return Code.BAD_INPUT
    if Verdict.REFUTED in verdicts:
        return Code.NO
    return Code.UNKNOWN if Verdict.UNKNOWN in verdicts else Code.YES
