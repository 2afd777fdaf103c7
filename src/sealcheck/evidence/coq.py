"""Building theorems with Coq, and checking them with its independent checker `coqchk`.

A claim about the paper can name theorems that prove or refute the claim. `python -m sealcheck.evidence.coq`
builds all these theorems and puts them on record. Before that, a person must have reviewed the theorems
(`sealcheck.evidence.reviewed`).

A *page* is a Coq source that repeats the statements of theorems for the review. The page and the theorems'
own files must have the same statements. The review must cover every definition on which a statement depends.
Coq lists these definitions, in files whose names end with `.glob`.
"""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from sealcheck.errors import Disagreement, LimitReached, Unfinished
from sealcheck.evidence.reviewed import readings, require_reviewed
from sealcheck.support.files import whole_file
from sealcheck.support.interrupts import undone
from sealcheck.theorems.checking.record import (
    LIBRARY,
    RECORD,
    SOURCES,
    Established,
    Theorem,
    digest,
    ends,
    files,
    is_allowed,
    needed,
    not_counted,
    printed,
    sources,
    written,
)
from sealcheck.words import counted

Definition = tuple[str, str]
"""A module and a name in it."""

_MADE = re.compile(r"^(?:abbrev|constr|def|ind|prf|proj|rec) (\d+):\d+ \S+ (\S+)$", re.MULTILINE)
_USED = re.compile(rf"^R(\d+):\d+ {LIBRARY}\.(?:\w+\.)*(\w+) \S+ (\S+) (?!lib|sec|var)\w+$", re.MULTILINE)


def references(resolved: str, source: str) -> dict[str, set[Definition]]:
    """The names to which each statement and definition of a source refers; names in proofs are left out.

    `resolved` is the `.glob` file of the source.

    >>> references("prf 8:8 <> t\\nR12:12 Sealcheck.model.A <> b def\\nR21:21 Sealcheck.A <> c def\\n",
    ...     "Theorem t : b. Proof. c. Qed. ")
    {'t': {('A', 'b')}}
    """
    octets = source.encode()
    used = [
        (int(at), (module, name.partition(":")[0] or name)) for at, module, name in _USED.findall(resolved)
    ]
    found: dict[str, set[Definition]] = {}
    for at, name in _MADE.findall(resolved):
        start = int(at)
        rest = octets[start:].decode()
        stop = start + len(rest[: next(ends(rest))[0]].encode())
        found.setdefault(name, set()).update(each for at, each in used if start <= at < stop)
    return found


def require_all_counted(folder: Path, texts: Mapping[str, str], theorems: Sequence[Theorem]) -> None:
    """Raise Disagreement if a theorem's statement depends on a definition that its review does not cover.

    The folder has the `.glob` files of the sources `texts`.
    """
    found = {
        (file.stem, name): used
        for file in sorted(folder.rglob("*.glob"))
        if f"{file.stem}.v" in texts
        for name, used in references(file.read_text(encoding="utf-8"), texts[f"{file.stem}.v"]).items()
    }
    for theorem in theorems:
        new = {(theorem.module, theorem.name)}
        if not new <= found.keys():
            raise Disagreement(f"Coq does not list the references of {theorem.module}.{theorem.name}")
        every = set[Definition]()
        while new:
            every |= new
            new = {each for notion in new for each in found.get(notion, ())} - every
        if unread := not_counted(texts, theorem, every):
            name = f"{theorem.module}.{theorem.name}"
            raise Disagreement(f"{name} refers to {', '.join(unread)}, which its review does not cover")


_NONE = "<none>"


@dataclass(frozen=True)
class Coq:
    """Coq in a folder of sources; `end` is the time at which a program is stopped."""

    folder: Path
    end: float

    def run(self, program: str, *arguments: str) -> str:
        """The output of a program.  Raises LimitReached, and Disagreement if the program fails."""
        command = [program, *arguments, "-Q", ".", LIBRARY]
        left = max(self.end - time.monotonic(), 0.001)
        try:
            done = subprocess.run(
                command, cwd=self.folder, capture_output=True, text=True, timeout=left, check=False
            )
        except subprocess.TimeoutExpired:
            raise LimitReached(f"{program} hit its time limit") from None
        if done.returncode:
            raise Disagreement(f"{program} does not accept {arguments[-1]}: {' '.join(done.stderr.split())}")
        return done.stdout


