// SPDX-License-Identifier: MIT
// Draws tensors of a random graph: inputs, new ones, and views of every kind, each with the metadata
// that PyTorch would give it. random_graph.cpp draws the calls.
#pragma once

#include "core/alias/view_geometry.h"

#include "tests/support/random_graph.h"

#include <algorithm>
#include <random>

namespace reinspect
{

using Numbers = std::vector<std::int64_t>;

inline Numbers numbers(const std::vector<SymExpr>& expressions)
{
    Numbers result;
    for (const SymExpr& expression : expressions)
        result.push_back(*expression.constant());
    return result;
}

inline Argument listOf(const Numbers& values)
{
    ListArgument list;
    for (const std::int64_t value : values)
        list.items.push_back({value});
    return {list};
}

inline std::vector<SymExpr> expressions(const Numbers& values)
{
    return {values.begin(), values.end()};
}

inline std::int64_t product(const Numbers& values)
{
    std::int64_t result = 1;
    for (const std::int64_t value : values)
        result *= value;
    return result;
}

struct View
{
    std::string target;
    std::vector<Argument> args;
};

class TensorDrawer
{
protected:
    TensorDrawer(std::uint32_t seed, const RandomGraphOptions& options)
        : m_random(seed * 2654435761u + 17)
        , m_options(options)
    {}

