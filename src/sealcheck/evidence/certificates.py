"""Answers about single programs, as the command line writes them: the kernel on their certificates."""

from typing import Any

from sealcheck.kernel.programs import balanced_events, events_of
from sealcheck.kernel.reading import fields, items, numbers
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem, check_chains

_RUN = {"later": str, "order": list, "matching": list, "receive": list}
_ABOUT = {"kind": str, "n": int, "p": str, "q": str, "program": str, "channel": list}


def check_decision(answer: dict[str, Any], p: str, q: str, n: int) -> None:
    """That Q seals P, or doesn't, as the answer says.  Raises Rejected."""
    first, second = (balanced_events(text, n, self_channels=True) for text in (p, q))
    if answer["seals"]:
        check_chains(first, second, n, _chains(answer))
        return
    run = fields(answer["certificate"], _RUN | _ABOUT)
    rest = [*second, *events_of(run["later"], n, self_channels=True)]
    check_run(first, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])


def check_sealing(answer: dict[str, Any], p: str, n: int) -> None:
    """That the answer's seal seals P; or that nothing does, where it has none.  Raises Rejected.

    Not that there is no shorter one.
    """
    events = balanced_events(p, n, self_channels=True)
    if answer["sealable"]:
        seal = balanced_events(answer["seal"], n, self_channels=True)
        check_chains(events, seal, n, _chains(answer))
        return
    known = fields(answer["certificate"], {"kind": str, "knowledge": dict, "stuck": list})["knowledge"]
    if set(known) != {str(process) for process in range(1, n + 1)}:
        raise Rejected("the closed knowledge leaves out a process, or has one too many")
    problem = Problem.of(events, n)
    bit = {channel: 1 << at for at, channel in enumerate(problem.channels)}
    state = [0] * n
    for process in range(1, n + 1):
        for channel in items(known[str(process)]):
            i, j = numbers(channel, 2)
            if (i, j) not in bit:
                raise Rejected(f"{i}->{j} is no open channel")
            state[process - 1] |= bit[i, j]
    problem.check_unsealable(tuple(state))


def _chains(answer: dict[str, Any]) -> list[object]:
    certificate = answer["certificate"]
    if not isinstance(certificate, dict):
        raise Rejected("there is no certificate")
    return items(certificate.get("chains"))
