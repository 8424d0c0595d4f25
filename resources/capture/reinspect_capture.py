# SPDX-License-Identifier: MIT
"""Records what torch.compile hands to Inductor's reinplacing pass, and what the pass made of it.

    import reinspect_capture
    with reinspect_capture.record("captures"):
        compiled(x)                                # compiled for the first time in here

    python reinspect_capture.py --out captures --inputs script.py arguments of the script

Each compiled graph becomes a folder that Reinspect opens: before.json, canonical.json,
core_after.json and after.json (the graph around the pass and its phases), expect.json (what the
pass decided, its log, versions), the .ttir and .ptx files of Triton kernels, and
data.safetensors: the constants that the graph reads and, on request, the real inputs of its first
call with what it makes of them, so that a run elsewhere can be compared.

What holds true: the program computes what it computes without the recorder, and a failure in here
is a warning. To see graphs at all, Inductor's graph caches are off inside record(); custom
operators written in Python are traced once more on tensors without data (bodies=False leaves that
out).

Needs PyTorch 2.4 or newer and nothing else. Parts that a version lacks are left out, not guessed.

--live sends each finished capture to an open Reinspect window. The window writes a file (its place
is in `live_file`) readable by its user alone: {"protocol": 2, "port": N, "token": "..."}. Then, one
connection to 127.0.0.1:N a capture, where C and S are random and PROOF(side) is the HMAC-SHA256 of
"side:C:S" under the token, in hexadecimal:
    client  {"reinspect": "live", "protocol": 2, "nonce": C}\\n
    server  {"ok": true, "nonce": S, "proof": PROOF("server")}\\n
    client  {"proof": PROOF("client"), "capture": name, "folder": path,
             "files": [{"name": "k.ptx", "bytes": 9}, ...]}\\n
    server  {"ok": true}\\n
    client  the bytes of these files, one after the other
    server  {"ok": true}\\n                      when the capture was read
In the place of each ok the server may say {"ok": false, "error": "why"}\\n, and is done. The token
itself is never sent: who took over the port of a window that is gone learns nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import dataclasses
import functools
import hmac
import importlib
import inspect
import itertools
import json
import math
import os
import platform
import re
import runpy
import secrets
import socket
import stat
import struct
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

try:
    import torch
except ImportError:  # the live client and the tensor file writer work without it
    torch = None  # type: ignore[assignment]

FORMAT_VERSION = 1
LIVE_PROTOCOL = 2
LIVE_TIMEOUT_SECONDS = 10.0
LIVE_READ_SECONDS = 60.0  # for the window to read a capture
PASS_MODULE = "torch._inductor.fx_passes.reinplace"
CALLER_MODULE = "torch._inductor.fx_passes.post_grad"
PASS_NAME = "reinplace_inplaceable_ops"
CORE_NAME = "reinplace_inplaceable_ops_core"

Json = Any  # what json.dump takes


@dataclasses.dataclass(frozen=True)
class Options:
    """What to record beside the graphs."""

    name: str = "graph"  # captures are called name.0, name.1, ...
    inputs: bool = False  # the real inputs of each graph's first call, and its results
    input_limit: int = 64 << 20  # bytes of tensors a graph; above it none are written
    bodies: bool = True  # trace custom operators written in Python
    kernels: bool = True  # compile Triton kernels for their TTIR and PTX
    live: bool = False  # send finished captures to an open window


class CaptureWarning(UserWarning):
    """Something could not be recorded; the program itself goes on as ever."""


def warn(message: str) -> None:
    """Tells, and goes on even where warnings are made errors."""
    with contextlib.suppress(CaptureWarning):
        warnings.warn_explicit(message, CaptureWarning, "<reinspect_capture>", 1)


@contextlib.contextmanager
def only_warning(doing: str) -> Iterator[None]:
    """Turns a failure of ours into a warning that says what was being done and where it broke."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the user's program must go on
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        text = str(error).split("\n", 1)[0][:300]
        warn(f"{doing}: {type(error).__name__}: {text} ({place})")


# ---------------------------------------------------------------- names of things

MODULE_NAMES = {"_operator": "operator"}


def target_name(target: Any) -> str:
    """aten.add.Tensor, operator.getitem, higher_order.cond, module.function."""
    if isinstance(target, str):
        return target
    if isinstance(target, torch._ops.HigherOrderOperator):
        return f"higher_order.{operator_name(target)}"
    if isinstance(target, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(target)
    module = getattr(target, "__module__", None) or "builtins"
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", repr(target))
    return f"{MODULE_NAMES.get(module, module)}.{name}"


def operator_name(operator: Any) -> str:
    name = getattr(operator, "_name", None) or getattr(operator, "__name__", "")
    return str(name or operator)


def plain(value: Any) -> str:
    """torch.float32 -> float32."""
    return str(value).removeprefix("torch.")


def class_name(kind: Any) -> str:
    text = kind if isinstance(kind, str) else getattr(kind, "__qualname__", str(kind))
    return text.rsplit(".", 1)[-1]


# ---------------------------------------------------------------- symbolic numbers


def symbolic_types() -> tuple[type, ...]:
    return (torch.SymInt, torch.SymFloat, torch.SymBool)


def hint_of(symbol: Any) -> int | float | bool | None:
    """The number that a symbolic size had when it was traced; None where it has none (unbacked)."""
    node = symbol.node
    with contextlib.suppress(Exception):
        if node.has_hint() and node.hint is not None:
            return from_sympy(node.hint)
    for name in ("size_hint", "optimization_hint"):
        with contextlib.suppress(Exception):
            return from_sympy(getattr(node.shape_env, name)(node.expr))
    return None


def from_sympy(value: Any) -> int | float | bool:
    if isinstance(value, (bool, int, float)):
        return value
    if getattr(value, "is_Boolean", False):
        return bool(value)
    return int(value) if getattr(value, "is_integer", False) else float(value)


def constant_of(symbol: Any) -> int | float | bool | None:
    """A symbolic number whose expression is a plain number."""
    expr = symbol.node.expr
    if isinstance(expr, (bool, int, float)):
        return expr
    return from_sympy(expr) if getattr(expr, "is_number", False) else None


def symbol_json(symbol: Any) -> Json:
    constant = constant_of(symbol)
    if constant is not None:
        return constant
    return with_hint({"$sym": str(symbol.node.expr)}, symbol)


def with_hint(made: dict[str, Json], symbol: Any) -> dict[str, Json]:
    hint = hint_of(symbol)
    return made if hint is None else {**made, "hint": hint}


def example_number(value: Any) -> Any:
    """A symbolic number's hint; anything else as it is. Raises where there is no hint."""
    if not isinstance(value, symbolic_types()):
        return value
    constant = constant_of(value)
    hint = hint_of(value) if constant is None else constant
    if hint is None:
        raise ValueError(f"no size is known for {value.node.expr}")
    return hint


# ---------------------------------------------------------------- arguments and values


def float_json(value: float) -> Json:
    return value if math.isfinite(value) else {"$float": str(value)}


def argument_json(value: Any) -> Json:
    """ARG of the format: JSON scalars and lists as they are, everything else under one $ key."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, symbolic_types()):
        return symbol_json(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float_json(float(value))
    if isinstance(value, (list, tuple, dict, slice)):
        return container_json(value)
    if isinstance(value, torch.fx.Node):
        return {"$node": value.name}
    return special_json(value)


def container_json(value: Any) -> Json:
    if isinstance(value, list):
        return [argument_json(item) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [argument_json(item) for item in value]}
    if isinstance(value, slice):
        return {"$slice": [argument_json(part) for part in (value.start, value.stop, value.step)]}
    return {"$dict": [[argument_json(key), argument_json(item)] for key, item in value.items()]}


def special_json(value: Any) -> Json:
    if isinstance(value, complex):
        return {"$complex": [value.real, value.imag]}
    for kind, key in ((torch.dtype, "$dtype"), (torch.device, "$device"),
                      (torch.layout, "$layout"), (torch.memory_format, "$memory_format")):
        if isinstance(value, kind):
            return {key: plain(value)}
    if isinstance(value, (torch._ops.OpOverload, torch._ops.HigherOrderOperator)):
        return {"$op": target_name(value)}
    if is_view_op(value):
        return {"$view": {"target": target_name(value.target),
                          "args": [argument_json(item) for item in value.args],
                          "kwargs": container_json(dict(value.kwargs))}}
    return {"$opaque": repr(value)[:500], "type": target_name(type(value))}


def is_view_op(value: Any) -> bool:
    """One view inside a generalized scatter."""
    return type(value).__module__ == PASS_MODULE and all(
        hasattr(value, name) for name in ("target", "args", "kwargs"))


class Storages:
    """Small numbers for the storages of one graph, in the order in which they are met."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def number(self, tensor: Any) -> int:
        return self._numbers.setdefault(tensor.untyped_storage()._cdata, len(self._numbers))


def tensor_json(tensor: Any, storages: Storages) -> Json:
    made = {"kind": "tensor", "dtype": plain(tensor.dtype),
            "shape": [argument_json(size) for size in tensor.shape], "device": str(tensor.device)}
    if tensor.layout != torch.strided:
        return made
    made["stride"] = [argument_json(step) for step in tensor.stride()]
    made["offset"] = argument_json(tensor.storage_offset())
    with contextlib.suppress(Exception):  # some wrappers have no storage
        made["storage"] = storages.number(tensor)
        made["storage_bytes"] = argument_json(tensor.untyped_storage().nbytes())
    return made


def value_json(value: Any, storages: Storages) -> Json:
    """VALUE of the format, from what `meta["val"]` holds."""
    if isinstance(value, torch.Tensor):
        return tensor_json(value, storages)
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "items": [value_json(item, storages) for item in value]}
    if isinstance(value, symbolic_types()):
        kind = {torch.SymInt: "symint", torch.SymFloat: "symfloat"}.get(type(value), "symbool")
        return with_hint({"kind": kind, "expr": str(value.node.expr)}, value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"kind": "scalar", "value": argument_json(value)}
    return {"kind": "opaque", "repr": repr(value)[:500]}


