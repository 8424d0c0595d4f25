// SPDX-License-Identifier: MIT
// Nodes and arguments in Python's spelling, for messages, writers, tests and the debugger.
#include "core/ir/graph.h"

#include <charconv>
#include <cmath>

namespace reinspect
{
namespace
{

// Python's repr of a float: shortest digits that read back, always with a point or an exponent.
std::string floatText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[32];
    const double magnitude = std::fabs(value);
    const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value,
                      scientific ? std::chars_format::scientific : std::chars_format::fixed);
    std::string text(buffer, end.ptr);
    if (!scientific && text.find('.') == std::string::npos)
        text += ".0";
    return text;
}

std::string complexText(std::complex<double> value)
{
    const std::string imaginary = floatText(value.imag()) + "j";
    const std::string sign = imaginary.front() == '-' ? "" : "+";
    return "(" + floatText(value.real()) + sign + imaginary + ")";
}

// Python's repr of a string: single quotes unless the text holds one and no double quote.
std::string stringText(const std::string& value)
{
    const bool useDouble =
        value.find('\'') != std::string::npos && value.find('"') == std::string::npos;
    const char quote = useDouble ? '"' : '\'';
    std::string text(1, quote);
    for (const char c : value)
    {
        if (c == quote || c == '\\')
            (text += '\\') += c;
        else if (c == '\n')
            text += "\\n";
        else if (c == '\t')
            text += "\\t";
        else if (c == '\r')
            text += "\\r";
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            constexpr char kHex[] = "0123456789abcdef";
            ((text += "\\x") += kHex[(c >> 4) & 15]) += kHex[c & 15];
        }
        else
            text += c;
    }
    return text + quote;
}

std::string deviceText(const std::string& device)
{
    const std::size_t colon = device.find(':');
    if (colon == std::string::npos)
        return "device(type='" + device + "')";
    return "device(type='" + device.substr(0, colon) + "', index=" + device.substr(colon + 1) + ")";
}

std::string constantText(const ConstantArgument& constant)
{
    switch (constant.kind)
    {
    case ConstantArgument::Kind::Device: return deviceText(constant.text);
    case ConstantArgument::Kind::Operator: return "torch.ops." + constant.text;
    case ConstantArgument::Kind::DType:
    case ConstantArgument::Kind::Layout:
    case ConstantArgument::Kind::MemoryFormat: break;
    }
    return "torch." + constant.text;
}

struct ArgumentPrinter
{
    const Graph& graph;

    std::string joined(const std::vector<Argument>& items) const
    {
        std::string text;
        for (const Argument& item : items)
            text += (text.empty() ? "" : ", ") + print(item);
        return text;
    }
    std::string named(const std::vector<NamedArgument>& items) const
    {
        std::string text;
        for (const NamedArgument& item : items)
            text += (text.empty() ? "" : ", ") + item.name + " = " + print(item.value);
        return text;
    }
    std::string print(const Argument& argument) const { return std::visit(*this, argument.value); }

    std::string operator()(None) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return floatText(value); }
    std::string operator()(const std::complex<double>& value) const { return complexText(value); }
    std::string operator()(const std::string& value) const { return stringText(value); }
    std::string operator()(NodeId node) const { return graph[node].name; }
    std::string operator()(const SymArgument& value) const { return reinspect::toText(value.expr); }
    std::string operator()(const ConstantArgument& value) const { return constantText(value); }
    std::string operator()(const ListArgument& list) const
    {
        return "[" + joined(list.items) + "]";
    }
    std::string operator()(const TupleArgument& tuple) const
    {
        return "(" + joined(tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
    }
    std::string operator()(const SliceArgument& slice) const
    {
        return "slice(" + joined(slice.items) + ")";
    }
    std::string operator()(const OpaqueArgument& opaque) const { return opaque.text; }
    std::string operator()(const DictArgument& dict) const
    {
        std::string text;
        for (const auto& [key, value] : dict.items)
            text += (text.empty() ? "" : ", ") + print(key) + ": " + print(value);
        return "{" + text + "}";
    }
    std::string operator()(const ViewArgument& view) const
    {
        std::string text = "ViewOp(target=torch.ops." + view.target
            + ", args=" + (*this)(TupleArgument{view.args});
        return text + ", kwargs={" + named(view.kwargs) + "})";
    }
};

} // namespace

std::string toText(const Graph& graph, const Argument& argument)
{
    return ArgumentPrinter{graph}.print(argument);
}

std::string toText(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const ArgumentPrinter printer{graph};
    const std::string positional = printer.joined(node.args);
    const std::string named = printer.named(node.kwargs);
    switch (node.op)
    {
    case NodeOp::Placeholder: return node.name + " = placeholder";
    case NodeOp::Output: return "return " + positional;
    case NodeOp::GetAttr:
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    const std::string separator = positional.empty() || named.empty() ? "" : ", ";
    return node.name + " = " + node.target + "(" + positional + separator + named + ")";
}

std::string toText(const Graph& graph)
{
    std::string text;
    for (const NodeId id : graph.order())
        text += toText(graph, id) + "\n";
    return text;
}

} // namespace reinspect
