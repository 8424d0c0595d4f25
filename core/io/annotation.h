// SPDX-License-Identifier: MIT
// print_readable's annotations: "f32[8, 4][4, 1]cuda:0" (stride and device each optional),
// "Sym(s77 + 63)", and the text of tensor subclasses, which stays text.
#pragma once

#include "core/io/problem_list.h"

#include <unordered_map>

namespace reinspect
{

class AnnotationReader
{
public:
    explicit AnnotationReader(ProblemList& problems)
        : m_problems(problems)
    {}

    // `text` without quotes; `offset` is its place. A type hint ("torch.Tensor") says nothing we
    // use.
    MetaValue read(std::string_view text, std::size_t offset);
    // An expression that was read before is not read again.
    SymExpr expression(std::string_view text, std::size_t offset);

private:
    MetaValue readTensor(std::string_view text, std::size_t offset);
    MetaValue readSymbolic(std::string_view inner, std::size_t offset);
    std::optional<std::vector<SymExpr>> readSizes(std::string_view list, std::size_t offset);

    ProblemList& m_problems;
    std::unordered_map<std::string_view, SymExpr> m_expressions;
};

} // namespace reinspect
