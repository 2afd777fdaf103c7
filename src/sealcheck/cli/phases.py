"""``sealcheck phases P1 P2 …``: may each layer start without a barrier after the one before it?"""

import json as json_format
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.algorithms.certificates import phases_certificate, root_document
from sealcheck.algorithms.mending import mend
from sealcheck.algorithms.phases import Decision, Interferes, decide
from sealcheck.bounded import Limits
from sealcheck.cli.answers import MAX_CROSSED, Answer, Code, Document, unknown
from sealcheck.cli.batch import answer_lines, layers_of
from sealcheck.cli.chains import LEGEND, links
from sealcheck.cli.command import Json, N, SelfChannels, answer_once
from sealcheck.cli.drawn import drawn
from sealcheck.cli.inputs import read_named_programs
from sealcheck.cli.junit import Answers
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.cli.mending import mending_document, mending_lines
from sealcheck.cli.wording import abridged, entry, listed
from sealcheck.drawing.making import of_interference
from sealcheck.errors import Disagreement, InputError
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.rejected import Rejected
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.phases import Phases
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import DeadlockError, StraightLine, require_no_self_channels
from sealcheck.words import counted

KEYS = ("safe", "interfering", "mend", "certificate")

SUITE = "sealcheck phases"
"""What build servers call the answers."""

LATER = "later"
"""What follows all layers."""

ROOT_CAUSE = (
    "A root cause is a channel on which that can happen although all other channels deliver to the right"
    " layer and round. In consequence, others can go wrong, too."
)
"""Told where there can be consequences: in layers that are not balanced."""

MOST_RUNS = 5
"""So many are drawn for people; JSON has them all."""


Layers = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LAYER", help="The layers, in order: program text, @FILE, or -.", show_default=False
    ),
]
Repeat = Annotated[
    bool, typer.Option("--repeat", help="They are done any number of times, round after round.")
]
Open = Annotated[bool, typer.Option("--open", help="Anything may follow.")]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help='JSON lines in, such as {"layers": ["mt 1->2", "mt 2->1"], "n": 3}, from FILE or - for'
        " standard input; JSON lines out, in the same order.",
    ),
]
JUnit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write what is answered as JUnit XML, too.")
]


def phases(
    layers: Layers = None,
    repeat: Repeat = False,
    open: Open = False,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
    junit: JUnit = None,
) -> None:
    """May each of these layers start without a barrier after the one before it?

    Yes if no receive of one layer takes a message of another in any execution, however slow or fast
    processes and channels are. The evidence comes with it: for each layer and channel a causal chain, or
    for each root cause an execution up to the receive that takes a wrong message. A root cause is a channel
    on which that can happen although all other channels deliver to the right layer and round.
    """
    question = partial(_asked, repeat=repeat, open=open, self_channels=self_channels)
    limits, otherwise = Limits(seconds, memory), partial(unknown, KEYS)
    if batch is not None:
        if layers:
            raise InputError("give either --batch or layers, not both")
        code = _batch(question, batch, n, otherwise=otherwise, limits=limits, junit=junit)
        raise typer.Exit(code)
    if not layers:
        raise InputError("there is no layer: give some (or --batch)")
    programs, names = read_named_programs({f"layer {k}": text for k, text in enumerate(layers, 1)}, n)
    once = partial(question, *programs, names=names, document=json)
    told = None if junit is None else partial(_report_once, junit, " | ".join(layers))
    answer_once(once, otherwise=otherwise, limits=limits, json=json, names=names, told=told)


def _asked(
    *layers: StraightLine,
    repeat: bool,
    open: bool,
    self_channels: bool,
    names: Names = NUMBERS,
    document: bool = True,
) -> Answer:
    """What is answered about these layers.  Raises InputError where one has self-channels, and may not."""
    for number, layer in enumerate(layers, 1):
        if not self_channels:
            require_no_self_channels(layer, f"layer {number}")
    return answer(Phases(layers, repeat, open), names, document=document)


def _batch(
    question: Callable[..., Answer],
    source: str,
    n: int | None,
    *,
    otherwise: Callable[[str], Answer],
    limits: Limits,
    junit: Path | None,
) -> Code:
    answers = Answers(SUITE, "line {}".format)
    told = None if junit is None else answers.add
    code = answer_lines(question, layers_of, source, n, otherwise=otherwise, limits=limits, told=told)
    if junit is not None:
        answers.write(junit)
    return code


def _report_once(junit: Path, name: str, code: Code, said: str) -> None:
    answers = Answers(SUITE, lambda _: name)
    answers.add(code, said)
    answers.write(junit)


def answer(about: Phases, names: Names = NUMBERS, *, document: bool = True) -> Answer:
    """Whether the layers stay apart, with the evidence; as a document, where one is wanted, for the kernel.

    Raises InputError where the layers in sequence deadlock.  Time as `algorithms.phases.decide`; with a
    document, O(n log events) more for each chain, and what the runs take.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> answer(Phases((once, once))).document["interfering"][0]["channel"]
    Channel(sender=1, receiver=2)
    """
    if about.n > MAX_CROSSED:
        return unknown(KEYS, f"with {about.n} processes there are too many channels to look at")
    try:
        decision = decide(about)
    except DeadlockError as error:
        raise InputError(f"the layers in sequence: {error}") from None
    explain = _why if decision.is_safe else _why_not
    return Answer(
        Code.YES if decision.is_safe else Code.NO,
        _document(decision, names) if document else {},
        lambda: "\n".join(explain(decision, names)),
    )


def _document(decision: Decision, names: Names) -> Document:
    """The contract's keys.  Raises Disagreement where the kernel rejects the evidence."""
    certificate, interfering = phases_certificate(decision), [*map(root_document, decision.interfering)]
    try:
        check_phases(*json_format.loads(json_format.dumps([certificate, interfering])))
    except Rejected as error:
        raise Disagreement(f"the kernel rejects what the algorithm says: {error}") from None
    return {
        "safe": decision.is_safe,
        "interfering": interfering,
        "mend": mending_document(mend(decision), names) if decision.interfering else None,
        "certificate": certificate,
    }


def _said(decision: Decision, place: Place) -> str:
    """The layer of an event, for people."""
    rounds = decision.rounds
    owner = rounds.owner(place)
    if owner == len(rounds.layers):
        return LATER
    layer = rounds.named(owner)
    return f"layer {layer.number}" + (f", round {layer.round}" if rounds.count > 1 else "")


def _scope(about: Phases) -> str:
    if about.open:
        return ", whatever follows"
    return ", in any number of rounds" if about.repeat else ""


def _why(decision: Decision, names: Names) -> Iterator[str]:
    yield f"yes: the layers stay apart{_scope(decision.rounds.phases)}"
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
    yield from mending_lines(mend(decision), names)


def _run_lines(decision: Decision, names: Names, channel: str, found: Interferes) -> Iterator[str]:
    receive, send = (
        said if (said := _said(decision, place)) != LATER else "a later program"
        for place in (found.receive, found.send)
    )
    how = "even if it delivers in order" if found.is_in_order else "which overtakes older ones"
    told = f"{channel}: a receive of {receive} can take a message of {send}, {how}."
    told += " It is enough that this happens:"
    yield from entry("", told, 0)
    yield ""
    yield from drawn(of_interference(found, names))
