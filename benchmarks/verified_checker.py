"""The time of the verified checker and of the kernel, for rows of certified tables and for long answers.

The figures are CPU seconds, medians of five measurements, in which the two take turns. The verified checker
gets rows through a pipe, one by one. Each long answer is one line: a run (the events of random messages),
chains (Q acknowledges P), or layers that stay apart. For layers, the kernel checks chains, and the verified
checker decides. Over ports, both check closed sets, or a run for each root cause. The program
`sealcheck-verified` must be on the PATH (`make -C proofs checker`).

    python -m benchmarks.verified_checker
"""

import json
import random
import resource
import subprocess
from collections.abc import Callable
from functools import partial
from itertools import permutations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import ports_scaling

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.algorithms.ports import decide_ports
from sealcheck.cli.play.verified import of_layers
from sealcheck.evidence.table_files import refusal
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.port_seals import check_port_seal
from sealcheck.kernel.ports import check_ports
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.runs import played
from sealcheck.kernel.sealing import check_chains
from sealcheck.kernel.tables import check_row
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.port_answers import certificate, root_document
from sealcheck.operations.sealing import sealing_over_ports
from sealcheck.programs.phases import Phases
from sealcheck.programs.ports import PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.runs import fifo_run
from sealcheck.programs.straight_line import Kind, StraightLine, mt
from sealcheck.questions.verified_checker import PROGRAM, VerifiedChecker
from sealcheck.spark_sweeps.session import spark_session
from sealcheck.spark_sweeps.tables import write_table

TABLES = (("sealing-pairs", 3, 4), ("sealing-pairs", 4, 4), ("sealability", 3, 5), ("signatures", 3, 5))
"""Kinds of tables, each with a number of processes and the most messages."""


