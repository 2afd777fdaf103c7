"""Decide whether Q seals P, and find a program that seals P, with the evidence, over channels or ports.

P; Q means P, then Q, without a barrier. Q seals P if each receive of P takes a message of P in every run that
starts with empty channels, even if another program R follows P; Q. The seal is proper if Q also never runs
forever. Straight-line programs never run forever.

A channel of P is open if P could receive a later message on it. A process knows a channel to be safe if P's
last receive on the channel happens before all further events of the process. A state of knowledge lists, for
each process, the open channels that the process knows to be safe. The kernel is a small program that checks
evidence.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from sealcheck.algorithms.certificates import chain_documents, chains_document, run_document
from sealcheck.algorithms.minimum_seal import Minimum, minimum_seal
from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.port_seals import PortSealing, Sealed, Unsealed, decide_seal
from sealcheck.algorithms.seal_construction import construct_seal
from sealcheck.algorithms.sealability import Problem, Sealable, Unsealable, blocks
from sealcheck.algorithms.sealing import Chain, Interferes, Seals, decide
from sealcheck.algorithms.signature import Signature, bits, signature
from sealcheck.drawing.making import of_port_sealing, of_program, of_sealing, of_unsealed
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.text import drawn
from sealcheck.errors import LimitReached
from sealcheck.kernel.port_seals import KIND, check_port_seal
from sealcheck.kernel.programs import balanced_events, events_of
from sealcheck.kernel.reading import Rejected, canonical, fields, items, numbers
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem as KernelProblem
from sealcheck.kernel.sealing import check_chains
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.port_answers import (
    MOST,
    blocking,
    drawn_of,
    few,
    guaranteed,
    holding,
    listed_ports,
    root_of,
    unfit_document,
)
from sealcheck.operations.result import MAX_CROSSED, Code, Document, Result, by_kernel, unknown
from sealcheck.operations.wording import chain_lines, listed
from sealcheck.programs.ports import PortProgram, text
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.words import counted, entry

DECIDE_KEYS = ("seals", "certificate")
SEAL_KEYS = ("sealable", "seal", "messages", "certificate")

_COLUMN = 12


def decision(
    p: StraightLine, q: StraightLine, *, self_channels: bool = False, names: Names = NUMBERS
) -> Result:
    """Whether Q properly seals P (`th:decide.sealing`), with the evidence. The result's text uses `names`.

    Raises InputError if P or Q is not a deadlock-free BSL (balanced straight-line program). The time is that
    of `algorithms.sealing.decide`.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> decision(there, back).document["seals"], decision(there, there).document["seals"]
    (True, False)
    """
    require_balanced_straight_line(p, "P", self_channels=self_channels)
    require_balanced_straight_line(q, "Q", self_channels=self_channels)
    return with_evidence(p, q, decide(p, q), names)


def with_evidence(
    p: StraightLine, q: StraightLine, found: Seals | Interferes, names: Names = NUMBERS
) -> Result:
    """The result whether Q seals P. The evidence is causal chains for a yes, and a run for a no."""
    about: Document = {"n": p.n, "p": str(p), "q": str(q)}
    match found:
        case Seals(chains):
            document: Document = {"seals": True, "certificate": chains_document(chains) | about}
            lines = partial(_why, p, q, chains, names)
        case Interferes():
            about |= {"program": str(found.run.program), "channel": found.channel}
            document = {"seals": False, "certificate": run_document(found) | about}
            lines = partial(_why_not, p, q, found, names)
    return Result(
        Code.YES if document["seals"] else Code.NO,
        document,
        lambda: "\n".join(lines()),
        check=partial(check_decision, str(p), str(q), p.n),
        picture=partial(of_sealing, p, q, found, names),
    )


def _why(p: StraightLine, q: StraightLine, chains: Sequence[Chain], names: Names) -> Iterator[str]:
    yield "yes: Q properly seals P"
    yield ""
    if not chains:
        yield "P receives nothing, so it cannot receive a later message."
        return
    yield "In every run, P's last receive on a channel happens before any later message is sent on it:"
    yield ""
    yield from chain_lines(p, q, chains, names)


def _why_not(p: StraightLine, q: StraightLine, found: Interferes, names: Names) -> Iterator[str]:
    picture = of_sealing(p, q, found, names)
    event = names.event(found.run.event(found.receive))
    layers = f"P; Q; R, where R is '{names.program(found.later)}'" if found.later.length else "P; Q"
    yield "no: Q does not seal P"
    yield ""
    source = picture.layer(found.run.matching[found.receive])
    yield f"In this run of {layers}, '{event}' in P takes a message of {source} (===):"
    yield ""
    yield from drawn(picture)


def sealing(
    p: StraightLine, *, minimal: bool = False, self_channels: bool = False, names: Names = NUMBERS
) -> Result:
    """A seal of P with its causal chains, or the closed knowledge that shows that P has no seal.

    Closed knowledge lists, for each process, the open channels of P that the process can learn to be safe.
    With `minimal`, the seal has the fewest messages. The answer is unknown if the search for such a seal hits
    its limit, or if P has more than `MAX_CROSSED` processes.

    Raises InputError if P is not a deadlock-free BSL. The time is that of `construct_seal` and
    `minimum_seal`.

    >>> from sealcheck.programs.straight_line import mt
    >>> sealing(StraightLine.of(2, mt(1, 2))).document["seal"]
    'mt 2->1'
    """
    require_balanced_straight_line(p, "P", self_channels=self_channels)
    if p.n > MAX_CROSSED:
        return unknown(SEAL_KEYS, f"with {p.n} processes there are too many channels to search")
    first = signature(p)
    found = construct_seal(first)
    if isinstance(found, Unsealable):
        return _no_seal(p, first, found, names)
    if minimal:
        try:
            found = minimum_seal(Problem.of(first))
        except LimitReached as error:
            return unknown(SEAL_KEYS, str(error), sealable=True)
    return _with_seal(p, found, names)


def _with_seal(p: StraightLine, found: Sealable, names: Names) -> Result:
    program = found.seal(p.n)
    evidence = decide(p, program)
    if not isinstance(evidence, Seals):
        raise RuntimeError(f"'{program}' was found to seal '{p}', but does not")
    certificate: Document = {
        "kind": "seal",
        "chains": chain_documents(evidence.chains),
        "n": p.n,
        "p": str(p),
    }
    if isinstance(found, Minimum):
        certificate["minimum"] = {
            "messages": program.messages,
            "reason": found.reason,
            "excluded": found.excluded,
            "states": [(sent, *knowledge) for sent, knowledge in found.states],
        }
    document: Document = {
        "sealable": True,
        "seal": str(program),
        "messages": program.messages,
        "certificate": certificate,
    }
    return Result(
        Code.YES,
        document,
        lambda: "\n".join(_seal_lines(p, found, program, evidence.chains, names)),
        check=partial(check_sealing, str(p), p.n),
        picture=partial(of_sealing, p, program, evidence, names),
    )


def _seal_lines(
    p: StraightLine, found: Sealable, program: StraightLine, chains: Sequence[Chain], names: Names
) -> Iterator[str]:
    least = ", the fewest possible" if isinstance(found, Minimum) else ""
    yield f"yes: P can be sealed properly ({counted(program.messages, 'message')}{least})"
    yield ""
    yield f"  {names.program(program)}"
    if isinstance(found, Minimum):
        yield ""
        yield from entry("", f"Why not fewer: {names.said(found.reason)}.", 0)
    if chains:
        yield ""
        yield "Why it seals P, where Q is this seal:"
        yield ""
        yield from chain_lines(p, program, chains, names)


def _no_seal(p: StraightLine, first: Signature, found: Unsealable, names: Names) -> Result:
    open_channels = found.problem.open_channels
    knowledge = {
        str(process): [open_channels[bit - 1] for bit in bits(known)]
        for process, known in enumerate(found.knowledge, 1)
    }
    certificate = {
        "kind": "closed-knowledge",
        "knowledge": knowledge,
        "stuck": found.stuck,
        "n": p.n,
        "p": str(p),
    }
    document: Document = {"sealable": False, "seal": None, "messages": None, "certificate": certificate}
    return Result(
        Code.NO,
        document,
        lambda: "\n".join(_no_seal_lines(p, first, found, names)),
        check=partial(check_sealing, str(p), p.n),
        picture=partial(of_program, {"P": p}, names),
    )


def _no_seal_lines(p: StraightLine, first: Signature, found: Unsealable, names: Names) -> Iterator[str]:
    groups = sorted(sorted(block) for block in blocks(first))
    yield "no: P cannot be sealed properly"
    yield ""
    yield from entry(
        "cut off", "  ".join(f"{{{listed(names.processes(group))}}}" for group in groups), _COLUMN
    )
    told = (
        "The first message between two of these groups could be received in P. Its sender could learn that"
        " P's receive is over only from an earlier message between groups."
    )
    yield from entry("", told, _COLUMN)
    yield ""
    yield from entry("never safe", listed(names.channels(found.stuck)), _COLUMN)
    yield from entry(
        "", "open channels whose senders can never learn that P's last receive on them is over", _COLUMN
    )
    with_one_more = construct_seal(signature(StraightLine((*p.shares, ()))))
    if not isinstance(with_one_more, Unsealable):
        yield ""
        names = names.widened(p.n + 1) if names.listed else names
        told = f"with process {names.process(p.n + 1)}, which P does not use, this program seals P:"
        yield from entry("one more", told, _COLUMN)
        yield from entry("", names.program(with_one_more.seal(p.n + 1)), _COLUMN)


_RUN = {"later": str, "order": list, "matching": list, "receive": list}
_ABOUT = {"kind": str, "n": int, "p": str, "q": str, "program": str, "channel": list}


def check_decision(p: str, q: str, n: int, answer: dict[str, Any]) -> None:
    """Have the kernel check an answer whether Q seals P.  Raises Rejected."""
    first, second = (balanced_events(text, n, self_channels=True) for text in (p, q))
    if answer["seals"]:
        check_chains(first, second, n, _chains(answer))
        return
    run = fields(answer["certificate"], _RUN | _ABOUT)
    rest = [*second, *events_of(run["later"], n, self_channels=True)]
    check_run(first, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])


def check_sealing(p: str, n: int, answer: dict[str, Any]) -> None:
    """Have the kernel check a seal of P, or the evidence that P has no seal.  Raises Rejected.

    `check_least` checks that no seal is shorter.
    """
    events = balanced_events(p, n, self_channels=True)
    if answer["sealable"]:
        seal = balanced_events(answer["seal"], n, self_channels=True)
        check_chains(events, seal, n, _chains(answer))
        return
    types = {"kind": str, "n": int, "p": str, "knowledge": dict, "stuck": list}
    certificate = fields(answer["certificate"], types)
    known = certificate["knowledge"]
    if set(known) != {str(process) for process in range(1, n + 1)}:
        raise Rejected("the closed knowledge does not have one entry for each process")
    problem = KernelProblem.of(events, n)
    bit = {channel: 1 << at for at, channel in enumerate(problem.channels)}
    state = [0] * n
    for process in range(1, n + 1):
        for channel in items(known[str(process)]):
            i, j = numbers(channel, 2)
            if (i, j) not in bit:
                raise Rejected(f"{i}->{j} is not an open channel")
            state[process - 1] |= bit[i, j]
    problem.check_unsealable(tuple(state))
    stuck = [channel for channel in problem.channels if not state[channel[0] - 1] & bit[channel]]
    if canonical(certificate["stuck"]) != canonical(stuck):
        raise Rejected("the list of channels whose senders never know that they are safe is wrong")


def check_least(p: str, n: int, answer: dict[str, Any]) -> None:
    """Have the kernel check, from the listed states of knowledge, that no seal is shorter.

    Raises Rejected.
    """
    types = {"messages": int, "reason": str, "excluded": int, "states": list}
    minimum = fields(answer["certificate"]["minimum"], types)
    entries = [numbers(entry, n + 1) for entry in minimum["states"]]
    if (minimum["messages"], minimum["excluded"]) != (answer["messages"], len(entries)):
        raise Rejected("the number of messages or of states in the minimum is wrong")
    problem = KernelProblem.of(balanced_events(p, n, self_channels=True), n)
    if any(not 0 <= mask < 1 << len(problem.channels) for _, *masks in entries for mask in masks):
        raise Rejected("a state of knowledge is about channels that are not open")
    problem.check_minimum(answer["messages"], [(sent, tuple(masks)) for sent, *masks in entries])


def _chains(answer: dict[str, Any]) -> list[object]:
    certificate = answer["certificate"]
    if not isinstance(certificate, dict):
        raise Rejected("the certificate is missing")
    return items(certificate.get("chains"))


def sealing_over_ports(about: PortPhases, names: Names = NUMBERS, *, document: bool = True) -> Result:
    """Whether Q seals P over ports. The layers of `about` are P and Q.

    A receive crosses if it is in P and takes a message of Q or of the program R that follows, or if it is in
    Q or R and takes a message of P. A port of P is a root cause if, in some run, the first receive that
    crosses is on this port. A no has a run for each root cause, and a yes has closed sets.

    The time is that of `decide_seal`. A document also takes the time for the runs of all root causes.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> layers = parse_layers({"P": "snd 1->2; rcv 2<-*", "Q": "mt 2->1"}, None)[2]
    >>> about = PortPhases(tuple(layers), Protocol.sequence(2))
    >>> sealing_over_ports(about).to_json()["seals"]
    True
    """
    decision = decide_seal(about)
    lines = _why_over_ports if decision.is_seal else _why_not_over_ports
    return Result(
        Code.YES if decision.is_seal else Code.NO,
        _seal_document(decision) if document else {},
        lambda: "\n".join([*lines(decision, names), *blocking(about, names)]),
        check=partial(by_kernel, check_port_seal) if document else None,
        picture=partial(of_port_sealing, decision, names),
        cause=partial(_of_cause, decision, names) if decision.unsealed else None,
    )


def _of_cause(decision: PortSealing, names: Names, index: int) -> Picture:
    return of_unsealed(decision.unsealed[index], names)


def _why_over_ports(decision: PortSealing, names: Names) -> Iterator[str]:
    about = decision.about
    is_lossless = not any(about.guarantee(port).lossy for port in about.used)
    yield f"yes: Q {'properly ' if is_lossless else ''}seals P"
    yield ""
    if all(event.is_send for event in about.layers[0].events):
        yield "P receives nothing, so it cannot receive a later message."
        return
    if not decision.sealed:
        told = "Each port on which P receives delivers the messages of its only sender in order."
        yield from entry("", told, 0)
        return
    told = (
        "No receive of P can take a later message. Until P's last receive on a port is over, these processes"
    )
    told += " cannot finish P; Q. Without them, no later message can be taken there:"
    yield from entry("", told, 0)
    yield ""

    def line(number: int) -> str:
        hold, following = decision.sealed[number]
        late = [k for k in range(1, about.n + 1) if not following.through >> k - 1 & 1]
        return f"  {names.port(hold.port)}  {holding(late, hold, names, MOST)}"

    yield from few(len(decision.sealed), line, MOST, "--json has")


def _why_not_over_ports(decision: PortSealing, names: Names) -> Iterator[str]:
    shown = decision.shortest
    picture = of_unsealed(shown, names)
    run = shown.interferes.run
    event, taker, source = (picture.said(run.receive), picture.layer(run.receive), picture.layer(run.send))
    later = shown.later
    of = "P; Q; R" if any(later.shares) else "P; Q"
    where = f", where R is '{_later(later, names)}'" if any(later.shares) else ""
    yield "no: Q does not seal P"
    yield ""
    kind = decision.about.guarantee(shown.port)
    told = (
        f"{names.port(shown.port)} ({kind}): in this run of {of}{where}, '{event}' in {taker} takes a message"
    )
    yield from entry("", f"{told} of {source} (===):", 0)
    yield ""
    yield from drawn_of(decision.about.n, picture)
    others = [each.port for each in decision.unsealed if each is not shown]
    if others:
        yield ""
        yield f"{len(others)} more: {listed_ports(others, names, most=4)} (--json has a run for each)"


def _later(later: PortProgram, names: Names) -> str:
    events = list(later.events)
    more = f"; ... ({len(events)} events)" if len(events) > MOST else ""
    return text(events[:MOST], names.quoted) + more


def _seal_document(decision: PortSealing) -> Document:
    about = decision.about
    return {
        "seals": decision.is_seal,
        "interfering": [*map(_seal_root, decision.unsealed)],
        "certificate": {
            "kind": KIND,
            "n": about.n,
            "layers": [layer.told(about.ports) for layer in about.layers],
            "ports": guaranteed(about),
            "holds": [*map(_seal_hold, decision.sealed)],
        },
    }


def _seal_hold(sealed: Sealed) -> Document:
    hold, following = sealed
    return {
        "port": str(hold.port),
        "upto": hold.upto,
        "unfit": unfit_document(hold),
        "following": following.upto,
    }


def _seal_root(unsealed: Unsealed) -> Document:
    return root_of(unsealed.interferes, {"later": text(unsealed.later.events)}, _of_sealing)


def _of_sealing(found: PortInterferes, place: Place) -> Document:
    """The place of an event: its layer, 1 or 2, and its position there."""
    at, process, position = found.located(place)
    return {"layer": at + 1 if at < 2 else None, "process": process, "position": position}
