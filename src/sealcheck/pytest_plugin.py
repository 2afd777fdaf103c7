"""The marker and the option of `sealcheck.testing`, for pytest.  Loads nothing else."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

MARKER = "sealcheck"
LEVEL = "level"
"""The parameter of such a test: (n, messages)."""


def pytest_addoption(parser: "pytest.Parser") -> None:
    """``--sealcheck-messages M``."""
    parser.getgroup("sealcheck").addoption(
        "--sealcheck-messages",
        metavar="M",
        type=int,
        default=None,
        help="of exhaustive tests, only those of programs with at most M messages",
    )


def pytest_configure(config: "pytest.Config") -> None:
    """Register the marker."""
    config.addinivalue_line("markers", f"{MARKER}: asks about all programs of a size (sealcheck.testing)")


def pytest_collection_modifyitems(config: "pytest.Config", items: "list[Any]") -> None:
    """Deselect the tests with more messages than the option allows."""
    most = config.getoption("--sealcheck-messages")
    if most is None:
        return
    beyond = [item for item in items if item.get_closest_marker(MARKER) and _messages(item) > most]
    if beyond:
        config.hook.pytest_deselected(items=beyond)
        items[:] = [item for item in items if item not in beyond]


def _messages(item: Any) -> int:
    return int(item.callspec.params[LEVEL][1])
