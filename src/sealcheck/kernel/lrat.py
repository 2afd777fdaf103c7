"""Check SAT solvers' proofs that clauses contradict each other, in the format LRAT without RAT steps.

A literal is a non-zero number, and -x is the negation of x. A clause is a set of literals, at least one of
which must hold. Clause k of the formula has the id k. A proof is a list of steps, one a line:

    <id> <literal>* 0 <hint>* 0     adds a clause, the *lemma*, under a new id
    <id> d <id>* 0                  forgets clauses; the first id is that of the last lemma

A hint is the id of a clause. The hints must show that the lemma follows from these clauses:

1. Suppose that all literals of the lemma are false. Go through the hints in order.
2. In each clause before the last, exactly one literal is not yet known to be false. This literal is true, so
   its negation is false.
3. In the last clause, all literals are known to be false: a contradiction.

So every assignment that satisfies the formula satisfies each lemma. The last lemma is the empty clause, which
no assignment satisfies. So no assignment satisfies the formula.

The format: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient Certified RAT
Verification", CADE 2017.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from sealcheck.kernel.reading import Rejected

# A number is not 0, has one spelling, and has at most 18 digits. So a line matches in at most one way, in
# linear time. Possessive quantifiers would make this explicit, but Python before 3.11.5 gets them wrong.
_NUMBER = "[1-9][0-9]{0,17}"
_LEMMA = re.compile(f"({_NUMBER})((?: -?{_NUMBER})*) 0((?: {_NUMBER})*) 0")
_DELETION = re.compile(f"({_NUMBER}) d((?: {_NUMBER})*) 0")


def check_proof(clauses: Iterable[Sequence[int]], steps: Iterable[str]) -> int:
    """Check that the steps prove the clauses contradictory; return the number of steps.

    Raises Rejected, naming the first wrong step. The time is linear in the total size of the steps and of the
    clauses that hints name. Memory holds only the clauses that are not forgotten.

    >>> check_proof([[1, 2], [1, -2], [-1]], ["4 1 0 1 2 0", "5 0 4 3 0"])
    2
    >>> check_proof([[1, 2], [1, -2], [-1]], ["4 0 1 0"])
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: step 1: clause 1 has 2 literals left that are not false
    """
    live: dict[str, Iterable[int]] = {str(number): clause for number, clause in enumerate(clauses, 1)}
    last, step, empty = len(live), 0, False
    for step, line in enumerate(steps, 1):
        try:
            if empty:
                raise Rejected("nothing may come after the empty clause")
            if match := _LEMMA.fullmatch(line):
                new, lemma = int(match[1]), frozenset(map(int, match[2].split()))
                if new <= last:
                    raise Rejected(f"the id {new} is not above {last}, the last one")
                _check_lemma(lemma, iter(match[3].split()), live)
                live[match[1]], last, empty = lemma, new, not lemma
            elif match := _DELETION.fullmatch(line):
                if int(match[1]) != last:
                    raise Rejected(f"a deletion must begin with {last}, the last id")
                for old in match[2].split():
                    if live.pop(old, None) is None:
                        raise Rejected(f"there is no clause {old} to delete")
            else:
                raise Rejected(f"{line[:40]!r} is neither a lemma with its hints nor a deletion")
        except Rejected as reason:
            raise Rejected(f"step {step}: {reason}") from None
    if not empty:
        raise Rejected("the proof does not end with the empty clause")
    return step


def _check_lemma(lemma: frozenset[int], hints: Iterator[str], live: dict[str, Iterable[int]]) -> None:
    """Check that a contradiction follows if all literals of the lemma are false."""
    false = set(lemma)
    for hint in hints:
        if (clause := live.get(hint)) is None:
            raise Rejected(f"there is no clause {hint}")
        if not isinstance(clause, frozenset):
            live[hint] = clause = frozenset(clause)  # a clause of the formula; hints name few
        left = clause - false
        if len(left) > 1:
            raise Rejected(f"clause {hint} has {len(left)} literals left that are not false")
        if not left:
            if next(hints, None) is not None:
                raise Rejected(f"clause {hint} is false already, but there are more hints")
            return
        (literal,) = left
        false.add(-literal)
    raise Rejected("the hints do not lead to a clause that is false")
