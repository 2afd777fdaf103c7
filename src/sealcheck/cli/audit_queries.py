"""The whole-space queries of an audit as files, for ``sealcheck audit --smt-lib``."""

from collections.abc import Sequence
from pathlib import Path

from sealcheck.errors import InputError
from sealcheck.files import whole_file


def write_queries(folder: Path, names: Sequence[str], bounds: Sequence[tuple[int, int]]) -> None:
    """One SMT-LIB file for each whole-space query, all of which state the negated claim."""
    from sealcheck.theorems.own import there
    from sealcheck.theorems.registry import statement

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            about = statement(name)
            for claim in about.claims:
                if claim.whole_space is None:
                    continue
                for n, messages in bounds:
                    texts = there(name, _texts, name, about.claims.index(claim), n, messages)
                    for number, text in enumerate(texts):
                        file = folder / f"{name}-{claim.form.value}-n{n}-m{messages}-{number}.smt2"
                        with whole_file(file) as sink:
                            sink.write(text.encode())
    except OSError as error:
        raise InputError(f"cannot write queries to {folder}: {error.strerror}") from None


def _texts(name: str, number: int, n: int, messages: int) -> list[str]:
    """The queries about a level; `number` is that of the claim."""
    from sealcheck.encodings.solving import fresh_formulas, smt_lib
    from sealcheck.theorems.registry import statement

    claim = statement(name).claims[number]
    assert claim.whole_space is not None
    with fresh_formulas():
        queries = claim.whole_space(n, messages)
        return [f"; {claim.text}\n; {query.name}\n{smt_lib(query.formulas)}" for query in queries]
