"""Processes within limits."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from sealcheck.support.processes import Limits, call_within

LIMITS = Limits(60, 2048)


def asked(_: int) -> tuple[int, int]:
    return call_within(LIMITS, processes, os.getpid())


def processes(caller: int) -> tuple[int, int]:
    return caller, os.getppid()


def test_a_fork_of_the_caller_has_a_process_of_its_own() -> None:
    assert asked(0) == (os.getpid(), os.getpid())
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        for caller, parent in pool.map(asked, range(4)):
            assert caller == parent != os.getpid()
