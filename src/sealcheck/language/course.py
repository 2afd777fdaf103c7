"""Whether the events of a recorded run can happen in their order."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Step(NamedTuple):
    """Something that happens in a process, once something else has happened."""

    happens: tuple[Any, ...]
    """What it is called; unlike all other steps."""
    needs: tuple[Any, ...] | None
    """What must have happened before, in whichever process; None, if nothing."""


def stuck(steps: Mapping[str, Sequence[Step]]) -> tuple[str, int] | None:
    """A process that cannot go on, and the number of its step, from 0, that waits for ever.  Linear time.

    >>> stuck({"a": [Step(("sent",), None)], "b": [Step(("received",), ("sent",))]})
    >>> stuck({"a": [Step((1,), (2,)), Step((3,), None)], "b": [Step((4,), (3,)), Step((2,), None)]})
    ('a', 0)
    """
    done = dict.fromkeys(steps, 0)
    happened: set[tuple[Any, ...]] = set()
    waiting: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    pending = list(steps)
    while pending:
        process = pending.pop()
        while done[process] < len(steps[process]):
            step = steps[process][done[process]]
            if step.needs is not None and step.needs not in happened:
                waiting[step.needs].append(process)
                break
            happened.add(step.happens)
            pending += waiting.pop(step.happens, [])
            done[process] += 1
    return next(((process, k) for process, k in done.items() if k < len(steps[process])), None)
