"""``sealcheck table KIND``: every program up to a bound with its verdict and its certificate."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli import options
from sealcheck.cli.answers import write
from sealcheck.cli.command import Json
from sealcheck.cli.limits import MIB, PART_SECONDS, Memory, Seconds
from sealcheck.cli.options import Master, Messages
from sealcheck.errors import InputError
from sealcheck.evidence.tables.registry import table as table_of
from sealcheck.kernel.tables import KINDS
from sealcheck.programs.bounds import process_range, spaces
from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.words import counted, or_choose

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="Which rows. " + " ".join(f"{kind}: {table_of(kind).text}." for kind in KINDS),
        show_default=False,
        autocompletion=options.kinds,
    ),
]


def table(
    kind: Kind,
    n: Annotated[str, typer.Option("--n", metavar="N", help="The number of processes, or a range: 2..4.")],
    messages: Messages,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Where the table goes.")],
    format: Annotated[
        str, typer.Option("--format", metavar="F", help="jsonl, parquet, csv, latex or markdown.")
    ] = "jsonl",
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Write a table of programs up to renaming processes, each row with evidence for its verdict.

    `sealcheck verify` checks jsonl and parquet; the others are for people.  Exit code 3, and no file, where
    a part of the work hit a limit.
    """
    bounds = spaces(process_range(n), messages)
    _require_known(kind, format)
    from sealcheck.spark_sweeps.session import require_master, spark_session
    from sealcheck.spark_sweeps.tables import write_table

    if master is not None:
        require_master(master)
    target = _target(out)
    with progress_bar(f"table {kind}") as follow:
        summary = write_table(
            kind,
            format,
            target,
            bounds,
            lambda: spark_session(master, "sealcheck table"),
            use_spark=master is not None,
            limits=Limits(seconds, memory),
            on_progress=follow,
        )
    if json:
        write(json_format.dumps(json_format.loads(summary.header) | {"file": str(target)}))
    else:
        write(f"wrote {target}: {counted(summary.rows, 'row')}")


def _require_known(kind: str, format: str) -> None:
    """Raise InputError where there is no such kind of table, or no such format."""
    from sealcheck.evidence.formats import FORMATS

    for value, known, what in ((kind, KINDS, "kind of table"), (format, FORMATS, "format")):
        if value not in known:
            raise InputError(f"unknown {what} '{value}': {or_choose(value, known)}")


def _target(out: str) -> Path:
    """The file to write.  Raises InputError where it can't be one."""
    if not out:
        raise InputError("--out is empty: name a file")
    target = Path(out)
    if target.is_dir():
        raise InputError(f"cannot write {target}: it is a folder")
    return target
