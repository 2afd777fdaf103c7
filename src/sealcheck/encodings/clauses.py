"""Translate Boolean formulas to clauses, by Tseitin's transformation (1968), and refute clauses.

A clause is a disjunction of variables and negated variables. Formulas that are clauses are not changed. If a
conjunction occurs only once, in a clause, the conjunction is distributed: ``x | (a & b)`` becomes ``x | a``
and ``x | b``. Every other proper subformula gets a new variable that is equivalent to it.

The SAT solver CaDiCaL finds a proof, in the format LRAT, that clauses contradict each other. The kernel,
sealcheck's small checker of evidence, checks the proof. So CaDiCaL need not be trusted.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile

from sealcheck.encodings.formulas import Formula, Gates, gates_in_use
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import Rejected
from sealcheck.support.processes import Limits, MemoryUp, ProcessDied, TimeUp, call_within

Literal = int
Clause = list[Literal]


class Cnf:
    """Clauses over variables 1, 2, …; `variables` has the number of each symbol."""

    def __init__(self, gates: Gates, formulas: Sequence[int]) -> None:
        self.clauses: list[Clause] = []
        self.variables: dict[Formula, Literal] = {}
        self._gates, self._inputs, self._denials = gates, gates.inputs, gates.denials(formulas)
        self._literals: dict[int, Literal] = {}  # of gates, and of their negations
        for gate in formulas:
            self._add(gate, [])

    def literal(self, formula: Formula) -> Literal:
        """A literal equivalent to `formula`."""
        gate = self._gates.of(formula)
        if gate not in self._literals:
            self._define(abs(gate))
        return self._literals[gate]

    def _add(self, gate: int, others: Clause) -> None:
        if gate > 0 and (inputs := self._inputs[gate]) is not None:
            for part in inputs:
                self._add(part, others)
            return
        if gate < 0 and (inputs := self._inputs[-gate]) is not None:
            known = self._literals.get
            found = [known(-part, 0) for part in inputs]
            if 0 not in found:  # nearly always
                self.clauses.append(others + found)
                return
        clause = list(others)
        conjunctions: list[int] = []
        for part in self._disjuncts(gate):
            if (literal := self._literals.get(part)) is not None:
                clause.append(literal)
            elif part > 0 and self._inputs[part] is not None and self._denials[part] == 1:
                conjunctions.append(part)
            else:
                clause.append(self.literal(part))
        if len(conjunctions) == 1:
            self._add(conjunctions[0], clause)
        else:
            self.clauses.append(clause + [self.literal(part) for part in conjunctions])

    def _define(self, gate: int) -> None:
        disjuncts = [] if self._inputs[gate] is None else [self.literal(p) for p in self._disjuncts(-gate)]
        name = len(self._literals) // 2 + 1
        self._literals[gate], self._literals[-gate] = name, -name
        if self._inputs[gate] is None:
            self.variables[self._gates.symbols[gate]] = name
        else:
            self.clauses.append([name, *disjuncts])
            self.clauses.extend([-name, -disjunct] for disjunct in disjuncts)

    def _disjuncts(self, gate: int) -> list[int]:
        if gate > 0 or (inputs := self._inputs[-gate]) is None:
            return [gate]
        found = []
        for part in inputs:
            if part > 0 and self._inputs[part] is not None:
                found += self._disjuncts(-part)
            else:
                found.append(-part)
        return found


def to_cnf(formulas: list[Formula]) -> Cnf:
    """Clauses that are satisfiable together exactly if `formulas` are satisfiable together.

    Each connective of the formulas adds at most a few clauses.

    >>> from sealcheck.encodings.formulas import And, Implies, Not, Or, Symbol
    >>> a, b, c = map(Symbol, "abc")
    >>> to_cnf([And(Or(a, Not(b)), Implies(And(a, b), c))]).clauses
    [[1, -2], [-1, -2, 3]]
    """
    gates = gates_in_use()
    return Cnf(gates, [gates.of(formula) for formula in formulas])


Clauses = Sequence[Sequence[int]]


def satisfies(true: Collection[int], clauses: Clauses) -> bool:
    """Whether all clauses hold if exactly these variables are true.

    >>> satisfies({1}, [[1, 2], [-2]]), satisfies({1}, [[2]])
    (True, False)
    """
    return all(any(x in true if x > 0 else -x not in true for x in clause) for clause in clauses)


@dataclass(frozen=True)
class Proof:
    """A proof that no assignment satisfies all clauses. The kernel has accepted the proof."""

    steps: tuple[str, ...]
    """The steps of the proof, in LRAT."""


@dataclass(frozen=True)
class Model:
    """An assignment that satisfies all clauses."""

    true: frozenset[int]
    """The variables that are true. All other variables are false."""


Refute = Callable[[Clauses], Proof | Model]
"""A function that returns a proof that clauses contradict each other, or a model."""
FORGOTTEN_AT_ONCE = 500
"""When this many clauses are no longer needed, `trimmed` adds a step that deletes them."""


def refutation(clauses: Clauses, *, conflicts: int | None = None) -> Proof | Model:
    """A proof that no assignment satisfies all clauses, or an assignment that does.

    Raises LimitReached after the number `conflicts` of conflicts, and Disagreement if CaDiCaL's proof is
    wrong.

    >>> refutation([[1, 2], [-1, 2], [-2]])
    Proof(steps=('4 1 0 3 1 0', '5 0 4 3 2 0'))
    >>> refutation([[1, 2], [-2]])
    Model(true=frozenset({1}))
    """
    return _accepted(clauses, _cadical(clauses, conflicts))


def refutation_within(clauses: Clauses, limits: Limits, *, conflicts: int | None = None) -> Proof | Model:
    """Like `refutation`, but the solver runs in another process, which is ended at a limit of time or memory.

    Raises LimitReached, and Disagreement if CaDiCaL's proof is wrong.

    >>> refutation_within([[1, 2], [-2]], Limits(seconds=60, mib=1000))
    Model(true=frozenset({1}))
    >>> refutation_within([[1], []], Limits(seconds=60, mib=1000))
    Proof(steps=('3 0 2 0',))
    """
    try:
        return _accepted(clauses, call_within(limits, _cadical_on, (clauses, conflicts)))
    except TimeUp:
        raise LimitReached(f"cadical took more than {limits.seconds:g} s") from None
    except MemoryUp:
        raise LimitReached(f"cadical used more than {limits.mib} MiB") from None
    except ProcessDied:
        raise LimitReached(f"cadical died: {limits.mib} MiB may not have been enough") from None


def _cadical_on(asked: tuple[Clauses, int | None]) -> list[str] | Model:
    return _cadical(*asked)


def _accepted(clauses: Clauses, found: list[str] | Model) -> Proof | Model:
    """Trim CaDiCaL's proof and let the kernel check it. Raises Disagreement if the proof is rejected."""
    if isinstance(found, Model):
        return found
    try:
        steps = trimmed(len(clauses), found)
        check_proof(clauses, steps)
    except (Rejected, ValueError) as reason:
        raise Disagreement(f"cadical's proof of a question was rejected: {reason}") from None
    return Proof(tuple(steps))


