"""Error messages about syntax: the place, the expected and the found words, and perhaps a hint."""

import re
import unicodedata
from collections.abc import Iterator

from lark.exceptions import UnexpectedInput, UnexpectedToken

from sealcheck.errors import InputError

_TO = r"(?:-+>|=+>|>|→|⟶|⇒|[–—]>|to\b)"
_FROM = r"(?:<-+|<=+|<|←|⟵|⇐|<[–—]|from\b)"
_NO_ARROW = r"[-–—,!?]?"
"""Signs that people write in place of an arrow; the sign may be missing."""

_MEANT = (
    ("SEND", "snd", r"(?i:snd|send|sends)\b"),
    ("RECEIVE", "rcv", r"(?i:rcv|recv|rec(?:ei|ie)ves?)\b"),
    ("TRANSMIT", "mt", r"(?i:mt|msg|message|transmit)\b"),
    ("EPS", "eps", r"(?i:eps|epsilon|skip|nop)\b|ε|ϵ"),
    ("CUT", "cut", r"(?i:cut)\b|≀"),
    ("_IF", "if", r"(?i:if)\b"),
    ("_WHILE", "while", r"(?i:while)\b"),
    ("_NOT", "not", r"(?i:not)\b|¬|!"),
    ("_AND", "and", r"(?i:and)\b|∧|&&?"),
    ("_OR", "or", r"(?i:or)\b|∨|\|\|?"),
    ("COMPARISON", "<=", "≤"),
    ("COMPARISON", ">=", "≥"),
    ("COMPARISON", "!=", "≠|<>"),
    ("BECOMES", ":=", "=|←|<-"),
    ("_SEPARATOR", ";", r"[,·•∘&|]+"),
)
"""A terminal, its spelling, and common misspellings."""

_BEGINS = re.compile(r"(?:snd|rcv|mt|eps|cut|if|while)\b")
_SENDING = re.compile(r"(snd|mt)[ \t]+([0-9]+)[ \t]*$")
_RECEIVING = re.compile(r"rcv[ \t]+([0-9]+)[ \t]*$")
_NAME = r'([^\W\d]\w*|"[^"]+")'


def correction(text: str, offset: int, accepted: set[str]) -> str | None:
    """A hint on how to correct a program text from the offset of its error on, or None.

    `accepted` are the terminals of the grammar that could stand at the offset.

    >>> correction("send 1->2", 0, {"SEND"}), correction("mt 1→2", 4, {"TO"})
    ("did you mean 'snd'?", "did you mean 'mt 1->2'?")
    >>> correction("rcv 2->1", 5, {"FROM"})
    "did you mean 'rcv 2<-1', where 2 receives, or 'rcv 1<-2'?"
    """
    if found := next(_arrows(text, offset, accepted), None) or _whole(text, offset, accepted):
        return found
    for terminal, written, instead in _MEANT:
        if terminal in accepted and re.compile(instead).match(text, offset):
            return f"did you mean '{written}'?"
    if "_SEPARATOR" in accepted and _BEGINS.match(text, offset):
        return "put ';' before it"
    if "_SEPARATOR" in accepted and text[offset : offset + 1] == "*":
        return "put the repeated part in parentheses"
    if text[max(offset - 1, 0) : offset + 1] == "==":
        return "did you mean '='?"
    return None


def _arrows(text: str, offset: int, accepted: set[str]) -> Iterator[str]:
    """Hints about an arrow that begins at this offset."""
    line = text.rfind("\n", 0, offset) + 1
    sending, receiving = (kind.search(text[line:offset]) for kind in (_SENDING, _RECEIVING))
    to, of, bare = (
        re.compile(rf"{arrow}[ \t]*([0-9]+)").match(text, offset) for arrow in (_TO, _FROM, _NO_ARROW)
    )
    if "TO" in accepted and sending:
        word, first = sending.groups()
        if other := to or bare:
            yield f"did you mean '{word} {first}->{other[1]}'?"
        if of:
            where = f"where {first} sends"
            yield f"did you mean '{word} {first}->{of[1]}', {where}, or '{word} {of[1]}->{first}'?"
    if "FROM" in accepted and receiving:
        first = receiving[1]
        if other := of or bare:
            yield f"did you mean 'rcv {first}<-{other[1]}'?"
        if to:
            yield f"did you mean 'rcv {first}<-{to[1]}', where {first} receives, or 'rcv {to[1]}<-{first}'?"


