"""All questions."""

from typing import Any

from sealcheck.errors import InputError
from sealcheck.questions import causality, closed_channels, phases, ports, sealing, whole_language
from sealcheck.questions.question import Question
from sealcheck.words import or_choose

QUESTIONS: dict[str, Question[Any]] = {
    question.id: question
    for question in (
        causality.DEADLOCK_FREE,
        causality.MATCHING_FUNCTIONS,
        causality.CAUSAL_PAIRS,
        causality.PROGRAM_GRAPH,
        causality.SIGNATURE,
        causality.SIGNATURE_COMPOSE,
        closed_channels.CLOSED_CHANNELS,
        closed_channels.CLOSED_RUN,
        sealing.IS_SEAL,
        phases.INTERFERENCE,
        whole_language.IS_CCL,
        sealing.SEALABLE,
        sealing.MINIMAL_SEAL,
        sealing.SHORTEST_SEAL,
        sealing.WORST_CASE_SEAL,
        closed_channels.CLOSED_WHEN_SENT,
        whole_language.OCCURS,
        whole_language.REFINES,
        whole_language.COUNTEREXAMPLE,
        whole_language.GOES_ON,
        whole_language.BALANCED,
        whole_language.UNBALANCED_RUN,
        closed_channels.CLOSED_BY_DEFINITION,
        whole_language.FINDS_SILENCE,
        phases.KEEPS_APART,
        phases.PHASES,
        phases.INTERFERING_CHANNELS,
        ports.PORT_PHASES,
        ports.INTERFERING_PORTS,
    )
}


def question(id: str) -> Question[Any]:
    """The question with this id.  Raises InputError, listing the ids, if there is none.

    >>> question("is-seal").text
    'Does Q seal P?'
    """
    if id not in QUESTIONS:
        raise InputError(f"unknown question '{id}': {or_choose(id, QUESTIONS)}")
    return QUESTIONS[id]
