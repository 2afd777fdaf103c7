"""``sealcheck sweep``: sealability of every program of the bounded space, or of a sample, on Spark."""

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli.answers import Code, remark, write
from sealcheck.cli.bounds import Master, Messages, process_range, spaces
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import folder
from sealcheck.cli.limits import MIB, PART_SECONDS, Memory, Seconds
from sealcheck.cli.progress import progress_bar
from sealcheck.cli.sampled import Request, Sample, Seed, asked_for, draw
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
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    json: Json = False,
) -> None:
    """Decide sealability of every program with so many processes and messages.

    One row for each program up to renaming processes; all of them, or a seeded sample on large
    levels, are cross-checked by the explorer and two SMT solvers.  Levels of which a part hit a limit are
    left out.  With --sample, random programs instead of all: that verifies nothing, but says what is rare.
    Exit code 3 if a part or a cross-check hit a limit.
    """
    asked = asked_for(n, messages, sample, seed)
    if asked is not None and out is not None:
        raise InputError("--out keeps the rows of whole levels, of which a sample has none: leave one out")
    bounds = spaces(process_range(n), messages) if asked is None else asked.spaces
    from sealcheck.spark_sweeps.session import require_master

    rows = None if out is None else folder("--out", out)
    if plan:
        _print_plans(bounds, asked, with_rows=rows is not None, json=json)
        raise typer.Exit(Code.YES)
    if master is not None:
        require_master(master)
    limits = Limits(seconds, memory)
    if asked is None:
        known = _sweep(bounds, master, rows, limits, json=json)
    else:
        known = _all_checked(draw(asked, master, limits, json=json))
    raise typer.Exit(Code.YES if known else Code.UNKNOWN)


def _all_checked(unknown: int) -> bool:
    """Whether no cross-check hit a limit; says so where some did."""
    if unknown:
        remark(f"unknown: {counted(unknown, 'cross-check')} hit a limit")
    return not unknown


def _all_done(limits: Sequence[str]) -> bool:
    """Whether no part of the work hit a limit; says so where some did."""
    if limits:
        remark(f"unknown: {counted(len(limits), 'part')} hit a limit, the first is {limits[0]}")
    return not limits


def _sweep(
    bounds: list[tuple[int, int]], master: str | None, out: Path | None, limits: Limits, *, json: bool
) -> bool:
    """Sweep and print what comes of it; returns whether nothing hit a limit."""
    from sealcheck.spark_sweeps.deciding import SEED
    from sealcheck.spark_sweeps.session import spark_session
    from sealcheck.spark_sweeps.sweep import check_directory
    from sealcheck.spark_sweeps.sweep import sweep as run_sweep

    if out is not None:
        _say_damaged(check_directory(bounds, out), out)
    with progress_bar("sweep") as follow, spark_session(master, "sealcheck sweep") as spark:
        swept = run_sweep(spark, bounds, out, limits=limits, on_progress=follow)
    if json:
        levels = [asdict(level) for level in swept.levels]
        document = {"levels": levels, "limits": swept.limits, "seed": SEED, "out": out and str(out)}
        write(json_format.dumps(document))
    else:
        _print(swept.levels, out)
    follow.print_summary()
    done, checked = _all_done(swept.limits), _all_checked(sum(level.unknown for level in swept.levels))
    return done and checked


def _say_damaged(names: Sequence[str], out: Path) -> None:
    if names:
        files = counted(len(names), "damaged file")
        remark(f"removed {files} from {out}, to be computed again: {listed(names, most=3)}")


def _print_plans(
    bounds: list[tuple[int, int]], asked: Request | None, *, with_rows: bool, json: bool
) -> None:
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
    from sealcheck.spark_sweeps.deciding import SEED

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
