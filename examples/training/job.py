"""A data-parallel training job, whose Flight Recorder is dumped as JSON: one file for each rank.

    python3 job.py FOLDER

It needs PyTorch, and no GPU: three processes of this machine train with Gloo.
"""

import json
import os
import pickle
import sys
import tempfile
import time
from pathlib import Path

os.environ["TORCH_FR_BUFFER_SIZE"] = "2000"  # the recorder is off if this is 0

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch._C._distributed_c10d import _dump_fr_trace

RANKS, STEPS = 3, 2


def step(parameter: torch.Tensor, data: torch.Tensor) -> None:
    """One step of stochastic gradient descent."""
    loss = ((parameter * data) ** 2).sum()
    (gradient,) = torch.autograd.grad(loss, [parameter])
    dist.all_reduce(gradient)
    parameter.data -= 0.01 * gradient / RANKS
    report(loss.detach())


def report(loss: torch.Tensor) -> None:
    """Print the loss of all ranks, at rank 0."""
    dist.reduce(loss, dst=0)
    if dist.get_rank() == 0:
        print(f"loss {loss / RANKS:.3f}")


def train(rank: int, folder: str, meeting: str) -> None:
    """The work of one rank, and its dump."""
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=RANKS)
    parameter = torch.rand(3, requires_grad=True)
    dist.broadcast(parameter.data, src=0)
    for _ in range(STEPS):
        step(parameter, torch.rand(3))
    dist.barrier()
    time.sleep(1)  # Gloo notes the end of an operation a moment late
    write(Path(folder) / f"rank_{rank}.json")
    dist.destroy_process_group()


def write(file: Path) -> None:
    """The dump as JSON, with the names of source files but not their folders."""
    dump = pickle.loads(_dump_fr_trace())
    for entry in dump["entries"]:
        for frame in entry["frames"]:
            frame["filename"] = Path(frame["filename"]).name
    file.write_text(json.dumps(dump) + "\n")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        mp.spawn(train, (sys.argv[1], f"{place}/meeting"), nprocs=RANKS)
