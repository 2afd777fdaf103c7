"""Proofs that no program of n processes and any length is a counterexample, as files.

A file is a line of JSON that says which query about profiles it answers, and which seals the formula lists,
and then an LRAT proof that the formula has no model.  To check it, the formula is made again from the
statement and these seals; a proof of anything else is rejected, and so is a seal of too many messages.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sealcheck.encodings.listed_seals import Transmissions
from sealcheck.errors import InputError
from sealcheck.evidence.proofs import STEPS, check_steps, lrat_file
from sealcheck.evidence.table_files import opened
from sealcheck.kernel.reading import header, items, lines, numbers
from sealcheck.kernel.rejected import Rejected
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import minimal_seal_by_kernel
from sealcheck.theorems.checking.every_length import MOST_PROCESSES, Shown, clauses_of
from sealcheck.theorems.checking.statement import ProfileQuery
from sealcheck.theorems.registry import statement

KIND = "every-length"
VERSION = 1

_TYPES: dict[str, type] = {
    "statement": str,
    "form": str,
    "claim": int,
    "n": int,
    "number": int,
    "query": str,
    "programs_only": bool,
    "seals": list,
    **STEPS,
}


@dataclass(frozen=True, order=True)
class ProfileClaim:
    """A claim, by its number, about programs of n processes and any length."""

    statement: str
    claim: int
    n: int

    def queries(self) -> list[ProfileQuery]:
        """The queries that together are the claim; none where nothing is asked about profiles."""
        about = statement(self.statement).claims[self.claim].about_profiles
        return [] if about is None else list(about(self.n))

    def lacking(self) -> str:
        """What the proofs leave open: a program that is said to need so many messages, and does not."""
        for query in self.queries():
            if query.needs_most is not None:
                least = minimal_seal_by_kernel(Instance.of(query.needs_most))
                if least != query.most:
                    return f"{query.needs_most} needs {least} messages, not {query.most}"
        return ""

    @property
    def form(self) -> str:
        """As printed, or repaired."""
        return statement(self.statement).claims[self.claim].form.value

    def file_name(self, number: int) -> str:
        """Where the proof of a query belongs.

        >>> ProfileClaim("sealability", 1, 4).file_name(0)
        'sealability-1-n4-every-0.proof'
        """
        return f"{self.statement}-{self.claim}-n{self.n}-every-{number}.proof"


def proof_file(about: ProfileClaim, shown: Shown) -> bytes:
    """The text of a proof file."""
    said = {
        "sealcheck": KIND,
        "version": VERSION,
        "statement": about.statement,
        "form": about.form,
        "claim": about.claim,
        "n": about.n,
        "number": shown.number,
        "query": shown.name,
        "programs_only": shown.programs_only,
        "seals": shown.seals,
    }
    return lrat_file(said, shown.clauses, shown.steps)


def verify_every_length(path: Path) -> tuple[ProfileClaim, int]:
    """Check a proof file: the claim, and the number of its query.

    Raises Rejected where it proves nothing or something else, InputError where it can't be read.
    """
    with opened(path) as stream:
        return _verified(stream)


def _verified(stream: BinaryIO) -> tuple[ProfileClaim, int]:
    text = lines(stream)
    first = header(next(text, b""), KIND, VERSION, _TYPES)
    about, query = _asked(first)
    seals = _seals(about.n, query.most, first["seals"])
    clauses = clauses_of(query, about.n, programs_only=first["programs_only"], seals=seals)
    check_steps(first, clauses, text)
    return about, first["number"]


def _asked(first: dict[str, Any]) -> tuple[ProfileClaim, ProfileQuery]:
    """What the first line says that the proof is about."""
    about = ProfileClaim(first["statement"], first["claim"], first["n"])
    try:
        claims = statement(about.statement).claims
    except InputError as error:
        raise Rejected(str(error)) from None
    if not (0 <= about.claim < len(claims) and first["form"] == about.form):
        raise Rejected(f"{about.statement} has no such claim")
    if not 1 <= about.n <= MOST_PROCESSES:
        raise Rejected(f"n must be at most {MOST_PROCESSES}")
    queries, number = about.queries(), first["number"]
    if not 0 <= number < len(queries) or queries[number].name != first["query"]:
        raise Rejected(f"{about.statement} has no query '{first['query'][:40]}' of that number")
    return about, queries[number]


MOST_SEALS = 1000
"""More than ten times what is needed; beyond, a stranger's header could keep whoever checks it busy."""


def _seals(n: int, most: int | None, value: list[Any]) -> list[Transmissions]:
    """The seals that a file lists."""
    if most is None and value:
        raise Rejected("the query is not about seals")
    if len(value) > MOST_SEALS:
        raise Rejected(f"it lists more than {MOST_SEALS} seals")
    seals = [tuple(Channel(*numbers(channel, 2)) for channel in items(seal)) for seal in value]
    known = set(channels(n))
    for seal in seals:
        if not known.issuperset(seal):
            raise Rejected(f"{str(seal)[:40]} has a channel that is none of {n} processes")
        if most is not None and len(seal) > most:
            raise Rejected(f"it lists a seal of {len(seal)} messages, but the query is about {most} at most")
    return seals
