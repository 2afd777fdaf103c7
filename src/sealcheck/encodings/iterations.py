"""Several iterations of a repetition, as programs without it: what a solver is asked about going on."""

from typing import assert_never

from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    layered,
)


def with_event(program: Program) -> list[Program]:
    """Programs that between them occur where the program does with at least one event.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.language.printer import show
    >>> [show(p) for p in with_event(parse("cut; (snd 1->2 + eps)"))]
    ['cut; snd 1->2']
    """
    match program:
        case Assignment() | Send() | Receive():
            return [program]
        case Layering(parts):
            return [
                layered(*parts[:k], part, *parts[k + 1 :])
                for k in range(len(parts))
                for part in with_event(parts[k])
            ]
        case Choice(alternatives):
            return [found for alternative in alternatives for found in with_event(alternative)]
        case Repetition(body):
            return [layered(program, found, program) for found in with_event(body)]
        case Eps() | Guard() | Cut():
            return []
        case _:
            assert_never(program)


def iterated(program: Program, count: int) -> list[Program]:
    """The program up to the end of `count` iterations, each with an event, of each repetition at its end.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.language.printer import show
    >>> [show(p) for p in iterated(parse("cut; (1.x := 1)* + (cut)*"), 2)]
    ['cut; 1.x := 1; 1.x := 1']
    """
    match program:
        case Layering(parts):
            return [layered(*parts[:-1], found) for found in iterated(parts[-1], count)]
        case Choice(alternatives):
            return [found for alternative in alternatives for found in iterated(alternative, count)]
        case Repetition(body):
            inner = [layered(program, found) for found in iterated(body, count)]
            return [layered(*([found] * count)) for found in with_event(body)] + inner
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut():
            return []
        case _:
            assert_never(program)
