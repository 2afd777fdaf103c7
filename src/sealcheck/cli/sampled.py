"""``sealcheck sweep --sample``: uniform random programs of levels that are too large to sweep."""

import json as json_format
import re
from collections.abc import Iterator
from dataclasses import asdict
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sealcheck.bounded import Limits
from sealcheck.cli.answers import Document, write
from sealcheck.cli.bounds import process_range
from sealcheck.cli.progress import progress_bar
from sealcheck.cli.tables import print_table
from sealcheck.errors import InputError
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.columns import Sampled

_NUMBER = re.compile("-?[0-9]{1,9}")


def _sample_size(text: str) -> int:
    return _number("--sample", text)


def _seed(text: str) -> int:
    return _number("--seed", text)


def _number(option: str, text: str) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        raise InputError(f"{option} takes a number of up to 9 digits, not {text[:20]!r}")
    return int(text)


Sample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="COUNT",
        parser=_sample_size,
        help="Instead of all programs with 0..M messages, draw so many at random, uniformly, with exactly M.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", parser=_seed, help="Which random programs. [default: 2026]"),
]


class Request(NamedTuple):
    """What sample is asked for."""

    spaces: list[tuple[int, int]]
    size: int
    seed: int


def asked_for(n: str, messages: int, count: int | None, seed: int | None) -> Request | None:
    """The sample that the options ask for, if they do.  Raises InputError where it can't be had."""
    if count is None:
        if seed is not None:
            raise InputError("--seed chooses the programs of a sample: it needs --sample")
        return None
    from sealcheck.spark_sweeps.deciding import SEED
    from sealcheck.spark_sweeps.sample import require_sample

    asked = Request([(of_n, messages) for of_n in process_range(n)], count, SEED if seed is None else seed)
    require_sample(*asked)
    return asked


def draw(asked: Request, master: str | None, limits: Limits, *, json: bool) -> int:
    """Draw and print what comes of it; returns how many cross-checks hit a limit."""
    from sealcheck.algorithms.packed.levels import CONFIDENCE
    from sealcheck.spark_sweeps.sample import sample
    from sealcheck.spark_sweeps.session import spark_session

    with progress_bar("sample") as follow, spark_session(master, "sealcheck sample") as spark:
        samples = sample(spark, *asked, limits=limits, on_progress=follow)
    if json:
        found = [_document(sampled) for sampled in samples]
        write(json_format.dumps({"samples": found, "seed": asked.seed, "confidence": CONFIDENCE}))
    else:
        _print(samples, asked.seed)
    follow.print_summary()
    return sum(sampled.unknown for sampled in samples)


SHARES = {
    "sealable": "are sealable",
    "unsealable": "are unsealable",
    "unconnected_yet_sealable": "refute th:sealability as printed",
}
"""What is counted in a sample, and how that is said of programs."""


def _document(sampled: "Sampled") -> Document:
    from sealcheck.algorithms.packed.levels import absent, interval

    counts = asdict(sampled)
    return {
        **counts,
        "verified": False,
        "shares": {name: interval(counts[name], sampled.drawn) for name in SHARES},
        "absent_at_most": absent(sampled.drawn),
    }


def _print(samples: "list[Sampled]", seed: int) -> None:
    names = ("n", "messages", "programs", "drawn", "sealable", "unsealable", "refuting th:sealability")
    rows = []
    for sampled in samples:
        counts = [getattr(sampled, name) for name in (*names[:-1], "unconnected_yet_sealable")]
        most = "-" if sampled.most_seal_messages is None else str(sampled.most_seal_messages)
        rows.append((*counts, most, sampled.cross_checked))
    print_table((), (*names, "longest minimum seal", "cross-checked"), rows)
    write(f"\nNothing is verified: these are random programs, drawn with seed {seed}.")
    write("What follows holds for each share by itself with 95 % confidence.")
    for sampled in samples:
        programs, messages = counted(sampled.programs, "program"), counted(sampled.messages, "message")
        write(f"\nOf the {programs} with n = {sampled.n} and {messages}")
        for line in _shares(sampled):
            write(f"  {line}")


def _shares(sampled: "Sampled") -> Iterator[str]:
    """What may be said of the level, line by line."""
    from sealcheck.algorithms.packed.levels import absent, interval

    rare = _percent(absent(sampled.drawn), ROUND_CEILING)
    for name, said in SHARES.items():
        low, high = interval(getattr(sampled, name), sampled.drawn)
        most = _percent(high, ROUND_CEILING)
        between = f"{_percent(low, ROUND_FLOOR)} to {most}" if low else f"at most {most}"
        yield f"{between} {said} (Clopper and Pearson)"
    yield (
        f"at most {rare} have any given property that none of {counted(sampled.drawn, 'drawn program')} has"
        " (rule of three)"
    )
    if sampled.cross_checked:
        rare = _percent(absent(sampled.cross_checked), ROUND_CEILING)
        yield (
            f"at most {rare} are such that a cross-check would disagree: none of {sampled.cross_checked} did"
            " (rule of three)"
        )


def _percent(share: float, rounding: str) -> str:
    """A share to four digits, rounded so that what is said of it stays true.

    >>> _percent(0.84777174, ROUND_FLOOR), _percent(0.84777174, ROUND_CEILING), _percent(3e-05, ROUND_CEILING)
    ('84.77 %', '84.78 %', '0.003 %')
    """
    exact = Decimal(f"{100 * share:.12g}")
    return f"{Context(4, rounding).create_decimal(exact).normalize():f} %"