# ---------------------------------------------------------------- graphs

FRAME = re.compile(r'^\s*File "(?P<file>.*)", line (?P<line>\d+), in (?P<function>.*)$')


def source_of(stack_trace: str | None) -> dict[str, str]:
    """The user's line and where it stands, from the last frame of a node's stack trace."""
    made: dict[str, str] = {}
    for line in (stack_trace or "").splitlines():
        frame = FRAME.match(line)
        if frame:
            made = {"source_file": f"{frame['file']}:{frame['line']} in {frame['function']}"}
        elif made and "source" not in made and line.strip():
            made["source"] = line.strip()
    return made


def modules_of(stack: Any) -> list[list[str]]:
    """nn_module_stack as [path, class] pairs, outermost first."""
    entries = stack.values() if isinstance(stack, Mapping) else ()
    return [[str(entry[0]), class_name(entry[1])] for entry in entries
            if isinstance(entry, (tuple, list)) and len(entry) >= 2]


def meta_json(node: Any, storages: Storages) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if "val" in node.meta:
        made["val"] = value_json(node.meta["val"], storages)
    elif node.op == "output":
        made["val"] = value_json(values_of(node.args[0]), storages)
    made.update(source_of(node.meta.get("stack_trace") or getattr(node, "stack_trace", None)))
    modules = modules_of(node.meta.get("nn_module_stack"))
    if modules:
        made["modules"] = modules
    if node.meta.get("original_aten") is not None:
        made["original_aten"] = target_name(node.meta["original_aten"])
    if "only_clone_these_tensors" in node.meta:
        made["only_clone_these_tensors"] = list(node.meta["only_clone_these_tensors"])
    if node.meta.get("partitioner_tag") is not None:
        made["partitioner_tag"] = str(node.meta["partitioner_tag"])
    return made


def values_of(result: Any) -> Any:
    """The output node's values: those of the nodes that it returns."""
    if isinstance(result, torch.fx.Node):
        return result.meta.get("val")
    if isinstance(result, (list, tuple)):
        return tuple(values_of(item) for item in result)
    return result


def node_json(node: Any, storages: Storages) -> Json:
    made = {"name": node.name, "op": node.op, "target": target_name(node.target),
            "args": [argument_json(item) for item in node.args]}
    if node.kwargs:
        made["kwargs"] = {key: argument_json(item) for key, item in node.kwargs.items()}
    meta = meta_json(node, storages)
    return {**made, "meta": meta} if meta else made


def attribute_of(owner: Any, target: str) -> Any:
    for part in target.split("."):
        owner = getattr(owner, part, None)
    return owner


def graph_json(graph: Any, name: str) -> Json:
    """GRAPH of the format, with the graphs of higher-order operators inside."""
    storages = Storages()
    made: dict[str, Json] = {"name": name,
                             "nodes": [node_json(node, storages) for node in graph.nodes]}
    attributes, subgraphs = {}, {}
    for node in graph.nodes:
        if node.op != "get_attr":
            continue
        held = attribute_of(graph.owning_module, node.target)
        if isinstance(held, torch.fx.GraphModule):
            subgraphs[node.target] = graph_json(held.graph, node.target)
        elif isinstance(held, torch.Tensor):
            attributes[node.target] = tensor_json(held, storages)
    if attributes or subgraphs:
        made.update(attributes=attributes, subgraphs=subgraphs)
    return made


# ---------------------------------------------------------------- what the pass decided


@dataclasses.dataclass
class NodeState:
    """What of a node the pass may change."""

    target: Any
    inner: Any
    to_clone: list[str] | None


def wrapper_clones(node: Any) -> list[str] | None:
    names = node.kwargs.get("tensors_to_clone")
    functional = target_name(node.target).endswith("triton_kernel_wrapper_functional")
    return list(names) if functional and names is not None else None


def states_of(graph: Any) -> dict[Any, NodeState]:
    return {node: NodeState(node.target, node.args[1] if is_with_effects(node) else None,
                            wrapper_clones(node)) for node in graph.nodes}


def is_with_effects(node: Any) -> bool:
    return target_name(node.target) == "higher_order.with_effects" and len(node.args) > 1


