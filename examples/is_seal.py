"""Does q seal p?  An implementation with a fault, which `sealcheck diff` finds (README.md)."""


def is_seal(p, q):
    """Whether no message of q, or of a program after q, can be received in p."""
    shares = [first + then for first, then in zip(p, q, strict=True)]
    pasts = run(shares)
    for j, share in enumerate(p, 1):
        for i in {other for kind, other in share if kind == "rcv"}:
            last = max(at for at, event in enumerate(share) if event == ("rcv", i))
            if (j, last) not in pasts[i][next_send(p, q, i, j)]:
                return False
    return True


def next_send(p, q, i, j):
    """The position of q's first send on i->j, or of i's last event if q does not send there."""
    start = len(p[i - 1])
    return start + q[i - 1].index(("snd", j)) if ("snd", j) in q[i - 1] else start + len(q[i - 1]) - 1


def run(shares):
    """For each event, the events before it in every run. A message carries what its sender knows."""
    known = {k: set() for k in range(1, len(shares) + 1)}
    pasts = {k: [] for k in known}
    channels = {}
    moved = True
    while moved:
        moved = False
        for k, share in enumerate(shares, 1):
            while len(pasts[k]) < len(share):
                at = len(pasts[k])
                kind, other = share[at]
                if kind == "rcv" and not channels.get((other, k)):
                    break
                known[k].add((k, at))
                if kind == "snd":
                    own = {event for event in known[k] if event[0] == k}  # the fault: not its whole past
                    channels.setdefault((k, other), []).append(own)
                else:
                    known[k] |= channels[other, k].pop(0)
                pasts[k].append(set(known[k]))
                moved = True
    return pasts