def _cadical(clauses: Clauses, conflicts: int | None) -> list[str] | Model:
    """CaDiCaL's answer: a model, or the lines of its LRAT proof, not yet checked.

    python-sat's method `get_proof` reads only DRUP proofs, which lack the hints of LRAT proofs. So this
    function calls python-sat's C functions. If a given clause is empty, CaDiCaL writes no proof.
    """
    from pysat.solvers import Cadical195, pysolvers

    for number, clause in enumerate(clauses, 1):
        if not clause:
            return [f"{len(clauses) + 1} 0 {number} 0"]
    with TemporaryFile() as trace, Cadical195() as solver:
        # "lucky" tries simple assignments first; most questions here have no model at all
        solver.configure({"lrat": 1, "binary": 0, "lucky": 0})
        opened = pysolvers.cadical195_tracepr(solver.cadical, trace)
        for clause in clauses:
            pysolvers.cadical195_add_cl(solver.cadical, clause)
        if conflicts is not None:
            solver.conf_budget(conflicts)
        found = solver.solve_limited()
        if found is None:
            raise LimitReached("cadical hit its limit of conflicts")
        if found:
            return Model(frozenset(literal for literal in solver.get_model() if literal > 0))
        pysolvers.flushpr(opened)
        trace.seek(0)
        return trace.read().decode("ascii").splitlines()


def trimmed(formula: int, lines: Sequence[str]) -> list[str]:
    """The steps of CaDiCaL's LRAT proof that the empty clause depends on, renumbered for the kernel.

    `formula` is the number of given clauses. A lemma is a clause that CaDiCaL derives. CaDiCaL gives each
    clause an id, and derives lemmas while it still reads given clauses. So the id of the k'th given clause is
    the k'th id that no lemma has. Raises ValueError if the lines do not look like a proof. Time: O(k log k)
    for a proof of k words.

    >>> trimmed(3, ["2 7 0 1 0", "5 d 1 0", "6 3 0 2 4 0", "7 0 6 3 0"])
    ['4 7 0 1 0', '5 3 0 4 3 0', '6 0 5 2 0']
    """
    lemmas = [line.split(" 0") for line in lines if " d " not in line]
    if not lemmas:
        raise ValueError("there are no lemmas")
    names = [lemma.partition(" ")[0] for lemma, _, _ in lemmas]
    used, needed = {names[-1]}, list[tuple[int, list[str], list[str]]]()
    for position in range(len(names) - 1, -1, -1):
        if names[position] in used:
            hints = lemmas[position][1].split()
            used_last = [hint for hint in dict.fromkeys(hints) if hint not in used]
            used.update(used_last)
            needed.append((position, hints, used_last))
    numbers = list(map(int, names))
    ids = {old: f" {int(old) - bisect_left(numbers, int(old))}" for old in used}
    steps, forgotten = list[str](), list[str]()
    for new, (position, hints, used_last) in enumerate(reversed(needed), formula + 1):
        if len(forgotten) >= FORGOTTEN_AT_ONCE:
            steps.append(f"{new - 1} d{''.join(forgotten)} 0")
            forgotten.clear()
        ids[names[position]] = f" {new}"
        _, *literals = lemmas[position][0].partition(" ")
        steps.append(f"{new}{''.join(literals)} 0{''.join([ids[hint] for hint in hints])} 0")
        forgotten += [ids[old] for old in used_last]
    return steps


def digest(clauses: Clauses) -> str:
    """The SHA-256 of the clauses as lines of DIMACS, in order.

    >>> digest([[1, -2]])[:16]
    'fb13edcdfa369c20'
    """
    text = hashlib.sha256()
    for clause in clauses:
        text.update(" ".join(map(str, (*clause, 0))).encode() + b"\n")
    return text.hexdigest()
