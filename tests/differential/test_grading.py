"""Points for answers: who does not answer has none."""

from sealcheck.differential.grading import Grade, _ask_all
from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import Processes
from sealcheck.differential.searching import Comparison
from sealcheck.differential.vectors import Vector
from sealcheck.theorems.checking.targets import target


def test_who_skips_a_question_has_not_answered_it() -> None:
    """What is skipped is not right, and is no difference either; what is answered counts."""

    def answer(program: Processes) -> bool:
        if str(program) == "mt 2->1; mt 1->2":
            raise NotImplementedError("I don't know")
        return str(program) != "rcv 1<-2; mt 1->2; snd 2->1"

    asked = target("deadlock-free")
    vectors = [Vector(k, instance, ()) for k, instance in enumerate(asked.domain.listing(2, 2), 1)]
    grade = Grade("somebody")
    assert _ask_all(Comparison(asked, Called(answer)), vectors, grade)
    assert grade.failed == {1: None}
