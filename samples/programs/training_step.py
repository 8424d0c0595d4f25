# SPDX-License-Identifier: MIT
"""A training step: a forward graph that updates running statistics, and a backward graph."""

import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
                      nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 16, 10)).to(DEVICE)


@torch.compile(fullgraph=True)
def loss_of(images, labels):
    return nn.functional.cross_entropy(model(images), labels)


images = torch.randn(4, 3, 8, 8, device=DEVICE)
labels = torch.tensor([1, 0, 7, 3], device=DEVICE)
loss = loss_of(images, labels)
loss.backward()
print(loss.item(), model[0].weight.grad.norm().item())
