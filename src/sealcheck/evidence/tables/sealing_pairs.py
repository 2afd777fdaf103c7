"""The table of all pairs of programs: whether the second seals the first."""

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.evidence.tables.columns import MESSAGES, ORBIT_SIZE, SEALING_CERTIFICATE, SEALS, N, P, Q
from sealcheck.evidence.tables.table import Table
from sealcheck.theorems.checking.domains import Sequences

TABLE = Table(
    kind="sealing-pairs",
    text="every P and Q with so many messages together, whether Q seals P",
    columns=(P, Q, N, MESSAGES, ORBIT_SIZE, SEALS, SEALING_CERTIFICATE),
    shown=(P, Q, N, SEALS),
    domain=Sequences(2, "pairs of programs"),
    row=lambda instance: sealing_document(instance.p, instance.q),
    statements=("decide-sealing",),
)
