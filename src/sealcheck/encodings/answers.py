"""Answers as text, so that they can be given again without a solver, and checked each time.

An answer is a line ``sat`` with the variables that are true, or a line ``unsat N``, and then the N steps of
an LRAT proof.
"""

from collections.abc import Iterator

from sealcheck.encodings.proofs import Clauses, Model, Proof, refutation
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.rejected import Rejected


class Recorder:
    """Answers with CaDiCaL's help, and keeps what it said in `lines`.

    >>> recorder = Recorder()
    >>> recorder([[1, 2], [-2]])
    Model(true=frozenset({1}))
    >>> recorder([[1], [-1]])
    Proof(steps=('3 0 1 2 0',))
    >>> recorder.lines
    ['sat 1', 'unsat 1', '3 0 1 2 0']
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, clauses: Clauses) -> Proof | Model:
        """Answer, and keep the answer."""
        found = refutation(clauses)
        match found:
            case Model(true):
                self.lines.append(" ".join(map(str, ("sat", *sorted(true)))))
            case Proof(steps):
                self.lines += [f"unsat {len(steps)}", *steps]
        return found


class Replayer:
    """Answers with what was kept, which must hold of the clauses that are now asked about.

    >>> Replayer(iter(["sat 1"]))([[1, 2], [2, -1]])
    Traceback (most recent call last):
    sealcheck.kernel.rejected.Rejected: the answer 'sat 1' does not satisfy what is asked
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def __call__(self, clauses: Clauses) -> Proof | Model:
        """Give the next answer.  Raises Rejected where it does not hold."""
        line = next(self._lines, "")
        word, *numbers = line.split(" ")
        try:
            values = [int(number) for number in numbers]
        except ValueError:
            values, word = [], ""
        if word == "sat":
            true = frozenset(values)
            if all(any(x in true if x > 0 else -x not in true for x in clause) for clause in clauses):
                return Model(true)
            raise Rejected(f"the answer '{line[:40]}' does not satisfy what is asked")
        if word != "unsat" or len(values) != 1:
            raise Rejected(f"'{line[:40]}' is no answer")
        steps = [step for _, step in zip(range(values[0]), self._lines, strict=False)]
        check_proof(clauses, steps)
        return Proof(tuple(steps))
