"""What would keep layers apart, as `sealcheck phases` says it."""

from collections.abc import Iterator, Sequence

from sealcheck.algorithms.mending import Both, Mending
from sealcheck.cli.answers import Document
from sealcheck.cli.wording import entry
from sealcheck.language.names import Names
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.words import counted

_COLUMN = 20


def mending_document(found: Mending, names: Names) -> Document:
    """What would keep them apart, as keys of the contract."""
    added = found.acknowledgments
    return {
        "acknowledgments": None if added is None else [names.program(each) for each in added],
        "reason": found.reason or None,
        "messages": found.messages,
        "fewest": None if added is None else found.is_fewest,
        "at_least": None if found.reason else found.at_least,
        "tags": found.tags,
        "both": found.both and _both_document(found.both, names),
        "changes_at_least": found.changes_at_least,
    }


def _both_document(both: Both, names: Names) -> Document:
    added = [names.program(each) for each in both.acknowledgments]
    return {"acknowledgments": added, "tags": both.tags, "changes": both.changes}


def mending_lines(found: Mending, names: Names) -> Iterator[str]:
    """What would keep them apart, for people."""
    yield "What would keep them apart:"
    yield ""
    if found.acknowledgments is None:
        yield from entry("  acknowledgments", found.reason or _not_found(found.at_least), _COLUMN)
    else:
        least = _least(found.is_fewest, found.at_least)
        amount = f"{counted(found.messages or 0, 'message')}, received before going on ({least})"
        yield from entry("  acknowledgments", amount, _COLUMN)
        yield from _inserted(found.acknowledgments, names)
    if found.tags is not None:
        told = (
            f"that say which layer and round a message is of, and are heeded, on {_tagged(found.tags, names)}"
        )
        yield from entry("  or tags", told, _COLUMN)
    yield from _both_lines(found, names)


def _both_lines(found: Mending, names: Names) -> Iterator[str]:
    """What acknowledgments and tags can do together; nothing, where that is known to be no better."""
    if found.changes is None or (found.both is None and found.is_fewest_changes):
        return
    least = _least(found.is_fewest_changes, found.changes_at_least)
    if found.both is None:
        told = f"no combination of fewer than {found.changes} messages and tags was found"
        yield from entry("  or both", f"{told} ({least})", _COLUMN)
        return
    amount = f"{counted(found.both.messages, 'message')} and {counted(len(found.both.tags), 'tag')}"
    yield from entry("  or both", f"{amount} together ({least})", _COLUMN)
    yield from _inserted(found.both.acknowledgments, names)
    yield from entry("    with tags on", _tagged(found.both.tags, names), _COLUMN)


def _not_found(at_least: int) -> str:
    needed = f"; at least {at_least} messages would be needed" if at_least > 1 else ""
    return f"none were found within the limits of the search{needed}"


def _least(is_fewest: bool, at_least: int) -> str:
    return "no fewer are enough" if is_fewest else f"fewer may be enough, but at least {at_least} are needed"


def _inserted(acknowledgments: Sequence[StraightLine], names: Names) -> Iterator[str]:
    for number, each in enumerate(acknowledgments, 1):
        if each.length:
            yield from entry(f"    after layer {number}", names.program(each), _COLUMN)


def _tagged(channels: Sequence[Channel], names: Names) -> str:
    return ", ".join(map(names.channel, channels))