def decisions_of(before: Mapping[Any, NodeState], graph: Any, log: list[Json]) -> Json:
    """The pass's edits: nodes dropped, operators made in-place, arguments left to clone."""
    left = list(graph.nodes)
    alive = set(left)
    made: dict[str, Json] = {"removed": [n.name for n in before if n not in alive],
                             "retargeted": {}, "triton": {}, "auto_functionalized": {}}
    for node in left:
        old = before.get(node)
        if old is None:
            continue
        if node.target is not old.target:
            made["retargeted"][node.name] = [target_name(old.target), target_name(node.target)]
        if old.to_clone is not None:
            made["triton"][node.name] = {"attempted": old.to_clone, "cloned": wrapper_clones(node)}
        if "only_clone_these_tensors" in node.meta:
            made["auto_functionalized"][node.name] = {
                "cloned": list(node.meta["only_clone_these_tensors"])}
        if old.inner is not None and node.args[1] is not old.inner:
            made.setdefault("with_effects", {})[node.name] = [
                target_name(old.inner), target_name(node.args[1])]
    made["log"] = log
    return made


class LogTap:
    """Stands before the pass's logger: keeps the lines about decisions and hands every call on."""

    def __init__(self, logger: Any, lines: list[Json]) -> None:
        self._logger = logger
        self._lines = lines

    def __getattr__(self, name: str) -> Any:
        return getattr(self._logger, name)

    def info(self, message: Any, *args: Any, **kwargs: Any) -> None:
        with only_warning("reading the pass's log"):
            if str(message).startswith("For node"):
                self._lines.append(log_line(str(message), args))
        self._logger.info(message, *args, **kwargs)


def log_line(message: str, args: Sequence[Any]) -> Json:
    """One attempt as the pass logs it: operator, arguments tried, left cloned, and missed."""
    if len(args) < 4:
        return {"message": message % tuple(args) if args else message}
    texts = [[str(item) for item in part] for part in args[1:4]]
    made = {"op": str(args[0]), "attempted": texts[0], "cloned": texts[1], "missed": texts[2]}
    return {**made, "missed_bytes": int(args[4])} if len(args) > 4 else made


# ---------------------------------------------------------------- custom operators

BUILT_IN = ("aten", "prim", "prims", "inductor", "quantized", "quantized_decomposed", "fsdp",
            "mkldnn", "mkl", "onednn", "xla", "rngprims", "streams", "symm_mem", "profiler",
            "debugprims", "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "_quantized",
            "bucketing")
FUNCTIONALIZED = ("higher_order.auto_functionalized", "higher_order.auto_functionalized_v2")


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a custom operator, its arguments by name."""

    operator: Any
    arguments: Mapping[str, Any]


def custom_calls(graph: Any) -> Iterator[Call]:
    """Every call of an operator outside PyTorch's own table, also the functionalized ones."""
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        operator, args, kwargs = node.target, list(node.args), dict(node.kwargs)
        name = target_name(operator)
        if name == "higher_order.with_effects" and len(args) > 1:
            operator, args = args[1], args[2:]
        elif name in FUNCTIONALIZED and args:
            operator, args = args[0], args[1:]
        if is_custom(operator):
            yield Call(operator, call_arguments(operator, args, kwargs))


def is_custom(operator: Any) -> bool:
    return isinstance(operator, torch._ops.OpOverload) and operator.namespace not in BUILT_IN


