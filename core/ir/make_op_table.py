#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes op_table.inc, the rows behind core/ir/op_facts.h:

    core/ir/make_op_table.py ops.json > core/ir/op_table.inc

ops.json describes the operators registered in one release of PyTorch:

    {"torch": "2.11.0",
     "ops": {"aten.slice.Tensor": {"schema": "aten::slice.Tensor(Tensor(a) self, ...) -> Tensor(a)",
                                   "view": true, "mutable": false, "fallback": false,
                                   "needs_realized_inputs": false, "foreach": false, "tags": ["core"]}, ...},
     "inplaceable_ops": {"aten.index_put.default": {"inplace": "aten.index_put_.default", "mutated_arg": 0}, ...},
     "inplaceable_foreach_ops": {"aten._foreach_add.List": "aten._foreach_add_.List", ...}}

`view` and `mutable` are OpOverload.is_view and schema.is_mutable, `fallback` tells whether the operator is in
torch._inductor.lowering.fallbacks, `tags` are OpOverload.tags; the two tables are those of torch/_inductor/fx_passes/reinplace.py.
"""

import json
import re
import sys

ALIAS = re.compile(r"\(([a-z0-9|! ]+?)(?: ?-> ?[a-z0-9|*! ]+)?\)")
FLAGS = [("view", "View"), ("mutable", "Mutable"), ("fallback", "Fallback"),
         ("needs_realized_inputs", "Realizes"), ("foreach", "Foreach"), ("pointwise", "Pointwise")]


def closing_parenthesis(text, start):
    depth = 0
    quoted = False
    for i in range(start, len(text)):
        if text[i] == '"':
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[i], 0)
            if depth == 0:
                return i
    raise ValueError(text)


def split_at_commas(text):
    parts, depth, quoted, part = [], 0, False, ""
    for c in text:
        if c == '"':
            quoted = not quoted
        if not quoted:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0 and not quoted:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in parts + [part.strip()] if p]


def arguments_and_results(schema):
    opening = schema.index("(")
    closing = closing_parenthesis(schema, opening)
    arguments = [a for a in split_at_commas(schema[opening + 1:closing]) if a not in ("*", "...")]
    results = schema[closing + 1:].split("->", 1)[1].strip()
    if results.startswith("(") and closing_parenthesis(results, 0) == len(results) - 1:
        return arguments, split_at_commas(results[1:-1])
    return arguments, [results]


def alias_sets(declaration):
    """The letters of "Tensor(a!) self" and whether it is written; Dict(str, t) has type parameters instead."""
    declaration = declaration.split("=")[0]
    declaration = re.sub(r"^(Dict|RRef|Future|Await)\([^)]*\)", r"\1", declaration)
    found = ALIAS.search(declaration)
    if not found:
        return set(), False
    return set(re.findall(r"[a-z]\w*", found.group(1))), "!" in found.group(1)


def mutated_arguments(schema):
    arguments, _ = arguments_and_results(schema)
    return sum(1 << i for i, a in enumerate(arguments[:64]) if alias_sets(a)[1])


def aliased_argument(schema):
    arguments, results = arguments_and_results(schema)
    if not results:
        return -1
    letters = alias_sets(results[0])[0]
    return next((i for i, a in enumerate(arguments) if letters & alias_sets(a)[0]), -1)


def plain_arguments(schema):
    return [ALIAS.sub("", a) for a in arguments_and_results(schema)[0]]


def inplace_twin(name, facts, ops, by_packet):
    if facts["mutable"] or facts["view"]:
        return ""
    packet, overload = name.rsplit(".", 1)
    same_overload = packet + "_." + overload
    others = sorted(by_packet.get(packet + "_", []))
    for twin in [same_overload] + others:
        if twin in ops and mutated_arguments(ops[twin]["schema"]) == 1 \
                and plain_arguments(ops[twin]["schema"]) == plain_arguments(facts["schema"]):
            return twin
    return ""


def quoted(text):
    return json.dumps(text, ensure_ascii=True)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    ops = data["ops"]
    by_packet = {}
    for name in ops:
        by_packet.setdefault(name.rsplit(".", 1)[0], []).append(name)

    table_twins = {k: v["inplace"] for k, v in data["inplaceable_ops"].items()}
    table_twins.update(data["inplaceable_foreach_ops"])

    print("// SPDX-License-Identifier: MIT")
    print("// The operators of PyTorch %s, written by make_op_table.py." % data["torch"].split("+")[0])
    print("// OP(name, schema, flags, mutated arguments as bits, aliased argument, in-place twin)")
    print()
    for name in sorted(ops):
        facts = ops[name]
        facts["pointwise"] = "pointwise" in facts["tags"]
        flags = " | ".join(word for key, word in FLAGS if facts[key]) or "Plain"
        twin = table_twins.get(name) or inplace_twin(name, facts, ops, by_packet)
        print("OP(%s, %s, %s, 0x%x, %d, %s)" % (
            quoted(name), quoted(facts["schema"]), flags, mutated_arguments(facts["schema"]),
            aliased_argument(facts["schema"]), quoted(twin)))

    print()
    for name, entry in data["inplaceable_ops"].items():
        print("REINPLACE(%s, %s, %d)" % (quoted(name), quoted(entry["inplace"]), entry["mutated_arg"]))
    print()
    for name, inplace in data["inplaceable_foreach_ops"].items():
        print("FOREACH(%s, %s)" % (quoted(name), quoted(inplace)))


if __name__ == "__main__":
    main()
