# SPDX-License-Identifier: MIT
"""A custom operator registered with torch.library.Library, called twice with other numbers."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
library = torch.library.Library("sample_lib", "DEF")
library.define("axpy_(Tensor x, Tensor(a!) y, *, float alpha=1.0, Tensor(b!)? mask=None) -> ()",
               tags=torch.Tag.pt2_compliant_tag)


def axpy_(x, y, *, alpha=1.0, mask=None):
    y.add_(x, alpha=alpha)
    if mask is not None:
        mask.logical_and_(y > 0)


library.impl("axpy_", axpy_, "CUDA")
library.impl("axpy_", axpy_, "CPU")
library.impl("axpy_", lambda x, y, *, alpha=1.0, mask=None: None, "Meta")


@torch.compile(fullgraph=True)
def twice(x, y):
    work = x.cos()
    torch.ops.sample_lib.axpy_(x, work, alpha=2.0)
    torch.ops.sample_lib.axpy_(work, y, alpha=-1.0)
    return work + y


x, y = torch.ones(4, 8, device=DEVICE), torch.zeros(4, 8, device=DEVICE)
print(twice(x, y).sum().item())
