"""Fixtures for tests of formulas."""

from collections.abc import Iterator

import pytest

from sealcheck.encodings.solving import fresh_formulas


@pytest.fixture
def own_formulas() -> Iterator[None]:
    with fresh_formulas():
        yield
