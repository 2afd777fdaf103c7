"""The page about the recorded findings of the default audit."""

from collections.abc import Iterator
from functools import cache

import pytest
from tests.cli.page.recorded import findings

from sealcheck.cli.page import page as module
from sealcheck.cli.page.page import page

COMMAND = "sealcheck report 'my folder' --n 3 --messages 4"


@pytest.fixture(scope="package", autouse=True)
def _same_tables() -> Iterator[None]:
    """Make the certified tables once for all pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "shown_tables", cache(module.shown_tables))
        yield


@pytest.fixture(scope="package")
def html() -> str:
    return page(findings(), COMMAND)
