// SPDX-License-Identifier: MIT
#include "tests/support/random_graph.h"

#include "tests/support/tensor_drawer.h"

namespace reinspect
{
namespace
{

class GraphDrawer : TensorDrawer
{
public:
    GraphDrawer(std::uint32_t seed, const RandomGraphOptions& options)
        : TensorDrawer(seed, options)
    {}

    RandomGraph draw()
    {
        m_facts.operators.push_back(
            {"tiny.one.default", "tiny::one(Tensor x, Tensor(a0!) a) -> ()", nullptr});
        m_facts.operators.push_back({"tiny.two.default",
                                     "tiny::two(Tensor x, Tensor(a1!) a, Tensor(a2!)? b) -> Tensor",
                                     nullptr});
        const int inputs = 1 + below(3);
        for (int i = 0; i < inputs; ++i)
            placeholder();
        const int calls = m_options.calls / 2 + below(m_options.calls);
        for (int i = 0; i < calls; ++i)
            call();
        copiesBack();
        output();
        return {std::make_shared<const Graph>(std::move(m_graph)), std::move(m_facts)};
    }

private:
    void call()
    {
        const int kind = below(100);
        if (kind < 14)
            pointwise();
        else if (kind < 38)
            anyView();
        else if (kind < 53)
            scatter();
        else if (kind < 64)
            indexPut();
        else if (kind < 80)
            triton();
        else if (kind < 87)
            autoFunctionalized();
        else if (kind < 95)
            autoFunctionalizedV2();
        else if (kind < 97)
            foreachCall();
        else if (kind < 99)
            allReduce();
        else
            copyInto(m_inputs[static_cast<std::size_t>(below(static_cast<int>(m_inputs.size())))]);
    }

    NodeId pointwise()
    {
        static constexpr const char* kOne[] = {"aten.sin.default", "aten.cos.default",
                                               "aten.exp.default"};
        const NodeId x = nonEmpty();
        if (chance(40))
            return fresh("aten.add.Tensor", {{x}, {tensorOf(sizes(x))}}, cloneResult(meta(x)));
        return fresh(kOne[below(3)], {{x}}, cloneResult(meta(x)));
    }

    // What is scattered: often computed from the very view that it replaces.
    NodeId sourceFor(NodeId base, const View& view, const TensorMeta& part)
    {
        if (chance(35))
            return tensorOf(numbers(part.sizes));
        const NodeId current = viewOf(base, view);
        if (chance(15))
            return current;
        if (chance(60))
            return fresh("aten.sin.default", {{current}}, cloneResult(part));
        return tritonOn({current}, {true}).value_or(current);
    }

    NodeId scatter()
    {
        const NodeId base = nonEmpty();
        View view = drawView(meta(base));
        const bool atStart = *meta(base).offset->constant() == 0 && isContiguous(meta(base));
        if (chance(15) && atStart)
        {
            view = {"aten.as_strided.default", {listOf({2}), listOf({1}), {std::int64_t{0}}}};
            if (product(sizes(base)) < 2)
                return base;
        }
        if (view.target.empty())
            return base;
        const auto part = viewResult(view.target, meta(base), view.args, {});
        if (!part)
            return base;
        const NodeId source = sourceFor(base, view, *part);
        static const std::pair<const char*, const char*> kScatters[] = {
            {"aten.slice.Tensor", "aten.slice_scatter.default"},
            {"aten.select.int", "aten.select_scatter.default"},
            {"aten.diagonal.default", "aten.diagonal_scatter.default"},
            {"aten.as_strided.default", "aten.as_strided_scatter.default"}};
        std::vector<Argument> args{{base}, {source}};
        args.insert(args.end(), view.args.begin(), view.args.end());
        for (const auto& [of, name] : kScatters)
            if (view.target == of)
                return fresh(name, std::move(args), cloneResult(meta(base)));
        return base;
    }

    NodeId indexPut()
    {
        const NodeId self = nonEmpty();
        Numbers shape = sizes(self);
        if (shape.empty())
            return self;
        const NodeId index = tensorOf({4});
        shape.front() = 4;
        const NodeId values = tensorOf(shape);
        return fresh("aten.index_put.default", {{self}, {ListArgument{{{index}}}}, {values}},
                     cloneResult(meta(self)));
    }

    NodeId getitem(NodeId tuple, Argument key, TensorMeta value)
    {
        return fresh("operator.getitem", {{tuple}, std::move(key)}, std::move(value));
    }

    NodeId appendTuple(Node node)
    {
        node.name = m_graph.uniqueName(shortName(node.target));
        const NodeId id = m_graph.append(std::move(node));
        m_storage.resize(id.index() + 1);
        return id;
    }

