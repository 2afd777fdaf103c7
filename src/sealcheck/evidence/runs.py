"""Check answers of commands, runs, and traces of runs.

The kernel, sealcheck's small checker of evidence, checks all of these. The verified checker is a program
extracted from Coq proofs. If it is given, it checks again what the kernel has accepted.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sealcheck.drawing.other_tools import CERTIFICATE, itf
from sealcheck.errors import Disagreement, InputError
from sealcheck.evidence.outcome import (
    Accepted,
    AcceptedChains,
    AcceptedPhases,
    AcceptedRun,
    AcceptedSeal,
    AcceptedSealability,
    Trust,
    Verification,
)
from sealcheck.evidence.table_files import opened
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.port_seals import check_port_seal
from sealcheck.kernel.ports import check_port_runs, check_ports
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.reading import LONGEST, Rejected, canonical, fields, numbers
from sealcheck.kernel.runs import check_run
from sealcheck.language.names import Names
from sealcheck.operations.sealing import check_decision, check_least, check_sealing
from sealcheck.operations.verified_questions import Checks, of_layers, of_seal, of_sealing
from sealcheck.questions.verified_checker import VerifiedChecker, refused
from sealcheck.support.strict_json import strict_json

NEITHER = "this is neither a run nor an answer with a certificate"
MOST_NAMED = 999_999
"""The largest number of processes whose names the kernel can read."""


def holds_run(path: Path) -> bool:
    """Whether a file holds a run or an answer: a JSON object that is not the header of other evidence."""
    if not path.is_file():
        return False
    with opened(path) as stream:
        start = stream.readline(LONGEST)
    return start.removeprefix(BOM_UTF8).lstrip().startswith(b"{") and not is_header(start)


def is_header(line: str | bytes) -> bool:
    """Whether a line is the header of evidence other than a run or an answer."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "sealcheck" in value


_NOTHING_TO_CHECK = {
    "unknown": "this answer is unknown, because a limit was hit: there is nothing to check",
    "error": "this is an error, not an answer: there is nothing to check",
    "transports": "this is a table of phases --transports, which has no certificate to check",
    "signature": "this is an answer of analyze, which has no certificate to check",
}
"""By a key of a document without a certificate: why there is nothing to check."""


def verify_run(text: str, verified: VerifiedChecker | None = None) -> Verification:
    """Check a run, a trace, or an answer with its certificate.

    Raises InputError if the text is none of these, and Disagreement if `verified` refuses a text that the
    kernel accepts.  Raises LimitReached if the text is too large for `verified`.
    """
    try:
        value = strict_json(text, decimals=False)
        canonical(value)
    except (InputError, RecursionError) as error:
        raise InputError(f"this is not a run: {error}") from None
    if not isinstance(value, dict):
        raise InputError(NEITHER)
    if value.get("certificate") is None:
        for key in _NOTHING_TO_CHECK.keys() & value.keys():
            raise InputError(_NOTHING_TO_CHECK[key])
    if "#meta" in value:
        return _verify_trace(value, verified)
    if "safe" in value:
        return _verified(partial(_phases, value, verified))
    if "interfering" in value:
        return _verified(partial(_port_seal, value, verified))
    if "sealable" in value:
        return _verified(partial(_sealability, value, verified))
    is_answer = isinstance(value.get("certificate"), dict)
    run = value["certificate"] if is_answer else value
    if is_answer and run.get("kind") == "chains":
        return _verified(partial(_chains, value, verified))
    if run.get("kind") != "run":
        raise InputError(NEITHER)
    answer = value if is_answer else {"seals": False, "certificate": run}
    return _verified(partial(_run, answer, verified), "the run")


def _verified(check: Callable[[], Accepted], what: str = "the answer") -> Verification:
    """The outcome of a check. If `check` raises Rejected, the outcome has a rejection of `what`."""
    outcome = Verification(files=1, rows=1)
    try:
        outcome.accepted.append(check())
    except Rejected as error:
        outcome.reject(what, 0, str(error))
    return outcome


def _acceptors(verified: VerifiedChecker | None, checks: Callable[[], Checks]) -> dict[str, Any]:
    """The checkers that accept an answer, and the parts that `verified` does not check.

    The kernel must have accepted the answer. If `verified` is given, it is asked, too.  Raises Disagreement
    if `verified` refuses the answer, and LimitReached if the answer is too large for `verified`.
    """
    if verified is None:
        return {"by": (Trust.KERNEL,)}
    asked, left = checks()
    for check in asked:
        if why := refused(verified.ask(check.asked), check.about, check.expected):
            raise Disagreement(f"{check.about}: the kernel accepts it, but {why}")
    return {"by": (Trust.KERNEL, Trust.VERIFIED) if asked else (Trust.KERNEL,), "unverified": left}


