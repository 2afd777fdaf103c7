"""Texts in LaTeX, which reads many signs as commands."""

import re

from sealcheck.drawing.scene import printable

SPECIAL = {
    "->": r"$\to$",
    "<-": r"$\gets$",
    "<=": r"$\leq$",
    ">=": r"$\geq$",
    "≀": r"$\wr$",
    "…": r"\ldots{}",
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{REPLACEMENT CHARACTER}": "?",
}
"""What would mean something else, or nothing, in LaTeX, the longer ones first."""

_PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))


def latex(text: str) -> str:
    r"""The text as LaTeX shows it.

    >>> print(latex("mt 1->2 & 100% of P_1"))
    mt 1$\to$2 \& 100\% of P\_1
    >>> print(latex('"It is"'))
    ``It is''
    """
    special = _PATTERN.sub(lambda found: SPECIAL[found[0]], printable(text))
    return re.sub('"([^"]*)"', r"``\1''", special)
