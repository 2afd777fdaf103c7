"""The printed procedures, calling only printed procedures.

A procedure without a slip (error) of its own may be wrong if it calls printed procedures. `Program-Graph` and
`Signature-Compose` call nothing. `Is-Seal` and `Seal` take the printed procedures as parameters.

>>> from sealcheck.programs.straight_line import mt
>>> list(closed_channels(StraightLine.of(2, mt(1, 2) + mt(2, 1))).edges)
[]
"""

from functools import lru_cache

import networkx as nx

from sealcheck.algorithms.as_printed.closed_channels import closed_channels as _closed_channels
from sealcheck.algorithms.as_printed.deadlock_free import deadlock_free as _deadlock_free
from sealcheck.algorithms.as_printed.program_graph import program_graph
from sealcheck.algorithms.as_printed.sig import sig as _sig
from sealcheck.programs.straight_line import StraightLine


def deadlock_free(p: StraightLine) -> bool:
    """Deadlock-Free on the printed Program-Graph. Source: Deadlock-Free, in `app:algo`."""
    return _deadlock_free(p, program_graph)


def sig(p: StraightLine) -> nx.DiGraph:
    """Sig on the printed Program-Graph. Source: Sig, in `app:algo`."""
    return _sig(p, program_graph)


sig_of = lru_cache(maxsize=512)(sig)
"""`sig` with a cache."""


def closed_channels(p: StraightLine) -> nx.DiGraph:
    """Closed-Channels on the printed Sig. Source: Closed-Channels, in `app:algo`."""
    return _closed_channels(p, sig)