    // The result of the first written operand.
    std::optional<NodeId> tritonOn(const std::vector<NodeId>& operands,
                                   const std::vector<bool>& writes)
    {
        DictArgument kwargs;
        ListArgument toClone;
        for (std::size_t i = 0; i < operands.size(); ++i)
        {
            const std::string name(1, static_cast<char>('a' + i));
            kwargs.items.push_back({{name}, {operands[i]}});
            if (writes[i])
                toClone.items.push_back({name});
        }
        Node node;
        node.target = "higher_order.triton_kernel_wrapper_functional";
        node.kwargs = {{"kernel_idx", {std::int64_t{0}}},
                       {"constant_args_idx", {std::int64_t{0}}},
                       {"grid", {ListArgument{}}},
                       {"tma_descriptor_metadata", {DictArgument{}}},
                       {"kwargs", {kwargs}},
                       {"tensors_to_clone", {toClone}}};
        const NodeId call = appendTuple(std::move(node));
        std::optional<NodeId> first;
        for (std::size_t i = 0; i < operands.size(); ++i)
        {
            if (!writes[i] || (first && chance(10)))
                continue;
            const NodeId item = getitem(call, {std::string(1, static_cast<char>('a' + i))},
                                        strideKept(meta(operands[i])));
            first = first.value_or(item);
        }
        return first;
    }

    static TensorMeta strideKept(TensorMeta value)
    {
        value.offset = 0;
        return value;
    }

    void triton()
    {
        std::vector<NodeId> operands;
        std::vector<bool> writes;
        const int count = 1 + below(3);
        for (int i = 0; i < count; ++i)
        {
            const bool again = !operands.empty() && chance(15);
            operands.push_back(again ? operands.back() : nonEmpty());
            writes.push_back(i == 0 || chance(45));
        }
        tritonOn(operands, writes);
    }

    void autoFunctionalized()
    {
        const bool two = chance(50);
        Node node;
        node.target = "higher_order.auto_functionalized";
        node.args = {{ConstantArgument{ConstantArgument::Kind::Operator,
                                       two ? "tiny.two.default" : "tiny.one.default"}}};
        const NodeId x = nonEmpty();
        const NodeId a = nonEmpty();
        const NodeId b = two && chance(70) ? nonEmpty() : NodeId{};
        node.kwargs = {{"x", {x}}, {"a", {a}}};
        if (two)
            node.kwargs.push_back({"b", b ? Argument{b} : Argument{None{}}});
        auto items = std::make_shared<SequenceMeta>();
        items->items.push_back(two ? MetaValue{denseMeta({4})} : MetaValue{ScalarMeta{}});
        items->items.push_back({strideKept(meta(a))});
        if (two)
            items->items.push_back(b ? MetaValue{strideKept(meta(b))} : MetaValue{ScalarMeta{}});
        node.meta.value = {std::shared_ptr<const SequenceMeta>(std::move(items))};
        const NodeId call = appendTuple(std::move(node));
        if (two && chance(50))
            getitem(call, {std::int64_t{0}}, denseMeta({4}));
        getitem(call, {std::int64_t{1}}, strideKept(meta(a)));
        if (b)
            getitem(call, {std::int64_t{2}}, strideKept(meta(b)));
    }

    // How the written argument lies in its base: all of it, a slice, or by positions of the storage.
    void argumentView(Node& node, const std::string& name, std::int64_t base, NodeId tensor)
    {
        node.kwargs.push_back({"_" + name + "_base_index", {base}});
        const Numbers shape = sizes(tensor);
        if (chance(40) && !shape.empty() && shape.front() > 1)
        {
            node.kwargs.push_back({"_" + name + "_slice_dim", {std::int64_t{0}}});
            const std::int64_t start = below(static_cast<int>(shape.front()));
            node.kwargs.push_back({"_" + name + "_slice_start", {start}});
            node.kwargs.push_back({"_" + name + "_slice_end", {shape.front()}});
        }
        else if (chance(30) && isContiguous(meta(tensor)) && *meta(tensor).offset->constant() == 0
                 && product(shape) >= 2)
        {
            node.kwargs.push_back({"_" + name + "_size", listOf({2})});
            node.kwargs.push_back({"_" + name + "_stride", listOf({1})});
            node.kwargs.push_back({"_" + name + "_storage_offset",
                                   {std::int64_t{below(static_cast<int>(product(shape) - 1))}}});
        }
    }

