// SPDX-License-Identifier: MIT
// The inputs of a runnable script: load_args(reader) of current ones, "args = [((8,), (1,),
// torch.float32, 'cpu')]" and "args.append(rand_strided(...))" of older ones.
#pragma once

#include "core/io/problem_list.h"
#include "core/ir/tensor_meta.h"

namespace reinspect
{

struct ScriptInput
{
    std::string name; // of the placeholder, from the comment behind; may be empty
    MetaValue value;
    TextSpan span;
};

// In the order of the placeholders. Inputs on the same buffer have the same storage.
std::vector<ScriptInput> scriptInputs(ProblemList& problems);
// torch.randn([2, 3], dtype=torch.float16), torch.nn.Parameter(...), tensor([1, 0]): what a constant
// of __init__ is; `offset` is where its expression begins.
MetaValue constantMeta(ProblemList& problems, std::size_t offset);

} // namespace reinspect