def build(
    theorems: Sequence[Theorem], seconds: float, folder: Path = SOURCES, *, with_page: bool = False
) -> tuple[Established, ...]:
    """Compile the files that the theorems need, run coqchk on them, and ask Coq for the theorems' axioms.

    With `with_page`, also build the pages of the theorems, and compare the statements there.

    Raises Unfinished if Coq is not installed, and LimitReached after `seconds`.  Raises Disagreement in four
    cases:

    - Coq or coqchk rejects a proof;
    - a theorem uses a forbidden axiom;
    - a review does not cover a definition on which the theorem depends;
    - a page states a theorem differently from the theorem's own file.
    """
    for program in ("coqc", "coqchk"):
        if shutil.which(program) is None:
            raise Unfinished(f"{program} is not installed: building the proofs takes Coq 8.16")
    texts = sources(folder)
    with _copied(folder) as copy:
        coq = Coq(copy, time.monotonic() + seconds)
        pages = [replace(theorem, file=theorem.page) for theorem in theorems] if with_page else []
        places = [files(folder)[f"{module}.v"] for module in needed(texts, [*theorems, *pages])]
        for place in places:
            coq.run("coqc", "-q", str(place))
        found = established(coq, theorems, texts)
        if with_page:
            require_restated(coq, found, theorems)
        require_all_counted(copy, texts, theorems)
        _require_checked(
            coq.run("coqchk", "-silent", "-o", *(str(each.with_suffix(".vo")) for each in places))
        )
    return found


@contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    copy = Path(tempfile.mkdtemp(prefix="sealcheck-proofs-"))
    with undone(partial(shutil.rmtree, copy, ignore_errors=True)):
        for name, text in sources(folder).items():
            place = copy / files(folder)[name]
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        yield copy


def established(coq: Coq, theorems: Sequence[Theorem], texts: Mapping[str, str]) -> tuple[Established, ...]:
    """The statements and axioms of theorems, as Coq prints them. The theorems must be built in Coq's folder.

    Raises LimitReached if Coq takes too long.  Raises Disagreement if a theorem uses a forbidden axiom, or if
    its printed statement names a definition that its review does not cover.
    """
    answers = _asked(coq, list(map(_name, theorems)), "Check @{0}.\nPrint Assumptions {0}.\n")
    return _established(coq, theorems, texts, list(map(said, answers)))


def established_again(
    coq: Coq, theorems: Sequence[Theorem], texts: Mapping[str, str], axioms: Sequence[tuple[str, ...]]
) -> tuple[Established, ...]:
    """Do the work of `established` faster, if the axioms of the theorems are known.

    Theorems with the same known axioms form a group, and Coq is asked once for the axioms of each group. So a
    theorem cannot use an axiom outside its group's list, but could use fewer.  Raises Disagreement if a group
    does not use exactly its list.  Also raises what `established` raises.
    """
    names = list(map(_name, theorems))
    for expected in sorted(set(axioms)):
        alike = [name for name, each in zip(names, axioms, strict=True) if each == expected]
        if (found := _axioms_together(coq, alike)) != expected:
            raise Disagreement(
                f"{counted(len(alike), 'theorem')} with the axioms {_listed(expected)} on record:"
                f" together they rest on {_listed(found)}"
            )
    statements = [answer.strip() for answer in _asked(coq, names, "Check @{0}.\n")]
    return _established(coq, theorems, texts, list(zip(statements, axioms, strict=True)))


def _listed(axioms: Sequence[str]) -> str:
    return ", ".join(axioms) or _NONE


def _axioms_together(coq: Coq, names: Sequence[str]) -> tuple[str, ...]:
    """The axioms that at least one of the theorems uses; Coq goes through shared proofs only once."""
    every = ", ".join(f"@{name}" for name in names)
    question = f"Definition every := ({every}).\nPrint Assumptions every.\n"
    _, axioms = said(f"every\n{_answer(coq, names, question)}")
    return axioms


def _established(
    coq: Coq,
    theorems: Sequence[Theorem],
    texts: Mapping[str, str],
    answers: Sequence[tuple[str, tuple[str, ...]]],
) -> tuple[Established, ...]:
    """The entries of theorems in the record, given the statements and axioms that Coq printed."""
    version = coq.run("coqc", "--print-version").split()[0]
    found = []
    for theorem, (statement, axioms) in zip(theorems, answers, strict=True):
        name = _name(theorem)
        if not is_allowed(axioms):
            raise Disagreement(f"{name} rests on {', '.join(axioms)}")
        if unread := not_counted(texts, theorem, printed(texts, statement)):
            raise Disagreement(f"{name} is about {', '.join(unread)}, which its review does not cover")
        found.append(
            Established(
                file=theorem.file,
                name=theorem.name,
                axioms=axioms,
                statement=statement,
                sources=digest(texts, theorem),
                coq=version,
            )
        )
    return tuple(found)


def _name(theorem: Theorem) -> str:
    return f"{theorem.module}.{theorem.name}"


