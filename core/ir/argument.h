// SPDX-License-Identifier: MIT
// One argument of a node: a Python value that may hold nodes at any depth. Mirrors
// torch.fx.node.Argument and the ARG form of the capture format.
#pragma once

#include "core/base/boxed.h"
#include "core/base/ids.h"
#include "core/ir/sym_expr.h"

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace reinspect
{

struct Argument;
struct NamedArgument;

struct None
{
    friend bool operator==(const None&, const None&) = default;
};

// A symbolic size used as a value, with the number of the traced run where it is known.
struct SymArgument
{
    SymExpr expr;
    std::optional<std::int64_t> hint;

    friend bool operator==(const SymArgument&, const SymArgument&) = default;
};

// torch.float32, device(type='cuda', index=0), torch.strided, torch.contiguous_format, an operator.
struct ConstantArgument
{
    enum class Kind
    {
        DType,        // "float32"
        Device,       // "cuda:0"
        Layout,       // "strided"
        MemoryFormat, // "contiguous_format"
        Operator,     // "aten.sin.default"
    };
    Kind kind = Kind::DType;
    std::string text;

    friend bool operator==(const ConstantArgument&, const ConstantArgument&) = default;
};

struct ListArgument
{
    std::vector<Argument> items;

    friend bool operator==(const ListArgument&, const ListArgument&);
};

struct TupleArgument
{
    std::vector<Argument> items;

    friend bool operator==(const TupleArgument&, const TupleArgument&);
};

// Pairs in order; keys are usually strings. The special members are not inline: a pair of Arguments is
// complete only behind Argument, and clang would look into the vector of them before.
struct DictArgument
{
    using Items = std::vector<std::pair<Argument, Argument>>;

    DictArgument();
    explicit DictArgument(Items pairs);
    DictArgument(const DictArgument& other);
    DictArgument(DictArgument&& other) noexcept;
    DictArgument& operator=(const DictArgument& other);
    DictArgument& operator=(DictArgument&& other) noexcept;
    ~DictArgument();

    Items items;

    friend bool operator==(const DictArgument&, const DictArgument&);
};

// slice(start, stop, step): always three items.
struct SliceArgument
{
    std::vector<Argument> items;

    friend bool operator==(const SliceArgument&, const SliceArgument&);
};

// One view inside a generalized scatter: the operator and its arguments after the tensor.
struct ViewArgument
{
    std::string target;
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;

    friend bool operator==(const ViewArgument&, const ViewArgument&);
};

// Anything else, kept as the text it was printed as.
struct OpaqueArgument
{
    std::string text;
    std::string type;

    friend bool operator==(const OpaqueArgument&, const OpaqueArgument&) = default;
};

struct Argument
{
    using Value =
        std::variant<None, bool, std::int64_t, double, std::complex<double>, std::string, NodeId,
                     SymArgument, Boxed<ConstantArgument>, ListArgument, TupleArgument,
                     DictArgument, SliceArgument, Boxed<ViewArgument>, Boxed<OpaqueArgument>>;
    Value value;

    template<typename T>
    const T* as() const
    {
        if constexpr (
            std::is_same_v<
                T,
                ConstantArgument> || std::is_same_v<T, ViewArgument> || std::is_same_v<T, OpaqueArgument>)
        {
            const Boxed<T>* boxed = std::get_if<Boxed<T>>(&value);
            return boxed ? &**boxed : nullptr;
        }
        else
            return std::get_if<T>(&value);
    }
    bool isNone() const { return as<None>() != nullptr; }
    // Holds arguments, so that nodes may be among them.
    bool isNested() const
    {
        return as<ListArgument>() || as<TupleArgument>() || as<DictArgument>()
            || as<SliceArgument>() || as<ViewArgument>();
    }
    // The node when the argument is exactly one; an invalid id otherwise.
    NodeId node() const;
    // The items of a list or tuple; null for anything else.
    const std::vector<Argument>* sequence() const;
    std::optional<std::int64_t> integer() const; // int64 only; a bool is not an integer here

    friend bool operator==(const Argument&, const Argument&) = default;
};

struct NamedArgument
{
    std::string name;
    Argument value;

    friend bool operator==(const NamedArgument&, const NamedArgument&) = default;
};

// Every node inside, in order, repeats included.
void forEachNestedNode(const Argument& argument, const std::function<void(NodeId)>& visit);
template<typename Visit>
void forEachNode(const Argument& argument, const Visit& visit)
{
    if (const NodeId* id = argument.as<NodeId>())
        visit(*id);
    else if (argument.isNested())
        forEachNestedNode(argument, std::cref(visit));
}
// Gives every node inside a new id, in the same order as forEachNode visits them.
void renumberNodes(Argument& argument, const std::function<NodeId(NodeId)>& renumber);
// Replaces `from` by `to` at any depth. Returns whether anything changed.
bool replaceNode(Argument& argument, NodeId from, NodeId to);
// Replaces every node that has a value, at any depth; what is put in is not looked into.
void replaceNodes(Argument& argument, const std::unordered_map<NodeId, Argument>& values);
// Looks a string key up in a dict; null when absent or not a dict.
const Argument* findKey(const Argument& dict, std::string_view key);

} // namespace reinspect
