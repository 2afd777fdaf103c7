"""Statements of your own that predict answers, checked like the paper's statements.

A *conjecture* is a function that predicts the answers to a question.  The question is about one or two
programs, or about layers over ports (`sealcheck.programs.ports`).

A conjecture may also have a formula, which must be true exactly if the function predicts yes.  A *level* is
all programs of n processes with m messages.  For each level, a solver looks for a program for which the
formula does not agree with the right answer.
"""

import shlex
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Not

from sealcheck.api.asking import seal, seals
from sealcheck.api.layers import Layers, options
from sealcheck.api.programs import Program, program, typed
from sealcheck.encodings.sealing import PairOfPrograms, met_but_crossed
from sealcheck.encodings.solving import Answer
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.operations.result import Result, table
from sealcheck.programs.port_space import Renaming, renamings
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.space import up_to
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.asking import question
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.questions.phases import INTERFERENCE, as_run
from sealcheck.questions.ports import INTERFERING_PORTS, PORT_PHASES
from sealcheck.questions.question import BOOLEAN, NUMBER, NUMBER_OR_NONE, PORTS, Question
from sealcheck.questions.straight_lines import BSL, COMPLETE, STRAIGHT
from sealcheck.theorems.checking.check import check_instances, inline
from sealcheck.theorems.checking.domains import Bounded, Listed
from sealcheck.theorems.checking.statement import Ask, Claim, Outcome, Query, Statement, Tally, total
from sealcheck.theorems.checking.statement import Verdict as Level
from sealcheck.theorems.checking.targets import OVER_PORTS, PAIRS, PROGRAMS, canonical_port_instances
from sealcheck.theorems.checking.targets import Domain as Space
from sealcheck.theorems.checking.verdicts import verdict_on
from sealcheck.theorems.section4.sealability import sealed_run
from sealcheck.theorems.section4.sealability import whole_space as about_sealable
from sealcheck.words import counted

Formula = Callable[[Any], Any]
"""Makes a pySMT formula from a symbolic program (`SymbolicCriteria`) or a pair (`PairOfPrograms`)."""

Queries = Callable[[int, int], Iterator[Query]]


def _about_is_seal(formula: Formula, n: int, m: int) -> Iterator[Query]:
    """Queries for pairs that refute a prediction about is-seal.

    A message crosses the end of P if its send or its receive is in P, but not both.  A predicted yes is
    refuted by a run in which a message crosses the end of P.  A predicted no is refuted if the criterion of
    `th:decide.sealing` says yes.
    """
    for of_p in range(m + 1):
        pair = PairOfPrograms(n, of_p, m - of_p)

        def instance(answer: Answer, pair: PairOfPrograms = pair) -> Instance:
            return Instance.of(*pair.decoded(answer))

        query = partial(Query, instance=instance, split=pair.channel_splits)
        crossed = partial(met_but_crossed, pair, criterion=formula)
        yield query(f"{pair}: predicted, not a seal", crossed)
        yield query(f"{pair}: not predicted, a seal", partial(_missed, formula, pair))


def _missed(formula: Formula, pair: PairOfPrograms) -> list[FNode]:
    well_formed = [pair.p.well_formed(), pair.q.well_formed(), *pair.constraints()]
    return [*well_formed, pair.criterion(), Not(formula(pair))]


_BY_QUESTION: dict[str, Callable[[Formula, int, int], Iterator[Query]]] = {
    "sealable": about_sealable,
    "is-seal": _about_is_seal,
}
"""For each question that a formula can predict, the function that makes the queries about a level."""


RunOfLayers = tuple[Run, tuple[StraightLine, ...]]


@dataclass(frozen=True)
class Answered:
    """How a question is answered with evidence, in Python and on the command line."""

    asked: Callable[..., Result]
    answer: Callable[[Result], Any]
    command: tuple[str, ...]
    run: Callable[[Instance, Ask], RunOfLayers | Instance | None]
    """The run that shows the answer, and the layers.  Over ports, only the layers.  None if no run exists."""


