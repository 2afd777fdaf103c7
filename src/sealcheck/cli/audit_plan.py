"""What an audit would do, for ``sealcheck audit --plan``."""

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from sealcheck.cli.answers import write
from sealcheck.cli.audit_rows import how_far
from sealcheck.cli.tables import print_table

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.audit import Forecast


def show_plan(
    names: Sequence[str], bounds: Sequence[tuple[int, int]], solver: str | None, *, as_json: bool
) -> None:
    """Print it."""
    from sealcheck.spark_sweeps.audit import forecast
    from sealcheck.spark_sweeps.cache import Cache

    with closing(Cache()) as cache:
        found = forecast(names, bounds, solver=solver, cache=cache)
    if as_json:
        write(json.dumps(_plan_document(found)))
        return
    write(f"{how_far(found.setup.n, found.setup.messages)}; left to be done:\n")
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


def _plan_document(found: "Forecast") -> dict[str, object]:
    return {
        "n": found.setup.n,
        "messages": found.setup.messages,
        "seconds": round(found.seconds, 1),
        "statements": [asdict(part) for part in found.parts],
        "questions": [{"question": question, "asked": times} for question, times in found.asked.items()],
    }
