"""Questions to the verified program about an answer, each with the reply that agrees with the answer.

The verified program is extracted from the Coq proofs; docs/proofs.md explains its replies. An answer is a
document that the command line prints and that the kernel has accepted. A receive is wrong if it takes a
message of another layer or round. Layers stay apart if no receive can be wrong. A channel or port is a root
cause if, in some run, the first wrong receive is on it.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sealcheck.algorithms.ports import decide_ports
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.signature import signature
from sealcheck.errors import Disagreement
from sealcheck.kernel.port_seals import KIND as PORT_SEAL
from sealcheck.language.parser import parse_straight_line
from sealcheck.operations.port_answers import certificate as port_certificate
from sealcheck.operations.port_answers import evidence
from sealcheck.programs.phases import OPEN, REPEAT, Phases
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Channel, Event, StraightLine, rcv

Document = Mapping[str, Any]


class Check(NamedTuple):
    """A question to the verified program."""

    about: str
    """The subject, for people."""
    asked: dict[str, Any]
    """The fields of the question's line of JSON, without `v` and `seq`."""
    expected: bool
    """The result that agrees with the answer."""


class Checks(NamedTuple):
    """All questions about an answer."""

    asked: tuple[Check, ...]
    left: str = ""
    """The part of the answer that the verified program does not check. Empty if the program checks
    everything."""


SEARCHED = "that there are no other root causes (receives overlap, so only a search shows this)"
LONG = "which channels are root causes (their executions take too long to check here)"
BEYOND = "layers that are not balanced, or in which a process sends to itself"
RUNS = f"{BEYOND}, except that the executions are runs"
LOOPS = "programs in which a process sends to itself"
LOOP_RUNS = f"{LOOPS}, except that the execution is a run"


def of_layers(answer: Document, most: int | None = None) -> Checks:
    """The questions about an answer whether layers stay apart.

    Over the paper's channels, runs of root causes are not checked if all runs together have more than `most`
    events.

    >>> from sealcheck.operations.phases import staying_apart
    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> found = of_layers(staying_apart(Phases((once, once), repeat=True)).to_json())
    >>> for about, asked, expected in found.asked:
    ...     print(about, asked.get("flags"), expected)
    the answer ['repeat'] False
    the root causes None True
    """
    match answer["certificate"]["kind"]:
        case "ports":
            return Checks((Check("the answer", {"answer": evidence(answer)}, True),))
        case "port-search":
            return Checks((Check("the executions", {"answer": evidence(answer)}, True),), SEARCHED)
        case _:
            return _of_channels(answer, most)


def _of_channels(answer: Document, most: int | None) -> Checks:
    """The questions about an answer over the paper's channels, and about its root causes."""
    certificate, n = answer["certificate"], answer["certificate"]["n"]
    layers = tuple(parse_straight_line(text, n) for text in certificate["layers"])
    about = Phases(layers, certificate[REPEAT], certificate[OPEN])
    played, found = _Played(about), answer["interfering"]
    is_long = most is not None and sum(sum(root["run"]["upto"]) for root in found) > most
    if _has_loops(*layers) or not all(layer.is_balanced for layer in layers):
        runs = [(root["port"], played.alone(root["run"])) for root in found if not is_long]
        alone = [Check(f"the execution on {port}", {"run": run}, True) for port, run in runs]
        return Checks(tuple(alone), RUNS if alone else BEYOND)
    flags = [flag for flag in (REPEAT, OPEN) if certificate[flag]]
    asked = {"question": "phases", "n": n, "layers": [*map(_processes, layers)], "flags": flags}
    checks = [Check("the answer", asked, bool(answer["safe"]))]
    if not answer["safe"] and is_long:
        return Checks(tuple(checks), LONG)
    if not answer["safe"]:
        counted = port_certificate(decide_ports(PortPhases.plain(about)))
        roots = [dict(root) | {"run": played.over_ports(root["run"])} for root in found]
        over_ports = {"safe": False, "interfering": roots, "certificate": counted}
        checks.append(Check("the root causes", {"answer": over_ports}, True))
    return Checks(tuple(checks))


def _in_layer(event: Event, layer: int) -> tuple[Event, bool, tuple[int, int, int]]:
    """An event of a layer, whether it is a send, and its channel with the number of the layer."""
    return event, event.is_send, (event.sender, event.receiver, layer)


class _Played:
    """Plays runs of layers over the paper's channels, to find the order and the matching of each run."""

    def __init__(self, about: Phases) -> None:
        self.n = about.n
        rounds = about.rounds(2 if about.repeat and not about.open else 1)
        self.word = [rounds.named(at).number for at in range(len(rounds.layers))]
        self._events = [
            [_in_layer(event, at) for at, layer in enumerate(rounds.layers) for event in layer.shares[k]]
            for k in range(about.n)
        ]

    def over_ports(self, run: Document) -> dict[str, Any]:
        """The run of a root cause, in the form of certificates over ports.

        Raises Disagreement if the processes cannot do all the events of the run.
        """
        order, matching, _ = self._beginning(run)
        return {"word": self.word, "later": run["later"], "order": order, "matching": matching}

    def alone(self, run: Document) -> dict[str, Any]:
        """The run of a root cause, as a run of a program with only the events of the run.

        O(n + events of the run). Raises Disagreement if the processes cannot do all these events.
        """
        order, matching, events = self._beginning(run)
        program = "; ".join(map(str, events))
        return {"n": self.n, "program": program, "order": order, "matching": matching}

    def _beginning(self, run: Document) -> tuple[list[Place], list[tuple[Place, Place]], list[Event]]:
        """The order, the matching and the events of a run. Every receive except the last takes the oldest
        message of its own layer."""
        following = parse_straight_line(run["later"], self.n)
        later = [_in_layer(event, len(self.word)) for share in following.shares for event in share]
        done, upto = [0] * self.n, run["upto"]
        order, matching, events = list[Place](), dict[Place, Place](), list[Event]()
        held: defaultdict[tuple[int, int, int], deque[Place]] = defaultdict(deque)
        going = [k for k, length in enumerate(upto) if length]
        while going:
            k = going.pop()
            while done[k] < upto[k]:
                inside = done[k] < len(self._events[k])
                event, is_send, channel = self._events[k][done[k]] if inside else later[0]
                place = Place(k + 1, done[k] + 1)
                if is_send:
                    held[channel].append(place)
                    going.append(event.receiver - 1)
                elif held[channel]:
                    matching[place] = held[channel].popleft()
                else:
                    break
                order.append(place)
                events.append(event)
                done[k] += 1
        if done != [*upto]:
            raise Disagreement(f"the run on {run['channel']} is accepted, but does not get so far")
        last = Place(*run["receive"])
        matching[last] = Place(*run["send"])
        sender, receiver = run["channel"]
        return [*order, last], sorted(matching.items()), [*events, rcv(receiver, sender)]


