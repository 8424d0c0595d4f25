# SPDX-License-Identifier: MIT
"""Custom operators that write arguments, functionalized the new way (v2) and the old (v1)."""

import torch
import torch._inductor.config as inductor_config

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.library.custom_op("sample::norm_add_", mutates_args=("x", "residual"))
def norm_add_(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor,
              epsilon: float) -> None:
    residual.add_(x)
    scale = torch.rsqrt(residual.pow(2).mean(-1, keepdim=True) + epsilon)
    x.copy_(residual * scale * weight)


@torch.library.custom_op("sample::accumulate_", mutates_args=("total",))
def accumulate_(total: torch.Tensor, x: torch.Tensor, factor: float) -> torch.Tensor:
    total.add_(x, alpha=factor)
    return total.sum()


@accumulate_.register_fake
def _(total, x, factor):
    return total.new_empty(())


def block(x, residual, weight, total):
    hidden = x @ x.t()
    torch.ops.sample.norm_add_(hidden, residual, weight, 1e-5)
    first = torch.ops.sample.accumulate_(total, hidden, 0.5)
    left, _ = hidden.chunk(2, 0)
    second = torch.ops.sample.accumulate_(left, hidden[4:], 2.0)
    return hidden, first + second


def run() -> None:
    torch.manual_seed(0)
    x, residual, total = (torch.randn(8, 8, device=DEVICE) for _ in range(3))
    weight = torch.ones(8, device=DEVICE)
    hidden, sums = torch.compile(block, fullgraph=True)(x, residual, weight, total)
    print(hidden.sum().item(), sums.item(), residual.sum().item())


run()
if hasattr(inductor_config, "enable_auto_functionalized_v2"):
    torch.compiler.reset()
    with inductor_config.patch(enable_auto_functionalized_v2=False):
        run()
