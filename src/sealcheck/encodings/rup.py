"""From what a SAT solver writes down to a proof that is easy to check: DRUP to LRAT.

A DRUP proof (Goldberg and Novikov 2003) lists clauses, each of which follows from those before by unit
propagation; it does not say how.  As DRAT-trim does (Wetzler, Heule and Hunt 2014), the clauses are
gone through backwards from the contradiction, and only those that it needs are checked; what
each check used become its hints.  Literals that hold without any assumption become clauses of their
own, so that they are derived once.  What comes out is not trusted: the kernel checks it.
"""

from collections.abc import Iterable, Sequence


class _Propagation:
    """Two-literal watching over a formula and its lemmas, which are undone last first.

    A literal x is kept as the number 2 |x|, plus 1 if it is negative; its negation differs in the last bit.
    """

    def __init__(self, formula: Iterable[Sequence[int]], lemmas: Iterable[Sequence[int]]) -> None:
        self.clauses: list[list[int]] = [[]]  # clause 0 stands for none
        given, learnt = list(formula), list(lemmas)
        literals = (
            2 * max((abs(literal) for clause in (*given, *learnt) for literal in clause), default=0) + 2
        )
        self.value = bytearray(literals)  # 1 if the literal holds, 2 if its negation does
        self.watches: list[list[int]] = [[] for _ in range(literals)]
        self.reason = [0] * literals
        self.trail: list[int] = []
        self.conflict = 0
        self.starts: list[int] = []  # for the formula and each lemma, the length of the trail before it
        self._add_all(given, learnt)

    def _add_all(self, given: Sequence[Sequence[int]], learnt: Sequence[Sequence[int]]) -> None:
        self.starts.append(0)
        for clause in given:
            self._attach(clause)
        self.conflict = self.conflict or self.propagate(0)
        for clause in learnt:
            if self.conflict:
                break
            self.starts.append(len(self.trail))
            head = len(self.trail)
            self._attach(clause)
            self.conflict = self.conflict or self.propagate(head)

    def _attach(self, clause: Sequence[int]) -> None:
        """Add a clause; what it implies at once is put on the trail."""
        literals = [2 * abs(x) + (x < 0) for x in dict.fromkeys(clause)]
        literals.sort(key=lambda literal: self.value[literal] == 2)  # those that are not false first
        number = len(self.clauses)
        self.clauses.append(literals)
        if any(literal ^ 1 in literals for literal in literals):
            return
        if len(literals) > 1:
            self.watches[literals[0]].append(number)
            self.watches[literals[1]].append(number)
        if not literals or self.value[literals[0]] == 2:
            self.conflict = self.conflict or number
        elif (len(literals) == 1 or self.value[literals[1]] == 2) and not self.value[literals[0]]:
            self.hold(literals[0], number)

    def hold(self, literal: int, reason: int) -> None:
        """Put a literal on the trail, for this reason or, if 0, as an assumption."""
        self.value[literal], self.value[literal ^ 1] = 1, 2
        self.reason[literal] = reason
        self.trail.append(literal)

    def propagate(self, head: int) -> int:
        """Put on the trail all that follows from what is on it from `head` on; a false clause, or 0."""
        value, trail, watches, clauses, reason = (
            self.value,
            self.trail,
            self.watches,
            self.clauses,
            self.reason,
        )
        alive = len(clauses)
        while head < len(trail):
            false = trail[head] ^ 1
            head += 1
            watching = watches[false]
            kept = 0
            for position, number in enumerate(watching):
                if number >= alive:  # the lemma has been undone
                    continue
                literals = clauses[number]
                if literals[0] == false:
                    literals[0], literals[1] = literals[1], false
                first = literals[0]
                if value[first] != 1:
                    for k in range(2, len(literals)):
                        other = literals[k]
                        if value[other] != 2:
                            literals[1], literals[k] = other, false
                            watches[other].append(number)
                            break
                    else:
                        watching[kept] = number
                        kept += 1
                        if value[first] == 2:
                            watching[kept:] = watching[position + 1 :]
                            return number
                        value[first], value[first ^ 1] = 1, 2
                        reason[first] = number
                        trail.append(first)
                    continue
                watching[kept] = number
                kept += 1
            del watching[kept:]
        return 0

    def undo(self, length: int) -> None:
        """Forget what is on the trail from `length` on."""
        value = self.value
        for literal in self.trail[length:]:
            value[literal] = value[literal ^ 1] = 0
        del self.trail[length:]


