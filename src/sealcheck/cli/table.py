"""``sealcheck table KIND``: every program up to a bound with its verdict and its certificate."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.cli.answers import write
from sealcheck.cli.bounds import Master, Messages, process_range, spaces
from sealcheck.cli.command import Json
from sealcheck.cli.progress import progress_bar
from sealcheck.cli.wording import counted
from sealcheck.errors import InputError


def table(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="sealability, sealing-pairs, signatures, counterexamples or worst-cases.",
            show_default=False,
        ),
    ],
    n: Annotated[str, typer.Option("--n", metavar="N", help="The number of processes, or a range: 2..4.")],
    messages: Messages,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Where the table goes.")],
    format: Annotated[
        str, typer.Option("--format", metavar="F", help="jsonl, parquet, csv, latex or markdown.")
    ] = "jsonl",
    master: Master = None,
    json: Json = False,
) -> None:
    """Write a table of programs up to renaming processes, each row with evidence for its verdict.

    sealability: every program, whether it can be sealed, with a shortest seal.  sealing-pairs: every
    P and Q (so many messages together), whether Q seals P.  signatures: every program's signature.
    counterexamples: every program on which the printed theorem on sealability fails.  worst-cases:
    for each size, the programs whose shortest seals are longest.  `sealcheck verify` checks jsonl
    and parquet; the others are for people.
    """
    bounds = spaces(process_range(n), messages)
    from sealcheck.certified.formats import COLUMNS, FORMATS
    from sealcheck.certified.making import write_table
    from sealcheck.spark_sweeps.session import require_master, spark_session

    for value, known in ((kind, COLUMNS), (format, FORMATS)):
        if value not in known:
            raise InputError(f"'{value}' is none of {', '.join(known)}")
    if master is not None:
        require_master(master)
    target = Path(out)
    if target.is_dir():
        raise InputError(f"cannot write {target}: it is a folder")
    with progress_bar(f"table {kind}") as follow:
        summary = write_table(
            kind,
            format,
            target,
            bounds,
            lambda: spark_session(master, "sealcheck table"),
            use_spark=master is not None,
            on_progress=follow,
        )
    if json:
        write(json_format.dumps(json_format.loads(summary.header) | {"file": str(target)}))
    else:
        write(f"wrote {target}: {counted(summary.rows, 'row')}")
