"""``sealcheck prove``: prove statements, for all programs of a size or, by Coq, for every n."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli import options
from sealcheck.cli.inputs import folder
from sealcheck.cli.options import MIB, PART_SECONDS, Json, Master, Memory, Seconds
from sealcheck.cli.output import code_of, print_table, remark, write, write_json
from sealcheck.errors import InputError, LimitReached, Unfinished
from sealcheck.operations.result import Code, Document
from sealcheck.programs.space import process_range
from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.support.files import make_folder
from sealcheck.support.processes import Limits
from sealcheck.words import entry

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.proving import Level
    from sealcheck.theorems.checking.record import Established
    from sealcheck.theorems.checking.statement import Claim, Statement

COLUMN = 12


@dataclass(frozen=True)
class _Proved:
    about: "Statement"
    claim: "Claim"
    established: "tuple[Established, ...]"
    """The result of Coq for each theorem. Empty if a limit was hit."""
    limit: str = ""

    @property
    def verdict(self) -> str:
        """Whether Coq has accepted the theorems in this run."""
        return "proved" if self.established else "unknown"


def _prove_every_n(names: Sequence[str], seconds: int, *, as_json: bool) -> Code:
    """Have Coq prove these statements for every n, and print the results.

    Raises InputError if there is no such proof, and Disagreement if a proof is rejected.
    """
    from sealcheck.evidence.coq import build

    found = []
    for about, claim in _claims(names):
        try:
            found.append(_Proved(about, claim, build(claim.theorems, seconds)))
        except (LimitReached, Unfinished) as error:
            found.append(_Proved(about, claim, (), str(error)))
    if as_json:
        write_json([_document(each) for each in found])
    else:
        for each in found:
            write("\n".join([*_lines(each), ""]))
    for limit in dict.fromkeys(each.limit for each in found if each.limit):
        remark(f"unknown: {limit}")
    return Code.YES if all(each.established for each in found) else Code.UNKNOWN


def _claims(names: Sequence[str]) -> "list[tuple[Statement, Claim]]":
    from sealcheck.theorems.registry import statement

    found = []
    for about in map(statement, dict.fromkeys(names)):
        having = [claim for claim in about.claims if claim.theorems]
        if not having:
            raise InputError(f"no theorem proves {about.id}")
        found += [(about, claim) for claim in having]
    return found


def _document(found: _Proved) -> Document:
    from sealcheck.evidence.rows import form_of

    theorems = zip(found.claim.theorems, found.established, strict=bool(found.established))
    return {
        "statement": found.about.id,
        "form": found.claim.form.value,
        "number": form_of(found.about, found.claim),
        "claim": found.claim.text,
        "verdict": found.verdict,
        "theorems": [asdict(by_coq) | {"of": theorem.of, "state": "rebuilt"} for theorem, by_coq in theorems],
        "limits": [found.limit] if found.limit else [],
    }


def _lines(found: _Proved) -> Iterator[str]:
    from sealcheck.evidence.rows import form_of

    yield f"{found.about.id}, {form_of(found.about, found.claim)}: {found.verdict}"
    yield from entry("  claim", found.claim.text, COLUMN)
    if found.established:
        for theorem, by_coq in zip(found.claim.theorems, found.established, strict=True):
            origin = f"{theorem.of}; from {', '.join(by_coq.axioms) or 'no axiom'}"
            yield from entry("  theorem", f"{theorem.name}, {theorem.file}: {origin}", COLUMN)
            yield from (" " * COLUMN + line for line in by_coq.statement.splitlines()[1:])
        yield from entry("  rebuilt", f"and checked now, by Coq {found.established[0].coq}", COLUMN)


Statements = Annotated[
    list[str],
    options.argument(
        "STATEMENT", "Ids of statements, or labels in the paper.", autocompletion=options.statements
    ),
]
EveryN = Annotated[
    bool, typer.Option("--every-n", help="Let Coq check the theorem for every n and every length.")
]
Out = Annotated[
    str | None, options.option("--out", "DIR", "Folder for the proofs; existing proofs are reused.")
]


def prove(
    statements: Statements,
    n: Annotated[str | None, options.RANGE] = None,
    messages: Annotated[int | None, options.MESSAGES] = None,
    every_n: EveryN = False,
    out: Out = None,
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Prove that no program of a size, and no run of it, refutes a statement.

    A size is a number of processes and a number of messages. For each size, a SAT solver gets queries about
    all programs of the size. A hard query is split into cases, called cubes. Each cube has a proof, and one
    more proof shows that the cubes cover all cases. The kernel, a small program, checks each proof. With
    --every-n, Coq checks the theorem for every n and every length.

    Exit code 0 if all is proved, 1 if a statement is refuted, 3 if a limit was hit.
    """
    limits = Limits(seconds, memory)
    if every_n:
        if (n, messages, out) != (None, None, None):
            raise InputError("--every-n takes no --n, --messages or --out: the theorem has no bound")
        raise typer.Exit(_prove_every_n(statements, seconds, as_json=json))
    if n is None or messages is None:
        raise InputError("prove needs --n and --messages, or --every-n")
    levels = list(_levels(statements, process_range(n), messages))
    found = _found(levels, ", ".join(statements), out=out, limits=limits, master=master)
    _say(found, out, as_json=json)
    raise typer.Exit(code_of(level.verdict.value for level in found))


