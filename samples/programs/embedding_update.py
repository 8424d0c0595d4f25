# SPDX-License-Identifier: MIT
"""Writes through an index: an embedding row by row, a masked fill, and scatter_add with repeats."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile(fullgraph=True)
def update(table, ids, changes, counts):
    table.index_put_((ids,), changes, accumulate=True)
    table.masked_fill_(table > 2, 2.0)
    counts.scatter_add_(0, ids, torch.ones_like(ids))
    return table[ids]


table, changes = torch.zeros(10, 4, device=DEVICE), torch.ones(3, 4, device=DEVICE)
ids = torch.tensor([1, 1, 7], device=DEVICE)
counts = torch.zeros(10, dtype=torch.int64, device=DEVICE)
print(update(table, ids, changes, counts).sum().item(), counts.tolist())
