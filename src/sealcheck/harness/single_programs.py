"""Single small programs of the whole language, up to renaming: larger ones than there are tuples of."""

from collections.abc import Iterator

from sealcheck.harness.domains import Bounded, Listed
from sealcheck.harness.small_programs import atoms, built_of, has_data, is_least, partners
from sealcheck.questions.instance import Instance

LARGEST_WITH_DATA = 2


def single_programs(n: int, size: int) -> Iterator[Instance]:
    """All programs of this size; of three processes and more each one takes part in a communication.

    Beyond `LARGEST_WITH_DATA` they have no data.

    >>> [sum(1 for _ in single_programs(2, size)) for size in range(3)]
    [1, 7, 125]
    """
    with_data = size <= LARGEST_WITH_DATA
    for program in built_of(tuple(atom for atom in atoms(n) if with_data or not has_data(atom)), size):
        if (n < 3 or len(partners(program)) == n) and is_least(n, (program,)):
            yield Instance(n, (program,))


SINGLE = Bounded(Listed("small programs", single_programs), {1: 3, 2: 3, 3: 2})
"""As far as a statement about one program goes in seconds."""

SINGLE_LIMIT = (
    "the bound on messages is one on atoms and repetitions, of which there are up to 3 at n = 1 and 2, and up"
    " to 2 at n = 3; atoms are snd, rcv and mt on every channel, cut, and, in programs of up to 2, a receive"
    " of process 1 into its variable x, 1.x := 1, and [1.x = 0]; eps is an alternative in choices"
)
"""What that is, for people."""
