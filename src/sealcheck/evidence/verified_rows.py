"""The rows of tables, checked by the verified checker beside the kernel."""

from collections.abc import Callable, Iterable, Iterator

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.kernel.reading import value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.tables import header_of
from sealcheck.questions.verified_checker import VerifiedChecker

CHECKED = frozenset({"sealability", "worst-cases", "counterexamples", "sealing-pairs"})
"""The kinds whose rows it checks: what they say of sealing, of shortest seals, too, and the evidence."""

CheckLines = Callable[[Iterable[bytes]], Iterator[tuple[int, str]]]
"""What `kernel.tables.check_lines` does, there or elsewhere."""


def beside(checker: VerifiedChecker, check: CheckLines) -> CheckLines:
    """The same check, with the verified checker beside it.

    It raises Disagreement where that refuses a row which `check` accepts, and LimitReached where a row is
    too large for it.
    """

    def check_both(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        """What `check` rejects; Disagreement at the end, where something else was refused."""
        source = iter(lines)
        first = next(source, b"")
        kind = header_of(first).kind
        refused: dict[int, str] = {}

        def told() -> Iterator[bytes]:
            """The lines as `check` reads them, each shown to the verified checker first."""
            yield first
            for number, line in enumerate(source, 1):
                if why := refusal(checker, kind, line):
                    refused[number] = why
                yield line

        for row, reason in check(told()):
            refused.pop(row, None)
            yield row, reason
        for row, why in refused.items():
            raise Disagreement(f"row {row} of the {kind} table: the kernel accepts it, but {why}")

    return check_both


def refusal(checker: VerifiedChecker, kind: str, line: bytes) -> str:
    """Why the verified checker does not accept a row; nothing if it does, or does not look at such rows.

    Raises LimitReached where the row is too large for it.
    """
    if kind not in CHECKED:
        return ""
    try:
        said = checker.ask({"table": kind, "row": value_of(line)})
    except Rejected as unreadable:
        return str(unreadable)
    if said.result is True:
        return ""
    if said.skipped:
        raise LimitReached(f"the verified checker does not look at a row: {said.skipped}")
    why = said.error or "its evidence does not show what it says"
    return f"the verified checker does not: {why}"