def require_restated(coq: Coq, found: Sequence[Established], theorems: Sequence[Theorem]) -> None:
    """Raise Disagreement if a theorem's statement on its page is not the statement on record.

    The pages must be built in Coq's folder.  Raises LimitReached.
    """
    pages = {(theorem.file, theorem.name): theorem.page for theorem in theorems}
    of = [pages[each.file, each.name] for each in found]
    names = [f"{page.removesuffix('.v')}.{each.name}" for page, each in zip(of, found, strict=True)]
    for page, each, answer in zip(of, found, _asked(coq, names, "Check @{0}.\n"), strict=True):
        if _without_name(answer) != _without_name(each.statement):
            raise Disagreement(f"{page} has another statement of {each.name} than {each.file}")


def _without_name(statement: str) -> str:
    """A statement as Coq prints it, in one line and without the name of the theorem.

    >>> _without_name("T.t\\n : forall a b,\\n   a = b")
    'forall a b, a = b'
    """
    return " ".join(statement.split()).partition(" : ")[2]


def _asked(coq: Coq, names: Sequence[str], question: str) -> list[str]:
    """Coq's answers to a question about each theorem; names have the form MODULE.THEOREM."""
    return _of_each(_answer(coq, names, "".join(map(question.format, names))), names)


def _answer(coq: Coq, names: Sequence[str], questions: str) -> str:
    """Coq's output for several questions about theorems with these names."""
    modules = " ".join(sorted({name.partition(".")[0] for name in names}))
    text = f"From {LIBRARY} Require {modules}.\nSet Printing Width 98.\n{questions}"
    (coq.folder / "Asked.v").write_text(text)
    return coq.run("coqc", "-q", "Asked.v")


def _of_each(output: str, names: Sequence[str]) -> list[str]:
    """The parts of Coq's output, one for each theorem; each part begins with the theorem's name.

    >>> _of_each("A.a\\n : True\\nAxioms:\\nA.x : nat\\nB.b : True\\n", ["A.a", "B.b"])
    ['A.a\\n : True\\nAxioms:\\nA.x : nat\\n', 'B.b : True\\n']

    Raises Disagreement if the output for a theorem is missing.
    """
    starts, end = [], 0
    for name in names:
        found = re.compile(rf"^@?{re.escape(name)}\s+:", re.MULTILINE).search(output, end)
        if found is None:
            raise Disagreement(f"Coq does not print {name}, but {output!r}")
        starts.append(found.start())
        end = found.end()
    return [output[start:stop] for start, stop in pairwise([*starts, len(output)])]


def said(output: str) -> tuple[str, tuple[str, ...]]:
    """The statement of a theorem, and the axioms that it uses, as Coq prints them.

    >>> said("T.t : True\\nAxioms:\\nClassical_Prop.classic : forall P : Prop,\\n  P \\\\/ ~ P\\n")
    ('T.t : True', ('Classical_Prop.classic',))
    >>> said("T.t : True\\nClosed under the global context\\n")
    ('T.t : True', ())

    Raises Disagreement if Coq's output has another form.
    """
    closed, _, rest = output.partition("Closed under the global context\n")
    if not rest and closed != output:
        return closed.strip(), ()
    statement, axioms_follow, listed = output.partition("\nAxioms:\n")
    names = [line.split(" : ")[0].rstrip(" :") for line in listed.splitlines() if line[:1].strip()]
    if not axioms_follow or not names:
        raise Disagreement(f"Coq does not list the axioms of a theorem, but prints {output!r}")
    return statement.strip(), tuple(sorted(names))


def _require_checked(summary: str) -> None:
    """Raise Disagreement if coqchk lists a forbidden axiom, or anything else that must be trusted."""
    for part in summary.split("\n* ")[1:]:
        title, _, listed = part.partition(":")
        names = listed.split()
        if title.startswith("Theory"):
            continue
        if title == "Axioms":
            names = [".".join(name.split(".")[-2:]) for name in names if name != _NONE]
            if not is_allowed(names):
                raise Disagreement(f"coqchk finds the axioms {', '.join(names)}")
        elif names != [_NONE]:
            raise Disagreement(f"coqchk finds {title}: {', '.join(names)}")


def named() -> list[Theorem]:
    """All theorems that claims name as proofs or as refutations, without duplicates."""
    every = (reading.theorem for reading in readings())
    return list({(each.file, each.name): each for each in every}.values())


def main() -> None:
    """Put all theorems that claims name on record.  Raises Disagreement if a review is missing."""
    require_reviewed(sources(SOURCES))
    record = build(named(), 3600, with_page=True)
    with whole_file(RECORD) as file:
        file.write(written(record).encode())
    print(f"{len(record)} theorems on record")


if __name__ == "__main__":
    main()
