"""`th:sealability`: P can be sealed properly iff the undirected closed-channel graph is connected.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. A seal is proper if it never runs forever. P closes a channel if P's receives
             on it can take no message sent after P. The edges of the closed-channel graph are the channels
             that P closes.

Reading      the theorem's first sentence. Oracles decide "can be sealed" without the criterion
             (`questions.sealing`).

Refutation   a program on which the criterion is wrong. If the graph is not connected, the printed proof
             splits the processes into two parts that no closed channel connects. It assumes that the first
             message of a seal from one part to the other can interfere with P. But P itself may have told a
             process of the sender's part that P's last receive on the channel has happened.

Not claimed  the theorem's second sentence (fewer than 3n messages): see seal-size.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.sealability import (
    blocks,
    closed_channel_graph,
    components,
    is_connected,
    transmitting,
)
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.sealability import (
    Criterion,
    SymbolicCriteria,
    met_but_unsealable,
    rounds,
    sealable_but_not_met,
    still_learning,
)
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import EXPLORED_PROCESSES, EXPLORED_SEALABLE, SEALABLE, SHORTEST_SEAL
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, about_programs, unbalanced
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Query, Repaired, Statement, predicts


def printed(instance: Instance) -> bool:
    """Whether the undirected closed-channel graph of P is connected."""
    first = signature(instance.p)
    return is_connected(first.n, closed_channel_graph(first))


def repaired(instance: Instance) -> bool:
    """Whether all processes end up in one part."""
    return len(blocks(signature(instance.p))) == 1


def printed_of_any_program(instance: Instance) -> bool:
    """The printed criterion for any program, balanced or not."""
    closed = closed_channels_repaired(instance.p)
    return is_connected(instance.n, [Channel(*edge) for edge in closed.edges])


def whole_space(criterion: Criterion, n: int, m: int) -> Iterator[Query]:
    """The queries for both directions, for seals of any length, and a query for more rounds.

    In each round of the encoding, processes may learn that P's last receives on more channels are over. If
    the last query has a model, there are too few rounds, and the query before it is inconclusive.
    """
    p = SymbolicProgram("P", n, m, by_channel=True)
    level = f"n={n} m={m}"
    yield Query.about(f"{level}: met, unsealable", lambda: met_but_unsealable(p, criterion), p)
    yield Query.about(f"{level}: not met, sealable", lambda: sealable_but_not_met(p, criterion), p)
    learning = f"{level}: learning after {rounds(n)} rounds"
    yield Query.about(learning, lambda: still_learning(p), p, by_proof=True)


def explain(instance: Instance, ask: Ask) -> str:
    """The channels that P leaves open, and a seal, step by step."""
    first = signature(instance.p)
    lines = [f"P leaves {', '.join(map(str, first.open_channels))} open."]
    parts = sorted(map(sorted, components(instance.n, closed_channel_graph(first))))
    if len(parts) > 1:
        named = " and ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)
        lines.append(f"No closed channel connects the parts {named}.")
    found = ask(SHORTEST_SEAL, instance)
    if found is None:
        lines.append("No message can be sent from which a process learns that more of them are safe.")
        return "\n".join(lines)
    lines.append(f"Yet Q = {transmitting(instance.n, found)} seals P:")
    lines += [_step(first.open_channels, channel) for channel in found]
    lines.append("After that, the sender of every open channel knows it to be safe.")
    return "\n".join(lines)


def _step(open_channels: Sequence[Channel], channel: Channel) -> str:
    if channel not in open_channels:
        return f"mt {channel} is safe because P closes {channel} or does not use it."
    knows = f"{channel.sender} knows that P's last receive on {channel} has happened"
    return f"mt {channel} is safe because {knows}."


def sealed_run(instance: Instance, ask: Ask) -> tuple[Run, tuple[StraightLine, ...]] | None:
    """A run of P and a seal. Messages are received in the order of sending."""
    found = ask(SHORTEST_SEAL, instance)
    if found is None:
        return None
    seal = transmitting(instance.n, found)
    return fifo_run(instance.p.then(seal)), (instance.p, seal)


HYPOTHESES = about_programs(
    predicts(SEALABLE, printed_of_any_program),
    predicts(SEALABLE, repaired, semantics=SELF_CHANNELS),
    lambda n, messages: (i for i in unbalanced(n, messages) if i.p.is_deadlock_free),
)

STATEMENT = Statement.of(
    "sealability",
    "th:sealability",
    Claim(
        "a BSL can be sealed properly iff its undirected closed-channel graph is connected",
        check=predicts(SEALABLE, printed),
        whole_space=partial(whole_space, SymbolicCriteria.connected),
        explain=explain,
        run=sealed_run,
        refutations=in_coq(
            "ExamplesSeals.v",
            "sealability_as_printed_fails",
            "a program of three processes, four messages; finite intervals",
        ),
        fails_at=(3, 4),
    ),
    Repaired(
        "let P be a BSL without self-channels. At first, each process is a part. Parts A and B merge if P"
        " closes a channel between them. They also merge if, at the end of P, some process of A knows that"
        " P's last receive on some channel from A to B is over. A BSL seals P properly iff all processes end"
        " up in one part",
        check=predicts(SEALABLE, repaired),
        whole_space=partial(whole_space, SymbolicCriteria.one_block),
        explain=explain,
        theorems=in_coq(
            "Sealability.v",
            "sealability",
            "every BSL; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Programs(),
    questions=(SEALABLE,),
    limits=(
        "only BSLs are tried as seals, although a program with a guard can seal a P that no BSL seals (see"
        " non-sealed)",
        "one oracle, the explorer, confirms the seals that other oracles find. For n <="
        f" {EXPLORED_PROCESSES}, it also searches for seals of up to {EXPLORED_SEALABLE} messages. That is"
        f" enough, because no shortest seal has more than 3n - 5 = {3 * EXPLORED_PROCESSES - 5} messages for"
        f" n = {EXPLORED_PROCESSES} (see worst-case-seal)",
    ),
    hypotheses=HYPOTHESES,
)
