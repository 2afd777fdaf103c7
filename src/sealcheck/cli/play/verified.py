"""What the page asks the verified program about an answer, and the reply that it must get.

The program is extracted from the Coq proofs; docs/proofs.md says what its replies mean.
"""

from typing import Any, NamedTuple

from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.signature import signature
from sealcheck.language.parser import parse_straight_line
from sealcheck.operations.port_answers import evidence
from sealcheck.operations.result import Result
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.programs.runs import Run
from sealcheck.programs.straight_line import StraightLine


class Check(NamedTuple):
    """A question to the verified program."""

    about: str
    """The subject, for people."""
    asked: dict[str, Any]
    """The fields of its line, without `v` and `seq`."""
    expected: bool
    """The result that agrees with the answer."""


SEARCHED = (
    "The program extracted from the Coq proofs does not check answers of a search: receives overlap, and no"
    " certificate shows that there are no other root causes."
)

LARGE = (
    "The certificate is too large for the program extracted from the Coq proofs to check it while you wait:"
    " `sealcheck verify --verified` does."
)
LARGEST = 20_000_000
"""Closed sets times statements: two seconds in a browser, if few layers may follow each."""

KINDS = "The program extracted from the Coq proofs does not check the kind and the signature of a program."


def _processes(program: StraightLine) -> dict[str, Any]:
    return {
        "text": str(program),
        "processes": program.partners,
    }


def of_layers(result: Result) -> tuple[tuple[Check, ...], str]:
    """Questions about the answer whether layers stay apart; or none, and why.

    >>> from sealcheck.operations.phases import staying_apart
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> (check,), _ = of_layers(staying_apart(Phases((once, once), repeat=True)))
    >>> check.asked["question"], check.asked["flags"], check.expected
    ('phases', ['repeat'], False)
    """
    certificate: Any = result.document["certificate"]
    if not result.is_known:
        return (), "The answer is not known, so there is nothing to check."
    if certificate["kind"] == "ports":
        statements = sum(text.count(";") + 1 for text in certificate["layers"])
        if len(certificate["holds"]) * statements > LARGEST:
            return (), LARGE
        return (Check("the answer", {"answer": evidence(result.document)}, True),), ""
    if certificate["kind"] != "phases":
        return (), SEARCHED
    n = certificate["n"]
    layers = [_processes(parse_straight_line(text, n)) for text in certificate["layers"]]
    flags = [flag for flag in (REPEAT, OPEN) if certificate[flag]]
    asked = {"question": "phases", "n": n, "layers": layers, "flags": flags}
    return (Check("the answer", asked, bool(result.document["safe"])),), ""


def of_run(run: Run) -> tuple[Check, ...]:
    """The question whether this is a run; none if a message is taken twice."""
    if len(set(run.matching.values())) < len(run.matching):
        return ()
    asked = {
        "n": run.program.n,
        "program": str(run.program),
        "order": run.order,
        "matching": sorted(run.matching.items()),
    }
    return (Check("the execution", {"run": asked}, True),)


_RUN = ("kind", "later", "order", "matching", "receive")


def of_sealing(p: StraightLine, q: StraightLine, result: Result) -> tuple[Check, ...]:
    """Questions about the answer whether Q seals P, and its certificate."""
    seals, certificate = bool(result.document["seals"]), result.document["certificate"]
    assert isinstance(certificate, dict)
    kept = certificate if seals else {key: certificate[key] for key in _RUN}
    given = {"n": p.n, "p": str(p), "q": str(q), "seals": seals, "certificate": kept}
    asked = {"question": "is-seal", "n": p.n, "p": _processes(p), "q": _processes(q)}
    return (
        Check("the answer", asked, seals),
        Check("the certificate", {"answer": given}, True),
    )


def of_seal(p: StraightLine, result: Result) -> tuple[Check, ...]:
    """Questions about a shortest seal and its certificate, or that there is none."""
    if not result.is_known:
        return ()
    first, found = signature(p), result.document
    certificate: Any = found["certificate"]
    if found["sealable"]:
        states = certificate["minimum"]["states"]
        kept = {"kind": "seal", "chains": certificate["chains"], "states": states}
    else:
        bit = {channel: 1 << at for at, channel in enumerate(first.open_channels)}
        known = [sum(bit[each] for each in channels) for channels in certificate["knowledge"].values()]
        kept = {"kind": "closed-knowledge", "knowledge": known}
    given = {
        "n": p.n,
        "program": str(p),
        "open_channels": first.open_channels,
        "closed_channels": sorted(closed_channel_graph(first)),
        "sealable": found["sealable"],
        "minimum_messages": found["messages"],
        "seal": found["seal"],
        "certificate": kept,
    }
    asked = {"question": "sealable", "n": p.n, "p": _processes(p)}
    return (
        Check("the answer", asked, bool(found["sealable"])),
        Check("the certificate", {"answer": given}, True),
    )
