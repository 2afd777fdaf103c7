"""Recordings of training jobs, made by hand: no job with NCCL ran, and none was traced for Chakra.

    python3 by_hand.py

writes two folders: pipeline, in the format of PyTorch's Flight Recorder with NCCL, and chakra, in the format
of chakra_jsonizer.
"""

import json
from pathlib import Path

HERE = Path(__file__).parent
RANKS = 3
STACK = [("train", 30), ("<module>", 41)]
"""The calls around those of `microbatch`, with their lines."""


def pipeline() -> None:
    """Two microbatches pass through a pipeline, then all ranks add their gradients."""
    for rank in range(RANKS):
        entries: list[dict[str, object]] = []

        def add(name: str, line: int, *, of_peers: bool, entries: list[dict[str, object]] = entries) -> None:
            number = 1 + sum(entry["is_p2p"] is of_peers for entry in entries)
            calls = [("microbatch", line), *STACK] if of_peers else [("train", line), *STACK[1:]]
            tensors = {"input_sizes": [[8, 16]], "output_sizes": [[8, 16]]}
            entries.append(
                {
                    "frames": [{"name": name, "filename": "train.py", "line": line} for name, line in calls],
                    "record_id": len(entries),
                    "pg_id": 0,
                    "process_group": ["0", "default_pg"],
                    "collective_seq_id": 0 if of_peers else number,
                    "p2p_seq_id": number if of_peers else 0,
                    "op_id": len(entries) + 1,
                    "profiling_name": f"nccl:{name}",
                    **tensors,
                    "state": "completed",
                    "retired": True,
                    "is_p2p": of_peers,
                }
            )

        for _ in range(2):
            if rank > 0:
                add(f"recv {rank}<-{rank - 1}", 12, of_peers=True)
            if rank < RANKS - 1:
                add(f"send {rank}->{rank + 1}", 15, of_peers=True)
        add("all_reduce", 34, of_peers=False)
        group = {"name": "0", "desc": "default_pg", "ranks": str([*range(RANKS)])}
        dump = {"version": "2.10", "pg_config": {"0": group}, "entries": entries}
        write(HERE / "pipeline" / f"rank_{rank}.json", json.dumps(dump))


def chakra() -> None:
    """Two exchanges with neighbours in a line. Dependencies do not order the messages of an exchange."""
    for rank in range(RANKS):
        found: list[dict[str, object]] = []
        before: list[str] = []
        for exchange in range(2):
            here: list[str] = []
            for kind, own, other in (("SEND", "comm_src", "comm_dst"), ("RECV", "comm_dst", "comm_src")):
                for peer in (rank - 1, rank + 1):
                    if 0 <= peer < RANKS:
                        here.append(str(len(found) + 1))
                        ends = {own: rank, other: peer, "comm_tag": 7}
                        found.append(
                            {
                                "id": here[-1],
                                "name": "exchange" if len(here) == 1 else "",
                                "type": f"COMM_{kind}_NODE",
                                "dataDeps": before,
                                "startTimeMicros": str(1000 * exchange + 10 * len(here)),
                                "durationMicros": "5",
                                "attr": [{"name": name, "int32Val": value} for name, value in ends.items()],
                            }
                        )
            before = here
        objects = [{"version": "0.0.4"}, *found]
        write(HERE / "chakra" / f"trace.{rank}.json", "".join(json.dumps(each, indent=2) for each in objects))


def write(file: Path, text: str) -> None:
    """Write a file, in a folder that may be new."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(text + "\n")


if __name__ == "__main__":
    pipeline()
    chakra()
