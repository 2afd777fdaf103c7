"""Small programs of the whole language, alone and in tuples, and transmissions with data.

Programs are built of atoms by layering, choice and repetition. `atoms` lists the atoms; their only variable
is x of process 1. The size of a program is its number of atoms and repetitions. Programs that deadlock or
never occur are included.

Of programs that are equal by general laws, such as eps;P = P, only one is built. So eps occurs only alone or
as an alternative of a choice. The alternatives of a choice are different and sorted, and the body of a
repetition is no repetition.

A transmission mt^{i->j} is a send and its receive. Its value is left open, or is 1, x or x + 1, where x is a
variable of the sender. If the value is not left open, the receiver stores it in its own variable x.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, product
from typing import assert_never

from sealcheck.language.printer import show
from sealcheck.programs.straight_line import Renaming, channels
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Equal,
    Expression,
    Guard,
    Integer,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    Sum,
    Variable,
    communications,
    is_transmission,
    layered,
    mt,
    named,
    variables,
)
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Bounded, Listed, shared_out

X = Variable(1, "x")

SIZE = "atoms and repetitions"
"""The unit of sizes. The bound on messages bounds the size of small programs."""

LARGEST = {1: 3, 2: 2, 3: 1}
"""For each n, the largest size of tuples built of all atoms. Larger tuples have transmissions only."""


@lru_cache(maxsize=8)
def atoms(n: int) -> tuple[Program, ...]:
    """The atoms over the processes 1..n, but for eps.

    >>> "   ".join(map(show, atoms(2)[3:]))
    'snd 2->1   rcv 1<-2   mt 2->1   rcv 1<-2 (x)   1.x := 1   [1.x = 0]   cut'
    """
    found: list[Program] = []
    for sender, receiver in channels(n):
        found += [Send(sender, receiver), Receive(receiver, sender), mt(sender, receiver)]
    found += [Receive(1, sender, X) for sender in range(2, n + 1)]
    return (*found, Assignment(X, Integer(1)), Guard(Equal(X, Integer(0))), Cut())


@lru_cache(maxsize=8)
def transmission_atoms(n: int) -> tuple[Program, ...]:
    """The atoms that are transmissions, mt for every channel."""
    return tuple(mt(*channel) for channel in channels(n))


@lru_cache(maxsize=64)
def built_of(chosen: tuple[Program, ...], size: int) -> tuple[Program, ...]:
    """All programs of this size, built of the chosen atoms. Exponential in the size.

    >>> [show(program) for program in built_of((Cut(),), 2)]
    ['cut; cut', 'cut + eps', '(cut)*']
    >>> [len(built_of(atoms(2), size)) for size in range(3)]
    [1, 10, 163]
    """
    if size == 0:
        return (Eps(),)
    if size == 1:
        return chosen
    bodies = (body for body in built_of(chosen, size - 1) if not isinstance(body, Repetition))
    return (*_layerings(chosen, size), *_choices(chosen, size), *map(Repetition, bodies))


def _layerings(chosen: tuple[Program, ...], size: int) -> Iterator[Program]:
    for count in range(2, size + 1):
        for sizes in shared_out(size, count, 1):
            kinds = [[p for p in built_of(chosen, s) if s == 1 or not isinstance(p, Layering)] for s in sizes]
            for parts in product(*kinds):
                if not any(map(is_transmission, pairwise(parts))):
                    yield layered(*parts)


def _choices(chosen: tuple[Program, ...], size: int) -> Iterator[Program]:
    for count in range(2, size + 1):
        for sizes in shared_out(size, count, 1):
            for found in product(*(_alternatives(chosen, s) for s in sizes)):
                if all(show(first) < show(second) for first, second in pairwise(found)):
                    yield Choice(found)


def _alternatives(chosen: tuple[Program, ...], size: int) -> list[Program]:
    found: list[Program] = [Eps()] if size == 1 else []
    return [*found, *(p for p in built_of(chosen, size) if not isinstance(p, Choice))]


def renamed(program: Program, renaming: Renaming) -> Program:
    """The program with process i renamed to renaming[i - 1]. The variable stays that of process 1.

    >>> from sealcheck.language.parser import parse
    >>> show(renamed(parse("(mt 1->2 + cut)*"), (2, 1)))
    '(cut + mt 2->1)*'
    """
    match program:
        case Send(sender, receiver):
            return Send(renaming[sender - 1], renaming[receiver - 1])
        case Receive(receiver, sender, variable):
            return Receive(renaming[receiver - 1], renaming[sender - 1], variable)
        case Layering(parts):
            return Layering(tuple(renamed(part, renaming) for part in parts))
        case Choice(alternatives):
            return Choice(tuple(sorted((renamed(a, renaming) for a in alternatives), key=show)))
        case Repetition(body):
            return Repetition(renamed(body, renaming))
        case Eps() | Assignment() | Guard() | Cut():
            return program
        case _:
            assert_never(program)


def has_data(program: Program) -> bool:
    """Whether the program mentions the variable."""
    return bool(variables(program))


def has_lone_receive(program: Program) -> bool:
    """Whether some receive of the program does not directly follow its send.

    >>> from sealcheck.language.parser import parse
    >>> [has_lone_receive(parse(text)) for text in ("mt 1->2; mt 2->1", "eps + rcv 2<-1")]
    [False, True]
    """
    match program:
        case Layering(parts):
            follows = (False, *map(is_transmission, pairwise(parts)))
            return any(
                has_lone_receive(part) and not at_once for part, at_once in zip(parts, follows, strict=True)
            )
        case Choice(alternatives):
            return any(map(has_lone_receive, alternatives))
        case Repetition(body):
            return has_lone_receive(body)
        case Receive():
            return True
        case Eps() | Assignment() | Send() | Guard() | Cut():
            return False
        case _:
            assert_never(program)


def partners(program: Program) -> frozenset[int]:
    """The processes at either end of a channel that the program uses.

    >>> sorted(partners(layered(Send(1, 3), Cut())))
    [1, 3]
    """
    return frozenset(process for event in communications(program) for process in named(event))


def tuples(n: int, size: int, length: int) -> Iterator[Instance]:
    """All tuples of `length` programs with sizes that add up to `size`, up to renaming of processes.

    Tuples larger than `LARGEST` are built of `transmission_atoms`. With three processes or more, each process
    communicates.

    >>> [sum(1 for _ in tuples(2, size, 2)) for size in range(4)]
    [1, 14, 326, 74]
    """
    chosen = atoms(n) if size <= LARGEST.get(n, 0) else transmission_atoms(n)
    for sizes in shared_out(size, length):
        for programs in product(*(built_of(chosen, s) for s in sizes)):
            if (n < 3 or len(partners(layered(*programs))) == n) and is_least(n, programs):
                yield Instance(n, programs)


def triples(n: int, size: int) -> Iterator[Instance]:
    """Triples of programs. From size 3, they contain mt 1->2 and mt 2->1, so that some seal others."""
    there_and_back = {mt(1, 2), mt(2, 1)}
    return (i for i in tuples(n, size, 3) if size < 3 or there_and_back <= set(i.programs))


LARGER_TRIPLES = "triples of size 3 and 4 contain mt 1->2 and mt 2->1"


def is_least(n: int, programs: Sequence[Program]) -> bool:
    """Whether no renaming makes a smaller tuple. Renamings keep the process that has the variable."""
    has_variable = any(map(has_data, programs))
    unchanged, *others = permutations(range(1, n + 1))
    texts = [_text(p, unchanged) for p in programs]
    return not any(
        (renaming[0] == 1 or not has_variable) and [_text(p, renaming) for p in programs] < texts
        for renaming in others
    )


@lru_cache(maxsize=1 << 14)
def _text(program: Program, renaming: Renaming) -> str:
    """The text of the renamed program, cached for all tuples."""
    return show(renamed(program, renaming))


LARGEST_WITH_DATA = 2


def single_programs(n: int, size: int) -> Iterator[Instance]:
    """All programs of this size. With three processes or more, each process communicates.

    Programs larger than `LARGEST_WITH_DATA` have no data.

    >>> [sum(1 for _ in single_programs(2, size)) for size in range(3)]
    [1, 7, 125]
    """
    with_data = size <= LARGEST_WITH_DATA
    for program in built_of(tuple(atom for atom in atoms(n) if with_data or not has_data(atom)), size):
        if (n < 3 or len(partners(program)) == n) and is_least(n, (program,)):
            yield Instance(n, (program,))


SINGLE = Bounded(Listed("small programs", single_programs), {1: 3, 2: 3, 3: 2})
"""The small programs, up to sizes at which checks take seconds."""

SINGLE_LIMIT = (
    "the size of a program is its number of atoms and repetitions. Programs of size 3 or less are checked at"
    " n = 1 and 2; at n = 3, programs of size 2 or less in which every process communicates. The size is also"
    " at most the bound on messages. Atoms are snd, rcv and mt on every channel, and cut. Programs of size 2"
    " or less may also contain a receive of process 1 into its variable x, 1.x := 1, and [1.x = 0]. An"
    " alternative of a choice may also be eps"
)


def forms(sender: int, receiver: int) -> list[Program]:
    """mt^{sender->receiver} without data, and with a constant, a variable and a sum as content.

    >>> from sealcheck.language.printer import show
    >>> [show(form) for form in forms(1, 2)]
    ['mt 1->2', 'mt 1->2 (1 -> x)', 'mt 1->2 (x -> x)', 'mt 1->2 (x + 1 -> x)']
    """
    own, other = Variable(sender, "x"), Variable(receiver, "x")
    contents: list[Expression] = [Integer(1), own, Sum((own, Integer(1)))]
    plain = layered(Send(sender, receiver), Receive(receiver, sender))
    with_data = [layered(Send(sender, receiver, e), Receive(receiver, sender, other)) for e in contents]
    return [plain, *with_data]


CONTENTS = (
    "the value of a message is left open, or is 1, x or x + 1, where x is the sender's variable. If it is not"
    " left open, the receiver stores it in its own variable x"
)
VALUES = (
    "in the executions that one oracle lists, one event happens before or after the program, and variables"
    " start as 0 or 1. Solvers let variables start as any integers"
)


def transmissions(n: int, messages: int) -> Iterator[Instance]:
    """The transmissions mt^{1->2}, with every kind of data."""
    if n >= 2 and messages == 1:
        yield from (Instance(n, (there,)) for there in forms(1, 2))


def to_oneself(n: int, messages: int) -> Iterator[Instance]:
    """The transmission mt^{1->1}."""
    if messages == 1:
        yield Instance(n, (mt(1, 1),))


def with_answer(n: int, messages: int) -> Iterator[Instance]:
    """The pairs of P = mt^{1->2} and Q = mt^{2->1}, with every kind of data."""
    if n >= 2 and messages == 2:
        yield from (Instance(n, both) for both in product(forms(1, 2), forms(2, 1)))


def exchanges(n: int, messages: int) -> Iterator[Instance]:
    """The programs mt^{1->2}; mt^{2->1}, with every kind of data."""
    if n >= 2 and messages == 2:
        yield from (Instance(n, (layered(*both),)) for both in product(forms(1, 2), forms(2, 1)))
