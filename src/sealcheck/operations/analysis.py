"""Find the kind of a program, its open and closed channels, and its signature.

A channel of P is open if P can receive a later message on it. The signature has P's last receives and first
sends on channels. For each last receive, the signature lists the processes before whose end the receive
happens in every run. For each first send, the signature lists the processes after whose beginning the send
happens in every run. The signature decides which programs keep later messages out of P.
"""

from collections.abc import Iterator

from sealcheck.algorithms.certificates import signature_document
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.signature import Signature, bits, signature
from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.result import MAX_CROSSED, Code, Document, Result, unknown
from sealcheck.operations.wording import abridged, listed
from sealcheck.programs.straight_line import (
    Channel,
    StraightLine,
    rcv,
    require_balanced_straight_line,
    require_no_self_channels,
    snd,
)
from sealcheck.words import counted, entry

ANALYSIS_KEYS = (
    "n",
    "messages",
    "balanced",
    "deadlock_free",
    "open_channels",
    "closed_channels",
    "signature",
)
NO_SIGNATURE = "Only balanced, deadlock-free programs have open and closed channels and a signature."

_COLUMN = 20


def analysis(p: StraightLine, *, self_channels: bool = False, names: Names = NUMBERS) -> Result:
    """The kind of the program P, with its open channels and its signature, if these are defined.

    Open channels and signatures are defined for deadlock-free BSLs (balanced straight-line programs). For
    other programs, these values are null. A channel between processes of 1..n that P does not use is closed.
    The answer is unknown if a deadlock-free BSL has more than `MAX_CROSSED` processes.

    >>> from sealcheck.programs.straight_line import mt
    >>> analysis(StraightLine.of(2, mt(1, 2))).document["open_channels"]
    (Channel(sender=1, receiver=2),)
    """
    if not self_channels:
        require_no_self_channels(p, "P")
    kind: Document = {
        "n": p.n,
        "messages": p.messages,
        "balanced": p.is_balanced,
        "deadlock_free": p.is_deadlock_free,
    }
    try:
        require_balanced_straight_line(p, "P", self_channels=True)
    except InputError as error:
        reason = names.said(str(error))
        document = dict.fromkeys(ANALYSIS_KEYS) | kind
        return Result(Code.YES, document, lambda: f"{_kind_line(p)}\n\n{reason}\n{NO_SIGNATURE}")
    if p.n > MAX_CROSSED:
        return unknown(ANALYSIS_KEYS, f"with {p.n} processes there are too many channels to list", **kind)
    found = signature(p)
    closed = sorted(closed_channel_graph(found))
    document = kind | {
        "open_channels": found.open_channels,
        "closed_channels": closed,
        "signature": signature_document(found),
    }
    return Result(Code.YES, document, lambda: "\n".join(_lines(p, found, closed, names)))


def _kind_line(p: StraightLine) -> str:
    size = f"{counted(p.n, 'process', 'processes')}, {counted(p.messages, 'message')}"
    balanced = "balanced" if p.is_balanced else "not balanced"
    return f"{size}: straight-line, {balanced}, {'deadlock-free' if p.is_deadlock_free else 'deadlocks'}"


def _lines(p: StraightLine, found: Signature, closed: list[Channel], names: Names) -> Iterator[str]:
    yield _kind_line(p)
    yield ""
    yield from entry("open", listed(names.channels(found.open_channels)), _COLUMN)
    if found.open_channels:
        yield from entry("", "(P could receive a later message on these channels)", _COLUMN)
    yield from entry("closed", listed(names.channels(closed)), _COLUMN)
    yield ""
    yield "signature"
    entries = list(_signature_entries(found, names))
    column = max([_COLUMN, *(len(label) + 2 for label, _ in entries)])
    lines = [line for label, text in entries for line in entry(label, text, column)]
    yield from abridged(len(lines), lines.__getitem__)


def _signature_entries(found: Signature, names: Names) -> Iterator[tuple[str, str]]:
    for channel in found.open_channels:
        ends = listed(names.processes(bits(found.receives[channel])))
        yield f"  last {names.event(rcv(channel.receiver, channel.sender))}", f"before the end of {ends}"
    for channel in found.interfering_sends:
        starts = listed(names.processes(bits(found.sends[channel])))
        yield f"  first {names.event(snd(*channel))}", f"after the start of {starts}"
    for k, mask in enumerate(found.ends, 1):
        if others := [i for i in bits(mask) if i != k]:
            yield f"  start of {names.process(k)}", f"before the end of {listed(names.processes(others))}"
