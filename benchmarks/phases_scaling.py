"""The time of `phases` by the number of events: for the decision, and for the document with its check.

Ten layers of 64 processes send on 192 channels. With a barrier after each layer, the layers stay apart, and
the document has a causal chain for each layer and channel. Without barriers, all channels interfere, and the
document has a run for each channel. Only the growth of the CPU seconds is meaningful.

    python benchmarks/phases_scaling.py
"""

import json
import random
import time
from collections.abc import Iterator

from sealcheck.algorithms.phases import decide
from sealcheck.operations.phases import staying_apart
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import Event, StraightLine, mt

SEED, N, LAYERS = 7, 64, 10
TREE = [(child // 2, child) for child in range(2, N + 1)]
USED = {channel for pair in TREE for channel in (pair, pair[::-1])}
STEPS = (3, 7, 11)
CHANNELS = [
    channel for i in range(1, N + 1) for s in STEPS if (channel := (i, (i + s - 1) % N + 1)) not in USED
]


def barrier() -> Iterator[Event]:
    """All processes send to the root of a tree, along its edges, and the root sends to all."""
    for parent, child in reversed(TREE):
        yield from mt(child, parent)
    for parent, child in TREE:
        yield from mt(parent, child)


def layers(events: int, source: random.Random, *, apart: bool) -> Phases:
    """Layers of random messages; if `apart`, each ends with a barrier."""
    end = list(barrier()) if apart else []
    amount = (events // LAYERS - len(end)) // 2
    words = ([e for _ in range(amount) for e in mt(*source.choice(CHANNELS))] for _ in range(LAYERS))
    return Phases(tuple(StraightLine.of(N, [*word, *end]) for word in words))


def main() -> None:
    """Print one line for each size."""
    source = random.Random(SEED)
    print(f"{'events':>8} {'answer':>6} {'decide s':>9} {'document s':>11} {'us/event':>9} {'KiB':>6}")
    for events in (10_000, 30_000, 100_000, 300_000):
        for apart in (True, False):
            about = layers(events, source, apart=apart)
            start = time.process_time()
            safe = decide(about).is_safe
            decided = time.process_time()
            document = json.dumps(staying_apart(about).to_json())
            done = time.process_time()
            each = (done - decided) / events * 1e6
            line = f"{events:>8} {'yes' if safe else 'no':>6} {decided - start:>9.2f} {done - decided:>11.2f}"
            print(f"{line} {each:>9.1f} {len(document) // 1024:>6}", flush=True)


if __name__ == "__main__":
    main()
