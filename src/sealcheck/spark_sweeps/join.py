"""The table of answers: what is asked is answered once, and joined with all that wait for it.

Nothing gets in here unseen.  What a task, or the cache, says about something else than what was asked, or
without a word from one of the oracles, is no answer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.questions.asking import Answers, Asked
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.jobs import Disputed


class AnswerTable:
    """Answers that are known, and those that somebody has been asked for.

    >>> from sealcheck.programs.straight_line import StraightLine
    >>> from sealcheck.questions.instance import Instance
    >>> from sealcheck.questions.is_seal import IS_SEAL
    >>> asked = Asked(IS_SEAL, Instance.of(StraightLine.of(2), StraightLine.of(2)))
    >>> table = AnswerTable(solvers=())
    >>> table.new([asked]) == [asked], table.new([asked])
    (True, [])
    >>> said = dict.fromkeys(IS_SEAL.oracle_names(()), True)
    >>> table.file([asked], [Answers(asked, said, abstained={}, gave_up={})])
    >>> list(table.known([asked]).values())
    [True]
    """

    def __init__(self, solvers: Sequence[str], cache: Cache | None = None) -> None:
        """`solvers` are asked beside the oracles."""
        self._solvers = solvers
        self._cache = cache
        self._agreed: dict[Asked[Any], object] = {}
        self._pending: set[Asked[Any]] = set()
        self._abstained: dict[Asked[Any], tuple[str, ...]] = {}

    def new(self, asked: Iterable[Asked[Any]]) -> list[Asked[Any]]:
        """What of this has to be answered, and nobody has been asked for yet; who calls this will ask.

        What the cache has is known from now on.
        """
        fresh = [
            each for each in dict.fromkeys(asked) if each not in self._agreed and each not in self._pending
        ]
        if self._cache is not None:
            for answers in self._cache.answers(fresh):
                if not self._unheard(answers):
                    self._add(answers)
        fresh = [each for each in fresh if each not in self._agreed]
        self._pending |= set(fresh)
        return fresh

    def is_known(self, asked: Asked[Any]) -> bool:
        """Whether there is an answer, or a reason why there is none."""
        return asked in self._agreed

    def known(self, asked: Iterable[Asked[Any]]) -> dict[Asked[Any], object]:
        """The answers, or the exceptions that asking raises.  All of them must be known."""
        return {each: self._agreed[each] for each in asked}

    def abstentions(self, asked: Iterable[Asked[Any]]) -> dict[str, int]:
        """How many of these answers each oracle could not give."""
        return dict(Counter(oracle for each in asked for oracle in self._abstained.get(each, ())))

    def file(self, asked: Sequence[Asked[Any]], found: Sequence[Answers[Any] | Disputed]) -> None:
        """Take over what was said to what was asked.

        Raises Disagreement where that is not about the same, or an oracle is missing; where the oracles
        contradict each other, whoever needs the answer will say so.
        """
        if [each.asked for each in found] != list(asked):
            raise Disagreement(f"{_named(asked)}: the answers are about something else")
        agreed: list[Answers[Any]] = []
        for each in found:
            if isinstance(each, Disputed):
                self._set(each.asked, Disagreement(each.why))
                continue
            if wrong := self._unheard(each):
                raise Disagreement(f"{each.asked}: not one answer each from {', '.join(wrong)}")
            if self._add(each):
                agreed.append(each)
        if self._cache is not None:
            self._cache.keep_answers(agreed)

    def _add(self, answers: Answers[Any]) -> bool:
        """Take over one answer; whether all oracles agreed on it, and none gave up."""
        if answers.abstained:
            self._abstained[answers.asked] = tuple(answers.abstained)
        try:
            self._set(answers.asked, answers.agreed)
        except (Disagreement, LimitReached) as none:
            self._set(answers.asked, none.with_traceback(None))
            return False
        return True

    def _set(self, asked: Asked[Any], value: object) -> None:
        self._agreed[asked] = value
        self._pending.discard(asked)

    def _unheard(self, answers: Answers[Any]) -> list[str]:
        """The oracles from which there is no word, or more than one, and those that nobody knows."""
        heard = Counter([*answers.said, *answers.abstained, *answers.gave_up])
        wanted = Counter(answers.asked.question.oracle_names(self._solvers))
        return sorted((wanted - heard) | (heard - wanted))


def _named(asked: Sequence[Asked[Any]]) -> str:
    return f"{asked[0]}, and {len(asked) - 1} more" if asked else "nothing"
