"""``sealcheck verify`` and ``check-run``: the kernel on tables, proofs, and runs."""

import json as json_format
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from sealcheck.certified.verification import Outcome, verify_path, verify_run
from sealcheck.cli.answers import Code, write
from sealcheck.cli.bounds import Master
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import MAX_BYTES, decoded, open_input
from sealcheck.cli.progress import row_counter
from sealcheck.cli.wording import counted


def verify(
    path: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A table or a proof, or a folder of these.", show_default=False),
    ],
    spark: Annotated[bool, typer.Option("--spark", help="Check the rows of tables on Spark.")] = False,
    master: Master = None,
    json: Json = False,
) -> None:
    """Check certified evidence with the kernel alone: no solver, and none of the algorithms.

    Exit code 0 if everything is accepted, 1 with each rejected row and the reason, 2 for what is no
    table or proof.
    """
    with row_counter("verify") as follow:
        outcome = verify_path(Path(path), follow, spark=spark or master is not None, master=master)
    _report(outcome, json=json)


def check_run(
    path: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A run as JSON, or - for standard input.", show_default=False),
    ],
    json: Json = False,
) -> None:
    """Check a run with the kernel: what `decide P Q --json` prints where Q does not seal P."""
    with open_input(path) as stream:
        text = decoded(stream.read(MAX_BYTES + 1))
    _report(verify_run(text), json=json)


def _report(outcome: Outcome, *, json: bool) -> NoReturn:
    """Print what the kernel said, and end the command."""
    if json:
        rejected = [{"file": file, "row": row, "reason": reason} for file, row, reason in outcome.rejected]
        refuted = [
            {"statement": id, "claim": claim, "n": n, "messages": m, "refuted": refuted, "queries": queries}
            for (id, claim, n, m), (refuted, queries) in outcome.refuted.items()
        ]
        document = {"ok": outcome.ok, "files": outcome.files, "rows": outcome.rows, "refuted": refuted}
        write(json_format.dumps(document | {"rejected": rejected, "rejections": outcome.rejections}))
    else:
        for file, row, reason in outcome.rejected:
            write(f"rejected: {file}{f', row {row}' if row else ''}: {reason}")
        left_out = outcome.rejections - len(outcome.rejected)
        if left_out:
            write(f"... and {left_out} more")
        verdict = "accepted" if outcome.ok else f"{counted(outcome.rejections, 'complaint')}"
        for (id, claim, n, m), (refuted_here, queries) in outcome.refuted.items():
            level = f"{id}, claim {claim}, n = {n}, messages = {m}"
            write(f"refuted: {level}: {refuted_here} of {counted(queries, 'query', 'queries')}")
        rows = f", {counted(outcome.rows, 'row')}" if outcome.rows or not outcome.refuted else ""
        write(f"{verdict}: {counted(outcome.files, 'file')}{rows}")
    raise typer.Exit(Code.YES if outcome.ok else Code.NO)