    int below(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    bool chance(int percent) { return below(100) < percent; }

    const TensorMeta& meta(NodeId node) const { return *m_graph[node].meta.value.tensor(); }
    Numbers sizes(NodeId node) const { return numbers(meta(node).sizes); }

    TensorMeta denseMeta(const Numbers& shape)
    {
        TensorMeta result;
        result.dtype = DType::Float32;
        result.device = "cuda:0";
        result.sizes = expressions(shape);
        result.strides = contiguousStrides(result.sizes);
        result.offset = 0;
        return result;
    }

    NodeId append(Node node, TensorMeta value, StorageId storage)
    {
        if (m_options.capturedStorages)
            value.storage = storage;
        value.storageBytes.reset();
        node.name = node.name.empty() ? m_graph.uniqueName(shortName(node.target)) : node.name;
        node.meta.value = {value};
        const NodeId id = m_graph.append(std::move(node));
        m_storage.resize(id.index() + 1);
        m_storage[id.index()] = storage;
        m_tensors.push_back(id);
        return id;
    }

    static std::string shortName(std::string_view target)
    {
        if (target == "operator.getitem")
            return "getitem";
        const std::size_t dot = target.find('.') + 1;
        return std::string(target.substr(dot, target.find('.', dot) - dot));
    }

    NodeId fresh(std::string target, std::vector<Argument> args, TensorMeta value)
    {
        Node node;
        node.target = std::move(target);
        node.args = std::move(args);
        value.offset = 0;
        return append(std::move(node), std::move(value), StorageId(m_storages++));
    }

    void placeholder()
    {
        static const Numbers kShapes[] = {{4, 4}, {4, 4}, {2, 4}, {8}, {4}};
        Node node;
        node.op = NodeOp::Placeholder;
        node.name = "x" + std::to_string(m_graph.size());
        node.target = node.name;
        const Numbers& shape = kShapes[below(5)];
        m_inputs.push_back(append(std::move(node), denseMeta(shape), StorageId(m_storages++)));
    }

    // Recent tensors come more often, which makes chains.
    NodeId anyTensor()
    {
        const int count = static_cast<int>(m_tensors.size());
        const int back = chance(60) ? below(std::min(count, 5)) : below(count);
        return m_tensors[static_cast<std::size_t>(count - 1 - back)];
    }

    NodeId tensorOf(const Numbers& shape)
    {
        std::vector<NodeId> fitting;
        for (const NodeId id : m_tensors)
            if (sizes(id) == shape)
                fitting.push_back(id);
        if (fitting.empty() || chance(25))
            return fresh("aten.full.default", {listOf(shape), {std::int64_t{below(9)}}},
                         denseMeta(shape));
        return fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))];
    }

    NodeId nonEmpty()
    {
        for (int i = 0; i < 20; ++i)
            if (const NodeId id = anyTensor(); product(sizes(id)) > 0)
                return id;
        return tensorOf({4, 4});
    }

    // A view of a tensor with this metadata; an empty target when it has none of the drawn kind.
    View drawView(const TensorMeta& base)
    {
        const Numbers shape = numbers(base.sizes);
        const int rank = static_cast<int>(shape.size());
        if (rank == 0)
            return {};
        const int dim = below(rank);
        const std::int64_t size = shape[static_cast<std::size_t>(dim)];
        switch (below(rank == 2 ? 4 : 3))
        {
        case 0:
        case 1:
        {
            if (size < 2)
                return {};
            const std::int64_t start = below(static_cast<int>(size));
            const std::int64_t end = start + 1 + below(static_cast<int>(size - start));
            View view{"aten.slice.Tensor", {{std::int64_t{dim}}, {start}, {end}}};
            if (chance(20))
                view.args.push_back({std::int64_t{2}});
            return view;
        }
        case 2:
            if (rank < 2)
                return {};
            return {"aten.select.int",
                    {{std::int64_t{dim}}, {std::int64_t{below(static_cast<int>(size))}}}};
        default: return {"aten.diagonal.default", {}};
        }
    }

    NodeId appendView(NodeId base, const View& view, TensorMeta value)
    {
        Node node;
        node.target = view.target;
        node.args.push_back({base});
        node.args.insert(node.args.end(), view.args.begin(), view.args.end());
        return append(std::move(node), std::move(value), m_storage[base.index()]);
    }

    NodeId viewOf(NodeId base, const View& view)
    {
        const auto value = viewResult(view.target, meta(base), view.args, {});
        return value ? appendView(base, view, *value) : base;
    }

    std::int64_t bufferSize(NodeId node) const
    {
        std::int64_t size = 0;
        for (const NodeId id : m_tensors)
        {
            if (m_storage[id.index()] != m_storage[node.index()])
                continue;
            std::int64_t last = *meta(id).offset->constant() + 1;
            for (std::size_t i = 0; i < meta(id).sizes.size(); ++i)
                last += (*meta(id).sizes[i].constant() - 1) * *(*meta(id).strides)[i].constant();
            if (product(sizes(id)) > 0)
                size = std::max(size, last);
        }
        return size;
    }

    View drawAsStrided(NodeId base)
    {
        const std::int64_t room = bufferSize(base);
        const std::int64_t size = 1 + below(4);
        const std::int64_t step = 1 + below(3);
        const std::int64_t reach = (size - 1) * step + 1;
        if (reach > room)
            return {"aten.as_strided.default",
                    {listOf({room > 0 ? 1 : 0}), listOf({1}), {std::int64_t{0}}}};
        const std::int64_t offset = below(static_cast<int>(room - reach + 1));
        return {"aten.as_strided.default", {listOf({size}), listOf({step}), {offset}}};
    }

    NodeId anyView()
    {
        const NodeId base = nonEmpty();
        const Numbers shape = sizes(base);
        switch (below(10))
        {
        case 0: return viewOf(base, drawAsStrided(base));
        case 1:
        {
            Numbers order(shape.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
            return viewOf(base, {"aten.permute.default", {listOf(order)}});
        }
        case 2:
        {
            if (!isContiguous(meta(base)))
                return base;
            TensorMeta value =
                denseMeta(chance(50) || product(shape) % 2 != 0 ? Numbers{product(shape)}
                                                                : Numbers{2, product(shape) / 2});
            value.offset = meta(base).offset;
            return appendView(base, {"aten.view.default", {listOf(numbers(value.sizes))}}, value);
        }
        case 3:
        {
            TensorMeta value = meta(base);
            if (value.sizes.size() > 2)
                return base;
            value.sizes.insert(value.sizes.begin(), 1);
            value.strides->insert(value.strides->begin(), 1);
            const NodeId row =
                appendView(base, {"aten.unsqueeze.default", {{std::int64_t{0}}}}, value);
            if (chance(50))
                return row;
            value.sizes.front() = 2;
            value.strides->front() = 0;
            return appendView(row, {"aten.expand.default", {listOf(numbers(value.sizes))}}, value);
        }
        default: break;
        }
        const View view = drawView(meta(base));
        return view.target.empty() ? base : viewOf(base, view);
    }

    std::mt19937 m_random;
    RandomGraphOptions m_options;
    Graph m_graph;
    CaptureFacts m_facts;
    std::vector<NodeId> m_inputs;
    std::vector<NodeId> m_tensors;
    std::vector<StorageId> m_storage; // by slot
    std::size_t m_storages = 0;
};

} // namespace reinspect
