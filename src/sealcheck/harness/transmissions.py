"""Message transmissions with every kind of data, which three small claims of the paper are about.

A transmission mt^{i->j} sends a value and stores it.  What may matter: that the content is left
open, a constant, or computed from what the sender has received before, and that it goes into a
variable that later contents are computed from.  Each process has one variable, x.
"""

from collections.abc import Iterator
from itertools import product

from sealcheck.programs.syntax import Expression, Integer, Program, Receive, Send, Sum, Variable, layered
from sealcheck.questions.instance import Instance


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


def transmissions(n: int, messages: int) -> Iterator[Instance]:
    """mt^{1->2}, with every kind of data: one message."""
    if n >= 2 and messages == 1:
        yield from (Instance(n, (there,)) for there in forms(1, 2))


def with_answer(n: int, messages: int) -> Iterator[Instance]:
    """P = mt^{1->2} and Q = mt^{2->1}, with every kind of data: two messages."""
    if n >= 2 and messages == 2:
        yield from (Instance(n, both) for both in product(forms(1, 2), forms(2, 1)))


def exchanges(n: int, messages: int) -> Iterator[Instance]:
    """mt^{1->2}; mt^{2->1}, with every kind of data: two messages."""
    if n >= 2 and messages == 2:
        yield from (Instance(n, (layered(*both),)) for both in product(forms(1, 2), forms(2, 1)))
