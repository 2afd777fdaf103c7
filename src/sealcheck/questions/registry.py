"""All questions."""

from typing import Any

from sealcheck.errors import InputError
from sealcheck.questions.causality import (
    CAUSAL_PAIRS,
    DEADLOCK_FREE,
    MATCHING_FUNCTIONS,
    PROGRAM_GRAPH,
    SIGNATURE,
    SIGNATURE_COMPOSE,
)
from sealcheck.questions.closed_channels import (
    CLOSED_BY_DEFINITION,
    CLOSED_CHANNELS,
    CLOSED_RUN,
    CLOSED_WHEN_SENT,
)
from sealcheck.questions.phases import INTERFERENCE, INTERFERING_CHANNELS, KEEPS_APART, PHASES
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL, SEALABLE, SHORTEST_SEAL, WORST_CASE_SEAL
from sealcheck.questions.whole_language import (
    BALANCED,
    COUNTEREXAMPLE,
    FINDS_SILENCE,
    GOES_ON,
    IS_CCL,
    OCCURS,
    REFINES,
    UNBALANCED_RUN,
)
from sealcheck.words import or_choose

QUESTIONS: dict[str, Question[Any]] = {
    question.id: question
    for question in (
        DEADLOCK_FREE,
        MATCHING_FUNCTIONS,
        CAUSAL_PAIRS,
        PROGRAM_GRAPH,
        SIGNATURE,
        SIGNATURE_COMPOSE,
        CLOSED_CHANNELS,
        CLOSED_RUN,
        IS_SEAL,
        INTERFERENCE,
        IS_CCL,
        SEALABLE,
        MINIMAL_SEAL,
        SHORTEST_SEAL,
        WORST_CASE_SEAL,
        CLOSED_WHEN_SENT,
        OCCURS,
        REFINES,
        COUNTEREXAMPLE,
        GOES_ON,
        BALANCED,
        UNBALANCED_RUN,
        CLOSED_BY_DEFINITION,
        FINDS_SILENCE,
        KEEPS_APART,
        PHASES,
        INTERFERING_CHANNELS,
    )
}


def question(id: str) -> Question[Any]:
    """The question with this id.  Raises InputError, listing the ids, where there is none.

    >>> question("is-seal").text
    'Does Q seal P?'
    """
    if id not in QUESTIONS:
        raise InputError(f"unknown question '{id}': {or_choose(id, QUESTIONS)}")
    return QUESTIONS[id]
