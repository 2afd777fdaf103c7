"""The same questions as pytest tests: `pytest test_is_seal.py`, with sealcheck installed."""

from is_seal import is_seal

from sealcheck.testing import exhaustive


@exhaustive("is-seal", n=3, messages=3)
def test_is_seal(p, q):
    """Return the answer, which is then checked."""
    return is_seal(p, q)
