"""Compiled loops: kept on disk, never stale, and there even where nothing can be kept."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from numba.core.dispatcher import Dispatcher

from sealcheck.algorithms.packed import profiles, walk
from sealcheck.algorithms.packed import walk as automaton

MODULES = [automaton, profiles, walk]
TALLY = (
    "from sealcheck.algorithms.packed.levels import PackedLevel; print(PackedLevel(2, 3).tally().canonical)"
)
SIZE = "from sealcheck.algorithms.packed.levels import PackedLevel; print(PackedLevel(2, 3).size)"
"""Importing makes all loops, or fails; calling them all would compile for ten seconds."""
NO_FOLDER = """
import numba.core.caching as caching
def refuse(locator):
    raise OSError("read-only")
for locator in caching.CacheImpl._locator_classes:
    locator.ensure_cache_path = refuse
"""


def loops(module: ModuleType) -> Iterator[Dispatcher]:
    return (value for value in vars(module).values() if isinstance(value, Dispatcher))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_loops_call_no_loop_of_another_module(module: ModuleType) -> None:
    """Machine code is kept until its module changes, so it must hold no code of another module."""
    own = [loop for loop in loops(module) if loop.py_func.__module__ == module.__name__]
    assert own
    for loop in own:
        called = [getattr(module, name, None) for name in loop.py_func.__code__.co_names]
        assert all(other in own for other in called if isinstance(other, Dispatcher)), loop.__name__


@pytest.mark.slow
def test_loops_are_compiled_once(tmp_path: Path) -> None:
    """The first process keeps machine code in the folder that is named, and the second adds nothing."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    kept = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", TALLY], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "7\n"
        kept.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")})
    assert kept[0] == kept[1] != {}


@pytest.mark.slow
def test_no_folder_is_needed() -> None:
    """Where machine code can be kept nowhere, all loops can be made, and those of the automaton work."""
    done = subprocess.run(
        [sys.executable, "-c", NO_FOLDER + SIZE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "14\n"
