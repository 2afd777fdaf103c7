"""The signature of a symbolic program: its edges to and from the dummy nodes, as formulas."""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings.paths import LayerPaths
from sealcheck.encodings.program_space import SymbolicMessages, same_channel


class SymbolicSignature:
    """sig(P) of a symbolic program, with a receive and a send node for every message.

    Source: signatures, in section `sec:rel`.
    """

    def __init__(self, program: SymbolicMessages) -> None:
        self.program = program
        self.n, self.processes = program.n, program.processes
        self.reach = LayerPaths(f"{program.name}:path", [program], program.successions())
        self._known: dict[tuple[int, int, int], FNode] = {}

    def reaches_end(self, message: int, process: int) -> FNode:
        """(receive of `message`, Ld_process) in E+."""
        return Symbol(f"{self.program.name}:r{message}~>lst{process}")

    def reached_from_start(self, process: int, message: int) -> FNode:
        """(Fd_process, send of `message`) in E+."""
        return Symbol(f"{self.program.name}:fst{process}~>s{message}")

    def start_reaches_end(self, first: int, second: int) -> FNode:
        """(Fd_first, Ld_second) in E+."""
        return Symbol(f"{self.program.name}:fst{first}~>lst{second}")

    def definition(self) -> FNode:
        """What the three kinds of edges mean, in terms of paths between events."""
        p, path = self.program, self.reach.path_or_same
        to_end = [
            Iff(self.reaches_end(a, k), Or(And(path(p.receives[a], e), p.at(e, k)) for e in p.events))
            for a in p.messages
            for k in p.processes
        ]
        from_start = [
            Iff(self.reached_from_start(k, a), Or(And(path(e, p.sends[a]), p.at(e, k)) for e in p.events))
            for a in p.messages
            for k in p.processes
        ]
        across = [
            self.start_reaches_end(k, i)
            if k == i
            else Iff(
                self.start_reaches_end(k, i),
                Or(And(path(e, f), p.at(e, k), p.at(f, i)) for e in p.events for f in p.events),
            )
            for k in p.processes
            for i in p.processes
        ]
        return And(self.reach.definition(), *to_end, *from_start, *across)

    def is_last(self, message: int) -> FNode:
        """No later message uses the same channel, so this one has the channel's last receive."""
        p = self.program
        return And(Not(same_channel(p, message, p, b)) for b in range(message + 1, p.m))

    def is_first(self, message: int) -> FNode:
        """No earlier message uses the same channel, so this one has the channel's first send."""
        p = self.program
        return And(Not(same_channel(p, message, p, b)) for b in range(message))

    def sender_of(self, message: int, holds: "dict[int, FNode]") -> FNode:
        """What `holds` of the sender of `message`."""
        p = self.program
        return Or(And(p.at(p.sends[message], i), holds[i]) for i in p.processes)

    def has_receive_node(self, message: int) -> FNode:
        """The receive of `message` is a node of sig(P): the last on its channel, not to Ld_sender."""
        closed = self.sender_of(message, {i: self.reaches_end(message, i) for i in self.program.processes})
        return And(self.is_last(message), Not(closed))

    def has_send_node(self, message: int) -> FNode:
        """The send of `message` is a node of sig(P): the first on its channel, not from Fd_receiver."""
        p = self.program
        heard = Or(
            And(p.at(p.receives[message], j), self.reached_from_start(j, message)) for j in p.processes
        )
        return And(self.is_first(message), Not(heard))

    def knows_at_end(self, process: int, sender: int, receiver: int) -> FNode:
        """Every receive on sender->receiver reaches Ld_process; true where there is none."""
        asked = (process, sender, receiver)
        if asked not in self._known:  # criteria mention each of them thousands of times
            self._known[asked] = And(
                Implies(self.is_on(a, sender, receiver), self.reaches_end(a, process))
                for a in self.program.messages
            )
        return self._known[asked]

    def is_on(self, message: int, sender: int, receiver: int) -> FNode:
        """That the message is on sender->receiver."""
        p = self.program
        return And(p.at(p.sends[message], sender), p.at(p.receives[message], receiver))
