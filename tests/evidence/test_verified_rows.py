"""Checking rows beside the kernel: what becomes of what the verified checker says."""

from types import SimpleNamespace

import pytest

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.evidence.table_files import beside
from sealcheck.questions.verified_checker import Reply


class Says:
    """A checker that always says the same."""

    def __init__(self, reply):
        self.reply = reply

    def ask(self, document):
        """The reply, whatever the row."""
        return self.reply


@pytest.mark.parametrize(
    ("reply", "error", "why"),
    [
        (
            Reply(skipped="a program has more than 2000 events"),
            LimitReached,
            "skipped a row: a program",
        ),
        (Reply(error="a process is missing"), Disagreement, "accepts it, but .* a process is missing"),
        (Reply(result=False), Disagreement, "accepts it, but .* does not show its verdict"),
    ],
)
def test_a_row_that_is_too_large_is_no_disagreement(monkeypatch, reply, error, why):
    """Whether it holds is unknown then; but what is refused ends the command."""
    header = SimpleNamespace(kind="sealing-pairs")
    monkeypatch.setattr("sealcheck.evidence.table_files.header_of", lambda line: header)
    accepting_all = beside(Says(reply), lambda lines: iter(list(lines)[:0]))
    with pytest.raises(error, match=why):
        list(accepting_all([b"the header", b"{}"]))