class _Explanation:
    """Which clauses and literals are needed, and why they follow; last things first.

    A clause is known by its number, a literal that holds without assumptions by minus its code.
    """

    def __init__(self, state: _Propagation) -> None:
        self.state = state
        self.needed: set[int] = set()
        self.steps: list[tuple[int, list[int], list[int]]] = []  # name, literals, names of the hints

    def explain(self, name: int, literals: list[int], conflict: int, assumed_from: int) -> None:
        """Note why the clause `conflict` is false; what is on the trail before `assumed_from` holds."""
        state = self.state
        used = {literal ^ 1 for literal in state.clauses[conflict]}
        hints = [conflict]
        for literal in reversed(state.trail[assumed_from:]):
            if literal in used:
                used.remove(literal)
                if reason := state.reason[literal]:
                    hints.append(reason)
                    used.update(other ^ 1 for other in state.clauses[reason] if other != literal)
        hints.extend(map(self._unit, used))
        self._note(name, literals, hints[::-1])

    def _unit(self, literal: int) -> int:
        """The name of the clause that consists of a literal that holds without assumptions."""
        reason = self.state.reason[literal]
        return reason if len(self.state.clauses[reason]) == 1 else -literal

    def _note(self, name: int, literals: list[int], hints: list[int]) -> None:
        self.needed.update(hints)
        self.steps.append((name, literals, hints))

    def settle(self) -> None:
        """Note why the needed literals of the last segment of the trail hold, and undo it."""
        state = self.state
        start = state.starts.pop()
        for literal in reversed(state.trail[start:]):
            if -literal in self.needed:
                reason = state.reason[literal]
                others = [self._unit(other ^ 1) for other in state.clauses[reason] if other != literal]
                self._note(-literal, [literal], [*others, reason])
        state.undo(start)

    def check_lemma(self, name: int, literals: list[int]) -> None:
        """Assume a lemma false, and note which clauses contradict that."""
        state = self.state
        length = len(state.trail)
        for literal in literals:
            if state.value[literal] == 1:
                self._note(name, literals, [self._unit(literal)])
                state.undo(length)
                return
            if not state.value[literal]:
                state.hold(literal ^ 1, 0)
        conflict = state.propagate(length)
        if not conflict:
            raise ValueError(f"lemma {name} does not follow by unit propagation")
        self.explain(name, literals, conflict, length)
        state.undo(length)

    def written(self, formula: int) -> list[str]:
        """The steps in the order in which they follow, with ids from `formula` + 1 on."""
        ids = {number: number for number in range(1, formula + 1)}
        lines = []
        for new, (name, literals, hints) in enumerate(reversed(self.steps), formula + 1):
            ids[name] = new
            clause = "".join(f"{-(code >> 1) if code & 1 else code >> 1} " for code in literals)
            lines.append(f"{new} {clause}0 {''.join(f'{ids[hint]} ' for hint in hints)}0")
        return lines


def elaborate(formula: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]]) -> list[str]:
    """An LRAT proof that `formula` is contradictory, with as few of the `lemmas` as it needs.

    Raises ValueError where the lemmas do not lead to a contradiction by unit propagation.

    >>> elaborate([[1, 2], [1, -2], [-1, 2], [-1, -2]], [[1]])
    ['5 1 0 1 2 0', '6 2 0 5 3 0', '7 0 6 5 4 0']
    """
    state = _Propagation(formula, lemmas)
    if not state.conflict:
        raise ValueError("the lemmas do not lead to a contradiction")
    explanation = _Explanation(state)
    explanation.explain(0, [], state.conflict, len(state.trail))
    while len(state.starts) > 1:
        explanation.settle()
        name = len(state.clauses) - 1
        lemma = state.clauses.pop()
        if name in explanation.needed:
            explanation.check_lemma(name, lemma)
    explanation.settle()
    return explanation.written(len(formula))
