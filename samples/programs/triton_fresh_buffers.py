# SPDX-License-Identifier: MIT
"""A kernel that fills two new buffers, and a second kernel that goes on in one of them."""

import torch
import triton
import triton.language as tl


@triton.jit
def sin_cos_kernel(x, sines, cosines, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    angle = tl.load(x + at, mask=inside)
    tl.store(sines + at, tl.sin(angle), mask=inside)
    tl.store(cosines + at, tl.cos(angle), mask=inside)


@triton.jit
def double_kernel(values, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(values + at, tl.load(values + at, mask=inside) * 2, mask=inside)


@torch.compile(fullgraph=True)
def waves(x):
    sines, cosines = torch.empty_like(x), torch.empty_like(x)
    grid = (triton.cdiv(x.numel(), 64),)
    sin_cos_kernel[grid](x, sines, cosines, x.numel(), BLOCK=64)
    double_kernel[grid](sines, x.numel(), BLOCK=64)
    return sines + cosines


if torch.cuda.is_available():
    print(waves(torch.linspace(0, 3, 100, device="cuda")).sum().item())
else:
    print("needs a GPU")
