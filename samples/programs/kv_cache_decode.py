# SPDX-License-Identifier: MIT
"""One decoding step of a small language model: each layer writes its key and value into a cache."""

import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
WIDTH, HEADS, LENGTH, LAYERS = 32, 2, 16, 2


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        shape = (1, HEADS, LENGTH, WIDTH // HEADS)
        self.register_buffer("keys", torch.zeros(shape))
        self.register_buffer("values", torch.zeros(shape))

    def forward(self, x, position):
        query, key, value = (part.view(1, 1, HEADS, -1).transpose(1, 2)
                             for part in self.qkv(self.norm(x)).chunk(3, -1))
        self.keys[:, :, position] = key
        self.values[:, :, position] = value
        visible = torch.arange(LENGTH, device=x.device)[None] <= position
        scores = query @ self.keys.transpose(-1, -2) / query.shape[-1] ** 0.5
        mixed = scores.masked_fill(~visible, float("-inf")).softmax(-1) @ self.values
        return x + self.out(mixed.transpose(1, 2).reshape(1, 1, WIDTH))


class Decoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, 50)

    def forward(self, token, position):
        x = self.embed(token)
        for layer in self.layers:
            x = layer(x, position)
        return self.head(x)


torch.manual_seed(0)
model = Decoder().to(DEVICE).eval()
step = torch.compile(model, fullgraph=True)
with torch.no_grad():
    token = torch.tensor([[3]], device=DEVICE)
    for at in range(3):
        token = step(token, torch.tensor([at], device=DEVICE)).argmax(-1)
        print(token.item())
