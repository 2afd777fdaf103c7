"""``sealcheck sweep`` and ``table``: decide all programs up to a size, or a sample, and write tables."""

import json as json_format
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sealcheck.cli import options
from sealcheck.cli.inputs import folder
from sealcheck.cli.output import print_table, remark, write, write_json
from sealcheck.errors import InputError
from sealcheck.evidence.tables import TABLES
from sealcheck.operations.result import Code, Document
from sealcheck.operations.wording import listed
from sealcheck.programs.space import process_range, spaces
from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.support.files import require_place
from sealcheck.support.processes import Limits, cores
from sealcheck.words import counted, or_choose

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sealcheck.spark_sweeps.columns import LevelTotals, Sampled
    from sealcheck.spark_sweeps.cutting import Plan

Sample = Annotated[
    int | None,
    options.whole(
        "--sample",
        "COUNT",
        "Number of programs to draw at random, uniformly, from those with exactly M messages.",
    ),
]
Seed = Annotated[int | None, options.whole("--seed", "S", "Random seed. [default: 2026]")]
RowsFolder = Annotated[
    str | None,
    options.option("--out", "DIR", "Folder for the rows, as Parquet. A stopped sweep continues from it."),
]


class _Request(NamedTuple):
    spaces: list[tuple[int, int]]
    size: int
    seed: int


def _asked_for(n: str, messages: int, count: int | None, seed: int | None) -> _Request | None:
    if count is None:
        if seed is not None:
            raise InputError("--seed chooses the programs of a sample: it needs --sample")
        return None
    from sealcheck.spark_sweeps.cutting import SEED, require_sample

    asked = _Request([(of_n, messages) for of_n in process_range(n)], count, SEED if seed is None else seed)
    require_sample(*asked)
    return asked


def sweep(
    n: options.Range,
    messages: options.Messages,
    master: options.Master = None,
    out: RowsFolder = None,
    sample: Sample = None,
    seed: Seed = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show the plan and its approximate duration without running it.")
    ] = False,
    seconds: options.Seconds = options.PART_SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
) -> None:
    """Decide sealability of all programs with N processes and up to M messages.

    P is sealable if some Q seals it: each receive of P takes a message of P, in every run that starts with
    empty channels and executes P, then Q, then any program.  Each class of programs that differ only by
    renaming processes has one row.

    A level is all programs with n processes and m messages.  An explorer and two SMT solvers cross-check the
    rows or, on large levels, a random sample.  A level is left out if a part of it hit a limit.

    With --sample, random programs are decided, which estimates frequencies but verifies nothing.  Exit code 3
    if a part or a cross-check hit a limit.
    """
    asked = _asked_for(n, messages, sample, seed)
    if asked is not None and out is not None:
        raise InputError("--out keeps whole levels, which a sample does not have: leave out one of them")
    bounds = spaces(process_range(n), messages) if asked is None else asked.spaces
    rows = None if out is None else folder("--out", out)
    if plan:
        _print_plans(bounds, asked, master, with_rows=rows is not None, json=json)
        raise typer.Exit(Code.YES)
    limits = Limits(seconds, memory)
    if asked is None:
        known = _sweep(bounds, master, rows, limits, json=json)
    else:
        known = _all_checked(_sample(asked, master, limits, json=json))
    raise typer.Exit(Code.YES if known else Code.UNKNOWN)


def _all_checked(unknown: int) -> bool:
    if unknown:
        remark(f"unknown: {counted(unknown, 'cross-check')} hit a limit")
    return not unknown


def _sweep(
    bounds: list[tuple[int, int]], master: str | None, out: Path | None, limits: Limits, *, json: bool
) -> bool:
    from sealcheck.spark_sweeps.cutting import SEED, plans
    from sealcheck.spark_sweeps.sweep import check_directory
    from sealcheck.spark_sweeps.sweep import sweep as run_sweep

    if out is not None and (damaged := check_directory(bounds, out)):
        files = f"{counted(len(damaged), 'damaged file')} from {out}"
        remark(f"removed {files}, to be computed again: {listed(damaged, most=3)}")
    planned = plans(bounds, with_rows=out is not None)
    opened = _session(master, "sealcheck sweep", planned, with_rows=out is not None)
    with progress_bar("sweep") as follow, opened as spark:
        swept = run_sweep(spark, bounds, out, limits=limits, on_progress=follow)
    if json:
        levels = [asdict(level) for level in swept.levels]
        write_json({"levels": levels, "limits": swept.limits, "seed": SEED, "out": out and str(out)})
    else:
        _print(swept.levels, out)
    follow.print_summary()
    if swept.limits:
        remark(f"unknown: {counted(len(swept.limits), 'part')} hit a limit, the first is {swept.limits[0]}")
    return _all_checked(sum(level.unknown for level in swept.levels)) and not swept.limits


