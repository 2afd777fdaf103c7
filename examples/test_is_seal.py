"""The same as tests of a suite: `pytest test_is_seal.py`, with sealcheck installed."""

from is_seal import is_seal

from sealcheck.testing import exhaustive


@exhaustive("is-seal", n=3, messages=3)
def test_is_seal(p, q):
    """Returns its answer, which is judged."""
    return is_seal(p, q)