def _whole(text: str, offset: int, accepted: set[str]) -> str | None:
    """A hint about the whole text: a file name, a missing ``mt``, or processes in parentheses or by name."""
    if "TRANSMIT" in accepted and _FILE.fullmatch(text):
        return f"did you mean '@{text}'?"
    if "TRANSMIT" in accepted and (bare := _WITHOUT_WORD.match(text, offset)):
        return f"did you mean 'mt {bare[1]}->{bare[2]}'?"
    word = re.search(r"(snd|rcv|mt)[ \t]*$", text[:offset])
    if "PROCESS" in accepted and word:
        arrow, written = (_FROM, "<-") if word[1] == "rcv" else (_TO, "->")
        inside = re.compile(rf"\([ \t]*([0-9]+)[ \t]*(?:{arrow}|,)[ \t]*([0-9]+)[ \t]*\)")
        if found := inside.match(text, offset):
            return f"did you mean '{word[1]} {found[1]}{written}{found[2]}'?"
    if "PROCESS" in accepted and re.compile(_NAME).match(text, offset):
        return _NUMBERS_OR_NAMES
    return None


_PROCESS = rf"([0-9]+|{_NAME[1:-1]})"
_WITHOUT_WORD = re.compile(rf"{_PROCESS}[ \t]*{_TO}[ \t]*{_PROCESS}")
_FILE = re.compile(r"[\w./-]*\w\.[a-z]{2,5}")
_NUMBERS_OR_NAMES = "give all processes numbers, or all names"


def named_correction(statement: str) -> str | None:
    """A hint about a statement over named processes, or None.

    >>> named_correction("send client→server"), named_correction("rcv server->client")
    ("did you mean 'snd client->server'?", "did you mean 'rcv server<-client', where server receives?")
    """
    if re.search(r"(?<![\w\"])[0-9]+(?![\w\"])", statement):
        return _NUMBERS_OR_NAMES
    found = re.fullmatch(rf"(\w+)\s+{_NAME}\s*({_TO}|{_FROM}|[-–—,!?]|\s)\s*{_NAME}", statement)
    if found is None:
        return None
    word, first, arrow, other = found.groups()
    kind = next((written for _, written, instead in _MEANT[:3] if re.fullmatch(instead, word)), None)
    if kind is None:
        return None
    if kind == "rcv":
        where = "" if re.fullmatch(_FROM, arrow) else f", where {first} receives"
        return f"did you mean 'rcv {first}<-{other}'{where}?"
    where = f", where {first} sends" if re.fullmatch(_FROM, arrow) else ""
    return f"did you mean '{kind} {first}->{other}'{where}?"


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
"""Sets of terminals that messages call by one name, larger sets first."""

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
"""The names of terminals outside these sets, in the order in which a message lists them."""

_SHOWN, _BEFORE = 70, 50
"""The most characters shown of a line, and the most shown in front of the error."""
_BLANK = " \t\r\n\f"
_LEXEME = re.compile(r"[A-Za-z0-9_.]+|->|<-|[^ \t\r\f]")


def describe(error: UnexpectedInput, text: str) -> InputError:
    """The error, with the place, the expected and found words, and a note that points at the place."""
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


def abridged(word: str) -> str:
    """The word, shortened if it is too long for a message."""
    return word if len(word) <= 20 else f"{word[:20]}…"


def error_at(line: int, column: int, what: str) -> InputError:
    """An error that names this place and says what is wrong."""
    return InputError(f"line {line}, column {column}: {what}")
