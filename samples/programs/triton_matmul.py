# SPDX-License-Identifier: MIT
"""A tiled matrix product; strides of 1 become constants of the kernel."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, M, N, K, a_row, a_col, b_row, b_col, c_row, c_col,
                  TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    cols = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for start in range(0, K, TILE_K):
        inner = start + tl.arange(0, TILE_K)
        left = tl.load(a + rows[:, None] * a_row + inner[None, :] * a_col,
                       mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0)
        right = tl.load(b + inner[:, None] * b_row + cols[None, :] * b_col,
                        mask=(inner[:, None] < K) & (cols[None, :] < N), other=0.0)
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * c_row + cols[None, :] * c_col, total,
             mask=(rows[:, None] < M) & (cols[None, :] < N))


@torch.compile(fullgraph=True)
def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty(m, n, device=a.device)
    grid = (triton.cdiv(m, 16), triton.cdiv(n, 16))
    matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
                        TILE_M=16, TILE_N=16, TILE_K=16)
    return c.relu()


if torch.cuda.is_available():
    torch.manual_seed(0)
    a, b = torch.randn(32, 48, device="cuda"), torch.randn(48, 40, device="cuda")
    print((matmul(a, b) - (a @ b).relu()).abs().max().item())
else:
    print("needs a GPU")