def _verify_trace(trace: dict[str, Any], verified: VerifiedChecker | None) -> Verification:
    """Check a trace that `draw --run` has written: its run, and that its states are those of the run."""
    from sealcheck.drawing.making import of_recorded

    meta = trace["#meta"]
    certificate = meta.get(CERTIFICATE) if isinstance(meta, dict) else None
    if not isinstance(certificate, dict) or "#meta" in certificate:
        raise InputError(f"this is a trace, but without the run that it is a trace of ('{CERTIFICATE}')")
    outcome = verify_run(json.dumps(certificate), verified)
    if not outcome.ok:
        return outcome
    port = str(meta.get("port", ""))
    try:
        is_right = canonical(itf(of_recorded(certificate, port), certificate, port)) == canonical(trace)
    except InputError:
        is_right = False
    if not is_right:
        outcome.accepted.clear()
        outcome.reject("the trace", 0, "the states are not those of the run")
    return outcome


def _phases(answer: dict[str, Any], verified: VerifiedChecker | None) -> AcceptedPhases:
    """Check an answer of `phases`, but not its remedies and its `stuck` receives.  Raises Rejected."""
    types = {"safe": bool, "interfering": list, "remedies": object, "certificate": dict}
    types |= {"stuck": object} if "stuck" in answer else {}
    answer = fields(answer, types | _names_in(answer, "processes", "layers"))
    found = answer["interfering"]
    certificate = answer["certificate"]
    over_ports = {"ports": check_ports, "port-search": check_port_runs}.get(str(certificate.get("kind")))
    (over_ports or check_phases)(certificate, found)
    if answer["safe"] == bool(found):
        raise Rejected("the answer contradicts the runs")
    return AcceptedPhases(
        name="layers stay apart" if answer["safe"] else "layers interfere",
        layers=tuple(certificate["layers"]),
        n=certificate["n"],
        repeat=over_ports is None and certificate["repeat"],
        searched=over_ports is check_port_runs,
        open=certificate["open"],
        interfering=tuple(each["port"] for each in found),
        processes=_names(answer.get("processes", []), certificate["n"]),
        titles=_titles(answer.get("layers", []), len(certificate["layers"])),
        **_acceptors(verified, partial(of_layers, answer)),
    )


def _port_seal(answer: dict[str, Any], verified: VerifiedChecker | None) -> AcceptedSeal:
    """Check an answer of `decide` over ports: closed sets, and a run for each root cause."""
    types = {"seals": bool, "interfering": list, "certificate": dict}
    answer = fields(answer, types | _names_in(answer, "processes"))
    found, certificate = answer["interfering"], answer["certificate"]
    check_port_seal(certificate, found)
    if answer["seals"] == bool(found):
        raise Rejected("the answer contradicts the runs")
    p, q = certificate["layers"]
    return AcceptedSeal(
        name="Q seals P" if answer["seals"] else "Q does not seal P",
        p=p,
        q=q,
        n=certificate["n"],
        interfering=tuple(each["port"] for each in found),
        processes=_names(answer.get("processes", []), certificate["n"]),
        **_acceptors(verified, partial(of_sealing, answer)),
    )


def _chains(answer: dict[str, Any], verified: VerifiedChecker | None) -> AcceptedChains:
    """Check a yes of `decide` by its causal chains.  Raises Rejected."""
    answer = fields(answer, {"seals": bool, "certificate": dict} | _names_in(answer, "processes"))
    about = fields(answer["certificate"], {"kind": str, "n": int, "p": str, "q": str, "chains": list})
    if not answer["seals"]:
        raise Rejected("the answer is that Q does not seal P, but the chains are for it")
    n = _count(about)
    check_decision(about["p"], about["q"], n, answer)
    return AcceptedChains(
        name="Q seals P",
        p=about["p"],
        q=about["q"],
        n=n,
        self_channels=_has_loops(n, about["p"], about["q"]),
        processes=_names(answer.get("processes", []), n),
        **_acceptors(verified, partial(of_sealing, answer)),
    )


