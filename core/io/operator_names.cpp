// SPDX-License-Identifier: MIT
#include "core/io/operator_names.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

struct Row
{
    OperatorForm form;
    std::string_view symbol;
    std::string_view name;
};

constexpr auto kInfix = OperatorForm::Infix;
constexpr auto kInPlace = OperatorForm::InPlace;
constexpr auto kPrefix = OperatorForm::Prefix;
constexpr std::array<Row, 35> kRows = {{
    {kInfix, "+", "add"},         {kInfix, "-", "sub"},         {kInfix, "*", "mul"},
    {kInfix, "//", "floordiv"},   {kInfix, "/", "truediv"},     {kInfix, "%", "mod"},
    {kInfix, "**", "pow"},        {kInfix, "@", "matmul"},      {kInfix, "<<", "lshift"},
    {kInfix, ">>", "rshift"},     {kInfix, "&", "and_"},        {kInfix, "|", "or_"},
    {kInfix, "^", "xor"},         {kInfix, "==", "eq"},         {kInfix, "!=", "ne"},
    {kInfix, "<", "lt"},          {kInfix, "<=", "le"},         {kInfix, ">", "gt"},
    {kInfix, ">=", "ge"},         {kPrefix, "-", "neg"},        {kPrefix, "+", "pos"},
    {kPrefix, "~", "invert"},     {kInPlace, "+=", "iadd"},     {kInPlace, "-=", "isub"},
    {kInPlace, "*=", "imul"},     {kInPlace, "/=", "itruediv"}, {kInPlace, "//=", "ifloordiv"},
    {kInPlace, "%=", "imod"},     {kInPlace, "**=", "ipow"},    {kInPlace, "@=", "imatmul"},
    {kInPlace, "<<=", "ilshift"}, {kInPlace, ">>=", "irshift"}, {kInPlace, "&=", "iand"},
    {kInPlace, "|=", "ior"},      {kInPlace, "^=", "ixor"},
}};

constexpr std::string_view kModule = "operator.";
constexpr std::string_view kOps = "torch.ops.";

bool isKnownNamespace(std::string_view target)
{
    const std::string_view first = target.substr(0, target.find('.'));
    return first == "aten" || first == "prims" || first == "higher_order";
}

} // namespace

std::string operatorTarget(OperatorForm form, std::string_view symbol)
{
    const auto found = std::find_if(kRows.begin(), kRows.end(), [form, symbol](const Row& row) {
        return row.form == form && row.symbol == symbol;
    });
    return found == kRows.end() ? std::string() : std::string(kModule).append(found->name);
}

OperatorSpelling operatorSpelling(std::string_view target)
{
    if (!target.starts_with(kModule))
        return {};
    const std::string_view name = target.substr(kModule.size());
    const auto found = std::find_if(kRows.begin(), kRows.end(),
                                    [name](const Row& row) { return row.name == name; });
    return found == kRows.end() ? OperatorSpelling{} : OperatorSpelling{found->form, found->symbol};
}

std::string canonicalTarget(std::string_view printed)
{
    constexpr std::string_view kOldPath = "torch._higher_order_ops.";
    const std::size_t lastDot = printed.rfind('.');
    if (printed.starts_with(kOldPath))
        return "higher_order" + std::string(printed.substr(lastDot));
    if (printed.starts_with("_operator."))
        return std::string(printed.substr(1));
    // The module's own name, as the oldest printers give it.
    if (!printed.starts_with(kOps) && !printed.starts_with("torch._ops."))
        return std::string(printed);
    const std::string_view rest = printed.substr(printed.find("ops.") + 4);
    // torch.ops.cond was a higher-order operator before they had a namespace.
    return rest.find('.') == std::string_view::npos ? "higher_order." + std::string(rest)
                                                    : std::string(rest);
}

std::string printedTarget(std::string_view target)
{
    constexpr std::array<std::string_view, 5> kPlain = {"torch.", "operator.", "math.", "builtins.",
                                                        "_"};
    const auto dots = std::count(target.begin(), target.end(), '.');
    const bool plain = std::any_of(kPlain.begin(), kPlain.end(), [target](std::string_view prefix) {
        return target.starts_with(prefix);
    });
    // An operator has a namespace, a name and an overload ("_c10d_functional.all_reduce.default").
    if (isKnownNamespace(target) || (dots == 2 && (!plain || target.front() == '_')))
        return std::string(kOps).append(target);
    return std::string(target);
}

} // namespace reinspect