def _of_both(instance: Instance, ask: Ask) -> RunOfLayers:
    """A run of P;Q in which a message crosses the end of P.  If there is none, a FIFO run."""
    p, q = instance.straight
    steps = ask(INTERFERENCE, instance)
    return (fifo_run(p.then(q)) if steps is None else as_run(instance.n, steps)), (p, q)


def _stay_apart(*parts: Any) -> Result:
    return Layers(*parts).answer()


def _the_layers(instance: Instance, ask: Ask) -> Instance:
    return instance


ANSWERED = {
    "is-seal": Answered(seals, bool, ("decide",), _of_both),
    "sealable": Answered(seal, bool, ("seal",), sealed_run),
    "minimal-seal": Answered(
        partial(seal, minimal=True),
        lambda found: found.to_json()["messages"],
        ("seal", "--minimal"),
        sealed_run,
    ),
    PORT_PHASES.id: Answered(_stay_apart, bool, ("phases",), _the_layers),
    INTERFERING_PORTS.id: Answered(
        _stay_apart,
        lambda found: {each["port"] for each in found.to_json()["interfering"]},
        ("phases",),
        _the_layers,
    ),
}

ABOUT_PORTS = (PORT_PHASES, INTERFERING_PORTS)
MOST_OVER_PORTS = {1: 3, 2: 3, 3: 2, 4: 2}
"""For each number of processes, the most messages of layers over ports."""
SPACE = replace(
    OVER_PORTS, up_to_renaming=Listed("layers over ports", canonical_port_instances), most=MOST_OVER_PORTS
)
AUDITED = Bounded(SPACE.up_to_renaming, dict.fromkeys(MOST_OVER_PORTS, SPACE.usual))
LIMIT = f"layers of up to {max(MOST_OVER_PORTS)} processes and {counted(SPACE.usual, 'message')} in all"

Prediction = Callable[..., Any]
"""Predicts the answer for programs, or for the fields of `Layers`, as described in `conjecture`."""

SAME_WHEN_RENAMED = (BOOLEAN, NUMBER, NUMBER_OR_NONE)
"""Types of answers that do not change if processes are renamed."""


Change = Callable[..., Layers]
"""A function that gets the fields of `Layers`, and returns changed `Layers`."""


class _Compared(NamedTuple):
    """A prediction and the answer."""

    about: Instance
    """The instance that the prediction is about."""
    asked: Instance
    """The instance in the question: `about`, or the layers that a `Change` makes of `about`."""
    predicted: Any
    answer: Any

    def __str__(self) -> str:
        """The instance in the question.  If a `Change` made this instance, the original is named, too."""
        return str(self.asked) if self.asked == self.about else f"{self.asked}, made of {self.about}"


