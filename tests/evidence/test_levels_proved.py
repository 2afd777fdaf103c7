"""Proofs of a level, put together: each of its queries needs one."""

from pathlib import Path

from sealcheck.evidence.cubes import LevelQuery, numbered
from sealcheck.evidence.outcome import Verification
from sealcheck.evidence.proofs import Part, accept_proofs

QUERIES = numbered("closed-channels", 0, 3, 2)


def rejected(queries: list[LevelQuery]) -> list[str]:
    """What is wrong with proofs of these."""
    outcome = Verification()
    proofs = {Path(Part(query).file_name): Part(query) for query in queries}
    accept_proofs(proofs, set(), Path("folder"), outcome)
    return [reason for _, _, reason in outcome.rejected]


def test_a_level_with_a_query_that_has_no_proof_is_incomplete() -> None:
    """Whichever it is; and how many have one is said."""
    queries = list(QUERIES)
    assert len(queries) > 1
    assert rejected(queries) == []
    for query in queries:
        (reason,) = rejected([each for each in queries if each != query])
        assert reason.startswith(
            "the level is incomplete: closed-channels, as-printed, n = 3, messages = 2: "
        )
        assert reason.endswith(f"{len(queries) - 1} of {len(queries)} queries are proved")
