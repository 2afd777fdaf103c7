"""``sealcheck analyze P``: what kind of program P is, its open channels, and its signature."""

from functools import partial

from sealcheck.cli.command import Batch, Json, N, P, SelfChannels, respond
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.operations.analysis import ANALYSIS_KEYS, analysis
from sealcheck.support.processes import Limits


def analyze(
    p: P = None,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """What kind of program is P, which channels does it leave open, what is its signature?"""
    question = partial(analysis, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p}, keys=ANALYSIS_KEYS, n=n, limits=limits, json=json, batch=batch)