@dataclass(frozen=True, eq=False)
class Conjecture:
    """A prediction, and the question whose answers it predicts."""

    id: str
    text: str
    prediction: Prediction
    question: Question[Any]
    whole_space: Queries | None = None
    of: Change | None = None

    @property
    def statement(self) -> Statement:
        """The conjecture as a statement like those of the paper."""
        claim = Claim(
            self.text,
            check=self._check,
            whole_space=self.whole_space,
            explain=lambda instance, ask: "\n".join(self._wrong(instance, ask)),
            run=self._run,
        )
        return Statement(
            self.id,
            "",
            (claim,),
            domain=AUDITED if self.is_over_ports else self.space.up_to_renaming,
            questions=(self.question,),
            limits=(LIMIT,) if self.is_over_ports else (),
        )

    @property
    def is_over_ports(self) -> bool:
        """Whether the conjecture is about layers over ports."""
        return self.question in ABOUT_PORTS

    @property
    def space(self) -> Space:
        """The instances about which the conjecture predicts answers, level by level."""
        if self.is_over_ports:
            return SPACE
        return PROGRAMS if len(self.question.takes) == 1 else PAIRS

    def __call__(self, *given: Any) -> Any:
        """The prediction for these programs, or for these fields of `Layers`."""
        return self.prediction(*(Layers.read(*given) if self.is_over_ports else map(program, given)))

    def _check(self, instance: Instance, ask: Ask) -> Outcome:
        compared = list(self._compared(instance, ask))
        if not compared:
            return Outcome.VACUOUS
        return Outcome.of(all(_as_predicted(each.predicted, each.answer) for each in compared))

    def _wrong(self, instance: Instance, ask: Ask) -> Iterator[str]:
        for wrong in self._refuting(instance, ask):
            answer, asked = wrong.answer, wrong.asked
            right = _shown(answer if self.is_over_ports else self.question.answer.to_json(answer))
            said = _shown(wrong.predicted)
            if callable(wrong.predicted):
                said = "something else"
            elif said == right:
                said += f" (a {type(wrong.predicted).__name__})"
            yield f"for {wrong}, the prediction is {said}, but the answer is {right}"
            if (answered := ANSWERED.get(self.question.id)) is not None:
                command, *more = answered.command
                more += options(asked) if asked.is_over_ports else []
                words = [command, *asked.texts, *more, "--n", str(asked.n), "--json"]
                yield f"certificate: {shlex.join(['sealcheck', *words])}"
            return

    def evidence(self, instance: Instance) -> Result | None:
        """The right answer, if a prediction is wrong and `ANSWERED` has the question.  None otherwise."""
        if (answered := ANSWERED.get(self.question.id)) is None:
            return None
        for renamed, _ in _renamings(instance):
            if (predicted := self.prediction(*_given(renamed))) is not None:
                found = answered.asked(*_given(self._asked(renamed)))
                if found.is_known and not _as_predicted(predicted, answered.answer(found)):
                    return found
        return None

    def _run(self, instance: Instance, ask: Ask) -> RunOfLayers | Instance | None:
        if (answered := ANSWERED.get(self.question.id)) is None:
            return None
        refuting = next(self._refuting(instance, ask), None)
        return refuting and answered.run(refuting.asked, ask)

    def _refuting(self, instance: Instance, ask: Ask) -> Iterator[_Compared]:
        compared = self._compared(instance, ask)
        return (each for each in compared if not _as_predicted(each.predicted, each.answer))

    def _compared(self, instance: Instance, ask: Ask) -> Iterator[_Compared]:
        """The predictions for all renamings of an instance, each with the right answer."""
        invariant = self.question.answer in SAME_WHEN_RENAMED
        for renamed, renaming in _renamings(instance):
            if (predicted := self.prediction(*_given(renamed))) is not None:
                predicted = frozenset(predicted) if isinstance(predicted, Set) else predicted
                if self.of is None and (invariant or renaming is not None):
                    asked, answer = renamed, ask(self.question, instance)
                else:
                    asked, renaming = self._asked(renamed), None
                    answer = ask(self.question, asked.canonical() if invariant else asked)
                if self.question.answer is PORTS:
                    answer = frozenset(str(renaming.port(p) if renaming else p) for p in answer)
                yield _Compared(renamed, asked, predicted, answer)

    def _asked(self, about: Instance) -> Instance:
        if self.of is None:
            return about
        made = self.of(*_given(about))
        if not isinstance(made, Layers):
            raise InputError(f"a change of layers must return Layers, not {made!r:.40}")
        read = Layers.read(*made)
        return read.instance(max(about.n, read.n))


def _renamings(instance: Instance) -> Iterator[tuple[Instance, Renaming | None]]:
    """The different renamings of an instance.  Over ports, each comes with the map of the processes."""
    if not instance.is_over_ports:
        yield from ((renamed, None) for renamed in instance.renamings())
        return
    found: dict[Instance, Renaming | None] = {}
    for each in renamings(instance.n):
        found.setdefault(instance.renamed_over_ports(each), each)
    yield from found.items()


