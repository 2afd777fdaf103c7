"""The table of all programs: whether each can be sealed, with a shortest seal."""

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.evidence.tables.columns import (
    CLOSED_CHANNELS,
    MESSAGES,
    MINIMUM_MESSAGES,
    OPEN_CHANNELS,
    ORBIT_SIZE,
    PROGRAM,
    SEAL,
    SEALABILITY_CERTIFICATE,
    SEALABLE,
    N,
)
from sealcheck.evidence.tables.table import Table
from sealcheck.theorems.checking.domains import Programs

TABLE = Table(
    kind="sealability",
    text="every program, whether it can be sealed, with a shortest seal",
    columns=(
        PROGRAM,
        N,
        MESSAGES,
        ORBIT_SIZE,
        OPEN_CHANNELS,
        CLOSED_CHANNELS,
        SEALABLE,
        MINIMUM_MESSAGES,
        SEAL,
        SEALABILITY_CERTIFICATE,
    ),
    shown=(PROGRAM, N, OPEN_CHANNELS, MINIMUM_MESSAGES, SEAL),
    domain=Programs(),
    row=lambda instance: sealability_document(instance.p),
    statements=("closed-channels", "sealability", "seal-size"),
)
