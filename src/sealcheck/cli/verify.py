"""``sealcheck verify``: check evidence, and say what accepted it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn, assert_never

import typer

from sealcheck.cli.inputs import read_input
from sealcheck.cli.options import Json, Master, argument, option
from sealcheck.cli.output import row_counter, write, write_json
from sealcheck.errors import InputError, blaming
from sealcheck.evidence.outcome import (
    Acceptance,
    Accepted,
    AcceptedAnswers,
    AcceptedChains,
    AcceptedClaim,
    AcceptedLedger,
    AcceptedPhases,
    AcceptedProofs,
    AcceptedRun,
    AcceptedSeal,
    AcceptedSealability,
    AcceptedTable,
    Trust,
    Verification,
    extent,
)
from sealcheck.evidence.runs import holds_run, is_header, verify_run
from sealcheck.evidence.table_files import CheckLines, about_file
from sealcheck.evidence.verification import verify_path
from sealcheck.kernel.tables import KINDS, check_lines
from sealcheck.language.names import NUMBERS, Names
from sealcheck.language.ports import parse_port
from sealcheck.operations.result import Code, Document
from sealcheck.questions.verified_checker import checker
from sealcheck.words import counted, harmless

WHAT: dict[type[Acceptance], str] = {
    AcceptedTable: "table",
    AcceptedProofs: "proofs",
    AcceptedAnswers: "answers",
    AcceptedClaim: "claim",
    AcceptedLedger: "ledger",
    AcceptedRun: "run",
    AcceptedChains: "chains",
    AcceptedSealability: "sealability",
    AcceptedPhases: "phases",
    AcceptedSeal: "seal",
}

Evidence = Annotated[
    str,
    argument(
        "FILE",
        "A table, proof or ledger, a folder of these, an answer, a run, or - for one from standard input.",
    ),
]
KernelOnly = Annotated[
    bool,
    typer.Option(
        "--kernel-only",
        help="Check only files that the kernel can check alone; exit code 3 if others are left.",
    ),
]
Expect = Annotated[
    list[str] | None,
    option(
        "--expect",
        "WHAT",
        "Require this evidence: '[table|proofs|ledger] NAME [as-printed|repaired] n=3 messages=0..4'."
        " NAME is a kind of table or a statement. Repeatable.",
    ),
]
Verified = Annotated[
    bool,
    typer.Option(
        "--verified",
        help="Also check rows of tables, runs and answers with sealcheck-verified, a program that is proved"
        " correct. The report says what this program does not check.",
    ),
]


def verify(
    path: Evidence,
    kernel_only: KernelOnly = False,
    expect: Expect = None,
    spark: Annotated[bool, typer.Option("--spark", help="Check the rows of tables on Spark.")] = False,
    master: Master = None,
    verified: Verified = False,
    json: Json = False,
) -> None:
    """Check evidence that other commands wrote, and report what was accepted, and by which means.

    The kernel, a small program, checks tables, answers that were printed with --json, and traces that
    `draw --run` wrote. The kernel also checks proofs, and recorded answers of solvers. The formulas of these
    proofs and answers are generated again from the statement; no solver is asked.

    For the rows of a ledger, all oracles except solvers check every program again.

    Exit code 0 if all is accepted and complete, 1 if something is rejected, 2 for a file that is not
    evidence, 3 if something was left unchecked.
    """
    if not path:
        raise InputError("FILE is empty: name a file or a folder")
    beside = checker() if verified else None
    if path == "-" or holds_run(Path(path)):
        if expect:
            raise InputError("--expect is for tables, proofs and ledgers: this is a run")
        text = read_input(path)
        if path == "-" and is_header(text.partition("\n")[0]):
            raise InputError("-: only runs and answers are read from standard input: name the file instead")
        with blaming(path), about_file(path):
            _report(verify_run(text, beside), json=json)
    with row_counter("verify") as follow, _check_of_lines(spark or master is not None, master) as check:
        outcome = verify_path(
            Path(path), follow, check=check, kernel_only=kernel_only, expected=expect or (), verified=beside
        )
    _report(outcome, json=json)


@contextmanager
def _check_of_lines(on_spark: bool, master: str | None) -> Iterator[CheckLines]:
    if not on_spark:
        yield check_lines
        return
    from sealcheck.spark_sweeps.session import spark_session
    from sealcheck.spark_sweeps.tables import check_lines_on_spark

    with spark_session(master, "sealcheck verify") as spark:
        yield partial(check_lines_on_spark, spark)


def _report(outcome: Verification, *, json: bool) -> NoReturn:
    if json:
        write_json(_document(outcome))
    else:
        for line in _lines(outcome):
            write(harmless(line, also=""))
    unchecked = Code.UNKNOWN if outcome.not_checked else Code.YES
    raise typer.Exit(Code.NO if outcome.rejections else unchecked)


def _document(outcome: Verification) -> Document:
    rejected = [{"file": file, "row": row, "reason": reason} for file, row, reason in outcome.rejected]
    return {
        "ok": outcome.ok,
        "files": outcome.files,
        "rows": outcome.rows,
        "accepted": [_accepted_document(each) for each in outcome.accepted],
        "rejected": rejected,
        "rejections": outcome.rejections,
        "not_checked": [{"file": file, "needs": needs.value} for file, needs in outcome.not_checked],
        "ignored": outcome.ignored,
    }


def _accepted_document(accepted: Accepted) -> Document:
    document = asdict(accepted)
    by, levels = [trust.value for trust in accepted.by], sorted(accepted.levels)
    del document["by"]
    if Trust.VERIFIED not in accepted.by and not accepted.unverified:
        del document["unverified"]
    return {"what": WHAT[type(accepted)]} | document | {"accepted_by": by, "levels": levels}


def _lines(outcome: Verification) -> Iterator[str]:
    for accepted in _merged(outcome.accepted):
        yield f"accepted by {_acceptors(accepted.by)}: {_sentence(accepted)}"
    for unverified in dict.fromkeys(each.unverified for each in outcome.accepted if each.unverified):
        yield f"not checked by {Trust.VERIFIED.value}: {unverified}"
    for file, needs in outcome.not_checked:
        yield f"not checked: {file}: this needs {needs.value}"
    for file in outcome.ignored:
        yield f"ignored: {file}"
    for file, row, reason in outcome.rejected:
        yield f"rejected: {file}{f', row {row}' if row else ''}: {reason}"
    left_out = outcome.rejections - len(outcome.rejected)
    if left_out:
        yield f"... and {left_out} more"
    rows = f", {counted(outcome.rows, 'row')}" if outcome.rows else ""
    amount = f"{counted(outcome.files, 'file')}{rows}"
    if outcome.rejections:
        yield f"{counted(outcome.rejections, 'complaint')}: {amount}"
    elif outcome.not_checked:
        yield f"left unchecked: {len(outcome.not_checked)} of {counted(outcome.files, 'file')}"
    else:
        yield f"accepted: {amount}"


def _acceptors(by: Sequence[Trust]) -> str:
    """The programs that accepted evidence, in words.

    >>> _acceptors([Trust.KERNEL]), _acceptors([Trust.KERNEL, Trust.VERIFIED])
    ('the kernel by itself', 'the kernel and the verified checker')
    """
    if list(by) == [Trust.KERNEL, Trust.VERIFIED]:
        return f"the kernel and {Trust.VERIFIED.value}"
    return ", and ".join(trust.value for trust in by)


def _merged(accepted: Iterable[Accepted]) -> Iterator[Accepted]:
    """The results. Proofs about the same claim and n are merged, and so are answers about one statement."""
    merged: dict[object, Accepted] = {}
    for number, each in enumerate(accepted):
        key: object = number
        if isinstance(each, AcceptedProofs) and each.levels:
            key = each.name, each.claim, each.n
        elif isinstance(each, AcceptedAnswers):
            key = each.name
        other = merged.get(key)
        if isinstance(other, AcceptedProofs) and isinstance(each, AcceptedProofs):
            queries, proved = other.queries + each.queries, other.proved + each.proved
            each = replace(each, levels=other.levels | each.levels, queries=queries, proved=proved)
        elif isinstance(other, AcceptedAnswers) and isinstance(each, AcceptedAnswers):
            instances = other.instances + each.instances
            each = replace(each, levels=other.levels | each.levels, instances=instances)
        merged[key] = each
    yield from merged.values()


def _sentence(accepted: Accepted) -> str:
    levels = accepted.levels
    bounds = f"n = {extent(n for n, _ in levels)}, messages = {extent(m for _, m in levels)}"
    match accepted:
        case AcceptedTable():
            return _table_sentence(accepted)
        case AcceptedProofs():
            level = bounds if levels else f"n = {accepted.n}, messages = {accepted.messages}"
            queries = counted(accepted.queries, "query", "queries")
            shown = f"no counterexample in {accepted.proved} of {queries}"
            return f"proofs of {accepted.name}, {accepted.form}, {level}: {shown}"
        case AcceptedAnswers():
            return f"answers about {accepted.name}, {bounds}: all {counted(accepted.instances, 'instance')}"
        case AcceptedClaim():
            checked = counted(accepted.instances, "instance"), counted(len(accepted.files), "file")
            return f"{accepted.name}, {accepted.form}: {accepted.verdict}, {bounds}: {', '.join(checked)}"
        case AcceptedLedger():
            statements = counted(len(accepted.statements), "statement")
            claims = counted(accepted.claims, "claim")
            return f"{accepted.files[0]}, ledger, {bounds}: all {claims} of {statements}"
        case AcceptedRun():
            loops = ", with self-channels" if accepted.self_channels else ""
            return f"a run that shows that Q does not seal P, n = {accepted.n}{loops}"
        case AcceptedChains():
            loops = ", with self-channels" if accepted.self_channels else ""
            return f"chains that show that Q seals P, n = {accepted.n}{loops}"
        case AcceptedSealability():
            if accepted.messages is None:
                return f"nothing seals P, n = {accepted.n}"
            least = ", and no seal has fewer" if accepted.is_shortest else ""
            return f"a seal of P with {counted(accepted.messages, 'message')}{least}, n = {accepted.n}"
        case AcceptedPhases():
            how = ", whatever follows" if accepted.open else ", repeated" if accepted.repeat else ""
            roots = _ports(accepted)
            causes = "among the root causes" if accepted.searched else "root causes"
            found = f"they interfere; {causes}: {roots}" if roots else "they stay apart"
            called = f" ({', '.join(accepted.titles)})" if accepted.titles else ""
            return f"{counted(len(accepted.layers), 'layer')}{called}, n = {accepted.n}{how}: {found}"
        case AcceptedSeal():
            roots = _ports(accepted)
            found = f"Q does not seal P; root causes: {roots}" if roots else "Q seals P"
            return f"P and Q over ports, n = {accepted.n}: {found}"
        case _:
            assert_never(accepted)


def _ports(accepted: AcceptedPhases | AcceptedSeal) -> str:
    names = Names(accepted.processes)
    return ", ".join(names.port(parse_port(port, NUMBERS)) for port in accepted.interfering)


def _table_sentence(accepted: AcceptedTable) -> str:
    n, messages = (extent(range(a, b + 1)) for a, b in (accepted.n, accepted.messages))
    about = counted(accepted.programs, "pair" if len(KINDS[accepted.name][1]) > 1 else "program")
    rows = f"{counted(accepted.rows, 'row')} for {about}"
    known = f"complete, {accepted.complete}" if accepted.complete else "rows may be missing"
    return f"{accepted.files[0]}, {accepted.name} table, n = {n}, messages = {messages}: {rows}; {known}"
