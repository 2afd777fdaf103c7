"""`l:seal.algebra`, items 3, 4 and 6, for all balanced straight-line programs (BSLs) up to a bound.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. ≀ is the silent cut, a moment without messages in transit. P is TCC if it ends
             at a silent cut whenever it starts at one.

Reading      every program is a BSL, in the model Rel, where channels may reorder messages. Items 1, 2 and 5
             are about choice and repetition, so they are not about BSLs.

             By `th:TCCbadforREL`, the only BSLs that are TCC in Rel are those without messages. By item 3, if
             eps seals P, every program seals P. So for a BSL P, item 6 says that eps seals P iff P has no
             messages. Item 6 is checked for two meanings of TCC: ≀P refines P≀, and P leaves no channel open.

Not claimed  other programs, which `seal_algebra` checks. For item 6, only programs with few messages are
             tried as seals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import as_program, tcc
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import INTERFERENCE
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking.domains import Bounded, Programs, Sequences, every, indexed_space
from sealcheck.theorems.checking.hypotheses import failing
from sealcheck.theorems.checking.laws import INFINITE, as_steps, open_channels, over_all_intervals
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Ask, Hypothesis, Outcome, Repaired, Statement

Pair = tuple[StraightLine, StraightLine]
"""A program, and its candidate for a seal."""


def renamed(p: StraightLine, s: StraightLine) -> Instance:
    """The pair P, S up to renaming processes, which does not change whether S seals P."""
    return Instance.of(p, s).canonical()


@dataclass(frozen=True)
class StraightLaw:
    """A law about BSLs. Premises and conclusion are pairs of a program and its seal."""

    premises: tuple[Callable[..., Pair], ...]
    conclusion: Callable[..., Pair]

    def check(self, instance: Instance, ask: Ask) -> Outcome:
        """Check that the conclusion holds if the premises do."""
        programs = instance.straight
        met = ask.all(IS_SEAL, [renamed(*premise(*programs)) for premise in self.premises])
        if not all(met):
            return Outcome.VACUOUS
        return Outcome.of(ask(IS_SEAL, renamed(*self.conclusion(*programs))))

    def dropping(self, premise: int) -> "StraightLaw":
        """The law without one of its premises."""
        return StraightLaw(self.premises[:premise] + self.premises[premise + 1 :], self.conclusion)

    def explain(self, instance: Instance, ask: Ask) -> str:
        """The premises, and an execution where a message crosses the end that should be sealed."""
        programs = instance.straight
        lines = [f"{s}  seals  {p}" for p, s in (premise(*programs) for premise in self.premises)]
        p, s = self.conclusion(*programs)
        lines.append(f"{s}  does not seal  {p}: 'inside' marks the program, 'seal' its candidate seal")
        found = ask(INTERFERENCE, Instance.of(p, s))
        return "\n".join([*lines, *(as_steps(found) if found else ())])


def _item(
    id: str,
    *,
    label: str,
    text: str,
    law: StraightLaw,
    premises: tuple[str, ...],
    theorems: tuple[Theorem, ...],
) -> Statement:
    return Statement.of(
        id,
        label,
        Repaired(
            text,
            check=law.check,
            hypotheses=(
                *(
                    Hypothesis(name, failing(every(TRIPLES), law.dropping(k).check))
                    for k, name in enumerate(premises)
                ),
                Hypothesis("deadlock-free", remark=f"not needed: see {id}-whole-language"),
            ),
            explain=law.explain,
            theorems=theorems,
        ),
        domain=TRIPLES,
        questions=(IS_SEAL,),
        limits=(f"triples of programs: {TRIPLES}",),
    )


TRIPLES = Bounded(Sequences(3, "triples of programs"), {1: 4, 2: 4, 3: 4})

LAW_3 = StraightLaw(premises=(lambda p, q, r: (p, q),), conclusion=lambda p, q, r: (p, q.then(r)))

LAW_4 = StraightLaw(
    premises=(lambda p, q, r: (p, q), lambda p, q, r: (q, r)), conclusion=lambda p, q, r: (p.then(q), r)
)

ITEM_3 = _item(
    "seal-algebra-3",
    label="l:seal.algebra, 3",
    text="for BSLs P, Q and R in Rel: if Q seals P, then Q;R seals P",
    law=LAW_3,
    premises=("Q seals P",),
    theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_3"),
)

ITEM_4 = _item(
    "seal-algebra-4",
    label="l:seal.algebra, 4",
    text="for BSLs P, Q and R in Rel: if Q seals P and R seals Q, then R seals P;Q",
    law=LAW_4,
    premises=("Q seals P", "R seals Q"),
    theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_4"),
)

CLOSABLE = Bounded(Programs(), {1: 4, 2: 4, 3: 4})

MOST_OF_SEAL = {1: 0, 2: 4, 3: 4}
"""For each n, the bound on messages of the programs that item 6 tries as seals."""


def candidates(n: int) -> Iterator[StraightLine]:
    """The BSLs that item 6 tries as seals, eps first."""
    for messages in range(MOST_OF_SEAL.get(n, 0) + 1):
        yield from indexed_space(n, messages).programs()


def is_sealed_by_all(p: StraightLine, ask: Ask) -> bool:
    """Whether all candidates seal P."""
    if not ask(IS_SEAL, renamed(p, StraightLine.of(p.n))):
        return False
    found = ask.all(IS_SEAL, [renamed(p, q) for q in candidates(p.n)])
    return all(found)


def tcc_if_all_seal(instance: Instance, ask: Ask) -> Outcome:
    """Check that P is TCC, in both meanings, exactly if all candidates seal P."""
    by_definition = ask(REFINES, Instance(instance.n, tcc(as_program(instance.p))))
    return Outcome.of(
        by_definition == (not open_channels(instance, ask)) == is_sealed_by_all(instance.p, ask)
    )


def sealed_by_some(n: int, messages: int, ask: Ask) -> Instance | None:
    """A program that is not TCC, and a candidate that seals it."""
    for p in indexed_space(n, messages).programs():
        if open_channels(Instance.of(p).canonical(), ask):
            for q in candidates(n):
                if ask(IS_SEAL, renamed(p, q)):
                    return Instance.of(p, q)
    return None


ITEM_6 = Statement.of(
    "seal-algebra-6",
    "l:seal.algebra, 6",
    Repaired(
        "a straight-line program without self-channels is TCC in Rel iff all BSLs seal it",
        check=tcc_if_all_seal,
        hypotheses=(
            Hypothesis(
                "all programs seal P, not only some", sealed_by_some, remark="Q seals P, which is not TCC"
            ),
            Hypothesis("deadlock-free", remark="not needed: see seal-algebra-6-whole-language"),
        ),
        explain=lambda instance, ask: (
            f"P is TCC: {not open_channels(instance, ask)};"
            f" all candidates seal P: {is_sealed_by_all(instance.p, ask)}"
        ),
        theorems=(
            Theorem(
                "Bsl.v",
                "seal_algebra_6_bsl",
                "every straight-line program; seals are BSLs; no self-channels; finite intervals",
            ),
            Theorem("InfiniteSealAlgebra.v", "seal_algebra_6_infinite", f"{INFINITE}; eps is enough"),
        ),
    ),
    domain=CLOSABLE,
    questions=(REFINES, CLOSED_CHANNELS, IS_SEAL),
    limits=(
        f"programs: {CLOSABLE}",
        f"the BSLs that are tried as seals of P have {Bounded(Programs(), MOST_OF_SEAL)}",
    ),
)
