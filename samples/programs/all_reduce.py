# SPDX-License-Identifier: MIT
"""A sum over processes (here one): the collective writes in place what nobody reads later."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def reduced(x):
    total = collectives.all_reduce(x * 2, "sum", dist.group.WORLD)
    return collectives.wait_tensor(total) + 1


if dist.is_available():
    dist.init_process_group("nccl" if DEVICE == "cuda" else "gloo", rank=0, world_size=1,
                            store=dist.HashStore())
    print(torch.compile(reduced, fullgraph=True)(torch.ones(4, 4, device=DEVICE)).sum().item())
    dist.destroy_process_group()
else:
    print("needs torch.distributed")