def _sealability(answer: dict[str, Any], verified: VerifiedChecker | None) -> AcceptedSealability:
    """Check an answer of `seal`, but not the sentence under its key `reason`.  Raises Rejected."""
    types = {"sealable": bool, "seal": object, "messages": object, "certificate": object}
    unknown = {"unknown": str} if "unknown" in answer else {}
    answer = fields(answer, types | _names_in(answer, "processes") | unknown)
    if unknown:
        raise Rejected("the search hit its limit, so there is no answer to check")
    is_yes = answer["sealable"]
    wanted = {"seal": str, "messages": int} if is_yes else {"seal": type(None), "messages": type(None)}
    fields({key: answer[key] for key in wanted}, wanted)
    about = fields(answer["certificate"], _sealability_types(answer["certificate"], is_yes))
    if about["kind"] != ("seal" if is_yes else "closed-knowledge"):
        raise Rejected("the certificate is not of the kind of the answer")
    n = _count(about)
    check_sealing(about["p"], n, answer)
    if is_yes and 2 * answer["messages"] != len(balanced_events(answer["seal"], n, self_channels=True)):
        raise Rejected("the seal has another number of messages")
    is_shortest = "minimum" in about
    if is_shortest:
        check_least(about["p"], n, answer)
    return AcceptedSealability(
        name="P can be sealed" if is_yes else "P cannot be sealed",
        p=about["p"],
        n=n,
        seal=answer["seal"],
        messages=answer["messages"],
        is_shortest=is_shortest,
        processes=_names(answer.get("processes", []), n),
        **_acceptors(verified, partial(of_seal, answer)),
    )


def _sealability_types(certificate: object, is_yes: bool) -> dict[str, type]:
    """The keys of a certificate: of a seal if `is_yes`, otherwise that no seal exists."""
    types = {"kind": str, "n": int, "p": str}
    if not is_yes:
        return types | {"knowledge": dict, "stuck": list}
    has_minimum = isinstance(certificate, dict) and "minimum" in certificate
    return types | {"chains": list} | ({"minimum": dict} if has_minimum else {})


def _count(about: dict[str, Any]) -> int:
    """The number of processes in a certificate.  Raises Rejected."""
    n = about["n"]
    assert isinstance(n, int)
    if not 1 <= n <= MOST_NAMED:
        raise Rejected(f"n must be in 1..{MOST_NAMED}")
    return n


def _has_loops(n: int, *programs: str) -> bool:
    """Whether a program has a process that sends to itself."""
    return any(i == j for text in programs for _, i, j in events_of(text, n, self_channels=True))


def _names_in(answer: dict[str, Any], *keys: str) -> dict[str, type]:
    """Those of the keys that the answer has; their values must be lists, of names."""
    return {key: list for key in keys if key in answer}


def _titles(value: list[Any], count: int) -> tuple[str, ...]:
    """The names of the layers; empty if the layers have numbers.  Raises Rejected."""
    known = {each for each in value if isinstance(each, str) and each.isprintable() and each}
    if value and not (len(value) == count == len(known)):
        raise Rejected(f"'layers' must be {count} different names")
    return tuple(value)


def _names(value: list[Any], n: int) -> tuple[str, ...]:
    """The names of the processes; empty if the processes have numbers.  Raises Rejected."""
    if value and not (len(value) == n == len({each for each in value if isinstance(each, str) and each})):
        raise Rejected(f"'processes' must be {n} different names")
    try:
        return Names(tuple(value)).listed
    except InputError as error:
        raise Rejected(f"'processes': {error}") from None


def _run(answer: dict[str, Any], verified: VerifiedChecker | None) -> AcceptedRun:
    """Check a run of P;Q;later, which shows that Q does not seal P.  Raises Rejected."""
    answer = fields(answer, {"seals": bool, "certificate": dict} | _names_in(answer, "processes"))
    if answer["seals"]:
        raise Rejected("the answer is that Q seals P, but the run is against that")
    types = {"kind": str, "n": int, "p": str, "q": str, "later": str, "program": str, "channel": list}
    run = fields(answer["certificate"], types | {"order": list, "matching": list, "receive": list})
    n = _count(run)
    p, q = (balanced_events(run[key], n, self_channels=True) for key in ("p", "q"))
    rest = [*q, *events_of(run["later"], n, self_channels=True)]
    check_run(p, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])
    program = shares_of([*p, *rest], n)
    if shares_of(events_of(run["program"], n, self_channels=True), n) != program:
        raise Rejected("the program is not P;Q;later")
    process, position = run["receive"]
    if numbers(run["channel"], 2) != program[process - 1][position - 1][1:]:
        raise Rejected("the channel is not that of the receive")
    return AcceptedRun(
        name="Q does not seal P",
        p=run["p"],
        q=run["q"],
        n=n,
        self_channels=any(i == j for share in program for _, i, j in share),
        processes=_names(answer.get("processes", []), n),
        **_acceptors(verified, partial(of_sealing, answer)),
    )
