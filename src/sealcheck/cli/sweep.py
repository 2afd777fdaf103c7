"""``sealcheck sweep``: sealability of every program of the bounded space, or of a sample, on Spark."""

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.answers import Code, remark, write
from sealcheck.cli.bounds import Master, Messages, process_range, spaces
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import folder
from sealcheck.cli.progress import progress_bar
from sealcheck.cli.sampled import Asked, Sample, Seed, asked_for, draw
from sealcheck.cli.tables import print_table
from sealcheck.cli.wording import listed
from sealcheck.errors import InputError
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.columns import LevelTotals
    from sealcheck.spark_sweeps.plan import Plan


def sweep(
    n: Annotated[str, typer.Option("--n", metavar="N", help="The number of processes, or a range: 2..4.")],
    messages: Messages,
    master: Master = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="Keep the rows there as Parquet; a stopped sweep goes on."),
    ] = None,
    sample: Sample = None,
    seed: Seed = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what there is to do, and about how long it takes.")
    ] = False,
    json: Json = False,
) -> None:
    """Decide sealability of every program with so many processes and messages.

    One row for each program up to renaming processes; all of them, or a seeded sample on large
    levels, are cross-checked by the explorer and two SMT solvers.  Exit code 3 if a cross-check hit a
    limit.  With --sample, random programs instead of all: that verifies nothing, but says what is rare.
    """
    asked = asked_for(n, messages, sample, seed)
    if asked is not None and out is not None:
        raise InputError("--out keeps the rows of whole levels, of which a sample has none: leave one away")
    bounds = spaces(process_range(n), messages) if asked is None else asked.spaces
    from sealcheck.spark_sweeps.session import require_master

    rows = None if out is None else folder("--out", out)
    if plan:
        _print_plans(bounds, asked, with_rows=rows is not None, json=json)
        raise typer.Exit(Code.YES)
    if master is not None:
        require_master(master)
    unknown = _sweep(bounds, master, rows, json=json) if asked is None else draw(asked, master, json=json)
    if unknown:
        remark(f"unknown: {counted(unknown, 'cross-check')} hit a limit")
    raise typer.Exit(Code.UNKNOWN if unknown else Code.YES)


def _sweep(bounds: list[tuple[int, int]], master: str | None, out: Path | None, *, json: bool) -> int:
    """Sweep and print what comes of it; returns how many cross-checks hit a limit."""
    from sealcheck.spark_sweeps.session import spark_session
    from sealcheck.spark_sweeps.sweep import check_directory
    from sealcheck.spark_sweeps.sweep import sweep as run_sweep
    from sealcheck.spark_sweeps.sweep_shards import SEED

    if out is not None:
        _say_damaged(check_directory(bounds, out), out)
    with progress_bar("sweep") as follow, spark_session(master, "sealcheck sweep") as spark:
        levels = run_sweep(spark, bounds, out, on_progress=follow)
    if json:
        document = {"levels": [asdict(level) for level in levels], "seed": SEED, "out": out and str(out)}
        write(json_format.dumps(document))
    else:
        _print(levels, out)
    follow.print_summary()
    return sum(level.unknown for level in levels)


def _say_damaged(names: Sequence[str], out: Path) -> None:
    if names:
        files = counted(len(names), "damaged file")
        remark(f"removed {files} from {out}, to be computed again: {listed(names, most=3)}")


def _print_plans(bounds: list[tuple[int, int]], asked: Asked | None, *, with_rows: bool, json: bool) -> None:
    from sealcheck.spark_sweeps.plan import cores, plans, sample_plans

    found = plans(bounds, with_rows=with_rows) if asked is None else sample_plans(bounds, asked.size)
    seconds = sum(plan.seconds for plan in found) / cores()
    if json:
        document = {"levels": [asdict(plan) for plan in found], "cores": cores(), "seconds": seconds}
        write(json_format.dumps(document))
        return
    names = ("n", "messages", "programs", "canonical", *(["drawn"] if asked else []), "partitions")
    print_table((), (*names, "cross-checks", "core seconds", "MB"), map(_planned, found))
    write(f"\nAbout {seconds:.0f} s on {counted(cores(), 'core')}, and 10 s to start Spark.")


def _planned(plan: "Plan") -> list[str]:
    drawn = () if plan.drawn is None else (plan.drawn,)
    counts = (plan.n, plan.messages, plan.programs, plan.canonical, *drawn, plan.shards, plan.cross_checks)
    return [*map(str, counts), f"{plan.seconds:.0f}", f"{plan.bytes / 1e6:.1f}"]


def _print(levels: "list[LevelTotals]", out: Path | None) -> None:
    from sealcheck.spark_sweeps.sweep_shards import SEED

    counts = ("n", "messages", "programs", "canonical", "sealable", "unsealable")
    names = (*counts, "refuting th:sealability", "longest minimum seal", "cross-checked")
    rows = []
    for level in levels:
        most = "-" if level.most_seal_messages is None else level.most_seal_messages
        values = (getattr(level, name) for name in counts)
        rows.append((*values, level.unconnected_yet_sealable, most, _share(level)))
    print_table((), names, rows)
    if any(level.cross_checked + level.unknown < level.canonical for level in levels):
        write(f"\nCross-checked samples are drawn with seed {SEED}.")
    if out is not None:
        write(f"\nOne row for each canonical program: {out}")


def _share(level: "LevelTotals") -> str:
    if level.cross_checked + level.unknown < level.canonical:
        return f"{level.cross_checked} sampled"
    return f"all but {level.unknown}" if level.unknown else "all"
