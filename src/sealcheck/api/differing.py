"""Differential testing as a function of Python."""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

from sealcheck.api.programs import typed
from sealcheck.differential.findings import Agreement, Shown, found_how
from sealcheck.differential.implementation import Called
from sealcheck.differential.searching import Comparison, Plan, search
from sealcheck.errors import InputError
from sealcheck.operations.result import Code, Result
from sealcheck.programs.bounds import spaces, up_to
from sealcheck.theorems.checking.targets import target


@typed
def diff(
    function: Callable[..., Any],
    *,
    against: str,
    n: int = 3,
    messages: int = 3,
    random: float = 0.0,
    seed: int = 0,
) -> Result:
    """Does a function answer a question as it should, on every program up to the bound?

    It is asked about all of them, smallest first and renamed ones too, and then for `random` seconds about
    larger ones.  It gets one argument for each program: a list of the events of each process, as
    docs/diff.md says.  It is called in this process, so it must return: `sealcheck diff` can stop one that
    hangs.  False if it is wrong once; ``.to_json()["finding"]`` has the smallest such program.  Raises
    InputError if there is no such question.

    >>> found = diff(lambda p, q: len(q[0]) > 0 or not any(p), against="is-seal", n=2)
    >>> bool(found), found.to_json()["finding"]["p"], found.to_json()["finding"]["q"]
    (False, 'mt 2->1', 'mt 2->1')
    """
    if not 0 <= random < inf:
        raise InputError(f"random must be a number of seconds, not {random}")
    asked = target(against)
    plan = Plan([], spaces(up_to(str(n)), messages), seconds=random, seed=seed)
    done = search(Comparison(asked, Called(function)), plan)
    shown = Shown(asked, done.finding, None, "", found_how(done)) if done.finding else None
    outcome = Agreement(asked, done, shown)
    name = getattr(function, "__name__", "function")
    explain = partial(str, outcome.text)
    code = {True: Code.YES, False: Code.NO, None: Code.UNKNOWN}[outcome.agrees]
    return Result(code, outcome.document, explain, call=f"diff({name}, against={against!r})")