def call_arguments(operator: Any, args: Sequence[Any],
                   kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments of the schema, in its order."""
    schema = operator._schema.arguments
    names = [argument.name for argument in schema]
    given = {**dict(zip(names, args)), **{name: kwargs[name] for name in names if name in kwargs}}
    bases = kwargs.get("_all_bases", ())
    for name in names:
        if f"_{name}_base_index" in kwargs or f"_{name}_length" in kwargs:
            given[name] = rebuilt_view(name, kwargs, bases)
    defaults = {a.name: a.default_value for a in schema if a.has_default_value()}
    return {name: given.get(name, defaults.get(name)) for name in names}


def rebuilt_view(name: str, kwargs: Mapping[str, Any], bases: Sequence[Any]) -> Any:
    """The argument that auto_functionalized_v2 wrote as a base and how to view it."""
    length = kwargs.get(f"_{name}_length")
    if length is not None:
        return [rebuilt_view(f"{name}_{i}", kwargs, bases) for i in range(length)]
    index = kwargs[f"_{name}_base_index"]
    if index is None:
        return None
    base = bases[index].meta["val"]
    start, dim = kwargs.get(f"_{name}_slice_start"), kwargs.get(f"_{name}_slice_dim")
    if dim is not None:
        end = min(example_number(number(kwargs[f"_{name}_slice_end"])),
                  example_number(base.shape[dim]))
        shape = list(base.shape)
        shape[dim] = end - example_number(number(start))
        return Layout(base, tuple(shape), base.stride())
    if kwargs.get(f"_{name}_size") is not None:
        size, stride = number(kwargs[f"_{name}_size"]), number(kwargs[f"_{name}_stride"])
        return Layout(base, tuple(size), tuple(stride))
    return base


def number(value: Any) -> Any:
    """Nodes of symbolic numbers replaced by the numbers that their metadata holds."""
    if isinstance(value, torch.fx.Node):
        return value.meta["val"]
    return [number(item) for item in value] if isinstance(value, (list, tuple)) else value


@dataclasses.dataclass(frozen=True)
class Layout:
    """A view of `base`, known by shape and stride only."""

    base: Any
    shape: tuple[Any, ...]
    strides: tuple[Any, ...]


def operators_json(graph: Any, bodies: bool) -> dict[str, Json]:
    """Schemas of the custom operators in a graph and, where they could be traced, their bodies."""
    calls: dict[Any, list[Call]] = {}
    for call in custom_calls(graph):
        calls.setdefault(call.operator, []).append(call)
    made = {}
    for operator, uses in calls.items():
        entry: dict[str, Json] = {"schema": str(operator._schema)}
        function = python_function(operator, uses[0]) if bodies else None
        if function is not None:
            with only_warning(f"tracing the body of {operator}"):
                entry["body"] = body_json(operator, function, uses)
        made[target_name(operator)] = entry
    return made


def python_function(operator: Any, call: Call) -> Callable[..., Any] | None:
    """The operator's own Python function; None for one that is compiled or not found."""
    tensors = [tensor_of(value) for value in call.arguments.values() if is_tensor(value)]
    device = tensors[0].device.type if tensors else "cpu"
    with contextlib.suppress(Exception):
        from torch._library.custom_ops import OPDEFS
        functions = OPDEFS[operator._schema.name]._backend_fns
        found = functions.get(device) or functions.get(None)
        if found is not None:
            return found
    name = operator._schema.name.replace("::", "/")
    name += f".{operator._schema.overload_name}" if operator._schema.overload_name else ""
    for key in (device.upper(), "CompositeExplicitAutograd", "CompositeImplicitAutograd"):
        # Only what Python registered may be called on tensors without data.
        if f"{name}/{key}" in torch.library._impls:
            return functools.partial(call_kernel, operator, getattr(torch._C.DispatchKey, key))
    return None


def call_kernel(operator: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls what is registered for one dispatch key."""
    # Under a torch function mode, as make_fx sets one, the key would be lost.
    with torch._C.DisableTorchFunction():
        return operator._op_dk(key, *args, **kwargs)


def is_tensor(value: Any) -> bool:
    return isinstance(value, Layout) or isinstance(value, torch.Tensor) or (
        isinstance(value, torch.fx.Node) and isinstance(value.meta.get("val"), torch.Tensor))


def tensor_of(value: Any) -> Any:
    if isinstance(value, Layout):
        return value.base
    return value if isinstance(value, torch.Tensor) else value.meta["val"]


def blank_like(value: Any) -> Any:
    """A new tensor of this shape, stride, dtype and device; without data in a FakeTensorMode."""
    tensor = tensor_of(value)
    shape = value.shape if isinstance(value, Layout) else tensor.shape
    strides = value.strides if isinstance(value, Layout) else tensor.stride()
    return torch.empty_strided([example_number(number(s)) for s in shape],
                               [example_number(number(s)) for s in strides],
                               dtype=tensor.dtype, device=tensor.device)


def scalar_of(value: Any) -> Any:
    if isinstance(value, torch.fx.Node):
        value = value.meta.get("val")
    if isinstance(value, (list, tuple)):
        return [scalar_of(item) for item in value]
    if value is None or isinstance(value, (
            bool, int, float, str, torch.dtype, torch.device, torch.layout, torch.memory_format,
            *symbolic_types())):
        return example_number(value)
    raise TypeError(f"an argument of {type(value).__name__} cannot be traced")


def body_json(operator: Any, function: Callable[..., Any], calls: Sequence[Call]) -> Json:
    """The operator as a graph of PyTorch's own, valid for every call in the captured graph.

    One call is traced after the other. What differs between two traces must be a scalar argument
    that differs between the calls, and becomes a reference to that argument; anything else means
    that no one graph describes the operator, and raises. A lone call is traced twice, the second
    time with other floats, so that a scale stays an argument.
    """
    names = [argument.name for argument in operator._schema.arguments]
    traces: dict[str, tuple[Json, dict[str, Any]]] = {}
    for call in (*calls, other_floats(calls[0])):
        scalars = {n: scalar_of(v) for n, v in call.arguments.items() if not is_tensor(v)}
        kept = repr([(n, tuple(tensor_of(v).shape), v.shape if isinstance(v, Layout) else None)
                     for n, v in call.arguments.items() if is_tensor(v)] + list(scalars.items()))
        if kept not in traces:
            traces[kept] = (traced_nodes(operator, function, call, scalars), scalars)
    nodes, scalars = next(iter(traces.values()))
    for other_nodes, other in itertools.islice(traces.values(), 1, None):
        nodes = unified(nodes, other_nodes, scalars, other)
    placeholders = [{"name": n, "op": "placeholder", "target": n, "args": []} for n in names]
    return {"name": operator._schema.name.split("::")[-1], "nodes": placeholders + nodes}


def other_floats(call: Call) -> Call:
    changed = {name: value * 1.7320508 + 0.5772156 if isinstance(value, float) else value
               for name, value in call.arguments.items()}
    return Call(call.operator, changed)


def unified(first: Json, second: Json, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Json:
    """`first` with each number that differs from `second` replaced by the argument it came from."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        return {key: unified(first[key], second[key], ours, theirs) for key in first}
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [unified(a, b, ours, theirs) for a, b in zip(first, second)]
    if first == second and type(first) is type(second):
        return first
    for name, value in ours.items():
        if type(first) is type(value) and value == first and theirs.get(name) == second:
            return {"$node": name}
    if isinstance(first, dict) and "$node" in first and first["$node"] in ours \
            and theirs[first["$node"]] == second:
        return first
    raise ValueError("its calls compute different graphs")


def traced_nodes(operator: Any, function: Callable[..., Any], call: Call,
                 scalars: Mapping[str, Any]) -> list[Json]:
    """The function's operators on tensors without data; writes become copy_ at the end."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx

    tensors = [name for name, value in call.arguments.items() if is_tensor(value)]
    keywords = [a.name for a in operator._schema.arguments if a.kwarg_only]

    def body(*values: Any) -> Any:
        given = {**scalars, **dict(zip(tensors, values))}
        positional = [given[name] for name in call.arguments if name not in keywords]
        result = function(*positional, **{name: given[name] for name in keywords})
        return tuple(result) if isinstance(result, (list, tuple)) else \
            () if result is None else (result,)

    with without_modes(), torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
        # The operator itself first, then what it did made functional: a registered kernel cannot be
        # called on functionalize's own tensors.
        direct = make_fx(body)(*[blank_like(call.arguments[name]) for name in tensors])
        traced = make_fx(torch.func.functionalize(direct))(
            *[blank_like(call.arguments[name]) for name in tensors])
    traced.graph.eliminate_dead_code()
    return renamed_nodes(traced, tensors, list(call.arguments))


@contextlib.contextmanager
def without_modes() -> Iterator[None]:
    """Outside the compilation that is under way: no dispatch modes, no tracing context."""
    from torch._guards import tracing
    from torch.utils._python_dispatch import _disable_current_modes
    with _disable_current_modes(), tracing(None):
        yield


def renamed_nodes(traced: Any, tensors: Sequence[str], reserved: Sequence[str]) -> list[Json]:
    """The traced nodes with the placeholders' uses called after the schema's arguments."""
    placeholders = [node for node in traced.graph.nodes if node.op == "placeholder"]
    names = {node.name: tensor for node, tensor in zip(placeholders, tensors)}
    others = [node for node in traced.graph.nodes if node.op != "placeholder"]
    if any(node.op == "get_attr" for node in others):
        raise ValueError("it uses a tensor from outside its arguments")
    for node in others:
        names[node.name] = f"{node.name}_body" if node.name in reserved else node.name
    made = [node_json(node, Storages()) for node in others]
    for node in made:
        node.pop("meta", None)
        node["name"] = names[node["name"]]
        node["args"] = with_names(node["args"], names)
        if "kwargs" in node:
            node["kwargs"] = with_names(node["kwargs"], names)
    return made


def with_names(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        if set(value) == {"$node"}:
            return {"$node": names[value["$node"]]}
        return {key: with_names(item, names) for key, item in value.items()}
    return [with_names(item, names) for item in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- Triton kernels


def triton_calls(graph: Any) -> list[Any]:
    return [node for node in graph.nodes if node.op == "call_function"
            and target_name(node.target).startswith("higher_order.triton_kernel_wrapper")]


def triton_json(graph: Any, folder: Path, compile_kernels: bool) -> Json | None:
    """The `triton` part: each kernel once, with a variant for every way in which it is launched."""
    from torch._higher_order_ops.triton_kernel_wrap import kernel_side_table as table

    calls = triton_calls(graph)
    if not calls:
        return None
    constants = {}
    kernels: dict[int, list[Any]] = {}
    for node in calls:
        index = node.kwargs["constant_args_idx"]
        constants[str(index)] = {name: constant_json(value)
                                 for name, value in table.get_constant_args(index).items()}
        kernels.setdefault(node.kwargs["kernel_idx"], []).append(node)
    made = [kernel_json(index, table.get_kernel(index), nodes, table, folder, compile_kernels)
            for index, nodes in kernels.items()]
    return {"kernels": made, "constant_args": constants}


def constant_json(value: Any) -> Json:
    held = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    return argument_json(held) if held is None or isinstance(
        held, (bool, int, float, str, list, tuple, torch.dtype)) else str(held)


def layers_of(kernel: Any) -> list[Any]:
    """The kernel's wrappers, outermost first; the last is the plain jitted function."""
    layers = [kernel]
    while hasattr(layers[-1], "fn") and hasattr(layers[-1].fn, "arg_names"):
        layers.append(layers[-1].fn)
    return layers


def kernel_json(index: int, kernel: Any, nodes: Sequence[Any], table: Any, folder: Path,
                compile_kernels: bool) -> Json:
    jitted = layers_of(kernel)[-1]
    made = {"kernel_idx": index, "name": jitted.__name__,
            "autotuned": any(hasattr(layer, "configs") for layer in layers_of(kernel)),
            "params": [{"name": p.name, "constexpr": bool(p.is_constexpr)} for p in jitted.params],
            "variants": [], "source": getattr(jitted, "src", None) or inspect.getsource(jitted.fn)}
    if not compile_kernels or torch.version.cuda is None or not torch.cuda.is_available():
        return made
    found: dict[str, Any] = {}
    for node in nodes:
        with only_warning(f"compiling the Triton kernel {jitted.__name__}"):
            for compiled in compiled_variants(kernel, launch_arguments(node, table)):
                found.setdefault(compiled.hash, compiled)
    for number_, compiled in enumerate(found.values()):
        with only_warning(f"reading the Triton kernel {jitted.__name__}"):
            stem = f"{jitted.__name__}_{index}_{number_}"
            made["variants"].append(variant_json(compiled, jitted, stem, folder))
    return made


class Pointer:
    """What a kernel's specialization asks of a tensor: element type and alignment."""

    def __init__(self, tensor: Any) -> None:
        self.dtype = tensor.dtype
        self.shape = tuple(example_number(size) for size in tensor.shape)
        # Allocations are aligned; a view starts where its offset says.
        self._address = example_number(tensor.storage_offset()) * tensor.element_size()
        self._range = example_number(tensor.untyped_storage().nbytes())

    def data_ptr(self) -> int:
        return self._address

    def ptr_range(self) -> int:
        return self._range


def launch_arguments(node: Any, table: Any) -> dict[str, Any]:
    """A wrapper call's arguments as Triton's own launch would see them."""
    constants = table.get_constant_args(node.kwargs["constant_args_idx"])
    given = {name: launch_value(value) for name, value in node.kwargs["kwargs"].items()}
    return {**given, **constants}


def launch_value(value: Any) -> Any:
    if isinstance(value, torch.fx.Node):
        value = value.meta["val"]
    if isinstance(value, torch.Tensor):
        return Pointer(value)
    if isinstance(value, (list, tuple)):
        return tuple(launch_value(item) for item in value)
    return example_number(value)


def compiled_variants(kernel: Any, arguments: dict[str, Any]) -> list[Any]:
    """Compiles without launching: once, or once for each configuration of an autotuned kernel."""
    layers = layers_of(kernel)
    rounds: list[dict[str, Any]] = [{}]
    for layer in layers:
        if hasattr(layer, "configs"):
            rounds = [{**done, **config_arguments(c)} for done in rounds for c in layer.configs]
        elif isinstance(getattr(layer, "values", None), Mapping):
            rounds = [{**done, **{name: rule({**arguments, **done})
                                  for name, rule in layer.values.items() if name not in arguments}}
                      for done in rounds]
    made = [layers[-1].run(grid=(1, 1, 1), warmup=True, **{**arguments, **extra})
            for extra in rounds]
    return [compiled for compiled in made if compiled is not None]


def config_arguments(config: Any) -> dict[str, Any]:
    if hasattr(config, "all_kwargs"):
        return dict(config.all_kwargs())
    return {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages}


def variant_json(compiled: Any, jitted: Any, stem: str, folder: Path) -> Json:
    files = {}
    for kind in ("ttir", "ptx"):
        text = compiled.asm.get(kind)
        if text is not None:
            files[kind] = f"{stem}.{kind}"
            (folder / files[kind]).write_text(str(text), encoding="utf-8")
    source = compiled.src
    return {"asm": files, "metadata": metadata_json(compiled.metadata),
            "signature": {by_name(key, jitted): str(kind)
                          for key, kind in source.signature.items()},
            "constants": {by_position(key, jitted): constant_json(value)
                          for key, value in source.constants.items()},
            "attrs": attributes_json(getattr(source, "attrs", None))}


def by_name(key: Any, jitted: Any) -> str:
    return jitted.arg_names[key] if isinstance(key, int) else str(key)


def by_position(key: Any, jitted: Any) -> str:
    """"(4,)": how newer versions name a constant; older ones name it by parameter or number."""
    if isinstance(key, str):
        key = jitted.arg_names.index(key)
    return str((key,)) if isinstance(key, int) else str(tuple(key))


def attributes_json(attributes: Any) -> dict[str, str]:
    if isinstance(attributes, Mapping):
        return {str(key): str(value) for key, value in attributes.items()}
    divisible = getattr(attributes, "divisible_by_16", None) or ()
    return {f"({position},)": "[['tt.divisibility', 16]]" for position in divisible}


def metadata_json(metadata: Any) -> dict[str, Json]:
    facts = metadata._asdict() if hasattr(metadata, "_asdict") else dict(metadata)
    made = {}
    for key, value in sorted(facts.items()):
        if value is None or isinstance(value, (bool, int, float, str)):
            made[key] = argument_json(value)
        elif key == "target":
            made[key] = str(value)
    return made


# ---------------------------------------------------------------- tensor files

SAFETENSORS_NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16",
                     "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8",
                     "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL",
                     "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "complex64": "C64"}


@dataclasses.dataclass(frozen=True)
class StoredTensor:
    """One tensor of a file: dtype by its PyTorch name, and its elements in row-major order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def write_safetensors(path: Path, tensors: Mapping[str, StoredTensor]) -> None:
    """A safetensors file: the header's length, the header, then the tensors' bytes in its order."""
    header, position = {}, 0
    for name, tensor in tensors.items():
        end = position + len(tensor.data)
        header[name] = {"dtype": SAFETENSORS_NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [position, end]}
        position = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.data)


def stored(tensor: Any) -> StoredTensor:
    # Copied in its own layout first: `contiguous` alone may hand back memory that is written later.
    plain_copy = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
    size = plain_copy.numel() * plain_copy.element_size()
    data = ctypes.string_at(plain_copy.data_ptr(), size) if size else b""
    return StoredTensor(plain(tensor.dtype), tuple(tensor.shape), data)


def stored_tensors(named: Mapping[str, Any]) -> dict[str, StoredTensor]:
    """Those among the values that are tensors and can be written."""
    return {name: stored(value) for name, value in named.items()
            if isinstance(value, torch.Tensor) and plain(value.dtype) in SAFETENSORS_NAMES}


def bytes_of(values: Iterable[Any]) -> int:
    return sum(value.numel() * value.element_size() for value in values
               if isinstance(value, torch.Tensor))


# ---------------------------------------------------------------- what a graph computes


def constants_of(graph: Any) -> dict[str, Any]:
    """The tensors that get_attr nodes read, by target; not those without data."""
    from torch._subclasses.fake_tensor import FakeTensor
    held = {node.target: attribute_of(graph.owning_module, node.target)
            for node in graph.nodes if node.op == "get_attr"}
    return {target: value for target, value in held.items()
            if isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor)}


# Functions of plain numbers in a graph: sizes.
NUMBER_MODULES = ("_operator", "operator", "math", "builtins", "torch",
                  "torch.fx.experimental.symbolic_shapes", "torch.utils._sympy.functions")


def why_not_again(graph: Any) -> str:
    """Why a graph must not be run once more beside the program; empty when it may be.

    Running it again has to be invisible: no random numbers drawn, no messages to other processes,
    and no code of the user's but Triton kernels.
    """
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        name = target_name(node.target)
        if name == "higher_order.triton_kernel_wrapper_functional":
            continue
        if isinstance(node.target, torch._ops.OpOverload):
            if is_random(node):
                return f"{name} draws random numbers"
            if node.target.namespace not in ("aten", "prims"):
                return f"{name} is not PyTorch's own"
        elif isinstance(node.target, torch._ops.HigherOrderOperator):
            return f"{name} may run anything"
        elif getattr(node.target, "__module__", None) not in NUMBER_MODULES:
            return f"{name} is not known"
    return ""


def is_random(node: Any) -> bool:
    """Draws from a generator. Attention says that it may, and does not where nothing is dropped."""
    operator = node.target
    if not isinstance(operator, torch._ops.OpOverload):
        return False
    if torch.Tag.nondeterministic_seeded in operator.tags:
        given = call_arguments(operator, node.args, node.kwargs)
        return given.get("dropout_p") != 0
    return operator._schema.name.startswith("prims::inductor_") and any(
        word in operator._schema.name for word in ("seed", "rand"))


def draws(graph: Any) -> bool:
    return any(is_random(node) for node in graph.nodes)


def copy_of(graph: Any) -> Any:
    """The graph as a module of its own, that the pass does not change."""
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph, {}))
    return torch.fx.GraphModule(graph.owning_module, copy)


def copies_of(values: Sequence[Any]) -> list[Any]:
    """Tensors with the same content and layout; those that shared memory share it again."""
    storages: dict[int, Any] = {}

    def copy(tensor: Any) -> Any:
        held = tensor.untyped_storage()
        own = storages.setdefault(held._cdata, None)
        if own is None:
            own = storages[held._cdata] = held.clone()
        made = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        return made.set_(own, tensor.storage_offset(), tensor.shape, tensor.stride())

    return [copy(value) if isinstance(value, torch.Tensor) else value for value in values]


def run_again(module: Any, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Results of the graph, node by node, on copies; and the copies, which it may have written."""
    with without_modes(), torch.no_grad():
        copies = copies_of(values)
        results = torch.fx.Interpreter(module).run(*copies)
    return list(flat(results)), copies


def flat(values: Any) -> Iterator[Any]:
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from flat(value)
    else:
        yield values


# ---------------------------------------------------------------- the open window


def live_file() -> Path:
    """Where an open window says how to reach it. REINSPECT_LIVE_FILE names another place."""
    if named := os.environ.get("REINSPECT_LIVE_FILE"):
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "reinspect" / "live.json"
    run = os.environ.get("XDG_RUNTIME_DIR")
    return (Path(run) if run else Path.home() / ".cache") / "reinspect" / "live.json"


class LiveError(Exception):
    """The window could not be reached, or did not want the capture."""


def live_endpoint(path: Path) -> tuple[int, str]:
    """Port and token. Refuses a file that others than its user could have read or written."""
    try:
        with open(path, encoding="utf-8") as file:
            facts = os.fstat(file.fileno())
            told = json.load(file)
    except FileNotFoundError:
        raise LiveError(f"no window is open: {path} is not there") from None
    except (OSError, ValueError) as error:
        raise LiveError(f"{path} cannot be read: {error}") from None
    if os.name != "nt" and (facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o077):
        raise LiveError(f"{path} must belong to its user and be closed to everyone else")
    if not isinstance(told, dict) or told.get("protocol") != LIVE_PROTOCOL:
        raise LiveError(f"{path} is of another protocol than {LIVE_PROTOCOL}")
    port, token = told.get("port"), told.get("token")
    if type(port) is not int or not 0 < port < 65536 or not isinstance(token, str) or not token:
        raise LiveError(f"{path} names no port and token")
    return port, token


def send_live(folder: Path, name: str, path: Path | None = None) -> None:
    """Sends the files of one capture to the open window, over the loopback interface only."""
    port, token = live_endpoint(path or live_file())
    files = sorted(entry for entry in folder.iterdir() if entry.is_file())
    contents = [file.read_bytes() for file in files]
    listed = [{"name": file.name, "bytes": len(data)} for file, data in zip(files, contents)]
    try:
        with socket.create_connection(("127.0.0.1", port), LIVE_TIMEOUT_SECONDS) as link, \
                link.makefile("rb") as answers:
            proof = proof_for_window(link, answers, token)
            send_line(link, {"proof": proof, "capture": name, "folder": str(folder.resolve()),
                             "files": listed})
            expect_ok(answers.readline(65536))
            send_all(link, answers, contents)
            link.settimeout(LIVE_READ_SECONDS)
            expect_ok(answers.readline(65536))
    except OSError as error:
        raise LiveError(f"the window at port {port} does not answer: {error}") from None


def proof_for_window(link: socket.socket, answers: Any, token: str) -> str:
    """Greets, checks that the other side is the window that wrote the token, and answers it."""
    ours = secrets.token_hex(32)
    send_line(link, {"reinspect": "live", "protocol": LIVE_PROTOCOL, "nonce": ours})
    answer = expect_ok(answers.readline(65536))
    both = f"{ours}:{answer.get('nonce')}"
    expected, told = live_proof(token, f"server:{both}"), str(answer.get("proof"))
    if not hmac.compare_digest(expected.encode(), told.encode()):
        raise LiveError("what answers at its port is not the window")
    return live_proof(token, f"client:{both}")


def live_proof(token: str, said: str) -> str:
    return hmac.new(token.encode(), said.encode(), "sha256").hexdigest()


def send_all(link: socket.socket, answers: Any, contents: Iterable[bytes]) -> None:
    """A window that refuses in the middle hangs up: what it said before is the reason."""
    try:
        for data in contents:
            link.sendall(data)
    except ConnectionError:
        expect_ok(answers.readline(65536))
        raise


def send_line(link: socket.socket, message: Json) -> None:
    link.sendall(json.dumps(message).encode() + b"\n")


def expect_ok(line: bytes) -> dict[str, Json]:
    try:
        answer = json.loads(line)
    except ValueError:
        raise LiveError("the window's answer is not of this protocol") from None
    if not isinstance(answer, dict) or answer.get("ok") is not True:
        why = answer.get("error") if isinstance(answer, dict) else None
        raise LiveError(f"the window refused: {why or 'it gives no reason'}")
    return answer


# ---------------------------------------------------------------- one capture


@functools.lru_cache(maxsize=None)
def producer() -> Mapping[str, str]:
    """The versions and the card that a capture came from."""
    made = {"torch": torch.__version__, "python": platform.python_version()}
    with contextlib.suppress(Exception):
        made["triton"] = importlib.import_module("triton").__version__
    if torch.version.cuda:
        made["cuda"] = torch.version.cuda
    if torch.version.hip:
        made["hip"] = torch.version.hip
    with contextlib.suppress(Exception):
        if torch.cuda.is_available():
            made["gpu"] = torch.cuda.get_device_name()
    return made


def write_json(path: Path, content: Json) -> None:
    text = json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


DATA_FILE = "data.safetensors"


@dataclasses.dataclass(frozen=True)
class Before:
    """The inputs of a call that is about to be made: as written to the file, and themselves."""

    held: Mapping[str, StoredTensor]
    named: Mapping[str, Any]


class Capture:
    """One run of the pass: what was seen around and between its phases, written when seen."""

    def __init__(self, folder: Path, name: str, options: Options) -> None:
        self.folder = folder
        self.name = name
        self.placeholders: list[tuple[str, Any]] = []
        self.log: list[Json] = []
        self.sent = False
        self._options = options
        self._states: dict[Any, NodeState] = {}
        self._decisions: Json = None
        self._scalars: dict[str, Json] = {}
        self._phase = ""
        self._constants: dict[str, StoredTensor] = {}
        self._module: Any = None  # the graph before the pass, until it was run once
        self._results = "none: no inputs were asked for"

    def before(self, graph: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._states = states_of(graph)
        self.placeholders = [(node.name, node.meta.get("val")) for node in graph.nodes
                             if node.op == "placeholder"]
        self._phase = phase_of([name for name, _ in self.placeholders])
        self._write("before", graph, "before_reinplace", self._parts(graph))
        with only_warning(f"{self.name}: recording constants"):
            self._keep_constants(graph)
        if self._options.inputs:
            with only_warning(f"{self.name}: results will not be recorded"):
                self._keep_graph(graph)

    def canonical(self, graph: Any) -> None:
        self._states = states_of(graph)
        self._write("canonical", graph, "canonical", {})

    def core_after(self, graph: Any) -> None:
        self._decisions = decisions_of(self._states, graph, self.log)
        self._write("core_after", graph, "after_core", {})

    def after(self, graph: Any) -> None:
        self._write("after", graph, "after_reinplace", {})
        if self._decisions is None:
            self._decisions = decisions_of(self._states, graph, self.log)
        self._states = {}
        self._write_expectations()

    def _keep_constants(self, graph: Any) -> None:
        constants = constants_of(graph)
        if (size := bytes_of(constants.values())) > self._options.input_limit:
            return warn(f"{self.name}: constants of {size} bytes are over the limit of "
                        f"{self._options.input_limit} and are not written")
        with without_modes():
            self._constants = stored_tensors(
                {f"attribute.{target}": value for target, value in constants.items()})
        if self._constants:
            write_safetensors(self.folder / DATA_FILE, self._constants)
        return None

    def _keep_graph(self, graph: Any) -> None:
        """The graph as it is now, if it can be run for its results."""
        self._results = "none: it was not called"
        if draws(graph):
            self._results = "none: it draws random numbers"
        elif why := why_not_again(graph):
            self._results = f"compiled: {why}"
        else:
            self._results = "node by node"
            self._module = copy_of(graph)

    def inputs(self, values: Sequence[Any]) -> "Before | None":
        """The real inputs of the first call, unless they are not this graph's or too large."""
        if len(values) != len(self.placeholders):
            return warn(f"{self.name}: called with {len(values)} inputs, "
                        f"not {len(self.placeholders)}")
        named = {name: value for (name, _), value in zip(self.placeholders, values)}
        size = bytes_of(values)
        if size > self._options.input_limit:
            return warn(f"{self.name}: inputs of {size} bytes are over the limit of "
                        f"{self._options.input_limit} and are not written")
        held = stored_tensors({f"input.{name}": value for name, value in named.items()})
        self._scalars = {name: value for name, value in named.items()
                         if isinstance(value, (bool, int, float))}
        write_safetensors(self.folder / DATA_FILE, {**self._constants, **held})
        self._write_expectations()
        module, self._module = self._module, None
        if module is not None:
            with only_warning(f"{self.name}: running it for its results"):
                self.results(held, named, *run_again(module, values))
                return None
            self._results = "compiled: it could not be run node by node"
        # The program's own results are taken when it has them.
        return Before(held, named) if self._results.startswith("compiled") else None

    def results(self, held: Mapping[str, StoredTensor], named: Mapping[str, Any],
                results: Sequence[Any], inputs: Sequence[Any]) -> None:
        """What came out, and which inputs were written."""
        if (size := bytes_of(results)) > self._options.input_limit:
            self._results = "none: they are too large"
            self._write_expectations()
            return warn(f"{self.name}: results of {size} bytes are over the limit of "
                        f"{self._options.input_limit} and are not written")
        outputs = stored_tensors({f"output.{i}": value for i, value in enumerate(results)})
        after = stored_tensors({f"input.{name}": value for name, value in zip(named, inputs)})
        written = {name.replace("input.", "mutated.", 1): value for name, value in after.items()
                   if value != held.get(name)}
        write_safetensors(self.folder / DATA_FILE,
                          {**self._constants, **held, **outputs, **written})
        self._write_expectations()
        return None

    def release(self) -> None:
        """The program goes on without what was kept for a call that never came."""
        self._module = None

    def send(self) -> None:
        if self._options.live and not self.sent:
            self.sent = True
            with only_warning(f"sending {self.name} to the window"):
                send_live(self.folder, self.name)

    def _parts(self, graph: Any) -> dict[str, Json]:
        made: dict[str, Json] = {}
        with only_warning("recording custom operators"):
            if operators := operators_json(graph, self._options.bodies):
                made["operators"] = operators
        with only_warning("recording Triton kernels"):
            if kernels := triton_json(graph, self.folder, self._options.kernels):
                made["triton"] = kernels
        return made

    def _write(self, stage: str, graph: Any, title: str, parts: Mapping[str, Json]) -> None:
        write_json(self.folder / f"{stage}.json",
                   {"format": "reinspect-graph", "version": FORMAT_VERSION,
                    "producer": dict(producer()), "case": self.name, "stage": stage,
                    "graph": graph_json(graph, title), **parts})

    def _write_expectations(self) -> None:
        made = {"case": self.name, "torch": torch.__version__, "producer": dict(producer()),
                "phase": self._phase, "decisions": self._decisions, "results": self._results}
        if self._scalars:
            made["scalar_inputs"] = self._scalars
        write_json(self.folder / "expect.json", made)


def phase_of(names: Iterable[str]) -> str:
    """AOTAutograd's own names tell the halves of a training step apart."""
    names = list(names)
    if any(name.startswith("tangents_") for name in names):
        return "backward"
    return "forward" if any(name.startswith("primals_") for name in names) else "inference"


# ---------------------------------------------------------------- the recorder

_active: "record | None" = None
_lock = threading.RLock()


class record(contextlib.AbstractContextManager):  # noqa: N801 - reads as a verb at its use
    """Records every graph that Inductor compiles inside, each in its own folder under `out_dir`.

    Invariant: on leaving, every function that was replaced on entering is back in its place.
    """

    def __init__(self, out_dir: str | os.PathLike[str], **options: Any) -> None:
        self.captures: list[Capture] = []
        self._out = Path(out_dir)
        self._options = Options(**options)
        self._undo = contextlib.ExitStack()
        self._current = threading.local()  # a thread compiles one graph at a time
        self._by_callable: dict[int, tuple[Any, Capture]] = {}

    def __enter__(self) -> "record":
        global _active
        with _lock, only_warning("starting"):
            if torch is None:
                warn("PyTorch is not installed, nothing is recorded")
            elif _active is not None:
                warn("record() is already active, the inner one does nothing")
            else:
                _active = self
                self._replace_functions()
        return self

    def __exit__(self, *error: Any) -> None:
        global _active
        with _lock:
            if _active is not self:
                return
            _active = None
            with only_warning("stopping"):
                self._undo.close()
        for capture in self.captures:
            capture.release()
            capture.send()
        if not self.captures:
            warn("no graph was compiled inside record(); what was compiled before it is not seen")

    def _replace_functions(self) -> None:
        pass_module = importlib.import_module(PASS_MODULE)
        caller = importlib.import_module(CALLER_MODULE)
        self._replace(caller, PASS_NAME, self._around_pass)
        if hasattr(pass_module, CORE_NAME):
            self._replace(pass_module, CORE_NAME, self._around_core)
        if hasattr(pass_module, "log"):
            self._replace(pass_module, "log", lambda logger: LogTap(logger, LogLines(self)))
        self._turn_caches_off()
        if self._options.inputs:
            with only_warning("inputs will not be recorded"):
                kind = compiled_graph_class()
                self._replace(kind, "__init__", self._around_init)
                self._replace(kind, "__call__", self._around_call)

    def _replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        original = getattr(owner, name)
        setattr(owner, name, make(original))
        self._undo.callback(setattr, owner, name, original)

    def _turn_caches_off(self) -> None:
        """A graph found in a cache never reaches the pass."""
        for module, names in (
                ("torch._inductor.config", ("fx_graph_cache", "fx_graph_remote_cache")),
                ("torch._functorch.config", ("enable_autograd_cache",
                                             "enable_remote_autograd_cache"))):
            config = importlib.import_module(module)
            known = {name: False for name in names if hasattr(config, name)}
            self._undo.enter_context(config.patch(known))

    def current(self) -> Capture | None:
        return getattr(self._current, "capture", None)

    def _around_pass(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def around(*args: Any, **kwargs: Any) -> Any:
            given = (*args, *kwargs.values())  # some versions hand over more than the graph
            graph = next((value for value in given if isinstance(value, torch.fx.Graph)), None)
            capture = self._begin(graph)
            result = original(*args, **kwargs)
            if capture is not None:
                self._finish(capture, graph)
            return result
        return around

    def _around_core(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def around(graph: Any, *args: Any, **kwargs: Any) -> Any:
            self._stage("canonical", graph)
            result = original(graph, *args, **kwargs)
            self._stage("core_after", graph)
            return result
        return around

    def _begin(self, graph: Any) -> Capture | None:
        self._current.capture = None
        if graph is None or _active is not self:
            return None
        with only_warning("recording a graph before the pass"):
            with _lock:
                name = f"{self._options.name}.{len(self.captures)}"
                capture = Capture(self._out / name, name, self._options)
                self.captures.append(capture)
            self._current.capture = capture
            capture.before(graph)
        return self.current()

    def _stage(self, stage: str, graph: Any) -> None:
        capture = self.current()
        if capture is not None:
            with only_warning(f"recording the stage {stage} of {capture.name}"):
                getattr(capture, stage)(graph)

    def _finish(self, capture: Capture, graph: Any) -> None:
        with only_warning(f"recording {capture.name} after the pass"):
            capture.after(graph)
        if not self._options.inputs:
            capture.send()

    def _around_init(self, original: Callable[..., None]) -> Callable[..., None]:
        """The next compiled graph that this thread makes belongs to the capture it made last."""
        @functools.wraps(original)
        def around(compiled: Any, *args: Any, **kwargs: Any) -> None:
            original(compiled, *args, **kwargs)
            capture, self._current.capture = self.current(), None
            if capture is not None:
                self._by_callable[id(compiled)] = (compiled, capture)
        return around

    def _around_call(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def around(compiled: Any, *args: Any, **kwargs: Any) -> Any:
            _, capture = self._by_callable.pop(id(compiled), (None, None))
            if capture is None or not (args or kwargs):
                return original(compiled, *args, **kwargs)
            before = None
            with only_warning(f"recording the inputs of {capture.name}"):
                before = capture.inputs(args[0] if args else next(iter(kwargs.values())))
            if before is None:
                capture.send()
                return original(compiled, *args, **kwargs)
            result = original(compiled, *args, **kwargs)
            with only_warning(f"recording the results of {capture.name}"):
                capture.results(before.held, before.named, list(flat(result)),
                                list(before.named.values()))
            capture.send()
            return result
        return around


class LogLines:
    """Hands a line of the pass's log to the capture that is being made."""

    def __init__(self, recorder: record) -> None:
        self._recorder = recorder

    def append(self, line: Json) -> None:
        capture = self._recorder.current()
        if capture is not None:
            capture.log.append(line)


def compiled_graph_class() -> Any:
    """What Inductor returns for a graph; it moved in 2.6."""
    for module in ("torch._inductor.output_code", "torch._inductor.codecache"):
        with contextlib.suppress(ImportError, AttributeError):
            return importlib.import_module(module).CompiledFxGraph
    raise ImportError("this PyTorch has no CompiledFxGraph")


# ---------------------------------------------------------------- from the command line


def parse_arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="reinspect_capture.py",
        description="Runs a program and records what torch.compile compiles.")
    parser.add_argument("--out", default="captures", help="folder for the captures (captures)")
    parser.add_argument("--name", help="captures are NAME.0, NAME.1, ... (the script's name)")
    parser.add_argument("--inputs", action="store_true", help="write the real inputs of each graph")
    parser.add_argument("--input-limit", type=float, default=64.0, metavar="MIB",
                        help="no inputs for a graph that has more of them (64)")
    parser.add_argument("--no-bodies", action="store_true", help="do not trace custom operators")
    parser.add_argument("--no-kernels", action="store_true", help="do not compile Triton kernels")
    parser.add_argument("--live", action="store_true", help="send captures to the open window")
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is a module's name")
    parser.add_argument("script", help="the program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its own arguments")
    return parser.parse_args(words)


def run_program(chosen: argparse.Namespace) -> None:
    """Runs the program as `python` would: its own arguments, its own folder first on the path."""
    sys.argv = [chosen.script, *chosen.arguments]
    if chosen.module:
        sys.path[0] = os.getcwd()
        runpy.run_module(chosen.script, run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(chosen.script).resolve().parent)
        runpy.run_path(chosen.script, run_name="__main__")


def main(words: Sequence[str] | None = None) -> None:
    chosen = parse_arguments(sys.argv[1:] if words is None else words)
    recorder = record(
        chosen.out, name=chosen.name or Path(chosen.script).stem, inputs=chosen.inputs,
        input_limit=int(chosen.input_limit * (1 << 20)), bodies=not chosen.no_bodies,
        kernels=not chosen.no_kernels, live=chosen.live)
    try:
        with recorder:
            run_program(chosen)
    finally:
        for capture in recorder.captures:
            print(f"recorded {capture.folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
