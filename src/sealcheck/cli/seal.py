"""``sealcheck seal P``: a program that seals P, or why there is none."""

from functools import partial

from sealcheck.cli.command import Batch, Json, Minimal, N, P, SelfChannels, respond
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.operations.sealing import SEAL_KEYS, sealing
from sealcheck.support.processes import Limits


def seal(
    p: P = None,
    minimal: Minimal = False,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """A program that properly seals P, or why no program does."""
    question = partial(sealing, minimal=minimal, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p}, keys=SEAL_KEYS, n=n, limits=limits, json=json, batch=batch)
