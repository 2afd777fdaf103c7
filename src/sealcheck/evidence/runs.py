"""Verifying answers that speak for themselves, with the kernel: on sealing, and on phases.

Answers about single programs, as the command line writes them: the kernel on their certificates.

A run in the Informal Trace Format (ITF) of Apalache and Quint, which trace viewers show state by state.

A state has the `channels`, each with the numbers of the messages that it holds; `done`, how many events of
each process are over; and the `event` that has led there.  Source of the format: ADR 15 of Apalache.

A run as a log that ShiViz, a viewer of space-time diagrams, reads: a vector clock for each event.

Runs in LaTeX that any document can take in.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from sealcheck.drawing.latex import latex
from sealcheck.drawing.picture import Picture
from sealcheck.errors import InputError
from sealcheck.evidence.outcome import AcceptedPhases, AcceptedRun, Trust, Verification
from sealcheck.evidence.table_files import opened
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.reading import LONGEST, canonical, fields, items, numbers
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem, check_chains
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Contents, Place, steps

MOST_NAMED = 999_999
"""Processes that the kernel can read the names of."""


def holds_run(path: Path) -> bool:
    """Whether a file holds a run or an answer, that is a JSON object without the first line of evidence."""
    if not path.is_file():
        return False
    with opened(path) as stream:
        start = stream.readline(LONGEST)
    if not start.lstrip().startswith(b"{"):
        return False
    try:
        value = json.loads(start)
    except ValueError:
        return True  # it spans several lines
    return not (isinstance(value, dict) and "sealcheck" in value)


def verify_run(text: str) -> Verification:
    """Check a run, or an answer that has one for its certificate.  Raises InputError where it is none."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse)
        canonical(value)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no run: {error}") from None
    if isinstance(value, dict) and "#meta" in value:
        return _verify_trace(value)
    if isinstance(value, dict) and "safe" in value:
        return _verify_phases(value)
    is_answer = isinstance(value, dict) and isinstance(value.get("certificate"), dict)
    run = value["certificate"] if is_answer else value
    if not isinstance(run, dict) or run.get("kind") != "run":
        raise InputError("this is no run: the key 'kind' must be 'run'")
    outcome = Verification(files=1, rows=1)
    try:
        if is_answer and fields(value, {"seals": bool, "certificate": dict} | _named(value))["seals"]:
            raise Rejected("the answer is that Q seals P, but the run is against that")
        outcome.accepted.append(_checked_run(run, value.get("processes", []) if is_answer else []))
    except Rejected as error:
        outcome.reject("the run", 0, str(error))
    return outcome


def _verify_trace(trace: dict[str, Any]) -> Verification:
    """Check a trace as `export` writes it: the run that goes along, and that the states are those of it."""
    from sealcheck.drawing.recorded import of_recorded

    meta = trace["#meta"]
    certificate = meta.get(CERTIFICATE) if isinstance(meta, dict) else None
    if not isinstance(certificate, dict) or "#meta" in certificate:
        raise InputError(f"this is a trace, but without the run that it is a trace of ('{CERTIFICATE}')")
    outcome = verify_run(json.dumps(certificate))
    if outcome.ok and canonical(itf(of_recorded(certificate), certificate)) != canonical(trace):
        outcome.accepted.clear()
        outcome.reject("the trace", 0, "the states are not those of the run")
    return outcome


def _verify_phases(answer: dict[str, Any]) -> Verification:
    """Check what `phases` answers: chains, and the root causes with their runs.  Not what would help."""
    outcome = Verification(files=1, rows=1)
    try:
        types = {"safe": bool, "interfering": list, "mend": object, "certificate": dict}
        answer = fields(answer, types | _named(answer))
        found = answer["interfering"]
        check_phases(answer["certificate"], found)
        if answer["safe"] == bool(found):
            raise Rejected("the answer is not what the runs say")
        certificate = answer["certificate"]
        accepted = AcceptedPhases(
            name="layers stay apart" if answer["safe"] else "layers interfere",
            by=(Trust.KERNEL,),
            layers=tuple(certificate["layers"]),
            n=certificate["n"],
            repeat=certificate["repeat"],
            open=certificate["open"],
            interfering=tuple((each["channel"][0], each["channel"][1]) for each in found),
            processes=_names(answer.get("processes", []), certificate["n"]),
        )
        outcome.accepted.append(accepted)
    except Rejected as error:
        outcome.reject("the answer", 0, str(error))
    return outcome


def _named(answer: dict[str, Any]) -> dict[str, type]:
    return {"processes": list} if "processes" in answer else {}


def _names(value: list[Any], n: int) -> tuple[str, ...]:
    """What the processes are called, if anything.  Raises Rejected."""
    if value and not (len(value) == n == len({each for each in value if isinstance(each, str) and each})):
        raise Rejected(f"'processes' must be {n} different names")
    try:
        return Names(tuple(value)).listed
    except InputError as error:
        raise Rejected(f"'processes': {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is no whole number")


def _checked_run(value: object, names: list[Any]) -> AcceptedRun:
    """Check a run that speaks for itself: that Q does not seal P, for it shows a run of P;Q;later.

    Raises Rejected.
    """
    types = {"kind": str, "n": int, "p": str, "q": str, "later": str, "program": str, "channel": list}
    run = fields(value, types | {"order": list, "matching": list, "receive": list})
    n = run["n"]
    if not 1 <= n <= MOST_NAMED:
        raise Rejected(f"n must be in 1..{MOST_NAMED}")
    p, q = (balanced_events(run[key], n, self_channels=True) for key in ("p", "q"))
    rest = [*q, *events_of(run["later"], n, self_channels=True)]
    check_run(p, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])
    program = shares_of([*p, *rest], n)
    if shares_of(events_of(run["program"], n, self_channels=True), n) != program:
        raise Rejected("the program is not P;Q;later")
    process, position = run["receive"]
    if numbers(run["channel"], 2) != program[process - 1][position - 1][1:]:
        raise Rejected("the channel is not that of the receive")
    loops = any(i == j for share in program for _, i, j in share)
    return AcceptedRun(
        name="Q does not seal P",
        by=(Trust.KERNEL,),
        p=run["p"],
        q=run["q"],
        n=n,
        self_channels=loops,
        processes=_names(names, n),
    )


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


DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
VARIABLES = ("channels", "done", "event")
CERTIFICATE = "sealcheck"
"""The key of the run itself, as `decide` prints it, beside what the format knows of a trace."""


def itf(shown: Picture, certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The run as a trace; the certificate goes along, so that the kernel can check what it is a trace of.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> states = itf(of_program({"P": once}), {})["states"]
    >>> states[1]["event"], states[1]["channels"]
    ('snd 1->2 of P sends message 1', {'#map': [[{'#tup': [1, 2]}, {'#set': [1]}]]})
    """
    done = dict.fromkeys(range(1, shown.run.program.n + 1), 0)
    states = [_state(0, {}, done, "")]
    for number, step in enumerate(steps(shown.run), 1):
        done[step.place.process] += 1
        verb = "sends" if step.event.is_send else "takes"
        told = f"{shown.names.event(step.event)} of {shown.layer(step.place)} {verb} message {step.message}"
        states.append(_state(number, step.contents, done, told))
    meta = {
        "format": "ITF",
        "format-description": DESCRIPTION,
        "source": str(shown.run.program),
        CERTIFICATE: dict(certificate),
    }
    return {"#meta": meta, "params": [], "vars": list(VARIABLES), "states": states}


def _state(index: int, contents: Contents, done: Mapping[int, int], event: str) -> dict[str, Any]:
    channels = [[{"#tup": list(channel)}, {"#set": list(held)}] for channel, held in contents.items()]
    return {
        "#meta": {"index": index},
        "channels": {"#map": channels},
        "done": {"#map": [[process, count] for process, count in done.items()]},
        "event": event,
    }


PATTERN = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
"""How the viewer is to read an event: what happens, and on the next line where and when."""


def shiviz(shown: Picture) -> Iterator[str]:
    """The lines of the log: the pattern, an empty line (there is one run only), and two for each event.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> for line in list(shiviz(of_program({"P": once})))[2:]:
    ...     print(line)
    P: snd 1->2 sends message 1
    p1 {"p1": 1}
    P: rcv 2<-1 takes message 1
    p2 {"p2": 1, "p1": 1}
    """
    yield PATTERN
    yield ""
    hosts = _hosts(list(map(shown.names.process, range(1, shown.run.program.n + 1))))
    clocks: dict[Place, dict[str, int]] = {}
    for step in steps(shown.run):
        host, before = hosts[step.place.process - 1], step.place._replace(position=step.place.position - 1)
        clock = {host: step.place.position} | _without(host, clocks.get(before, {}))
        if not step.event.is_send:
            for other, seen in _without(host, clocks[shown.run.matching[step.place]]).items():
                clock[other] = max(seen, clock.get(other, 0))
        clocks[step.place] = clock
        verb = "sends" if step.event.is_send else "takes"
        yield f"{shown.layer(step.place)}: {shown.names.event(step.event)} {verb} message {step.message}"
        yield f"{host} {json.dumps(clock)}"


def _hosts(names: Sequence[str]) -> list[str]:
    """What the viewer calls processes, each otherwise: names have no blanks and are no numbers.

    >>> _hosts(["a b", "a_b", "a  b"]), _hosts(["1", "2"])
    (['a_b_', 'a_b', 'a_b__'], ['p1', 'p2'])
    """
    plain = [f"p{name}" if name.isdigit() else "_".join(name.split()) for name in names]
    hosts = {name: name for name in names if name in plain}
    for name, host in zip(names, plain, strict=True):
        if name not in hosts:
            while host in hosts.values():
                host += "_"
            hosts[name] = host
    return [hosts[name] for name in names]


def _without(host: str, clock: dict[str, int]) -> dict[str, int]:
    return {other: seen for other, seen in clock.items() if other != host}


def run_table(shown: Picture) -> Iterator[str]:
    r"""The lines of a table of a run, step by step; a star marks the receive that takes a wrong message.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> print(list(run_table(of_program({"P": once})))[4])
    1 & P & snd 1$\to$2 & sends 1 & 1$\to$2: 1 \\
    """
    yield r"\begin{tabular}{rllll}"
    yield r"\hline"
    yield r"step & layer & event & message & channels afterwards \\"
    yield r"\hline"
    for number, step in enumerate(steps(shown.run), 1):
        verb = "sends" if step.event.is_send else "takes"
        star = "$^*$" if step.place == shown.wrong else ""
        cells = (
            shown.layer(step.place),
            shown.names.event(step.event),
            f"{verb} {step.message}",
            held(step.contents, shown.names),
        )
        yield f"{number}{star} & {' & '.join(map(latex, cells))} \\\\"
    yield r"\hline"
    yield r"\end{tabular}"


def held(contents: Contents, names: Names = NUMBERS) -> str:
    """What the channels hold, for people: messages by their numbers.

    >>> from sealcheck.programs.straight_line import Channel
    >>> held({Channel(1, 2): (1, 3)}), held({Channel(1, 2): (1,)}, Names(("a", "b"))), held({})
    ('1->2: 1, 3', 'a->b: 1', 'empty')
    """
    each = (f"{names.channel(channel)}: {', '.join(map(str, held))}" for channel, held in contents.items())
    return "; ".join(each) or "empty"
