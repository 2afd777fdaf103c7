"""A pytest plugin with the marker and the option of `sealcheck.testing`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

MARKER = "sealcheck"
LEVEL = "level"
"""The parameter of an exhaustive test: the pair (n, messages)."""


def pytest_addoption(parser: "pytest.Parser") -> None:
    """Add the option ``--sealcheck-messages M``."""
    parser.getgroup("sealcheck").addoption(
        "--sealcheck-messages",
        metavar="M",
        type=int,
        default=None,
        help="run exhaustive tests only of programs with at most M messages",
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