def _found(
    levels: Sequence[tuple[str, int, int, int]],
    names: str,
    *,
    out: str | None,
    limits: Limits,
    master: str | None,
) -> "list[Level]":
    from sealcheck.spark_sweeps.proving import opened_run
    from sealcheck.spark_sweeps.proving import prove as run_prove

    proofs = None
    if out is not None:
        proofs = folder("--out", out).absolute()
        make_folder(proofs)
    with progress_bar("prove") as follow, opened_run(master, names, follow) as run:
        return run_prove(run, levels, limits, proofs)


def _levels(names: Sequence[str], processes: range, messages: int) -> Iterator[tuple[str, int, int, int]]:
    from sealcheck.evidence.proofs import MOST

    if messages < 0:
        raise InputError(f"--messages must be at least 0, not {messages}")
    if messages > MOST[1] or processes[-1] > MOST[0]:
        raise InputError(f"queries exist for at most {MOST[0]} processes and {MOST[1]} messages")
    asked = dict.fromkeys(claim for name in names for claim in _claims_with_queries(name))
    yield from ((*each, n, m) for each in asked for n in processes for m in range(messages + 1))


def _claims_with_queries(name: str) -> list[tuple[str, int]]:
    from sealcheck.theorems.registry import named, statement

    meant = [(id, claim) for id in named(name) for claim in range(len(statement(id).claims))]
    proved = [(id, claim) for id, claim in meant if statement(id).claims[claim].whole_space]
    if not proved:
        raise InputError(f"{name} has no queries for whole levels: there is nothing to prove")
    return proved


def _level_document(level: "Level") -> dict[str, object]:
    from sealcheck.theorems.registry import statement

    breaking = level.counterexample
    return {
        "statement": level.statement,
        "form": statement(level.statement).claims[level.claim].form.value,
        "claim": level.claim,
        "n": level.n,
        "messages": level.messages,
        "verdict": level.verdict.value,
        "queries": level.queries,
        "proofs": level.proofs,
        "steps": level.steps,
        "counterexample": breaking and {"n": breaking.n, "programs": breaking.texts},
        "limits": level.limits,
    }


def _say(levels: "Sequence[Level]", out: str | None, *, as_json: bool) -> None:
    if as_json:
        write_json([_level_document(level) for level in levels])
        return
    left, right = ("statement", "form"), ("n", "messages", "verdict", "queries", "proofs", "steps")
    documents = map(_level_document, levels)
    print_table(left, right, ([shown[key] for key in (*left, *right)] for shown in documents))
    for level in levels:
        if level.counterexample is not None:
            write(f"\n{level.statement} fails for n = {level.n}: {level.counterexample}")
        for limit in level.limits:
            remark(f"unknown: {limit}")
    if out is not None:
        write(f"\nThe proofs, for sealcheck verify: {out}")
