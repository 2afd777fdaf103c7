"""Answers, runs and traces, checked by the kernel."""

import json
from pathlib import Path
from typing import Any

from sealcheck.drawing.other_tools import CERTIFICATE, itf
from sealcheck.errors import Disagreement, InputError
from sealcheck.evidence.outcome import AcceptedPhases, AcceptedRun, AcceptedSeal, Trust, Verification
from sealcheck.evidence.table_files import opened
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.port_seals import check_port_seal
from sealcheck.kernel.ports import check_port_runs, check_ports
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.reading import LONGEST, Rejected, canonical, fields, numbers
from sealcheck.kernel.runs import check_run
from sealcheck.language.names import Names
from sealcheck.operations.port_answers import evidence
from sealcheck.questions.verified_checker import VerifiedChecker, refused
from sealcheck.support.strict_json import strict_json

MOST_NAMED = 999_999
"""Processes that the kernel can read the names of."""


def holds_run(path: Path) -> bool:
    """Whether a file holds a run or an answer: a JSON object that is not a header of evidence."""
    if not path.is_file():
        return False
    with opened(path) as stream:
        start = stream.readline(LONGEST)
    if not start.lstrip().startswith(b"{"):
        return False
    try:
        value = json.loads(start)
    except (ValueError, RecursionError):
        return True  # it spans several lines, or is refused as a run
    return not (isinstance(value, dict) and "sealcheck" in value)


def verify_run(text: str, verified: VerifiedChecker | None = None) -> Verification:
    """Check a run, or an answer whose certificate is one.

    `verified`, if given, checks answers over ports, too.  Raises InputError if the text is
    neither, Disagreement if `verified` refuses what the kernel accepts, and LimitReached if that is too large
    for it.
    """
    try:
        value = strict_json(text, decimals=False)
        canonical(value)
    except (InputError, RecursionError) as error:
        raise InputError(f"this is no run: {error}") from None
    if isinstance(value, dict) and "#meta" in value:
        return _verify_trace(value)
    if isinstance(value, dict) and "safe" in value:
        return _verify_phases(value, verified)
    if isinstance(value, dict) and "interfering" in value:
        return _verify_seal(value, verified)
    is_answer = isinstance(value, dict) and isinstance(value.get("certificate"), dict)
    run = value["certificate"] if is_answer else value
    if is_answer and run.get("kind") == "chains":
        raise InputError(
            "this is no run, but a yes: it has its chains, and not the programs (`decide --order bag` prints"
            " both, for verify)"
        )
    if not isinstance(run, dict) or run.get("kind") != "run":
        raise InputError("this is no run: the key 'kind' must be 'run'")
    outcome = Verification(files=1, rows=1)
    try:
        if is_answer and fields(value, {"seals": bool, "certificate": dict} | _named(value))["seals"]:
            raise Rejected("the answer is that Q seals P, but the run is against that")
        outcome.accepted.append(_checked_run(run, value.get("processes", []) if is_answer else []))
    except Rejected as error:
        outcome.reject("the run", 0, str(error))
    return outcome


def _verify_trace(trace: dict[str, Any]) -> Verification:
    """Check a trace of `export`: the run in it, and that the states are those of the run."""
    from sealcheck.drawing.making import of_recorded

    meta = trace["#meta"]
    certificate = meta.get(CERTIFICATE) if isinstance(meta, dict) else None
    if not isinstance(certificate, dict) or "#meta" in certificate:
        raise InputError(f"this is a trace, but without the run that it is a trace of ('{CERTIFICATE}')")
    outcome = verify_run(json.dumps(certificate))
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


def _verify_phases(answer: dict[str, Any], verified: VerifiedChecker | None) -> Verification:
    """Check an answer of `phases`: chains, and the root causes with their runs.

    Plans to mend them, and what a search says of receives that can wait, are not checked.
    """
    outcome = Verification(files=1, rows=1)
    try:
        types = {"safe": bool, "interfering": list, "remedies": object, "certificate": dict}
        answer = fields(answer, types | _named(answer) | ({"stuck": object} if "stuck" in answer else {}))
        found = answer["interfering"]
        certificate = answer["certificate"]
        over_ports = {"ports": check_ports, "port-search": check_port_runs}.get(certificate.get("kind"))
        (over_ports or check_phases)(certificate, found)
        if answer["safe"] == bool(found):
            raise Rejected("the answer is not what the runs say")
        by = _acceptors(verified if over_ports is check_ports else None, answer, "safe")
        accepted = AcceptedPhases(
            name="layers stay apart" if answer["safe"] else "layers interfere",
            by=by,
            layers=tuple(certificate["layers"]),
            n=certificate["n"],
            repeat=over_ports is None and certificate["repeat"],
            searched=over_ports is check_port_runs,
            open=certificate["open"],
            interfering=tuple(each["port"] for each in found),
            processes=_names(answer.get("processes", []), certificate["n"]),
            titles=_titles(answer.get("layers", []), len(certificate["layers"])),
        )
        outcome.accepted.append(accepted)
    except Rejected as error:
        outcome.reject("the answer", 0, str(error))
    return outcome


