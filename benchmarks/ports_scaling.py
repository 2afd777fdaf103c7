"""The time of deciding over ports, by the number of events, ports and layers; a comparison with clocks.

A port holds messages until one process receives them. Random messages of 64 processes go to ports with many
possible senders. Layers stay apart if all processes send to a hub between them, and the hub sends to all. The
last rows decide the layers of `phases_scaling`, by clocks and by counting over ports. Only the growth and the
ratios of the CPU seconds are meaningful.

    python -m benchmarks.ports_scaling
"""

import json
import random
import time
from collections.abc import Iterator

from benchmarks import phases_scaling

from sealcheck.algorithms.phases import decide
from sealcheck.algorithms.ports import decide_ports
from sealcheck.kernel.ports import check_ports
from sealcheck.operations.port_answers import certificate, root_document
from sealcheck.programs.ports import ANY, FIFO, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.straight_line import Kind

SEED, N = 7, 64


def hub() -> Iterator[PortEvent]:
    """All processes send to process 1, which sends to all."""
    pairs = [(k, 1) for k in range(2, N + 1)] + [(1, k) for k in range(2, N + 1)]
    for sender, reader in pairs:
        yield PortEvent(Kind.SEND, sender, reader, "hub")
        yield PortEvent(Kind.RECEIVE, sender, reader, "hub")


def layer(source: random.Random, messages: int, ports: list[tuple[int, str]]) -> list[PortEvent]:
    """Messages from random senders to these readers and tags, received from any source."""
    events: list[PortEvent] = []
    waiting: list[tuple[int, str]] = []
    while messages or waiting:
        if messages and (not waiting or source.random() < 0.6):
            reader, tag = source.choice(ports)
            sender = source.choice([k for k in range(1, N + 1) if k != reader])
            events.append(PortEvent(Kind.SEND, sender, reader, tag))
            waiting.append((reader, tag))
            messages -= 1
        else:
            reader, tag = waiting.pop(source.randrange(len(waiting)))
            events.append(PortEvent(Kind.RECEIVE, ANY, reader, tag))
    return events


def layers(source: random.Random, events: int, ports: int, count: int, *, apart: bool) -> list[PortProgram]:
    """A number of layers; if `apart`, each ends with the hub's messages."""
    at = [(source.randint(1, N), f"t{k}") for k in range(ports)]
    parts = [layer(source, events // count // 2, at) for _ in range(count)]
    return [PortProgram.of(N, [*part, *hub()] if apart else part) for part in parts]


def line(about: PortPhases, events: int, layers: int, kind: str) -> str:
    """A row: the answer, and the seconds of the decision, of the document, and of the kernel's check."""
    start = time.process_time()
    decision = decide_ports(about)
    decided = time.process_time()
    shown = json.loads(json.dumps([certificate(decision), [*map(root_document, decision.interfering)]]))
    written = time.process_time()
    check_ports(*shown)
    checked = time.process_time()
    answer = "yes" if decision.is_safe else "no"
    row = f"{events:>8} {len(about.used):>6} {layers:>6} {kind:>5} {answer:>6} {decided - start:>9.2f}"
    return f"{row} {written - decided:>11.2f} {checked - written:>9.2f}"


def nested(source: random.Random, count: int) -> Protocol:
    """A protocol with `count` layers, each once, in randomly nested choices, sequences and repetitions."""
    left: list[object] = list(range(count))
    while len(left) > 1:
        first, second = left.pop(source.randrange(len(left))), left.pop(source.randrange(len(left)))
        left.append(
            source.choice([("any", ("or", first, second)), ("then", first, ("or", second, ("then",)))])
        )
    return Protocol.of(("any", left[0]))  # type: ignore[arg-type]


def main() -> None:
    """Print one line for each size, then for a protocol, then for the paper's channels."""
    source = random.Random(SEED)
    print("  events  ports layers  kind answer  decide s  document s  kernel s")
    for events, ports, count in ((10_000, 200, 20), (100_000, 50, 20), (100_000, 200, 20)):
        for apart in (True, False):
            made = tuple(layers(source, events, ports, count, apart=apart))
            about = PortPhases(made, Protocol.sequence(count))
            print(line(about, events, count, "bag"), flush=True)
        ordered = PortPhases(made, about.protocol, dict.fromkeys(about.used, FIFO))
        print(line(ordered, events, count, "fifo"), flush=True)
    made = tuple(layers(source, 4_000, 50, 20, apart=True))
    print(line(PortPhases(made, nested(source, 20)), 4_000, 20, "bag"), "(a protocol)", flush=True)
    for events in (10_000, 100_000):
        plain = phases_scaling.layers(events, source, apart=True)
        start = time.process_time()
        decide(plain)
        clocks = time.process_time()
        decide_ports(PortPhases.plain(plain))
        counted = time.process_time() - clocks
        ratio = counted / (clocks - start)
        print(
            f"{events:>8} events on channels: clocks {clocks - start:.2f} s, counting {ratio:.1f} times that"
        )


if __name__ == "__main__":
    main()
