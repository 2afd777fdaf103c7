"""Decide whether layers stay apart, with the evidence, and propose remedies.

Layers are programs. Each process runs its parts of the layers in order, without waiting for other processes.
Layers stay apart if each receive takes a message of its own layer and round. A receive is wrong if it takes a
message of another layer or round. A channel is a root cause if, in some run, the first wrong receive is on
this channel.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sealcheck.algorithms.certificates import phases_certificate, root_document
from sealcheck.algorithms.mending import Mending, mend
from sealcheck.algorithms.mending.over_ports import tag_values
from sealcheck.algorithms.phases import Decision, RootCause, decide
from sealcheck.algorithms.ports import decide_ports
from sealcheck.drawing.making import of_interference, of_phases
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.text import drawn
from sealcheck.errors import InputError
from sealcheck.kernel.phases import check_phases
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.port_answers import named_titles
from sealcheck.operations.result import (
    MAX_CROSSED,
    Code,
    Document,
    Entry,
    Result,
    by_kernel,
    remedy_lines,
    unknown,
)
from sealcheck.operations.wording import LEGEND, abridged, links, listed
from sealcheck.programs.phases import Phases
from sealcheck.programs.ports import Port
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import DeadlockError, StraightLine, require_no_self_channels
from sealcheck.words import counted, entry

PHASES_KEYS = ("safe", "interfering", "remedies", "certificate")

LATER = "later"
"""In texts, the layer of an event after all layers."""
ROOT_CAUSE = (
    "A root cause is a channel on which this can happen although all other channels deliver to the right"
    " layer and round. As a consequence, other channels can go wrong, too."
)
"""Printed if layers are not balanced, because then one wrong receive can lead to others."""
MOST_RUNS = 5
"""The largest number of runs in the text. JSON has a run for each root cause."""


def mending_document(about: Phases, found: Mending, names: Names) -> Document:
    """The remedies, under all keys of the JSON format.

    For layers that repeat and are not balanced, the number of values of a tag is not known.
    """
    added = found.acknowledgments
    ports = [Port(channel.receiver, channel.sender) for channel in found.tags or ()]
    values: Mapping[Port, int | None] = dict.fromkeys(ports, None if about.repeat else 1)
    is_balanced = all(layer.is_balanced and layer.is_deadlock_free for layer in about.layers)
    if is_balanced and about.repeat:
        values = tag_values(decide_ports(PortPhases.plain(about)))
    return {
        "acknowledgments": None if added is None else [names.program(each) for each in added],
        "reason": found.reason or None,
        "messages": found.messages,
        "fewest": None if added is None else found.is_fewest,
        "at_least": None if found.reason else found.at_least,
        "tags": None if found.tags is None else {str(port): values[port] for port in ports},
        "order": [*map(str, ports)] if is_balanced else None,
        "name_sources": None,
        "both": found.both
        and {
            "acknowledgments": [names.program(each) for each in found.both.acknowledgments],
            "tags": [str(Port(channel.receiver, channel.sender)) for channel in found.both.tags],
            "changes": found.both.changes,
        },
        "changes_at_least": found.changes_at_least,
    }


def mending_entries(about: Phases, found: Mending, names: Names) -> Iterator[Entry]:
    """The remedies, each with its label. A label with a deeper indentation belongs to the remedy above it."""
    if found.acknowledgments is None:
        needed = f"; at least {found.at_least} messages would be needed" if found.at_least > 1 else ""
        not_found = f"none were found within the limits of the search{needed}"
        yield "  acknowledgments", found.reason or not_found
    else:
        least = _least(found.is_fewest, found.at_least)
        amount = f"{counted(found.messages or 0, 'message')}, received before going on ({least})"
        yield "  acknowledgments", amount
        yield from _inserted(about, found.acknowledgments, names)
    if found.tags is not None:
        told = "with the layer and round of each message, matched by receives, on"
        yield "  or tags", f"{told} {', '.join(names.channels(found.tags))}"
    yield from _both(about, found, names)


def _both(about: Phases, found: Mending, names: Names) -> Iterator[Entry]:
    """The remedy that combines acknowledgments and tags. Empty if no combination can be better."""
    if found.changes is None or (found.both is None and found.is_fewest_changes):
        return
    least = _least(found.is_fewest_changes, found.changes_at_least)
    if found.both is None:
        told = f"no combination of fewer than {found.changes} messages and tags was found"
        yield "  or both", f"{told} ({least})"
        return
    amount = f"{counted(found.both.messages, 'message')} and {counted(len(found.both.tags), 'tag')}"
    yield "  or both", f"{amount} together ({least})"
    yield from _inserted(about, found.both.acknowledgments, names)
    yield "    with tags on", ", ".join(names.channels(found.both.tags))


def _least(is_fewest: bool, at_least: int) -> str:
    return "no fewer are enough" if is_fewest else f"fewer may be enough, but at least {at_least} are needed"


def _inserted(about: Phases, acknowledgments: Sequence[StraightLine], names: Names) -> Iterator[Entry]:
    for number, each in enumerate(acknowledgments, 1):
        if each.length:
            yield f"    after {about.title(number)}", names.program(each)


def staying_apart(
    about: Phases,
    names: Names = NUMBERS,
    *,
    self_channels: bool = False,
    document: bool = True,
    remedies: bool = True,
) -> Result:
    """Whether the layers stay apart, with the evidence and, if wanted, a document for the kernel.

    Without `remedies`, no remedies are searched for. The answer is unknown if there are more than
    `MAX_CROSSED` processes. Raises InputError if the layers in sequence deadlock, or if a process sends to
    itself and `self_channels` is false.

    The time is that of `algorithms.phases.decide`. With `document`, add O(n log events) for each chain, and
    the time to make the runs.

    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> staying_apart(Phases((once, once))).document["interfering"][0]["channel"]
    Channel(sender=1, receiver=2)
    """
    if not self_channels:
        for number, layer in enumerate(about.layers, 1):
            require_no_self_channels(layer, f"layer {number}")
    if about.n > MAX_CROSSED:
        return unknown(PHASES_KEYS, f"with {about.n} processes there are too many channels to look at")
    decision = _decided(about)
    explain = _why if decision.is_safe else _why_not
    return Result(
        Code.YES if decision.is_safe else Code.NO,
        named_titles(about.titles) | _document(decision, names, remedies) if document else {},
        lambda: "\n".join(explain(decision, names)),
        check=partial(by_kernel, check_phases) if document else None,
        picture=partial(of_phases, decision, names),
        cause=partial(_of_cause, decision, names) if decision.interfering else None,
        remedies=partial(_entries, decision, names),
    )


def between(p: StraightLine, q: StraightLine, names: Names = NUMBERS) -> tuple[Result, StraightLine | None]:
    """Keep P and Q apart by messages in between. Returns a result, and the messages as a program or None.

    - If P and Q stay apart anyway, the result is about P and Q, and the program of messages is empty.
    - If the search finds messages, it returns the fewest that it finds. The result is about P, these messages
      and Q.
    - Otherwise the result is about P and Q, and there are no messages (None).

    Raises InputError in the cases of `staying_apart`.

    >>> from sealcheck.programs.straight_line import mt
    >>> there = StraightLine.of(2, mt(1, 2))
    >>> found, messages = between(there, there)
    >>> bool(found), str(messages)
    (True, 'mt 2->1')
    """
    about = Phases((p, q))
    found = staying_apart(about, names, remedies=False)
    if found.code is not Code.NO:
        return found, StraightLine.of(p.n) if found.is_known else None
    mending = mend(_decided(about))
    if mending.acknowledgments:
        return staying_apart(Phases((p, *mending.acknowledgments, q)), names), mending.acknowledgments[0]
    return replace(
        found, document=found.document | {"remedies": mending_document(about, mending, names)}
    ), None


def _of_cause(decision: Decision, names: Names, index: int) -> Picture:
    found = replace(decision.interfering[index])  # a copy: it keeps its run only until it is drawn
    return of_interference(found, names)


def _entries(decision: Decision, names: Names) -> list[Entry]:
    if decision.is_safe:
        return []
    return [*mending_entries(decision.rounds.phases, mend(decision), names)]


def _decided(about: Phases) -> Decision:
    try:
        return decide(about)
    except DeadlockError as error:
        raise InputError(f"the layers in sequence: {error}") from None


def _document(decision: Decision, names: Names, remedies: bool) -> Document:
    return {
        "safe": decision.is_safe,
        "interfering": [*map(root_document, decision.interfering)],
        "remedies": mending_document(decision.rounds.phases, mend(decision), names)
        if remedies and decision.interfering
        else None,
        "certificate": phases_certificate(decision),
    }


def _said(decision: Decision, place: Place) -> str:
    """The layer of an event, for people."""
    rounds = decision.rounds
    owner = rounds.owner(place)
    if owner == len(rounds.layers):
        return LATER
    return rounds.title(owner)


def _why(decision: Decision, names: Names) -> Iterator[str]:
    about = decision.rounds.phases
    scope = ", whatever follows" if about.open else ", in any number of rounds" if about.repeat else ""
    yield f"yes: the layers stay apart{scope}"
    yield ""
    if not decision.needs:
        yield "No channel that a layer receives on is used again, so there is no other message to take."
        return
    yield from entry(
        "",
        "No receive can take a message of another layer: a layer's last receive on a channel always happens"
        " before a later layer sends on it, because of these messages in between:",
        0,
    )
    yield ""

    def said(place: Place) -> str:
        event = decision.rounds.program.shares[place.process - 1][place.position - 1]
        return f"{names.event(event)} ({_said(decision, place)})"

    def line(number: int) -> str:
        chain = decision.chain(number)
        end = "" if chain.to_send else f" ... the end of {names.process(chain.channel.sender)}"
        return f"  {names.channel(chain.channel)}:  " + links(chain.places, said) + end

    yield from abridged(len(decision.needs), line)
    yield ""
    yield f"  {LEGEND.replace('of a channel', 'of a channel in a layer')}"


def _why_not(decision: Decision, names: Names) -> Iterator[str]:
    found = decision.interfering
    channels = [names.channel(each.channel) for each in found]
    wrong = "no: messages can get from one layer into another"
    if all(layer.is_balanced for layer in decision.rounds.phases.layers):
        yield f"{wrong} on {counted(len(found), 'channel')}"
    else:  # other channels may go wrong in consequence
        yield f"{wrong} ({counted(len(found), 'root cause')})"
        yield ""
        yield from entry("", ROOT_CAUSE, 0)
    for channel, each in zip(channels[:MOST_RUNS], found, strict=False):
        yield ""
        yield from _run_lines(decision, names, channel, each)
    if len(found) > MOST_RUNS:
        yield ""
        others = f"{listed(channels[MOST_RUNS:])} (--json has an execution for each)"
        yield from entry("also on ", others, 8)
    yield ""
    yield from remedy_lines(_entries(decision, names))


def _run_lines(decision: Decision, names: Names, channel: str, found: RootCause) -> Iterator[str]:
    receive, send = (
        said if (said := _said(decision, place)) != LATER else "a later program"
        for place in (found.receive, found.send)
    )
    how = "even if it delivers in order" if found.is_in_order else "which overtakes older ones"
    told = f"{channel}: a receive of {receive} can take a message of {send}, {how}."
    told += " This execution shows it:"
    yield from entry("", told, 0)
    yield ""
    yield from drawn(
        of_interference(replace(found), names)
    )  # a copy: it keeps its run only until it is drawn
