"""All questions."""

from typing import Any

from sealcheck.errors import InputError
from sealcheck.questions.balanced import BALANCED
from sealcheck.questions.causal_pairs import CAUSAL_PAIRS
from sealcheck.questions.closed_by_definition import CLOSED_BY_DEFINITION
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.closed_run import CLOSED_RUN
from sealcheck.questions.closed_when_sent import CLOSED_WHEN_SENT
from sealcheck.questions.counterexample import COUNTEREXAMPLE, UNBALANCED_RUN
from sealcheck.questions.deadlock_free import DEADLOCK_FREE
from sealcheck.questions.finds_silence import FINDS_SILENCE
from sealcheck.questions.goes_on import GOES_ON
from sealcheck.questions.interference import INTERFERENCE
from sealcheck.questions.is_ccl import IS_CCL
from sealcheck.questions.is_seal import IS_SEAL
from sealcheck.questions.keeps_apart import KEEPS_APART
from sealcheck.questions.matchings import MATCHING_FUNCTIONS
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.phases import INTERFERING_CHANNELS, PHASES
from sealcheck.questions.profiles import PROFILE_IS_SEALED, PROFILE_MINIMAL_SEAL
from sealcheck.questions.program_graph import PROGRAM_GRAPH
from sealcheck.questions.question import Question
from sealcheck.questions.refines import OCCURS, REFINES
from sealcheck.questions.sealable import SEALABLE
from sealcheck.questions.shortest_seal import SHORTEST_SEAL
from sealcheck.questions.signature import SIGNATURE, SIGNATURE_COMPOSE
from sealcheck.questions.worst_case_seal import WORST_CASE_SEAL
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
        PROFILE_MINIMAL_SEAL,
        PROFILE_IS_SEALED,
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
