"""Run in a copy of the package to which `test_places` has added something: prints what there is, as JSON."""

import json
from contextlib import redirect_stdout
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

from sealcheck.cli.main import main
from sealcheck.errors import Disagreement
from sealcheck.language.parser import parse
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.registry import QUESTIONS
from sealcheck.spark_sweeps import sample, sweep, sweep_shards
from sealcheck.spark_sweeps.columns import LevelTotals, ProgramRow, SampleRow, ShardRow
from sealcheck.spark_sweeps.shards import run_inline


def command(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        code = main(arguments)
    return code, printed.getvalue()


def said(text: str) -> str:
    """What the oracles say about a program, or that they don't agree."""
    try:
        asked: Asked[Any] = Asked(QUESTIONS["balanced"], Instance(2, (parse(text),)))
        found = answer(asked, [])
        return f"{found.agreed}: {', '.join(found.said)}"
    except Disagreement as error:
        return str(error)


def levels(*spaces: tuple[int, int]) -> list[dict[str, Any]]:
    """The totals of levels, in this process; of more than four processes, not by the compiled loops."""
    rows = run_inline(sweep_shards.shards_of(spaces), sweep_shards.count_shard, ShardRow.schema())
    return [asdict(level) for level in sweep.added_up(rows.to_pylist()).values()]


def samples(*spaces: tuple[int, int]) -> list[dict[str, Any]]:
    """Ten programs of each."""
    rows = run_inline(sample.shards_of(spaces, 10), sample.Judging(10, 1), SampleRow.schema())
    return [asdict(sampled) for sampled in sample.added_up(rows.to_pylist())]


def changed() -> tuple[int, str]:
    """What is said of the table with other numbers in it."""
    Path("changed.jsonl").write_text(Path("made.jsonl").read_text().replace('"events":', '"events":1'))
    return command("verify", "changed.jsonl")


def rows() -> list[dict[str, Any]]:
    """The rows of a level."""
    shards = sweep_shards.shards_of([(2, 2)])
    found: list[dict[str, Any]] = run_inline(
        shards, sweep_shards.describe_shard, ProgramRow.schema()
    ).to_pylist()
    return found


SPACE = ("--n", "2", "--messages", "2")


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "questions": command("questions", "--json"),
                "said": [said("mt 1->2"), said("snd 1->2")],
                "made": command("table", "busiest", *SPACE, "--out", "made.jsonl"),
                "verified": command("verify", "made.jsonl"),
                "changed": changed(),
                "formatted": command("table", "busiest", *SPACE, "--format", "lines", "--out", "made.txt"),
                "levels": levels((2, 2), (5, 1)),
                "samples": samples((2, 2), (5, 1)),
                "rows": rows(),
                "select": LevelTotals.select(),
            }
        )
    )
