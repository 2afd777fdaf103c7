"""``sealcheck prove --every-length``: n processes, programs of any length, by proofs about profiles."""

import json as json_format
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sealcheck.bounded import Limits, call_within
from sealcheck.cli.answers import Code, Document, remark, write
from sealcheck.cli.terminal import print_table, step_shown
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.files import whole_file
from sealcheck.kernel.rejected import Rejected
from sealcheck.words import counted, entry

if TYPE_CHECKING:
    from sealcheck.evidence.every_length import ProfileClaim
    from sealcheck.harness.checking_lengths import Decided
    from sealcheck.programs.straight_line import StraightLine

RESTS_ON = (
    "Every length: nothing but its profile decides whether a program can be sealed, and by how many messages"
    " (docs/semantics.md); the kernel has accepted each proof."
)


def prove_every_length(
    names: Sequence[str], processes: range, limits: Limits, out: Path | None, *, as_json: bool
) -> Code:
    """Decide these statements for each n and every length, print what was found, and keep the proofs.

    Raises InputError where nothing is asked about profiles, or the folder has something else; and
    Disagreement where a program does not refute the claim that the formulas say it does.
    """
    asked = _asked(names, processes)
    if out is not None:
        _require_free(asked, out)
    found = []
    with step_shown("prove") as follow:
        for about in asked:
            follow(f"{about.statement}, {about.form}, n = {about.n}")
            found.append((about, _decided(about, limits)))
            if out is not None:
                _keep(*found[-1], out)
    if as_json:
        write(json_format.dumps([_document(*each) for each in found]))
    else:
        _print(found, out)
    return _code([decided for _, decided in found])


def _asked(names: Sequence[str], processes: range) -> "list[ProfileClaim]":
    from sealcheck.evidence.every_length import ProfileClaim
    from sealcheck.harness.every_length import MOST_PROCESSES
    from sealcheck.theorems.registry import named, statement

    if processes[-1] > MOST_PROCESSES:
        raise InputError(f"every length is decided for at most {MOST_PROCESSES} processes")
    found: dict[ProfileClaim, None] = {}
    for name in names:
        claims = [(id, claim) for id in named(name) for claim in range(len(statement(id).claims))]
        about = [ProfileClaim(*claim, n) for claim in claims for n in processes]
        asked = [each for each in about if each.queries()]
        if not asked:
            raise InputError(f"{name} is not asked about programs of every length: there is nothing to prove")
        found |= dict.fromkeys(asked)
    return list(found)


def _decided(about: "ProfileClaim", limits: Limits) -> "Decided":
    from sealcheck.harness.checking_lengths import Decided
    from sealcheck.harness.tally import Tally

    try:
        decided = call_within(limits, _decide, about)
    except LimitReached as limit:
        remark(f"unknown: {about.statement}, {about.form}, n = {about.n}: {limit}")
        queries = len(about.queries())
        return Decided(Tally(checked=queries, unknown=queries))
    if decided.tally.disputed is not None:
        raise Disagreement(f"{about.statement}, on {decided.tally.disputed}: {decided.tally.dispute}")
    return decided


def _decide(about: "ProfileClaim") -> "Decided":
    from sealcheck.harness.checking_lengths import by_formulas
    from sealcheck.theorems.registry import statement

    return by_formulas(statement(about.statement).claims[about.claim], about.n)


def _require_free(asked: "Sequence[ProfileClaim]", out: Path) -> None:
    """Raise InputError where a file that is none of these proofs has the name of one."""
    from sealcheck.evidence.every_length import verify_every_length

    for about in asked:
        for number in range(len(about.queries())):
            file = out / about.file_name(number)
            if not file.exists():
                continue
            try:
                same = verify_every_length(file) == (about, number)
            except (Rejected, InputError):
                same = False
            if not same:
                raise InputError(f"{file} is no proof that this version would write: choose another folder")


def _keep(about: "ProfileClaim", decided: "Decided", out: Path) -> None:
    from sealcheck.evidence.every_length import proof_file

    for shown in decided.shown:
        file = out / about.file_name(shown.number)
        try:
            with whole_file(file) as sink:
                sink.write(proof_file(about, shown))
        except OSError as error:
            raise InputError(f"cannot write to {file}: {error.strerror}") from None


def _verdict(decided: "Decided") -> str:
    if decided.tally.refuting is not None:
        return "refuted"
    return "unknown" if decided.tally.unknown else "verified"


def _code(found: "Sequence[Decided]") -> Code:
    verdicts = set(map(_verdict, found))
    if "refuted" in verdicts:
        return Code.NO
    return Code.UNKNOWN if "unknown" in verdicts else Code.YES


def _document(about: "ProfileClaim", decided: "Decided") -> Document:
    breaking = decided.tally.refuting
    return {
        "statement": about.statement,
        "form": about.form,
        "claim": about.claim,
        "n": about.n,
        "messages": None,
        "verdict": _verdict(decided),
        "queries": decided.tally.checked,
        "proofs": len(decided.shown),
        "steps": sum(len(shown.steps) for shown in decided.shown),
        "seals": sum(len(shown.seals) for shown in decided.shown),
        "programs_only": any(shown.programs_only for shown in decided.shown),
        "needs": [{"program": str(program), "messages": most} for program, most in _needs(about)],
        "counterexample": breaking and {"n": breaking.n, "programs": breaking.texts},
    }


def _needs(about: "ProfileClaim") -> "Iterator[tuple[StraightLine, int]]":
    for query in about.queries():
        if query.needs_most is not None and query.most is not None:
            yield query.needs_most, query.most


def _print(found: "Sequence[tuple[ProfileClaim, Decided]]", out: Path | None) -> None:
    left, right = ("statement", "form"), ("n", "verdict", "queries", "proofs", "steps", "seals")
    documents = [_document(*each) for each in found]
    print_table(left, right, ([shown[key] for key in (*left, *right)] for shown in documents))
    for about, decided in found:
        if decided.tally.refuting is not None:
            write(f"\n{about.statement} fails for n = {about.n}: {decided.tally.refuting}")
        elif not decided.tally.unknown:
            for program, most in _needs(about):
                write(f"\nn = {about.n}: it takes {counted(most, 'message')} to seal {program}")
    if not any(decided.shown for _, decided in found):
        return
    write("\n" + "\n".join(entry("", RESTS_ON, 0)))
    if out is not None:
        write(f"\nThe proofs, for sealcheck verify: {out}")
