"""`l:seal.algebra`, item 2: if S and S' seal P, then S + S' (properly) seals P.

Reading      as printed without the word in brackets, and with it, in the conclusion only: S + S'
             properly seals P.  A seal is proper if it never diverges after P, that is, has no
             occurrence that starts at a silent cut at the end of one of ≀P, and goes on for ever.
             That is decided here by three iterations of a repetition, each with an event: the
             programs are so small that what can be done three times can be done for ever, and that
             nothing can follow a repetition which goes on for ever.
Refutation   a program and two seals of which one diverges: their choice may, too.
Repaired     S + S' seals P, and properly exactly if both S and S' do.
Not claimed  larger programs, for which three iterations would show nothing about infinitely many.
"""

from collections.abc import Iterator

from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.notions import Refinement, seals
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    layered,
)
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.laws import LIMITS, NOT_NEEDED, Holds, Law, Setting, named, played, sizes, solved_by
from sealcheck.theorems.refining import NEVER, syntax
from sealcheck.theorems.seal_algebra import LARGER, triples
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

ITEM_2 = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(p, r)),
    conclusions=lambda p, q, r: (seals(p, Choice((q, r))),),
)


def with_event(program: Program) -> list[Program]:
    """Programs that between them occur where the program does with at least one event.

    >>> from sealcheck.language.parser import parse
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
        case _:
            return []


def thrice(program: Program) -> list[Program]:
    """The program with a repetition at its end done three times, for each that may go on for ever.

    >>> from sealcheck.language.parser import parse
    >>> [show(p) for p in thrice(parse("cut; (1.x := 1)* + (cut)*"))]
    ['cut; 1.x := 1; 1.x := 1; 1.x := 1']
    """
    match program:
        case Layering(parts):
            return [layered(*parts[:-1], found) for found in thrice(parts[-1])]
        case Choice(alternatives):
            return [found for alternative in alternatives for found in thrice(alternative)]
        case Repetition(body):
            return [layered(found, found, found) for found in with_event(body)]
        case _:
            return []


def finishes(p: Program, s: Program) -> tuple[Refinement, ...]:
    """That S never diverges after P: what goes on for ever occurs nowhere after ≀P≀."""
    return tuple((layered(Cut(), p, Cut(), found), NEVER) for found in thrice(s))


def _proper(instance: Instance, seal: Program, settings: tuple[Setting, ...], holds: Holds) -> set[Setting]:
    """The settings in which a program never diverges after P."""
    p, *_ = syntax(instance)
    return {s for s in settings if all(holds(sides, instance.n, s) for sides in finishes(p, seal))}


def _truth(instance: Instance, holds: Holds) -> Truth:
    """Where Q and R seal P; where, of these, Q + R does; and where it does so properly."""
    met = ITEM_2.met(instance, holds)
    if not met:
        return VACUOUS
    _, q, r = syntax(instance)
    sealed = tuple(s for s in met if not ITEM_2.fails(instance, s, holds))
    proper = _proper(instance, Choice((q, r)), sealed, holds)
    return named(met), named(sealed), named(s for s in sealed if s in proper)


def when_played(instance: Instance) -> Truth:
    """By playing."""
    return _truth(instance, played)


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """By solving."""
    return _truth(instance, solved_by(solver))


def printed(instance: Instance) -> Truth:
    """Q + R seals P properly wherever Q and R seal it."""
    met = named(ITEM_2.met(instance, played))
    return met, met, met


def without_brackets(instance: Instance) -> Truth:
    """Q + R seals P wherever Q and R do; nothing is said of properness, so that is as it is."""
    met = named(ITEM_2.met(instance, played))
    found = when_played(instance)
    return (met, met, found[2]) if isinstance(found, tuple) else found


def repaired(instance: Instance) -> Truth:
    """Q + R seals P wherever both do, and properly where both do so properly."""
    met = ITEM_2.met(instance, played)
    _, q, r = syntax(instance)
    both = _proper(instance, q, met, played) & _proper(instance, r, met, played)
    return named(met), named(met), named(s for s in met if s in both)


def alternatives_last(n: int, size: int) -> Iterator[Instance]:
    """Triples of which the last two, which are to be alternatives, are different and in order."""
    return (i for i in triples(n, size) if i.texts[1] < i.texts[2])


def _story(instance: Instance) -> str:
    _, q, r = syntax(instance)
    met = ITEM_2.met(instance, played)
    if any(ITEM_2.fails(instance, s, played) for s in met):
        return ITEM_2.story(instance)
    lines = ["Q seals P, R seals P, and so does Q + R"]
    for seal in (q, r):
        if len(_proper(instance, seal, met, played)) < len(met):
            lines.append(f"{show(seal)} can go on for ever after P, and so can Q + R: it is no proper seal")
    return "\n".join(lines)


MOST = {1: 2, 2: 4, 3: 2}

STATEMENT = Statement(
    id="seal-algebra-2",
    label="l:seal.algebra, 2",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "if Q and R seal P, then Q + R seals P",
            predicts=without_brackets,
            story=_story,
        ),
        Claim(
            Form.AS_PRINTED,
            "if Q and R seal P, then Q + R properly seals P (the word in brackets)",
            predicts=printed,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "if Q and R seal P, then Q + R seals P, and properly exactly if both Q and R do",
            predicts=repaired,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("Q seals P", ITEM_2.dropping(0).broken(alternatives_last)),
        Hypothesis("R seals P", ITEM_2.dropping(1).broken(alternatives_last)),
        *NOT_NEEDED,
    ),
    domain=Capped(Listed("triples of programs", alternatives_last), MOST),
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        sizes(MOST),
        LARGER,
        "what goes on for ever is told by three iterations with an event, which is enough for these programs",
        *LIMITS,
    ),
    per_shard=40,
)