@typed
def conjecture(
    text: str,
    *,
    against: str,
    of: Change | None = None,
    formula: Formula | None = None,
    whole_space: Queries | None = None,
) -> Callable[[Prediction], Conjecture]:
    """Turn a function that predicts the answers to the question `against` into a `Conjecture`.

    The function gets the programs of the question, or the fields of `Layers`.  It returns the predicted
    answer, or None if it predicts nothing.  To predict only a part of the answer, it returns another
    function, which gets an answer and returns whether the answer agrees with the prediction.
    ``sealcheck audit FILE`` checks the conjectures in a file.

    `of` is a function that changes layers, for example by a remedy.  The function that predicts gets the
    original layers.  The question is asked about the changed layers.

    A `formula` must make the same predictions as the function.  For each n and m, solvers then get one query
    about all programs with n processes and m messages.  `whole_space` replaces these queries by your own.

    Raises InputError in these cases:

    - The question does not exist, or is not about programs or layers.
    - `of` is given, but the question is not about layers.
    - A formula is given, but formulas cannot predict answers to this question.

    >>> @conjecture("programs with at most one message can be sealed", against="sealable")
    ... def one_can_be_sealed(p):
    ...     return True if p.messages <= 1 else None
    >>> print(one_can_be_sealed.id, one_can_be_sealed("mt 1->2"))
    one-can-be-sealed True
    """
    asked = question(against)
    is_about_programs = asked.domain in (STRAIGHT, COMPLETE, BSL) and len(asked.takes) <= 2
    if not (is_about_programs or asked in ABOUT_PORTS):
        raise InputError(
            "a conjecture is about one or two BSLs, or layers over ports,"
            f" but '{against}' is asked of {asked.about}"
        )

    if of is not None and asked not in ABOUT_PORTS:
        raise InputError(f"'of' makes layers over ports, but '{against}' is asked of {asked.about}")
    if formula is not None:
        if against not in _BY_QUESTION:
            known = " and ".join(f"'{each}'" for each in _BY_QUESTION)
            raise InputError(f"a formula can predict the answers to {known}, not to '{against}'")
        whole_space = partial(_BY_QUESTION[against], formula)

    def named(prediction: Prediction) -> Conjecture:
        name = getattr(prediction, "__name__", "conjecture").replace("_", "-")
        return Conjecture(name, text, prediction, asked, whole_space, of)

    return named


@dataclass(frozen=True, kw_only=True)
class Checked:
    """The result of checking a conjecture."""

    verdict: str
    """``verified`` (up to the bound), ``refuted``, or ``unknown``."""
    n: int
    messages: int
    instances: int
    """The number of instances checked.  Renamings of an instance do not count."""
    vacuous: int
    """The number of instances without a prediction."""
    counterexample: tuple[Program, ...] | Layers | None
    """A smallest counterexample: with the fewest processes and, for this number, the fewest messages."""
    why: str
    evidence: Result | None = field(default=None, repr=False, compare=False)
    """For questions about sealing or layers: the right answer with its certificate and picture."""

    def __bool__(self) -> bool:
        """Whether the conjecture is verified up to the bound.  Raises LimitReached if that is unknown."""
        if self.verdict == Level.UNKNOWN.value:
            raise LimitReached(self.why)
        return self.verdict == Level.VERIFIED.value

    def _repr_html_(self) -> str:
        rows = [("verdict", self.verdict), ("checked", f"n <= {self.n}, messages <= {self.messages}")]
        rows += [("instances", f"{self.instances}, {self.vacuous} of them vacuous")]
        if isinstance(self.counterexample, Layers):
            rows += self.counterexample.rows
        elif self.counterexample is not None:
            named = zip(NAMES, self.counterexample, strict=False)
            rows += [(f"{name} =", str(each)) for name, each in named]
        rows += [("why", self.why)] if self.why else []
        return table(("conjecture", ""), rows)


