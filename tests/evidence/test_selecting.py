"""Rows that are selected from another table are those, and no others, however many there are."""

import json

from sealcheck.evidence.tables.selecting import is_selected


def table(*rows: tuple[str, int | None]) -> list[bytes]:
    """The lines of a table with these programs, and how many messages seal them."""
    documents = (
        {"n": 2, "messages": 1, "program": p, "sealable": m is not None, "minimum_messages": m}
        for p, m in rows
    )
    return [b"{}", *(json.dumps(each).encode() for each in documents)]


def test_the_rows_are_about_the_programs_that_belong_there() -> None:
    """As many rows about other programs are not the ones."""
    easy, hard, harder = ("mt 1->2", 1), ("mt 2->1", 2), ("snd 1->2; rcv 2<-1", 2)
    whole = table(easy, hard, ("mt 1->1", None), harder)
    assert is_selected("worst-cases", whole, table(hard, harder))
    for others in ([hard], [easy, hard], [easy, harder], [easy, hard, harder], []):
        assert not is_selected("worst-cases", whole, table(*others))
