"""`l:seal.algebra`, items 3, 4 and 6, for balanced straight-line programs: all of them up to a bound.

Reading      every program is a BSL, in Rel; that S seals P is decided by the algorithm on signatures,
             by the explorer and by SMT, each without the others.  The other items of the lemma
             make programs that are not straight-line.
Refutation   BSLs that meet the premises and of which the conclusion fails.
Not claimed  other programs, for which see `seal_algebra`, `seal_algebra_choice` and
             `seal_algebra_tcc`; and of the seals in item 6 only those with few messages.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from sealcheck import explorer
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import channels
from sealcheck.programs.notions import tcc
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import interference
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Programs, Sequences, indexed_space
from sealcheck.theorems.refining import as_program, holds_when_solved
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

Pair = tuple[StraightLine, StraightLine]
"""A program, and what is to seal it."""

Seals = Callable[[StraightLine, StraightLine], bool]
"""Whether the second program seals the first."""


@lru_cache(maxsize=1 << 16)
def by_signatures(p: StraightLine, s: StraightLine) -> bool:
    """Whether S seals P, says the algorithm."""
    return is_seal(signature(p), signature(s))


by_exploring: Seals = lru_cache(maxsize=1 << 16)(explorer.seals)


_SOLVED: WeakKeyDictionary[Solver, dict[Pair, bool]] = WeakKeyDictionary()


def by_solver(solver: Solver) -> Seals:
    """Whether S seals P, says the solver; premises recur, so it is asked once for each pair."""
    known = _SOLVED.setdefault(solver, {})

    def seals(p: StraightLine, s: StraightLine) -> bool:
        if (p, s) not in known:
            known[p, s] = interference.seals(p, s, solver)
        return known[p, s]

    return seals


@dataclass(frozen=True)
class StraightLaw:
    """Of BSLs: if each premise, a pair, is a program and its seal, then so is the conclusion."""

    premises: tuple[Callable[..., Pair], ...]
    conclusion: Callable[..., Pair]

    def truth(self, instance: Instance, seals: Seals) -> Truth:
        """Whether the conclusion holds; nothing is said where a premise fails."""
        programs = instance.straight
        if not all(seals(*premise(*programs)) for premise in self.premises):
            return VACUOUS
        return seals(*self.conclusion(*programs))

    def broken_without(self, premise: int) -> Callable[[int, int], Instance | None]:
        """Finds the first triple of a level that breaks the law once that premise is dropped."""
        others = self.premises[:premise] + self.premises[premise + 1 :]
        weaker = StraightLaw(others, self.conclusion)

        def breaking(n: int, messages: int) -> Instance | None:
            everything = TRIPLES.instances(n, messages, 0, TRIPLES.size(n, messages))
            return next((i for i in everything if weaker.truth(i, by_signatures) is False), None)

        return breaking

    def story(self, instance: Instance) -> str:
        """What seals what, and an execution in which something crosses the end of what should be sealed."""
        programs = instance.straight
        lines = [f"{s}  seals  {p}" for p, s in (premise(*programs) for premise in self.premises)]
        p, s = self.conclusion(*programs)
        lines.append(f"{s}  does not seal  {p}: 'inside' is what is to be sealed, 'seal' what is to seal it")
        return "\n".join([*lines, *map(_step, explorer.find_interference(p, s) or ())])


_NAMES = {explorer.Owner.P: "inside", explorer.Owner.Q: "seal", explorer.Owner.LATER: "later"}


def _step(step: explorer.Step) -> str:
    took = "" if step.took is None else f" takes a message of: {_NAMES[step.took]}"
    return f"{_NAMES[step.owner]}: {step.event}{took}"


TRIPLES = Capped(Sequences(3, "triples of programs"), {1: 4, 2: 4, 3: 4})

ITEM_3 = StraightLaw(
    premises=(lambda p, q, r: (p, q),),
    conclusion=lambda p, q, r: (p, q.then(r)),
)

ITEM_4 = StraightLaw(
    premises=(lambda p, q, r: (p, q), lambda p, q, r: (q, r)),
    conclusion=lambda p, q, r: (p.then(q), r),
)


def _row(id: str, label: str, text: str, law: StraightLaw, premises: tuple[str, ...]) -> Statement:
    return Statement(
        id=id,
        label=label,
        claims=(Claim(Form.AS_PRINTED, text, predicts=lambda _: True, story=law.story),),
        hypotheses=(
            *(Hypothesis(name, law.broken_without(k)) for k, name in enumerate(premises)),
            Hypothesis("deadlock-free", remark=f"not needed: see {id}-whole-language"),
        ),
        domain=TRIPLES,
        ways={
            "algorithm": lambda instance: law.truth(instance, by_signatures),
            "explorer": lambda instance: law.truth(instance, by_exploring),
        },
        smt=lambda instance, solver: law.truth(instance, by_solver(solver)),
        limits=(f"triples of programs: {TRIPLES}",),
        per_shard=300,
    )


CLOSABLE = Capped(Programs(), {1: 4, 2: 4, 3: 4})

Closed = tuple[bool, bool]
"""Whether P is TCC, and whether all candidates seal it."""

MOST_OF_SEAL = {1: 0, 2: 2, 3: 1}
"""For each n, how many messages the programs have that may seal P in item 6."""


def candidates(n: int) -> Iterator[StraightLine]:
    """All BSLs with so few messages, eps first."""
    for messages in range(MOST_OF_SEAL.get(n, 0) + 1):
        yield from indexed_space(n, messages).programs()


def _sealed_by_all(p: StraightLine, seals: Seals) -> bool:
    return all(seals(p, q) for q in candidates(p.n))


def closed_by_signatures(instance: Instance) -> Closed:
    """Whether P is TCC, that is, leaves no channel open; and whether all candidates seal P."""
    return not signature(instance.p).open_channels, _sealed_by_all(instance.p, by_signatures)


def closed_by_exploring(instance: Instance) -> Closed:
    """The same, by exploring what can happen on each channel."""
    closed = all(explorer.closes(instance.p, channel) for channel in channels(instance.n))
    return closed, _sealed_by_all(instance.p, by_exploring)


def closed_by_solving(instance: Instance, solver: Solver) -> Closed:
    """The same, TCC by its definition, as a refinement."""
    closed = holds_when_solved(tcc(as_program(instance.p)), instance.n, solver)
    return closed, _sealed_by_all(instance.p, by_solver(solver))


def _same(instance: Instance) -> Closed:
    closed = not signature(instance.p).open_channels
    return closed, closed


def _sealed_by_some(n: int, messages: int) -> Instance | None:
    """A program that is not TCC, and a candidate that seals it."""
    for p in indexed_space(n, messages).programs():
        if signature(p).open_channels:
            for q in candidates(n):
                if by_signatures(p, q):
                    return Instance.of(p, q)
    return None


def _story_6(instance: Instance) -> str:
    closed, by_all = closed_by_signatures(instance)
    return f"P is TCC: {closed}; all candidates seal P: {by_all}"


STATEMENTS = (
    _row(
        "seal-algebra-3",
        "l:seal.algebra, 3",
        "for BSLs P, Q and R in Rel: if Q seals P, then Q;R seals P",
        ITEM_3,
        ("Q seals P",),
    ),
    _row(
        "seal-algebra-4",
        "l:seal.algebra, 4",
        "for BSLs P, Q and R in Rel: if Q seals P and R seals Q, then R seals P;Q",
        ITEM_4,
        ("Q seals P", "R seals Q"),
    ),
    Statement(
        id="seal-algebra-6",
        label="l:seal.algebra, 6",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "a BSL is TCC in Rel iff all BSLs seal it",
                predicts=_same,
                story=_story_6,
            ),
        ),
        hypotheses=(
            Hypothesis(
                "all programs seal P, not only some", _sealed_by_some, remark="Q seals P, which is not TCC"
            ),
            Hypothesis("deadlock-free", remark="not needed: see seal-algebra-6-whole-language"),
        ),
        domain=CLOSABLE,
        ways={"algorithm": closed_by_signatures, "explorer": closed_by_exploring},
        smt=closed_by_solving,
        limits=(
            f"programs: {CLOSABLE}",
            "of what may seal P, programs with up to 2 messages at n = 2, and up to 1 at n = 3, are tried",
        ),
        per_shard=30,
    ),
)
