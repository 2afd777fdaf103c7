"""Random instances of what implementations are asked about."""

from hypothesis.strategies import SearchStrategy

from sealcheck.differential import strategies
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import BALANCED, PAIRS, PROGRAMS, TRIPLES, Domain

_OF_A_DOMAIN: dict[Domain, SearchStrategy[Instance]] = {
    PROGRAMS: strategies.programs().map(Instance.of),
    PAIRS: strategies.pairs().map(lambda pair: Instance.of(*pair)),
    TRIPLES: strategies.layers(3).map(lambda triple: Instance.of(*triple)),
    BALANCED: strategies.balanced_programs().map(Instance.of),
}


def drawn(domain: Domain) -> SearchStrategy[Instance]:
    """Random instances of the domain."""
    return _OF_A_DOMAIN[domain]
