# SPDX-License-Identifier: MIT
"""A kernel writes one half of a tensor while the other half is read later."""

import torch
import triton
import triton.language as tl


@triton.jit
def negate_kernel(values, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(values + at, -tl.load(values + at, mask=inside), mask=inside)


@torch.compile(fullgraph=True)
def negate_lower_half(x):
    work = x.sin()
    upper, lower = work[:4], work[4:]
    negate_kernel[(1,)](lower, lower.numel(), BLOCK=64)
    return upper.sum() + work.sum()


if torch.cuda.is_available():
    print(negate_lower_half(torch.ones(8, 8, device="cuda")).item())
else:
    print("needs a GPU")
