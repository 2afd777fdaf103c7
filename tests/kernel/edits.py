"""All single edits of a piece of evidence, and other judges of the results."""

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
    try:
        check(*arguments)
    except Rejected:
        return False
    return True


def events(program: StraightLine) -> list[Event]:
    return events_of(str(program), program.n)


def verdict(p: StraightLine, q: StraightLine) -> Any:
    return value_of(canonical(sealing_document(p, q)))


def are_chains(p: StraightLine, q: StraightLine, chains: list[dict[str, Any]]) -> bool:
    """Whether the judge in the tests of the command line accepts these chains of P and Q.

    The judge wants a chain to end at the send, but a chain may also end earlier at the sender.
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
    """Whether this is a run of P;Q;later in which the named receive of P takes a later message."""
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
