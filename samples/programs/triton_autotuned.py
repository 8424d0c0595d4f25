# SPDX-License-Identifier: MIT
"""An autotuned kernel: one launch with a grid and a compiled variant for each configuration."""

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 256}, num_warps=4)]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@torch.compile(fullgraph=True)
def add(x, y, out):
    n = x.numel()
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n)
    return out.mean()


if torch.cuda.is_available():
    x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
    print(add(x, y, out).item())
else:
    print("needs a GPU")