def rows(kind: str, n: int, messages: int) -> list[bytes]:
    """The rows of a table."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "table"
        write_table(
            kind,
            "jsonl",
            target,
            [(n, m) for m in range(messages + 1)],
            partial(spark_session, None, "benchmark"),
        )
        return target.read_bytes().splitlines()[1:]


def used() -> float:
    """The CPU seconds of this process and of the children that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def seconds(*works: Callable[[], object]) -> list[float]:
    """The median CPU seconds of each function; the functions take turns."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(5):
        for work, found in zip(works, taken, strict=True):
            start = used()
            work()
            found.append(used() - start)
    return [median(found) for found in taken]


def by_kernel(kind: str, lines: list[bytes]) -> None:
    """Let the kernel check rows."""
    for line in lines:
        check_row(kind, line)


def by_program(kind: str, lines: list[bytes]) -> None:
    """Start the verified checker, and let it check rows."""
    checker = VerifiedChecker(PROGRAM)
    for line in lines:
        if why := refusal(checker, kind, line):
            raise AssertionError(why)
    checker.stop()


def asked(line: bytes) -> None:
    """Start the verified checker, and let it answer one line."""
    said = subprocess.run([PROGRAM], input=line, capture_output=True, check=True).stdout
    assert json.loads(said) == {"seq": 1, "result": True}, said


Measured = tuple[int, list[float]]
"""A number of events, and how long the kernel and the verified checker take for them."""


def both(events: int, text: str, check: Callable[[Any], object], document: dict[str, Any]) -> Measured:
    """Times: the kernel reads and checks a text, and the verified checker checks the same document."""
    line = json.dumps({"v": 1, "seq": 1} | document).encode() + b"\n"
    return events, seconds(lambda: check(json.loads(text)), lambda: asked(line))


def run(n: int, messages: int) -> Measured:
    """A run of random messages, each received at once."""
    source = random.Random(7)
    program = StraightLine.of(n, [e for _ in range(messages) for e in mt(*source.sample(range(1, n + 1), 2))])
    played_in_order = fifo_run(program)
    document = {
        "n": n, "program": str(program), "order": played_in_order.order,
        "matching": sorted(played_in_order.matching.items()),
    }  # fmt: skip

    def check(value: Any) -> None:
        shares = shares_of(events_of(value["program"], n), n)
        played(shares, value["order"], value["matching"])

    return both(program.length, json.dumps(document), check, {"run": document})


def layers(n: int, turns: int, many: int) -> Phases:
    """Layers in which messages go around a ring of processes; at the end of a layer, they go back."""
    around = [e for _ in range(turns) for i in range(1, n + 1) for e in mt(i, i % n + 1)]
    back = [e for i in range(1, n + 1) for e in mt(i % n + 1, i)]
    return Phases((StraightLine.of(n, around + back),) * many)


def chains(n: int, turns: int) -> Measured:
    """A layer that seals another."""
    p, q = layers(n, turns, 2).layers
    document = {"n": n} | sealing_document(p, q)

    def check(value: Any) -> None:
        first, second = (balanced_events(value[key], n) for key in ("p", "q"))
        check_chains(first, second, n, value["certificate"]["chains"])

    return both(p.length + q.length, json.dumps(document), check, {"answer": document})


def apart(n: int, turns: int, many: int) -> Measured:
    """Layers that stay apart."""
    result = staying_apart(layers(n, turns, many))
    ((_, question, _),), _ = of_layers(result)
    text = json.dumps([result.document["certificate"], result.document["interfering"]])
    events = sum(map(len, layers(n, turns, many).layers[0].shares)) * many
    return both(events, text, lambda value: check_phases(*value), question)


def over_ports(about: PortPhases) -> Measured:
    """Whether layers over ports stay apart."""
    decision = decide_ports(about)
    roots = [*map(root_document, decision.interfering)]
    answer = {"safe": not roots, "interfering": roots, "certificate": certificate(decision)}
    events = sum(len(share) for layer in about.layers for share in layer.shares)

    def check(value: Any) -> None:
        check_ports(value["certificate"], value["interfering"])

    return both(events, json.dumps(answer), check, {"answer": answer})


def at_hub(events: int, ports: int, count: int, protocol: Protocol, *, apart: bool = True) -> Measured:
    """Layers of random messages; if `apart`, each ends with messages to a hub and back."""
    source = random.Random(7)
    made = ports_scaling.layers(source, events, ports, count, apart=apart)
    return over_ports(PortPhases(tuple(made), protocol))


def all_to_all(n: int) -> PortProgram:
    """Each process sends to all others, and then receives from each."""
    pairs = [*permutations(range(1, n + 1), 2)]
    sends = [PortEvent(Kind.SEND, i, j, "") for i, j in pairs]
    return PortProgram.of(n, [*sends, *(PortEvent(Kind.RECEIVE, i, j, "") for i, j in pairs)])


def sealed(n: int, q: PortProgram) -> Measured:
    """Whether a program seals `all_to_all`."""
    p = all_to_all(n)
    answer = sealing_over_ports(PortPhases((p, q), Protocol.sequence(2))).to_json()

    def check(value: Any) -> None:
        check_port_seal(value["certificate"], value["interfering"])

    return both(n * (n - 1) * 2, json.dumps(answer), check, {"answer": answer})


def barrier(n: int) -> PortProgram:
    """All processes send to process 1, which sends to all."""
    pairs = [*((k, 1) for k in range(2, n + 1)), *((1, k) for k in range(2, n + 1))]
    both_ends = ((PortEvent(Kind.SEND, i, j, "b"), PortEvent(Kind.RECEIVE, i, j, "b")) for i, j in pairs)
    return PortProgram.of(n, [event for ends in both_ends for event in ends])


ANY_ORDER, NESTED = Protocol.of(("any", ("or", *range(30)))), ports_scaling.nested(random.Random(7), 20)

LONG: dict[str, list[Callable[[], Measured]]] = {
    "run": [partial(run, 8, 500), partial(run, 8, 5000), partial(run, 8, 50000)],
    "chains": [partial(chains, 8, 100), partial(chains, 8, 1000), partial(chains, 8, 5000)],
    "layers apart": [partial(apart, 8, 100, 5), partial(apart, 32, 30, 5)],
    "few ports": [partial(at_hub, 80_000, 4, 2, Protocol.sequence(2))],
    "many ports": [partial(at_hub, 100_000, 200, 20, Protocol.sequence(20))],
    "root causes": [partial(at_hub, 80_000, 4, 2, Protocol.sequence(2), apart=False)],
    "any order": [partial(at_hub, 4_000, 50, 30, ANY_ORDER)],
    "nested": [partial(at_hub, 4_000, 50, 20, NESTED)],
    "a seal": [lambda: sealed(30, barrier(30))],
    "no seal": [lambda: sealed(20, PortProgram.of(20, []))],
}


def main() -> None:
    titles = f"{'kernel s':>10}{'verified s':>12}"
    print(f"{'table':<14}{'n':>3}{'messages':>10}{'rows':>8}{titles}")
    for kind, n, messages in TABLES:
        lines = rows(kind, n, messages)
        kernel, program = seconds(partial(by_kernel, kind, lines), partial(by_program, kind, lines))
        print(f"{kind:<14}{n:>3}{messages:>10}{len(lines):>8}{kernel:>10.2f}{program:>12.2f}", flush=True)
    print(f"\n{'long answer':<14}{'events':>21}{titles}")
    for name, each in LONG.items():
        for measured in each:
            events, (kernel, program) = measured()
            print(f"{name:<14}{events:>21}{kernel:>10.3f}{program:>12.3f}", flush=True)


if __name__ == "__main__":
    main()
