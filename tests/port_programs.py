"""Random layers over ports, and protocols, small enough for exploration."""

from random import Random

from sealcheck.programs.ports import ANY, Guarantee, PortEvent, PortProgram
from sealcheck.programs.protocol import Expression, PortPhases, Protocol
from sealcheck.programs.straight_line import Kind

GUARANTEES = [[], ["fifo"], ["lossy"], ["fifo", "lossy"], ["duplicating"], ["duplicating", "lossy"]]
RECEIVES = [[("", True)], [("", True), ("x", False)], [("", False), ("x", True)], [("", False)]]
"""Sets of tags, each with whether it is received from any source."""


def random_layer(rng: Random, n: int, most: int, receives: list[tuple[str, bool]]) -> PortProgram:
    """A balanced layer that does not deadlock, with up to `messages` messages."""
    left = [(*rng.sample(range(1, n + 1), 2), *rng.choice(receives)) for _ in range(rng.randint(0, most))]
    waiting: list[tuple[int, int, str, bool]] = []
    events: list[PortEvent] = []
    while left or waiting:
        if left and (not waiting or rng.random() < 0.6):
            sender, reader, tag, any_source = left.pop()
            events.append(PortEvent(Kind.SEND, sender, reader, tag))
            waiting.append((sender, reader, tag, any_source))
        else:
            sender, reader, tag, any_source = waiting.pop(rng.randrange(len(waiting)))
            events.append(PortEvent(Kind.RECEIVE, ANY if any_source else sender, reader, tag))
    return PortProgram.of(n, events)


def random_expression(rng: Random, layers: int, depth: int = 2) -> Expression:
    if depth == 0 or rng.random() < 0.3:
        return rng.randrange(layers)
    kind = rng.choice(["then", "then", "or", "any", "some"])
    count = 1 if kind in ("any", "some") else 2 if kind == "or" else rng.randint(1, 3)
    return (kind, *(random_expression(rng, layers, depth - 1) for _ in range(count)))


def random_phases(rng: Random) -> PortPhases:
    n, count, most = rng.choice((2, 3, 3, 4)), rng.choice((1, 2, 2, 3)), rng.choice((2, 3))
    receives = rng.choice(RECEIVES)
    layers = tuple(random_layer(rng, n, most, receives) for _ in range(count))
    kind = rng.random()
    if kind < 0.6:
        protocol = Protocol.sequence(count, repeat=kind < 0.2)
    else:
        protocol = Protocol.of(random_expression(rng, count))
    used = PortPhases(layers, protocol).used
    chosen = {port: Guarantee.of(rng.choice(GUARANTEES)) for port in used if rng.random() < 0.6}
    given = {port: guarantee for port, guarantee in chosen.items() if any(guarantee)}
    return PortPhases(layers, protocol, given, rng.random() < 0.3)


def explorable(rng: Random, events: int, words: int = 12) -> tuple[PortPhases, int]:
    """Phases with few short words, and the number of layers within which words show everything.

    Two rounds of everything are enough.
    """
    while True:
        about = random_phases(rng)
        most = 2 * len(about.protocol.layers) + 1
        begun = [about.of_word(word) for word in about.protocol.words(most, whole=False)]
        longest = max((sum(len(s) for layer in word for s in layer.shares) for word in begun), default=0)
        if len(begun) <= words and longest <= events:
            return about, most
