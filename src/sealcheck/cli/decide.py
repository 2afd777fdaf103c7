"""``sealcheck decide``: does Q seal P, over the paper's channels or over ports?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import typer

from sealcheck.cli.command import (
    Batch,
    N,
    NotAssuming,
    P,
    Q,
    SelfChannels,
    answer_lines,
    answer_once,
    given_programs,
)
from sealcheck.cli.fields import require_known, texts_of
from sealcheck.cli.inputs import Text, require_assumed, written
from sealcheck.cli.layers import Given
from sealcheck.cli.options import (
    MIB,
    SECONDS,
    Json,
    Memory,
    OnePort,
    Order,
    Seconds,
    Transport,
    guarantees,
)
from sealcheck.language.assumptions import assumptions_but, require_about
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared
from sealcheck.operations.port_seals import sealing_over_ports
from sealcheck.operations.result import Result, unknown
from sealcheck.operations.sealing import DECIDE_KEYS, decision
from sealcheck.support.processes import Limits

PROGRAMS = ("P", "Q")
OF_PORTS = ("order", "transport", "ports")
"""The keys of a line of a batch about ports."""


def decide(
    p: P = None,
    q: Q = None,
    order: Order = "",
    port: OnePort = None,
    transport: Transport = "",
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """Does Q properly seal P?

    The answer comes with its evidence: for each channel on which P receives, a causal chain that
    keeps later messages out of P; or else a run in which P receives a later message.  Messages may have
    tags, receives may take from any source, and channels may keep order, lose or duplicate, as in phases.
    """
    given = Given(False, False, order, transport, guarantees(port or ()), self_channels)
    given = given._replace(assuming=assumptions_but(not_assuming or ()))
    limits, otherwise = Limits(seconds, memory), partial(unknown, DECIDE_KEYS)
    sources = given_programs({"P": p, "Q": q}, batch)
    if batch is not None:
        require_about(given.assuming, spans=False, jobs=False)  # lines are texts
        code = answer_lines(partial(_line, given), batch, n, otherwise=otherwise, limits=limits)
    else:
        question, names = asked(given, *written(sources), n, document=json)
        code = answer_once(question, otherwise=otherwise, limits=limits, json=json, names=names)
    raise typer.Exit(code)


def asked(
    given: Given, texts: Mapping[str, Text], files: Mapping[str, str], n: int | None, *, document: bool = True
) -> tuple[Callable[[], Result], Names]:
    """The question whether the second program seals the first, and the names of the processes."""
    require_assumed(texts, files, given.assuming)
    read = given.read(texts, files, PROGRAMS, n)
    if isinstance(read, Declared):
        about, names = replace(read, called=PROGRAMS).read()
        return partial(sealing_over_ports, about, names, document=document), names

    def plain() -> Result:
        p, q = read.parsed()
        return decision(p, q, self_channels=given.self_channels, names=read.names)

    return plain, read.names


def _line(given: Given, fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
    """The answer about a line of a batch."""
    require_known(fields, [*map(str.lower, PROGRAMS), *OF_PORTS])
    said = {key: value for key, value in fields.items() if key in OF_PORTS}
    texts = texts_of(*PROGRAMS)({key: value for key, value in fields.items() if key not in OF_PORTS})
    question, names = asked(given.said(said), texts, {}, n)
    with names.blamed():
        return question(), names
