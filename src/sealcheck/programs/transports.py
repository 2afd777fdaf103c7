"""The guarantees of common transports for a port, between one sender and its reader.

A port is a queue, stream, topic, mailbox or tag of the transport, as the program uses it: with a stream for
each tag, `quic-streams` orders the messages of a sender and a tag, not those of different tags.
docs/transports.md has the sources.
"""

from sealcheck.errors import InputError
from sealcheck.programs.ports import BAG, FIFO, Guarantee
from sealcheck.words import or_choose

LOSSY_BAG = Guarantee(lossy=True)
LOSSY_FIFO = Guarantee(fifo=True, lossy=True)
COPYING = Guarantee(duplicating=True)
UNRELIABLE = Guarantee(lossy=True, duplicating=True)

TRANSPORTS: dict[str, Guarantee] = {
    "tcp": FIFO,
    "tcp-pool": BAG,
    "quic-streams": FIFO,
    "quic-stream-per-message": BAG,
    "quic-datagrams": UNRELIABLE,
    "sctp": FIFO,
    "sctp-unordered": BAG,
    "webrtc": FIFO,
    "webrtc-unordered": BAG,
    "webrtc-lossy": LOSSY_BAG,
    "udp": UNRELIABLE,
    "mpi": FIFO,
    "nccl": FIFO,
    "erlang": FIFO,
    "akka": LOSSY_FIFO,
    "akka-at-least-once": COPYING,
    "grpc-calls": BAG,
    "grpc-stream": FIFO,
    "amqp": FIFO,
    "kafka": FIFO,
    "sqs": COPYING,
    "sqs-fifo": FIFO,
}
"""By name, the guarantee of each port."""


def transport(name: str) -> Guarantee:
    """The guarantee of a transport's ports.  Raises InputError, listing the names, if there is no such
    transport.

    >>> print(transport("udp"))
    lossy, duplicating
    """
    if name not in TRANSPORTS:
        raise InputError(f"unknown transport '{name[:30]}': {or_choose(name, TRANSPORTS)}")
    return TRANSPORTS[name]
