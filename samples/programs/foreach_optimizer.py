# SPDX-License-Identifier: MIT
"""A step of Adam over lists of tensors, and the whole of PyTorch's own optimizer step, compiled."""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile(fullgraph=True)
def adam(parameters, gradients, means, squares):
    torch._foreach_lerp_(means, gradients, 0.1)
    torch._foreach_mul_(squares, 0.999)
    torch._foreach_addcmul_(squares, gradients, gradients, 0.001)
    steps = torch._foreach_div(means, torch._foreach_add(torch._foreach_sqrt(squares), 1e-8))
    torch._foreach_add_(parameters, steps, alpha=-0.01)


torch.manual_seed(0)
shapes = [(4, 4), (8,), (2, 3)]
lists = [[torch.rand(shape, device=DEVICE) for shape in shapes] for _ in range(4)]
adam(*lists)
print(sum(parameter.sum().item() for parameter in lists[0]))

weights = [torch.rand(shape, device=DEVICE, requires_grad=True) for shape in shapes]
for weight in weights:
    weight.grad = torch.ones_like(weight)
optimizer = torch.optim.SGD(weights, lr=0.1, momentum=0.9, foreach=True)
torch.compile(optimizer.step)()
print(sum(weight.sum().item() for weight in weights))
