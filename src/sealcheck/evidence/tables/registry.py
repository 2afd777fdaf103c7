"""All kinds of tables: those that the kernel can check."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from sealcheck.errors import InputError
from sealcheck.evidence.tables.table import Table
from sealcheck.kernel.tables import KINDS
from sealcheck.words import or_choose


@cache
def table(kind: str) -> Table:
    """The table of this kind, from the module that is called after it.

    So a kind is listed in one place, which is where its check is.  Raises InputError if there is none.

    >>> table("worst-cases").selection.of
    'sealability'
    """
    if kind not in KINDS:
        raise InputError(f"unknown kind of table '{kind}': {or_choose(kind, KINDS)}")
    found: Table = import_module(f"sealcheck.evidence.tables.{kind.replace('-', '_')}").TABLE
    return found


def tables_about(statement: str) -> Iterator[str]:
    """The kinds of tables about a statement, and the tables they are selected from.

    >>> list(tables_about("worst-case-seal"))
    ['sealability', 'worst-cases']
    """
    made = list(map(table, KINDS))
    named = [each for each in made if statement in each.statements]
    needed = {each.kind for each in named} | {each.selection.of for each in named if each.selection}
    return (kind for kind in KINDS if kind in needed)
