# SPDX-License-Identifier: MIT
"""A capture's graph as a torch.fx.GraphModule, and inputs for it: what measure.py compares with."""

import json
import operator
from pathlib import Path

import torch
import torch._inductor.inductor_prims  # noqa: F401 - registers operators of prims


def resolve(target):
    """aten.add.Tensor -> torch.ops.aten.add.Tensor, operator.getitem -> operator.getitem."""
    if target.startswith("operator."):
        return getattr(operator, target.split(".", 1)[1])
    found = torch.ops
    for part in target.split("."):
        found = getattr(found, part)
    return found


class Builder:
    def __init__(self, document):
        self.graph = torch.fx.Graph()
        self.nodes = {}
        self.symbols = {}
        for node in document["graph"]["nodes"]:
            self.add(node)

    def value(self, arg):
        if isinstance(arg, list):
            return [self.value(item) for item in arg]
        if not isinstance(arg, dict):
            return arg
        if "$node" in arg:
            return self.nodes[arg["$node"]]
        if "$tuple" in arg:
            return tuple(self.value(item) for item in arg["$tuple"])
        if "$dict" in arg:
            return {self.value(k): self.value(v) for k, v in arg["$dict"]}
        if "$slice" in arg:
            return slice(*(self.value(item) for item in arg["$slice"]))
        if "$sym" in arg:
            return arg["hint"]
        if "$float" in arg:
            return float(arg["$float"])
        if "$dtype" in arg:
            return getattr(torch, arg["$dtype"])
        if "$device" in arg:
            return torch.device(arg["$device"])
        for key in ("$layout", "$memory_format"):
            if key in arg:
                return getattr(torch, arg[key])
        if "$op" in arg:
            return resolve(arg["$op"])
        raise NotImplementedError(str(arg))

    def add(self, node):
        kind = node["op"]
        args = tuple(self.value(arg) for arg in node.get("args", []))
        kwargs = {key: self.value(arg) for key, arg in node.get("kwargs", {}).items()}
        if kind == "placeholder":
            made = self.graph.placeholder(node["name"])
        elif kind == "output":
            made = self.graph.output(args[0])
        elif kind == "call_function":
            made = self.graph.create_node(kind, resolve(node["target"]), args, kwargs, node["name"])
        else:
            raise NotImplementedError(kind)
        self.nodes[node["name"]] = made


def load(path: Path):
    """The graph, and the metadata of its inputs in order."""
    document = json.loads(path.read_text())
    builder = Builder(document)
    module = torch.fx.GraphModule(torch.nn.Module(), builder.graph)
    metas = [node["meta"]["val"] for node in document["graph"]["nodes"]
             if node["op"] == "placeholder"]
    return module, metas


def drawn(meta, device="cuda"):
    """A tensor of these sizes and strides; whole numbers are 0 or 1."""
    if meta["kind"] != "tensor":
        return meta.get("hint", 1)
    dtype = getattr(torch, meta["dtype"])
    made = torch.empty_strided(meta["shape"], meta["stride"], dtype=dtype, device=device)
    return made.normal_() if dtype.is_floating_point else made.random_(0, 2)
