"""A Python function as an implementation: a process that runs it."""

from collections.abc import Sequence

from sealcheck.differential import host
from sealcheck.differential.child import Child
from sealcheck.differential.subject import Limits, Subject
from sealcheck.errors import InputError


def function_subject(spec: str, takes: Sequence[str], limits: Limits) -> Subject:
    """The function ``MODULE:NAME``, whose module is in the current folder, or installed.

    Raises InputError where there is no such function, or it takes something else.  Where importing it
    does not end, the first question will say so.
    """
    child = Child(host.command(spec, takes, host.CHECK), limits.mib)
    code = child.ended(limits.starting)
    lines = child.stop().splitlines()
    if code == host.NOT_LOADED:
        raise InputError(lines[-1] if lines else f"cannot import '{spec}'")
    return Subject(host.command(spec, takes), limits)
