"""Garbage collection in processes that do nothing but work for another one."""

import gc
from functools import cache

OBJECTS = 50_000
"""After so many new objects they are looked through: formulas are many and have no cycles."""


@cache
def collect_seldom() -> None:
    """Leave out of every collection what the process has imported, and look through new objects seldom.

    Spark collects after every task, which without the first is a third of what a task costs; without the
    second, collecting is a twentieth of what an audit costs.
    """
    gc.freeze()
    gc.set_threshold(OBJECTS)
