"""Do layers whose receives overlap stay apart?  A search through all their executions, and a solver.

If receives overlap, the choice of a message decides which receives wait for ever. So counting is not enough,
and the question is NP-complete, even for balanced layers.  The explorer visits every state of every word; z3
is asked about the same words; they must agree.  A yes has no certificate: the explorer and z3 must be
trusted. Each wrong receive has a run, which the kernel checks.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from sealcheck.algorithms.port_runs import PortInterferes, PortRun
from sealcheck.algorithms.ports import PortDecision
from sealcheck.drawing.making import of_port_interference
from sealcheck.errors import Disagreement, InputError
from sealcheck.explorers.ports import explore
from sealcheck.kernel.ports import check_port_runs
from sealcheck.language.names import Names
from sealcheck.operations.port_answers import (
    about_ports,
    blocking,
    further,
    named_titles,
    root_document,
    run_lines,
)
from sealcheck.operations.result import Code, Document, Result
from sealcheck.operations.wording import listed
from sealcheck.programs.ports import Port, PortEvent
from sealcheck.programs.protocol import PortPhases
from sealcheck.words import counted, entry

SOLVER = "z3"


def search(about: PortPhases) -> tuple[PortDecision, frozenset[PortEvent]]:
    """The root causes, each with a run, and the receives that can wait for ever if there are none.

    Exponential.  Raises InputError if layers can come again, anything may follow, or no execution completes a
    layer; LimitReached if there are too many states; Disagreement if the solver finds other root causes.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> texts = {"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3", "layer 2": "snd 3->2; rcv 2<-*"}
    >>> about = PortPhases(tuple(parse_layers(texts, None)[2]), Protocol.sequence(2), overlapping=True)
    >>> [found] = search(about)[0].interfering
    >>> str(found.port), found.located(found.run.receive)
    ('2<-*', Located(at=0, process=2, position=1))
    """
    from sealcheck.encodings import ports as formulas  # no solver in the small installation
    from sealcheck.encodings.solving import open_solver

    most = len(about.protocol.layers)
    if about.open:
        raise InputError("receives overlap: a search cannot tell that anything may follow")
    if any(map(about.protocol.comes_again, range(most))):
        raise InputError(
            "receives overlap: a search goes through finitely many layers; write out the rounds to look at"
        )
    for number, layer in enumerate(about.layers, 1):
        if not explore(about, [layer], untagged=frozenset()).completes:
            raise InputError(f"layer {number}: some receive waits for ever in each execution")
    found, stuck = dict[Port, PortInterferes](), set[PortEvent]()
    for word in sorted(about.protocol.words(most, whole=False), key=lambda word: (len(word), word)):
        layers = about.of_word(word)
        explored = explore(about, layers, untagged=frozenset(about.used))
        stuck |= explored.stuck
        for port in about.used if explored.wrong else ():
            wrong = port not in found and explore(about, layers, untagged=frozenset({port})).wrong
            if wrong:
                order, matching = wrong
                run = PortRun(order, matching, order[-1], matching[order[-1]])
                found[port] = PortInterferes.of_run(about, word, run)
    with open_solver(SOLVER) as solver:
        if formulas.wrong_ports(about, most, solver) != found.keys():
            raise Disagreement(
                f"{SOLVER} and the explorer find different root causes of "
                f"{' | '.join(map(str, about.layers))}"
            )
    return PortDecision(about, (), (), tuple(found[port] for port in sorted(found))), frozenset(stuck)


def searched(
    about: PortPhases, titles: Sequence[str], names: Names, *, document: bool, every: bool
) -> Result:
    """Whether layers whose receives overlap stay apart, with a run for each root cause.  As `search`."""
    decision, stuck = search(about)

    def lines() -> Iterator[str]:
        if decision.is_safe:
            yield "yes: the layers stay apart"
            yield ""
            told = "Receives overlap, so there is no certificate. All executions were searched: in none, a"
            told += f" receive takes a message of another layer. {SOLVER} finds none, either."
            yield from entry("", told, 0)
            if stuck:
                waiting = listed(f"'{each.told(names.quoted)}'" for each in sorted(stuck))
                yield from entry("", f"But an execution can get stuck: {waiting} can wait for ever.", 0)
            yield from blocking(about, names)
            return
        found = counted(len(decision.interfering), "port")
        yield f"no: messages can get from one layer into another on {found}"
        yield ""
        told = "Receives overlap, so this was found by search, without remedies. If the receives that name"
        yield from entry("", f"{told} their source had a tag of their own, remedies would be proposed.", 0)
        for each in decision.interfering if every else [decision.shortest]:
            yield from run_lines(decision, each, titles, names)
        if not every:
            yield from further(decision, names)
        yield from blocking(about, names)

    def shown() -> Document:
        return named_titles(titles) | {
            "safe": decision.is_safe,
            "interfering": [*map(root_document, decision.interfering)],
            "remedies": None,
            "certificate": about_ports(about, "port-search"),
            "stuck": [str(each) for each in sorted(stuck)] if decision.is_safe else None,
        }

    return Result(
        Code.YES if decision.is_safe else Code.NO,
        shown() if document else {},
        lambda: "\n".join(lines()),
        check=_check if document and not decision.is_safe else None,
        picture=None if decision.is_safe else partial(of_port_interference, decision.shortest, titles, names),
    )


def _check(document: dict[str, Any]) -> None:
    check_port_runs(document["certificate"], document["interfering"])