    void autoFunctionalizedV2()
    {
        Node node;
        node.target = "higher_order.auto_functionalized_v2";
        node.args = {{ConstantArgument{ConstantArgument::Kind::Operator, "tiny.two.default"}}};
        std::vector<NodeId> bases{nonEmpty()};
        if (chance(50))
            bases.push_back(nonEmpty());
        node.kwargs = {{"x", {nonEmpty()}}};
        argumentView(node, "a", 0, bases.front());
        if (bases.size() > 1 || chance(30))
            argumentView(node, "b", static_cast<std::int64_t>(bases.size()) - 1, bases.back());
        else
            node.kwargs.push_back({"_b_base_index", {None{}}});
        ListArgument all;
        auto items = std::make_shared<SequenceMeta>();
        items->items.push_back({denseMeta({4})});
        for (const NodeId base : bases)
        {
            all.items.push_back({base});
            items->items.emplace_back(strideKept(meta(base)));
        }
        node.kwargs.push_back({"_all_bases", {all}});
        node.meta.value = {std::shared_ptr<const SequenceMeta>(std::move(items))};
        const NodeId call = appendTuple(std::move(node));
        if (chance(50))
            getitem(call, {std::int64_t{0}}, denseMeta({4}));
        for (std::size_t i = 0; i < bases.size(); ++i)
            getitem(call, {static_cast<std::int64_t>(i + 1)}, strideKept(meta(bases[i])));
    }

    void foreachCall()
    {
        const bool lists = chance(50);
        ListArgument self;
        ListArgument other;
        auto items = std::make_shared<SequenceMeta>();
        const int count = 1 + below(3);
        for (int i = 0; i < count; ++i)
        {
            const NodeId x = chance(70)
                ? m_inputs[static_cast<std::size_t>(below(static_cast<int>(m_inputs.size())))]
                : nonEmpty();
            self.items.push_back({x});
            other.items.push_back({chance(25) ? x : tensorOf(sizes(x))});
            items->items.push_back({cloneResult(meta(x))});
        }
        Node node;
        node.target = lists ? "aten._foreach_add.List" : "aten._foreach_add.Scalar";
        node.args = {{self}, lists ? Argument{other} : Argument{std::int64_t{2}}};
        node.meta.value = {std::shared_ptr<const SequenceMeta>(items)};
        const NodeId call = appendTuple(std::move(node));
        for (int i = 0; i < count; ++i)
            getitem(call, {std::int64_t{i}}, *items->items[static_cast<std::size_t>(i)].tensor());
        if (chance(70))
            for (int i = 0; i < count; ++i)
                if (const NodeId x = self.items[static_cast<std::size_t>(i)].node();
                    m_graph[x].op == NodeOp::Placeholder)
                    m_pending.push_back(
                        {x, m_tensors[m_tensors.size() - static_cast<std::size_t>(count - i)]});
    }

    void allReduce()
    {
        const NodeId x = nonEmpty();
        const NodeId sum =
            fresh("_c10d_functional.all_reduce.default",
                  {{x}, {std::string("sum")}, {std::string("0")}}, cloneResult(meta(x)));
        fresh("_c10d_functional.wait_tensor.default", {{sum}}, meta(sum));
    }

    void copy(NodeId input, NodeId source)
    {
        Node node;
        node.target = "aten.copy_.default";
        node.args = {{input}, {source}};
        append(std::move(node), meta(input), m_storage[input.index()]);
        m_tensors.pop_back();
    }

    void copyInto(NodeId input)
    {
        const Numbers shape = sizes(input);
        std::vector<NodeId> fitting;
        for (const NodeId id : m_tensors)
            if (sizes(id) == shape && id != input)
                fitting.push_back(id);
        if (fitting.empty())
            return;
        const int count = static_cast<int>(fitting.size());
        const int back = chance(70) ? below(std::min(count, 2)) : below(count);
        copy(input, fitting[static_cast<std::size_t>(count - 1 - back)]);
    }

    void copiesBack()
    {
        for (const auto& [input, source] : m_pending)
            copy(input, source);
        for (const NodeId input : m_inputs)
            if (chance(60))
                copyInto(input);
        if (chance(10))
            copyInto(m_inputs.front());
    }

    void output()
    {
        TupleArgument returned;
        const int count = 1 + below(3);
        for (int i = 0; i < count; ++i)
            returned.items.push_back({anyTensor()});
        Node node;
        node.op = NodeOp::Output;
        node.name = "output";
        node.target = "output";
        node.args = {{returned}};
        m_graph.append(std::move(node));
    }

    std::vector<std::pair<NodeId, NodeId>> m_pending; // copies that end the graph
};

} // namespace

RandomGraph randomGraph(std::uint32_t seed, const RandomGraphOptions& options)
{
    return GraphDrawer(seed, options).draw();
}

} // namespace reinspect