@typed
def check(
    prediction: Prediction | Conjecture,
    against: str | None = None,
    *,
    n: int = 3,
    messages: int | None = None,
) -> Checked:
    """Compare a function's predictions with the answers of all oracles, up to a bound.

    `against` is the question.  A `Conjecture` has a question already.  By default, programs have up to 3
    messages, and layers over ports up to 2.  The default check takes a minute or two.  The verdict is
    ``unknown`` if the function predicts no answer at all.

    Raises InputError as `conjecture` does, and also if the bound is wrong, or if the function predicts
    something else when it is called again.  Raises Disagreement if the oracles contradict each other.

    >>> check(lambda p: p.messages < 2 or None, against="sealable", n=2, messages=2).verdict
    'verified'
    >>> found = check(lambda p, q: bool(q.messages) or not p.messages, against="is-seal")
    >>> found.counterexample
    (program('mt 1->2', n=2), program('mt 1->2', n=2))
    >>> found.why
    'for P = mt 1->2   Q = mt 1->2, the prediction is True, but the answer is False'
    """
    if not isinstance(prediction, Conjecture):
        if against is None:
            raise InputError("'against' is missing: name the question that the function predicts")
        prediction = conjecture("the answer is as predicted", against=against)(prediction)
    most = min(3, prediction.space.usual) if messages is None else messages
    return _checked(prediction, prediction.space.levels(up_to(str(n)), most))


def _checked(about: Conjecture, levels: list[tuple[int, int]]) -> Checked:
    statement, tally = replace(about.statement, domain=about.space.up_to_renaming), Tally()
    n, messages = levels[-1]
    for level in levels:
        tally.add(total(check_instances(statement, *level)))
        if tally.disputed is not None:
            raise Disagreement(f"on {tally.disputed}: {tally.dispute}")
        if tally.refuting is not None:
            break
    found = partial(Checked, n=n, messages=messages, instances=tally.checked, vacuous=tally.vacuous)
    if (refuting := tally.refuting) is None:
        verdict, why = verdict_on(statement, statement.claims[0], tally, None), ""
        if verdict is Level.UNKNOWN:
            limits = f"{tally.unknown} of {tally.checked} instances hit a limit"
            why = limits if tally.unknown else f"nothing is predicted for any of {tally.checked} instances"
        return found(verdict=verdict.value, counterexample=None, why=why)
    with inline() as ask:
        wrong = next(about._refuting(refuting, ask), None)
        why = next(about._wrong(refuting, ask), "")
    if wrong is None:
        raise InputError(f"the prediction changes: for {refuting}, it was wrong, but not when asked again")
    return found(
        verdict=Level.REFUTED.value,
        counterexample=_given(wrong.about),
        why=why,
        evidence=about.evidence(refuting),
    )


def _given(instance: Instance) -> tuple[Program, ...] | Layers:
    if instance.is_over_ports:
        return Layers.of(instance)
    return tuple(Program(instance.n, straight) for straight in instance.straight)


def _as_predicted(predicted: Any, answer: Any) -> bool:
    if not callable(predicted):
        return _same(predicted, answer)
    said = predicted(answer)
    if not isinstance(said, bool):
        raise InputError(f"a function that a prediction returns must return True or False, not {said!r:.40}")
    return said


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal and have equal types at any depth.  Named pairs count as pairs.

    >>> from sealcheck.programs.straight_line import Channel
    >>> _same({(1, 2)}, frozenset([Channel(1, 2)])), _same({(1.0, 2)}, {(1, 2)}), _same(1, True)
    (True, False, False)
    """
    return bool(_typed(one) == _typed(other))


def _typed(value: Any) -> Any:
    if isinstance(value, Set):
        return frozenset(map(_typed, value))
    if isinstance(value, tuple):
        return tuple(map(_typed, value))
    return type(value), value


def _shown(value: Any) -> str:
    """A value as Python writes it.  Sets are shown as sorted lists, and named pairs as pairs.

    >>> from sealcheck.programs.straight_line import Channel
    >>> _shown(frozenset([Channel(2, 1), (1, 2)])), _shown("True")
    ('[(1, 2), (2, 1)]', "'True'")
    """
    if isinstance(value, frozenset | list):
        listed = sorted(value, key=repr) if isinstance(value, frozenset) else value
        value = [tuple(each) if isinstance(each, tuple) else each for each in listed]
    return repr(value)
