"""Every single edit of a piece of evidence, and what the rest of the project says of the result."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from tests.cli.conftest import judge_chains

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.errors import InputError
from sealcheck.kernel.programs import Event, events_of
from sealcheck.kernel.reading import Rejected, canonical, value_of
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import StraightLine, snd


def edits(value: Any) -> Iterator[Any]:
    """The value with one number another one, or one item left out, repeated, or swapped with another."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (value | {key: other} for other in edits(inner))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in edits(inner))
            yield value[:at] + value[at + 1 :]
            yield [*value[:at], inner, *value[at:]]
        for at, other in combinations(range(len(value)), 2):
            swapped = list(value)
            swapped[at], swapped[other] = value[other], value[at]
            yield swapped
    elif isinstance(value, int):
        yield from {value + 1, value - 1, 0, -1} - {value}
    elif value in ("send", "end"):
        yield "end" if value == "send" else "send"


def accepts(check: Callable[..., object], *arguments: object) -> bool:
    """Whether the kernel accepts; anything but its acceptance or its rejection is an error."""
    try:
        check(*arguments)
    except Rejected:
        return False
    return True


def events(program: StraightLine) -> list[Event]:
    """The events of a program, as the kernel reads them from its text."""
    return events_of(str(program), program.n)


def verdict(p: StraightLine, q: StraightLine) -> Any:
    """What `decide` says of P and Q, as it comes out of a file."""
    return value_of(canonical(sealing_document(p, q)))


def are_chains(p: StraightLine, q: StraightLine, chains: list[dict[str, Any]]) -> bool:
    """Whether the judge of the command line's tests takes these for the chains of P and Q.

    It wants a chain to end at the send.  One that has come to the sender before that ends there, too.
    """
    both = p.then(q)
    try:
        for chain in chains:
            if any(not 0 < at <= len(both.shares[process - 1]) for process, at in chain["places"]):
                return False
        judge_chains(p.n, str(p), str(q), [_completed(p, q, chain) for chain in chains])
    except (AssertionError, IndexError, ValueError):
        return False
    return True


def _completed(p: StraightLine, q: StraightLine, chain: dict[str, Any]) -> dict[str, Any]:
    (i, j), (process, position) = chain["channel"], chain["places"][-1]
    if chain["into"] == "send":
        target = len(p.shares[i - 1]) + q.shares[i - 1].index(snd(i, j)) + 1
        if process == i and position < target:
            return chain | {"places": [*chain["places"], [i, target]]}
    return chain


def is_interference(p: StraightLine, q: StraightLine, run: dict[str, Any]) -> bool:
    """Whether this is a run of P;Q;later in which the receive named, one of P, takes a later message."""
    program = p.then(q).then(parse_straight_line(run["later"], p.n))
    try:
        matching = {Place(*receive): Place(*send) for receive, send in run["matching"]}
        if len(matching) < len(run["matching"]):
            return False
        Run(program, tuple(Place(*place) for place in run["order"]), matching).check()
        receive = Place(*run["receive"])
        source = matching[receive]
    except (InputError, KeyError, TypeError, ValueError):
        return False
    lengths = [len(share) for share in p.shares]
    return receive.position <= lengths[receive.process - 1] and source.position > lengths[source.process - 1]
