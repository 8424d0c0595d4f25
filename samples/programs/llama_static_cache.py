# SPDX-License-Identifier: MIT
"""A small Llama of the transformers package with a static cache: prefill, then decoding steps."""

import torch

try:
    from transformers import LlamaConfig, LlamaForCausalLM, StaticCache
except ImportError:
    raise SystemExit(print("needs the package transformers")) from None

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
config = LlamaConfig(vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64)
model = LlamaForCausalLM(config).to(DEVICE).eval()
cache = StaticCache(config=config, max_cache_len=32)


def logits_of(ids, positions):
    return model(input_ids=ids, cache_position=positions, past_key_values=cache,
                 use_cache=True).logits


step = torch.compile(logits_of)
with torch.no_grad():
    ids = torch.tensor([[1, 7, 9, 4]], device=DEVICE)
    logits = logits_of(ids, torch.arange(4, device=DEVICE))  # makes the cache's buffers
    for at in range(4, 6):
        token = logits[:, -1:].argmax(-1)
        logits = step(token, torch.tensor([at], device=DEVICE))
        print(token.item())
