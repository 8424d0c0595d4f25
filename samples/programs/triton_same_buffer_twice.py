# SPDX-License-Identifier: MIT
"""One buffer under two written names: the first takes the memory, the second is cloned."""

import torch
import triton
import triton.language as tl


@triton.jit
def two_outputs_kernel(x, first, second, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    tl.store(first + at, value + 1, mask=inside)
    tl.store(second + at, value * 2, mask=inside & (at % 2 == 0))


@torch.compile(fullgraph=True)
def both(x):
    buffer = torch.zeros_like(x)
    two_outputs_kernel[(1,)](x, buffer, buffer, x.numel(), BLOCK=64)
    return buffer + 1


if torch.cuda.is_available():
    print(both(torch.ones(64, device="cuda")).shape)
else:
    print("needs a GPU")
