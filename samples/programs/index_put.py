# SPDX-License-Identifier: MIT
"""Rows of a table are replaced: in place in an input, not where the old table is used too."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile(fullgraph=True)
def update(table, rows, values):
    table[rows] = values
    return table.sum()


@torch.compile(fullgraph=True)
def replaced(table, rows, values):
    table = table.exp()
    changed = torch.index_put(table, (rows,), values)
    return changed, table.sin()


table, values = torch.zeros(8, 4, device=DEVICE), torch.ones(2, 4, device=DEVICE)
rows = torch.tensor([1, 5], device=DEVICE)
print(update(table, rows, values).item())
print(replaced(table, rows, values)[0].sum().item())
