# SPDX-License-Identifier: MIT
"""One decoding step of a decoder of real size, float16: 12 layers, 2048 wide, batch 8, a cache of 2048 tokens."""

import sys

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, BATCH, LENGTH, LAYERS = 2048, 16, 8, 2048, 12
DEPTH = WIDTH // HEADS


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        shape = (BATCH, HEADS, LENGTH, DEPTH)
        self.register_buffer("keys", torch.zeros(shape))
        self.register_buffer("values", torch.zeros(shape))

    def forward(self, x, position):
        query, key, value = (part.view(BATCH, 1, HEADS, DEPTH).transpose(1, 2)
                             for part in self.qkv(self.norm(x)).chunk(3, -1))
        self.keys[:, :, position] = key
        self.values[:, :, position] = value
        visible = torch.arange(LENGTH, device=x.device)[None] <= position
        scores = query @ self.keys.transpose(-1, -2) / DEPTH**0.5
        mixed = scores.masked_fill(~visible, float("-inf")).softmax(-1) @ self.values
        x = x + self.out(mixed.transpose(1, 2).reshape(BATCH, 1, WIDTH))
        return x + self.down(functional.gelu(self.up(self.after(x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, x, position):
        for layer in self.layers:
            x = layer(x, position)
        return x


if __name__ == "__main__":
    torch.manual_seed(0)
    device = sys.argv[1] if len(sys.argv) > 1 else "cuda"
    model = Decoder().half().to(device).eval()
    step = torch.compile(model, fullgraph=True)
    with torch.no_grad():
        x = torch.randn(BATCH, 1, WIDTH, device=device, dtype=torch.float16)
        print(step(x, torch.tensor([5], device=device)).float().norm().item())
