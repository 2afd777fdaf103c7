"""After a stopped audit, only proofs that belong to the query are kept."""

from pathlib import Path

from sealcheck.evidence.cubes import numbered
from sealcheck.evidence.proofs import settled
from sealcheck.spark_sweeps.certify import _is_proved


def test_a_proof_is_kept_where_it_is_accepted_and_about_the_query(tmp_path: Path) -> None:
    (query,), (other,) = numbered("graph-cause", 0, 2, 1), numbered("graph-cause", 0, 2, 2)
    proof, file = settled(query), tmp_path / "query.proof"
    assert isinstance(proof, bytes)
    assert not _is_proved(file, query)
    file.write_bytes(proof)
    assert _is_proved(file, query)
    assert not _is_proved(file, other)
    file.write_bytes(proof[: len(proof) // 2])
    assert not _is_proved(file, query)
