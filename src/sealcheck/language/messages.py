"""Syntax errors in human words: where, what was expected, what was found, and what was probably meant."""

import re
import unicodedata

from lark.exceptions import UnexpectedInput, UnexpectedToken

from sealcheck.errors import InputError
from sealcheck.language.corrections import correction
from sealcheck.language.expressions import abridged, error_at

_OPERAND = {"INTEGER", "VARIABLE", "NAME", "LPAR"}
_EXPRESSION = _OPERAND | {"MINUS"}
_PROPOSITION = _EXPRESSION | {"TRUE", "FALSE"}
_STATEMENT = {"EPS", "CUT", "SEND", "RECEIVE", "TRANSMIT", "_SND", "_RCV", "_MT", "TARGET", "LPAR", "LSQB"}
_STATEMENT |= {"_IF", "_WHILE"}

_GROUPS = (
    (_STATEMENT, "a statement"),
    (_PROPOSITION | {"_NOT"}, "a condition"),
    (_PROPOSITION, "a condition"),
    (_EXPRESSION, "an expression"),
    (_OPERAND, "an expression"),
    ({"ADD", "_TIMES"}, "an operator"),
)
"""Sets of terminals that have a name together, larger ones first."""

_WORDS = {
    "PROCESS": "a process number",
    "PLACE": "a variable",
    "COMPARISON": "a comparison such as '='",
    "TO": "'->'",
    "FROM": "'<-'",
    "BECOMES": "':='",
    "LPAR": "'('",
    "RPAR": "')'",
    "RSQB": "']'",
    "REPEAT": "'*'",
    "_AND": "'and'",
    "_OR": "'or'",
    "_THEN": "'then'",
    "_ELSE": "'else'",
    "_FI": "'fi'",
    "_DO": "'do'",
    "_OD": "'od'",
    "_SEPARATOR": "';'",
    "_CHOICE": "'+'",
    "$END": "the end of the text",
}
"""The other terminals, in the order in which they are listed."""

_SHOWN, _BEFORE = 70, 50
"""Characters of a line that are shown, and how many of them before the one that is pointed at, at most."""
_BLANK = " \t\r\n\f"
_LEXEME = re.compile(r"[A-Za-z0-9_.]+|->|<-|[^ \t\r\f]")


def describe(error: UnexpectedInput, text: str) -> InputError:
    """The error to report: line, column, what was expected there, what was found; and a note that points."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        offset, found = len(text.rstrip(_BLANK)), "the end of the text"
    else:
        offset = error.pos_in_stream or 0
        found = _found(text, offset)
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    accepted = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    meant = correction(text, offset, accepted)
    message = f"expected {_expected(accepted)}, found {found}"
    return pointing(error_at(line, column, f"{message}: {meant}" if meant else message), text, line, column)


def pointing(error: InputError, text: str, line: int, column: int) -> InputError:
    """The error, with a note that shows the line and points at the column.

    >>> print(*pointing(InputError("wrong"), "mt 1→2", 1, 5).__notes__)
      mt 1→2
          ^
    """
    shown = "".join(each if each.isprintable() else " " for each in text.split("\n")[line - 1])
    first = max(0, column - _BEFORE)
    part = ("…" if first else "") + shown[first : first + _SHOWN].rstrip()
    error.add_note(f"  {part}\n  {' ' * (column - 1 - first + bool(first))}^")
    return error


def _expected(terminals: set[str]) -> str:
    listed = []
    for group, words in _GROUPS:
        if group <= terminals:
            listed.append(words)
            terminals = terminals - group
    if "a statement" in listed:  # what else could stand here, such as the end, is not worth saying
        return "a statement"
    listed += [words for terminal, words in _WORDS.items() if terminal in terminals]
    return " or ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))


def _found(text: str, offset: int) -> str:
    lexeme = _LEXEME.search(text, offset)
    word = lexeme[0] if lexeme else "\n"
    if word in "\n#":
        return "the end of the line"
    if not word.isprintable():
        return f"the character U+{ord(word):04X} {unicodedata.name(word, '')}".rstrip()
    return f"'{abridged(word)}'"