def _session(
    master: str | None, name: str, planned: "Sequence[Plan]", *, with_rows: bool = False
) -> "AbstractContextManager[SparkSession | None]":
    """A Spark session. None if there is little work and no master is named."""
    from sealcheck.spark_sweeps.cutting import is_little

    if master is None and is_little(planned, with_rows=with_rows):
        return nullcontext()
    from sealcheck.spark_sweeps.session import spark_session

    return spark_session(master, name)


def _print_plans(
    bounds: list[tuple[int, int]],
    asked: _Request | None,
    master: str | None,
    *,
    with_rows: bool,
    json: bool,
) -> None:
    from sealcheck.spark_sweeps.cutting import is_little, plans, sample_plans

    found = plans(bounds, with_rows=with_rows) if asked is None else sample_plans(bounds, asked.size)
    without_spark = master is None and is_little(found, with_rows=with_rows)
    at_once = 1 if without_spark else cores()
    seconds = sum(plan.seconds for plan in found) / at_once
    if json:
        write_json({"levels": [asdict(plan) for plan in found], "cores": at_once, "seconds": seconds})
        return
    names = ("n", "messages", "programs", "canonical", *(["drawn"] if asked else []), "partitions")
    rows = []
    for plan in found:
        counts = (plan.n, plan.messages, plan.programs, plan.canonical)
        drawn = () if plan.drawn is None else (plan.drawn,)
        work = (plan.shards, plan.cross_checks, f"{plan.seconds:.0f}", f"{plan.bytes / 1e6:.1f}")
        rows.append((*counts, *drawn, *work))
    print_table((), (*names, "cross-checks", "core seconds", "MB"), rows)
    starting = "without Spark" if without_spark else "and 10 s to start Spark"
    write(f"\nAbout {seconds:.0f} s on {counted(at_once, 'core')}, {starting}.")


def _print(levels: "list[LevelTotals]", out: Path | None) -> None:
    from sealcheck.spark_sweeps.cutting import SEED

    _print_counts(levels, "canonical", map(_share, levels))
    if any(level.cross_checked + level.unknown < level.canonical for level in levels):
        write(f"\nCross-checked samples are drawn with seed {SEED}.")
    if out is not None:
        write(f"\nOne row for each canonical program: {out}")


def _print_counts(
    found: "Sequence[LevelTotals | Sampled]", which: str, cross_checked: Iterable[object]
) -> None:
    """Print the counts of levels or samples. `which` names the column of the programs that were decided."""
    counts = ("n", "messages", "programs", which, "sealable", "unsealable")
    rows = []
    for each, checked in zip(found, cross_checked, strict=True):
        most = "-" if each.most_seal_messages is None else each.most_seal_messages
        values = (getattr(each, name) for name in counts)
        rows.append((*values, each.unconnected_yet_sealable, most, checked))
    print_table((), (*counts, "refuting th:sealability", "longest minimum seal", "cross-checked"), rows)


def _share(level: "LevelTotals") -> str:
    if level.cross_checked + level.unknown < level.canonical:
        return f"{level.cross_checked} sampled"
    return f"all but {level.unknown}" if level.unknown else "all"


def _sample(asked: _Request, master: str | None, limits: Limits, *, json: bool) -> int:
    from sealcheck.algorithms.packed.levels import CONFIDENCE
    from sealcheck.spark_sweeps.cutting import sample_plans
    from sealcheck.spark_sweeps.sample import sample

    opened = _session(master, "sealcheck sample", sample_plans(asked.spaces, asked.size))
    with progress_bar("sample") as follow, opened as spark:
        samples = sample(spark, *asked, limits=limits, on_progress=follow)
    if json:
        found = [_document(sampled) for sampled in samples]
        write_json({"samples": found, "seed": asked.seed, "confidence": CONFIDENCE})
    else:
        _print_sampled(samples, asked.seed)
    follow.print_summary()
    return sum(sampled.unknown for sampled in samples)


