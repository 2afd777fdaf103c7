"""Python functions that run audits and differential tests."""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

from sealcheck.api.programs import as_call, typed
from sealcheck.differential.findings import Agreement, Shown, found_how
from sealcheck.differential.implementation import Called
from sealcheck.differential.searching import Comparison, Plan, search
from sealcheck.errors import InputError
from sealcheck.evidence.rows import document, in_full, picture_of
from sealcheck.operations.result import Code, Document, Later, Result, Rows
from sealcheck.programs.space import spaces, up_to
from sealcheck.theorems import own
from sealcheck.theorems.checking.targets import target
from sealcheck.theorems.registry import STATEMENTS, named


@typed
def audit(*statements: str, n: int = 3, messages: int = 3) -> Rows:
    """Audit the named statements, by default all statements of the paper.  Returns a row for each claim.

    A name is the id of a statement, or a file with statements.  `bool` of a row is true for the verdicts
    "proved" and "verified", and false for "refuted".  For "error", `bool` raises InputError.  For any other
    verdict, `bool` raises LimitReached.

    `audit` raises InputError if a statement does not exist, or if the bound is too large.  It shares the
    cache of the command `sealcheck audit`.

    >>> for row in audit("graph-cause", n=2, messages=2):
    ...     print(row.to_json()["form"], bool(row))
    as-printed True
    """
    from sealcheck.spark_sweeps.audit import decided  # loads Spark, which `diff` does without

    own.admit(statements)
    names = list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))
    findings = list(decided(names, spaces(up_to(str(n)), messages)))
    codes = {"proved": Code.YES, "verified": Code.YES, "refuted": Code.NO, "error": Code.BAD_INPUT}
    rows = Rows()
    for finding in findings:
        row: Document = document(finding)
        verdict = str(row["verdict"])
        if verdict not in codes:
            row.setdefault("unknown", verdict)
        explain = partial(str, "\n".join(in_full([finding])))
        picture = Later(partial(picture_of, finding))
        call = as_call(audit, repr(finding.statement.id), n=n, messages=messages)
        call = f"{call}, {finding.claim.form.value}"
        rows.append(Result(codes.get(verdict, Code.UNKNOWN), row, explain, picture=picture, call=call))
    return rows


@typed
def diff(
    function: Callable[..., Any],
    *,
    against: str,
    n: int = 3,
    messages: int | None = None,
    random: float = 0.0,
    seed: int = 0,
) -> Result:
    """Does a function answer the question `against` correctly, on every program up to the bound?

    By default, programs have up to 3 messages, and layers over ports up to 2.  The function is asked about
    small programs first, with all renamings of processes.  After the last of these, it is asked about larger
    programs for `random` seconds.  docs/diff.md describes the function's arguments.

    `bool` of the result is false if an answer was wrong.  Then ``.to_json()["finding"]`` has the smallest
    program found with a wrong answer.  If the function may hang, use the command `sealcheck diff`.  Raises
    InputError if the question does not exist.

    >>> found = diff(lambda p, q: len(q[0]) > 0 or not any(p), against="is-seal", n=2)
    >>> bool(found), found.to_json()["finding"]["p"], found.to_json()["finding"]["q"]
    (False, 'mt 2->1', 'mt 2->1')
    """
    if not 0 <= random < inf:
        raise InputError(f"random must be a number of seconds, not {random}")
    asked = target(against)
    most = min(3, asked.domain.usual) if messages is None else messages
    plan = Plan([], asked.domain.levels(up_to(str(n)), most), seconds=random, seed=seed)
    done = search(Comparison(asked, Called(function)), plan)
    shown = Shown(asked, done.finding, None, "", found_how(done)) if done.finding else None
    outcome = Agreement(asked, done, shown)
    name = getattr(function, "__name__", "function")
    explain = partial(str, outcome.text)
    code = {True: Code.YES, False: Code.NO, None: Code.UNKNOWN}[outcome.agrees]
    call = as_call(diff, name, against=against, n=n, messages=messages, random=random, seed=seed)
    return Result(code, outcome.document, explain, call=call)