def _processes(program: StraightLine) -> dict[str, Any]:
    return {
        "text": str(program),
        "processes": program.partners,
    }


def _has_loops(*programs: StraightLine) -> bool:
    return any(e.sender == e.receiver for program in programs for share in program.shares for e in share)


def of_run(run: Run) -> tuple[Check, ...]:
    """The question whether `run` is a run. No question if two receives take the same message."""
    if len(set(run.matching.values())) < len(run.matching):
        return ()
    asked = {
        "n": run.program.n,
        "program": str(run.program),
        "order": run.order,
        "matching": sorted(run.matching.items()),
    }
    return (Check("the execution", {"run": asked}, True),)


_RUN = ("kind", "later", "order", "matching", "receive")
_CHAINS = ("kind", "chains")


def of_sealing(answer: Document) -> Checks:
    """The questions about an answer whether Q seals P, and about its certificate.

    The answer may be about the paper's channels or about ports.

    >>> from sealcheck.operations.sealing import decision
    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> for about, asked, expected in of_sealing(decision(once, once).to_json()).asked:
    ...     print(about, "question" in asked, expected)
    the answer True False
    the certificate False True
    """
    seals, certificate = bool(answer["seals"]), answer["certificate"]
    if certificate["kind"] == PORT_SEAL:
        return Checks((Check("the answer", {"answer": evidence(answer, "seals")}, True),))
    n = certificate["n"]
    p, q = (parse_straight_line(certificate[key], n) for key in ("p", "q"))
    if _has_loops(p, q):
        if seals:
            return Checks((), LOOPS)
        run = {key: certificate[key] for key in ("n", "program", "order", "matching")}
        return Checks((Check("the execution", {"run": run}, True),), LOOP_RUNS)
    kept = {key: certificate[key] for key in (_CHAINS if seals else _RUN)}
    return Checks(tuple(_about_pair(p, q, seals, kept)))


def _about_pair(p: StraightLine, q: StraightLine, seals: bool, certificate: Document) -> Iterator[Check]:
    """Whether Q seals P, and why."""
    asked = {"question": "is-seal", "n": p.n, "p": _processes(p), "q": _processes(q)}
    given = {"n": p.n, "p": str(p), "q": str(q), "seals": seals, "certificate": certificate}
    yield Check("the answer", asked, seals)
    yield Check("the certificate", {"answer": given}, True)


def of_seal(answer: Document) -> Checks:
    """The questions about an answer of `seal`.

    The first question is whether P can be sealed. The others are about the certificate, which shows a seal, a
    shortest seal, or that P has no seal.

    >>> from sealcheck.operations.sealing import sealing
    >>> from sealcheck.programs.straight_line import mt
    >>> found = sealing(StraightLine.of(2, mt(1, 2)), minimal=True).to_json()
    >>> [check.asked.get("question") for check in of_seal(found).asked]
    ['sealable', None]
    """
    certificate = answer["certificate"]
    p = parse_straight_line(certificate["p"], certificate["n"])
    if _has_loops(p):
        return Checks((), LOOPS)
    asked = {"question": "sealable", "n": p.n, "p": _processes(p)}
    is_sealable = Check("the answer", asked, bool(answer["sealable"]))
    if answer["sealable"] and "minimum" not in certificate:
        chains = {"kind": "chains", "chains": certificate["chains"]}
        seal = parse_straight_line(answer["seal"], p.n)
        return Checks((is_sealable, *_about_pair(p, seal, True, chains)))
    first = signature(p)
    if answer["sealable"]:
        states = certificate["minimum"]["states"]
        kept = {"kind": "seal", "chains": certificate["chains"], "states": states}
    else:
        bit = {channel: 1 << at for at, channel in enumerate(first.open_channels)}
        knowledge = [certificate["knowledge"][str(process)] for process in range(1, p.n + 1)]
        masks = [sum(bit[each] for each in {Channel(*each) for each in channels}) for channels in knowledge]
        kept = {"kind": "closed-knowledge", "knowledge": masks}
    given = {
        "n": p.n,
        "program": str(p),
        "open_channels": first.open_channels,
        "closed_channels": sorted(closed_channel_graph(first)),
        "sealable": answer["sealable"],
        "minimum_messages": answer["messages"],
        "seal": answer["seal"],
        "certificate": kept,
    }
    return Checks((is_sealable, Check("the certificate", {"answer": given}, True)))