def _acceptors(verified: VerifiedChecker | None, answer: dict[str, Any], verdict: str) -> tuple[Trust, ...]:
    """The kernel, which accepts the answer; and the verified checker, if one is given.

    Raises Disagreement if it refuses the answer, and LimitReached if that is too large for it.
    """
    if verified is None:
        return (Trust.KERNEL,)
    if why := refused(verified.ask({"answer": evidence(answer, verdict)}), "the answer"):
        raise Disagreement(f"the answer: the kernel accepts it, but {why}")
    return (Trust.KERNEL, Trust.VERIFIED)


def _verify_seal(answer: dict[str, Any], verified: VerifiedChecker | None) -> Verification:
    """Check an answer of `decide` over ports: closed sets, and the root causes with their runs."""
    outcome = Verification(files=1, rows=1)
    try:
        types = {"seals": bool, "interfering": list, "certificate": dict}
        answer = fields(answer, types | {key: list for key in ("processes",) if key in answer})
        found, certificate = answer["interfering"], answer["certificate"]
        check_port_seal(certificate, found)
        if answer["seals"] == bool(found):
            raise Rejected("the answer is not what the runs say")
        p, q = certificate["layers"]
        accepted = AcceptedSeal(
            name="Q seals P" if answer["seals"] else "Q does not seal P",
            by=_acceptors(verified, answer, "seals"),
            p=p,
            q=q,
            n=certificate["n"],
            interfering=tuple(each["port"] for each in found),
            processes=_names(answer.get("processes", []), certificate["n"]),
        )
        outcome.accepted.append(accepted)
    except Rejected as error:
        outcome.reject("the answer", 0, str(error))
    return outcome


def _named(answer: dict[str, Any]) -> dict[str, type]:
    return {key: list for key in ("processes", "layers") if key in answer}


def _titles(value: list[Any], count: int) -> tuple[str, ...]:
    """The names of the layers; empty if they have numbers.  Raises Rejected."""
    known = {each for each in value if isinstance(each, str) and each.isprintable() and each}
    if value and not (len(value) == count == len(known)):
        raise Rejected(f"'layers' must be {count} different names")
    return tuple(value)


def _names(value: list[Any], n: int) -> tuple[str, ...]:
    """The names of the processes; empty if they have numbers.  Raises Rejected."""
    if value and not (len(value) == n == len({each for each in value if isinstance(each, str) and each})):
        raise Rejected(f"'processes' must be {n} different names")
    try:
        return Names(tuple(value)).listed
    except InputError as error:
        raise Rejected(f"'processes': {error}") from None


def _checked_run(value: object, names: list[Any]) -> AcceptedRun:
    """Check a run of P;Q;later, which shows that Q does not seal P.  Raises Rejected."""
    types = {"kind": str, "n": int, "p": str, "q": str, "later": str, "program": str, "channel": list}
    run = fields(value, types | {"order": list, "matching": list, "receive": list})
    n = run["n"]
    if not 1 <= n <= MOST_NAMED:
        raise Rejected(f"n must be in 1..{MOST_NAMED}")
    p, q = (balanced_events(run[key], n, self_channels=True) for key in ("p", "q"))
    rest = [*q, *events_of(run["later"], n, self_channels=True)]
    check_run(p, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])
    program = shares_of([*p, *rest], n)
    if shares_of(events_of(run["program"], n, self_channels=True), n) != program:
        raise Rejected("the program is not P;Q;later")
    process, position = run["receive"]
    if numbers(run["channel"], 2) != program[process - 1][position - 1][1:]:
        raise Rejected("the channel is not that of the receive")
    loops = any(i == j for share in program for _, i, j in share)
    return AcceptedRun(
        name="Q does not seal P",
        by=(Trust.KERNEL,),
        p=run["p"],
        q=run["q"],
        n=n,
        self_channels=loops,
        processes=_names(names, n),
    )
