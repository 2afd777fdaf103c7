"""One query for a whole level against one query for each program, for lemma GraphCause at n = 3.

Both give the same verdict.  The whole-space query goes to CaDiCaL, the queries about given
programs to z3, each the faster choice for its kind.  Figures are of one run on one machine:
read the growth and the ratios.

    python benchmarks/whole_space.py [most messages]
"""

import sys
import time

from sealcheck.theorems.checking import check_level, check_programs
from sealcheck.theorems.registry import statement


def main() -> None:
    """Print one line for each number of messages."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    lemma = statement("graph-cause")
    print(f"{'messages':>8} {'programs':>9} {'one by one s':>13} {'at once s':>10} {'ratio':>7}")
    for messages in range(1, most + 1):
        start = time.perf_counter()
        singly = check_programs(lemma, 3, messages, 0, solvers=["z3"])
        middle = time.perf_counter()
        at_once = check_level(lemma, lemma.claims[0], 3, messages, solver="cadical")
        end = time.perf_counter()
        assert not singly.refuting
        assert not at_once.refuting
        assert not singly.unknown + at_once.unknown
        ratio = (middle - start) / (end - middle)
        print(
            f"{messages:>8} {singly.checked:>9} {middle - start:>13.2f} {end - middle:>10.3f} {ratio:>7.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
