# SPDX-License-Identifier: MIT
"""A Triton kernel that updates its argument: the clone and the copy back are both dropped."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(values, factor, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(values + at, tl.load(values + at, mask=inside) * factor, mask=inside)


@torch.compile(fullgraph=True)
def scale(values, factor):
    n = values.numel()
    scale_kernel[(triton.cdiv(n, 64),)](values, factor, n, BLOCK=64)
    return values.sum()


if torch.cuda.is_available():
    print(scale(torch.ones(8, 24, device="cuda"), 3.0).item())
else:
    print("needs a GPU")