SHARES = {
    "sealable": "are sealable",
    "unsealable": "are unsealable",
    "unconnected_yet_sealable": "refute th:sealability as printed",
}
"""For some counts of a sample: what is true of the programs that are counted."""


def _document(sampled: "Sampled") -> Document:
    from sealcheck.algorithms.packed.levels import absent, interval

    counts = asdict(sampled)
    shares = {name: interval(counts[name], sampled.drawn) for name in SHARES}
    return counts | {"verified": False, "shares": shares, "absent_at_most": absent(sampled.drawn)}


def _print_sampled(samples: "list[Sampled]", seed: int) -> None:
    _print_counts(samples, "drawn", (sampled.cross_checked for sampled in samples))
    write(f"\nNothing is verified: these are random programs, drawn with seed {seed}.")
    write("Each estimate below holds, by itself, with 95 % confidence.")
    for sampled in samples:
        programs, messages = counted(sampled.programs, "program"), counted(sampled.messages, "message")
        write(f"\nOf the {programs} with n = {sampled.n} and {messages}")
        for line in _shares(sampled):
            write(f"  {line}")


def _shares(sampled: "Sampled") -> Iterator[str]:
    from sealcheck.algorithms.packed.levels import absent, interval

    for name, said in SHARES.items():
        low, high = interval(getattr(sampled, name), sampled.drawn)
        most = _percent(high, ROUND_CEILING)
        between = f"{_percent(low, ROUND_FLOOR)} to {most}" if low else f"at most {most}"
        yield f"{between} {said} (Clopper and Pearson)"
    rare, drawn = _percent(absent(sampled.drawn), ROUND_CEILING), counted(sampled.drawn, "drawn program")
    yield f"at most {rare} have any given property that none of {drawn} has (rule of three)"
    if checked := sampled.cross_checked:
        rare = f"at most {_percent(absent(checked), ROUND_CEILING)}"
        yield f"{rare} would fail a cross-check: none of {checked} did (rule of three)"


def _percent(share: float, rounding: str) -> str:
    """A share in percent, with four digits, rounded up or down so that "at most" or "at least" stays true.

    >>> _percent(0.84777174, ROUND_FLOOR), _percent(0.84777174, ROUND_CEILING), _percent(3e-05, ROUND_CEILING)
    ('84.77 %', '84.78 %', '0.003 %')
    """
    exact = Decimal(f"{100 * share:.12g}")
    return f"{Context(4, rounding).create_decimal(exact).normalize():f} %"


Kind = Annotated[
    str,
    options.argument(
        "KIND",
        "Kind of table. " + " ".join(f"{kind}: {table.text}." for kind, table in TABLES.items()),
        autocompletion=options.kinds,
    ),
]


Format = Annotated[str, options.option("--format", "F", "Format: jsonl, parquet, csv, latex or markdown.")]


def table(
    kind: Kind,
    n: options.Range,
    messages: options.Messages,
    out: Annotated[str, options.option("--out", "FILE", "Output file.")],
    format: Format = "jsonl",
    seconds: options.Seconds = options.PART_SECONDS,
    memory: options.Memory = options.MIB,
    master: options.Master = None,
    json: options.Json = False,
) -> None:
    """Write a table of programs, each row with evidence for its verdict.

    Each class of programs that differ only by renaming processes has one row.  `sealcheck verify` checks
    jsonl and parquet; the other formats are for people.  If a part of the work hits a limit, the exit code is
    3, and no file is written.
    """
    bounds = spaces(process_range(n), messages)
    from sealcheck.evidence.formats import FORMATS

    for value, known, what in ((kind, TABLES, "kind of table"), (format, FORMATS, "format")):
        if value not in known:
            raise InputError(f"unknown {what} '{value}': {or_choose(value, known)}")
    from sealcheck.spark_sweeps.session import spark_session
    from sealcheck.spark_sweeps.tables import write_table

    if not out:
        raise InputError("--out is empty: name a file")
    target = Path(out)
    require_place(target)
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
    wrote = json_format.loads(summary.header) | {"file": str(target)}
    write(json_format.dumps(wrote) if json else f"wrote {target}: {counted(summary.rows, 'row')}")
