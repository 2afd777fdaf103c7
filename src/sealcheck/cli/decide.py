"""``sealcheck decide P Q``: does Q properly seal P?  Chains or an interfering run say why."""

from functools import partial

from sealcheck.cli.command import Batch, Json, N, P, Q, SelfChannels, respond
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.operations.sealing import DECIDE_KEYS, decision
from sealcheck.support.processes import Limits


def decide(
    p: P = None,
    q: Q = None,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """Does Q properly seal P?

    The answer comes with its evidence: for each channel on which P receives, a causal chain that
    keeps later messages out of P; or else a run in which P receives a later message.
    """
    question = partial(decision, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p, "Q": q}, keys=DECIDE_KEYS, n=n, limits=limits, json=json, batch=batch)
