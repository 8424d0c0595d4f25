// SPDX-License-Identifier: MIT
// Functions of Python's operator module that print_readable spells as operators: "operator.add" is
// "a + b", "operator.iadd" is "a += b", "operator.neg" is "-a".
#pragma once

#include <string>
#include <string_view>

namespace reinspect
{

enum class OperatorForm
{
    Prefix,
    Infix,
    InPlace,
};

// "operator.add" for (Infix, "+"); empty when the symbol is no operator of that form.
std::string operatorTarget(OperatorForm form, std::string_view symbol);

struct OperatorSpelling
{
    OperatorForm form = OperatorForm::Infix;
    std::string_view symbol; // empty: the target is printed as a call
};
OperatorSpelling operatorSpelling(std::string_view target);

// One spelling for the names an operator has had: without "torch.ops.", and higher-order operators
// by their last part, since their path has moved over the releases.
std::string canonicalTarget(std::string_view printed);
// The other way round: "torch.ops.aten.add.Tensor", "operator.add", "torch.sym_max".
std::string printedTarget(std::string_view target);

} // namespace reinspect
