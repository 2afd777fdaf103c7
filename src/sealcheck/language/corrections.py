"""What somebody who made a slip in a program text probably meant."""

import re
from collections.abc import Iterator

_TO = r"(?:-+>|=+>|>|→|⟶|⇒|[–—]>|to\b)"
_FROM = r"(?:<-+|<=+|<|←|⟵|⇐|<[–—]|from\b)"

_MEANT = (
    ("SEND", "snd", r"(?i:snd|send|sends)\b"),
    ("RECEIVE", "rcv", r"(?i:rcv|recv|receive|receives|recieve)\b"),
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
    ("_SEPARATOR", ";", r"[,·•∘]"),
)
"""A terminal, how it is written, and what people write instead."""

_BEGINS = re.compile(r"(?:snd|rcv|mt|eps|cut|if|while)\b")
_SENDING = re.compile(r"(snd|mt)[ \t]+([0-9]+)[ \t]*$")
_RECEIVING = re.compile(r"rcv[ \t]+([0-9]+)[ \t]*$")
_NAME = r'([^\W\d]\w*|"[^"]+")'


def correction(text: str, offset: int, accepted: set[str]) -> str | None:
    """What to say about the character at which a text is no program; None where nothing is known.

    >>> correction("send 1->2", 0, {"SEND"}), correction("mt 1→2", 4, {"TO"})
    ("did you mean 'snd'?", "did you mean 'mt 1->2'?")
    >>> correction("rcv 2->1", 5, {"FROM"})
    "did you mean 'rcv 2<-1', where 2 receives, or 'rcv 1<-2'?"
    """
    if found := next(_arrows(text, offset, accepted), None):
        return found
    for terminal, written, instead in _MEANT:
        if terminal in accepted and re.compile(instead).match(text, offset):
            return f"did you mean '{written}'?"
    if "_SEPARATOR" in accepted and _BEGINS.match(text, offset):
        return "put ';' before it"
    if text[max(offset - 1, 0) : offset + 1] == "==":
        return "did you mean '='?"
    return None


def _arrows(text: str, offset: int, accepted: set[str]) -> Iterator[str]:
    """What may be wrong with an arrow that begins there."""
    line = text.rfind("\n", 0, offset) + 1
    sending, receiving = (kind.search(text[line:offset]) for kind in (_SENDING, _RECEIVING))
    to, of = (re.compile(rf"{arrow}[ \t]*([0-9]+)").match(text, offset) for arrow in (_TO, _FROM))
    if "TO" in accepted and sending:
        word, first = sending.groups()
        if to:
            yield f"did you mean '{word} {first}->{to[1]}'?"
        if of:
            where = f"where {first} sends"
            yield f"did you mean '{word} {first}->{of[1]}', {where}, or '{word} {of[1]}->{first}'?"
    if "FROM" in accepted and receiving:
        first = receiving[1]
        if of:
            yield f"did you mean 'rcv {first}<-{of[1]}'?"
        if to:
            yield f"did you mean 'rcv {first}<-{to[1]}', where {first} receives, or 'rcv {to[1]}<-{first}'?"


def named_correction(statement: str) -> str | None:
    """The same of a statement over named processes.

    >>> named_correction("send client→server"), named_correction("rcv server->client")
    ("did you mean 'snd client->server'?", "did you mean 'rcv server<-client', where server receives?")
    """
    found = re.fullmatch(rf"(\w+)\s+{_NAME}\s*({_TO}|{_FROM})\s*{_NAME}", statement)
    if found is None:
        return None
    word, first, arrow, other = found.groups()
    kind = next((written for _, written, instead in _MEANT[:3] if re.fullmatch(instead, word)), None)
    if kind is None:
        return None
    if kind == "rcv":
        where = "" if re.fullmatch(_FROM, arrow) else f", where {first} receives"
        return f"did you mean 'rcv {first}<-{other}'{where}?"
    where = "" if re.fullmatch(_TO, arrow) else f", where {first} sends"
    return f"did you mean '{kind} {first}->{other}'{where}?"
