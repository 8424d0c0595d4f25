# SPDX-License-Identifier: MIT
"""Assignments to parts of a tensor: nested scatters become one write, in place where it pays."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile(fullgraph=True)
def nested(x, values):
    x[2:5, 1:3] = values
    return x.sum()


@torch.compile(fullgraph=True)
def columns_of_a_product(a, b, values):
    product = a @ b
    product[:, 2:4] = values
    return product


@torch.compile(fullgraph=True)
def other_parts(x, values):
    work = x.clone()
    work[3] = values
    work.diagonal().fill_(7)
    torch.as_strided(work, (4,), (2,), 1).mul_(2)
    return work


x, values = torch.zeros(8, 8, device=DEVICE), torch.ones(8, device=DEVICE)
print(nested(x, torch.ones(3, 2, device=DEVICE)).item())
print(columns_of_a_product(x, x, torch.ones(8, 2, device=DEVICE)).sum().item())
print(other_parts(x, values).sum().item())
