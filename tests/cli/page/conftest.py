"""The page about what is on record of the default audit."""

import pytest
from tests.cli.page.recorded import findings

from sealcheck.cli.page.page import page

COMMAND = "sealcheck report 'my folder' --n 3 --messages 4"


@pytest.fixture(scope="session")
def html() -> str:
    """The page, as text."""
    return page(findings(), COMMAND)
