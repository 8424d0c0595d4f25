# SPDX-License-Identifier: MIT
"""Branches and loops inside the graph: their bodies are graphs of their own."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile(fullgraph=True)
def branch(flag, x):
    work = x.exp()
    chosen = torch.cond(flag.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (work,))
    return torch.index_put(work, (torch.zeros(1, dtype=torch.int64, device=x.device),), chosen[:1])


print(branch(torch.ones(1, device=DEVICE), torch.ones(8, device=DEVICE)).sum().item())
