// SPDX-License-Identifier: MIT
#include "core/proof/graph_inputs.h"

#include "core/base/parallel.h"
#include "core/exec/elements.h"
#include "core/exec/philox.h"
#include "core/proof/index_ranges.h"

#include <algorithm>
#include <cstring>

namespace reinspect::proof
{
namespace
{

using exec::Sizes;
using exec::Tensor;
using exec::Value;

Error noValue(const std::string& input, const std::string& what,
              const std::vector<std::string>& symbols)
{
    const std::string name = symbols.empty() ? "NAME" : symbols.front();
    return {.message = "input '" + input + "': no value is known for the " + what,
            .hint = "Give it one: --symbol " + name + "=8 on the command line, \"" + name
                + "=8\" under Symbols in the run panel."};
}

// Numbers of the placeholders' sizes: as given, from the file's shapes where it has them, else from hints.
// Element `place`, row by row, becomes of(place).
template<typename C, typename Of>
void fillWith(const Tensor& tensor, Of&& of)
{
    constexpr std::size_t most = 1024; // elements stored at once
    Tensor dense = tensor;
    if (!tensor.isContiguous())
        dense = exec::hostTwin(tensor);
    const auto width = static_cast<std::size_t>(dense.elementBytes());
    forEachSlice(static_cast<std::size_t>(dense.count()), [&](std::size_t begin, std::size_t end) {
        C block[most];
        for (std::size_t at = begin; at < end; at += most)
        {
            const std::size_t some = std::min(most, end - at);
            for (std::size_t i = 0; i < some; ++i)
                block[i] = of(at + i);
            exec::storeRun<C>(dense.dtype, dense.data() + at * width, 1,
                              static_cast<std::int64_t>(some), block);
        }
    });
    if (!tensor.isContiguous())
        (void)exec::copyElements(tensor, dense).ok(); // one dtype, one size
}

class InputMaker
{
public:
    InputMaker(const Graph& graph, const ShapeEnv& shapes, const InputSource& source)
        : m_graph(graph)
        , m_shapes(shapes)
        , m_source(source)
        , m_tracker(std::make_shared<exec::StorageTracker>(
              source.memoryLimit > 0 ? source.memoryLimit : exec::defaultMemoryLimit()))
    {}

    Result<GraphInputs> make()
    {
        m_symbols = m_source.symbols;
        learnFromFile();
        const IndexRanges ranges(m_graph, [this](const SymExpr& expr) { return number(expr); });
        for (const NodeId id : m_graph.order())
        {
            const Node& node = m_graph.node(id);
            if (node.op != NodeOp::Placeholder)
                continue;
            REINSPECT_TRY(Value value, placeholder(node, ranges.limitOf(id)));
            m_inputs.run.placeholders.push_back(std::move(value));
            m_inputs.names.push_back(node.name);
        }
        REINSPECT_CHECK(makeAttributes());
        m_inputs.run.symbols = m_symbols;
        for (const auto& [name, facts] : m_shapes.symbols())
            if (facts.hint)
                m_inputs.run.symbols.emplace(name, *facts.hint);
        return std::move(m_inputs);
    }

private:
    const StoredTensor* stored(std::string_view prefix, const std::string& name) const
    {
        return m_source.file ? m_source.file->find(std::string(prefix) + name) : nullptr;
    }

    void learnFromFile()
    {
        for (const NodeId id : m_graph.order())
        {
            const Node& node = m_graph.node(id);
            const TensorMeta* meta = node.meta.value.tensor();
            const StoredTensor* tensor = stored("input.", node.name);
            if (node.op != NodeOp::Placeholder || !meta || !tensor
                || tensor->sizes.size() != meta->sizes.size())
                continue;
            for (std::size_t i = 0; i < meta->sizes.size(); ++i)
            {
                const std::vector<std::string> names = meta->sizes[i].symbols();
                if (names.size() == 1 && meta->sizes[i] == SymExpr::symbol(names.front()))
                    m_symbols.emplace(names.front(), tensor->sizes[i]);
            }
        }
    }

    std::optional<std::int64_t> number(const SymExpr& expr) const
    {
        return expr.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
            if (const auto at = m_symbols.find(name); at != m_symbols.end())
                return at->second;
            return m_shapes.facts(name).hint;
        });
    }

    Result<Sizes> numbers(const std::string& name, const std::vector<SymExpr>& list) const
    {
        Sizes sizes;
        for (const SymExpr& expr : list)
        {
            const auto value = number(expr);
            if (!value)
                return noValue(name, "size " + toText(expr), expr.symbols());
            sizes.push_back(*value);
        }
        return sizes;
    }

    Result<Value> placeholder(const Node& node, std::optional<std::int64_t> indexLimit)
    {
        if (const TensorMeta* meta = node.meta.value.tensor())
        {
            if (m_source.file && !stored("input.", node.name)
                && !m_graph.users(m_graph.find(node.name)).empty())
                return Error{.message = "the tensor 'input." + node.name + "' is missing",
                             .hint = "Without --inputs all are drawn from a seed.",
                             .file = m_source.file->name};
            REINSPECT_TRY(Tensor tensor,
                          tensorFor(node.name, *meta, stored("input.", node.name), indexLimit));
            return Value(std::move(tensor));
        }
        if (const auto* scalar = std::get_if<SymScalarMeta>(&node.meta.value.value))
            return scalarFor(node, *scalar);
        if (const auto* constant = std::get_if<ScalarMeta>(&node.meta.value.value))
        {
            if (const auto whole = constant->value.integer())
                return Value(*whole);
            if (const double* real = constant->value.as<double>())
                return Value(*real);
            if (const bool* flag = constant->value.as<bool>())
                return Value(*flag);
        }
        if (const StoredTensor* tensor = stored("input.", node.name))
        {
            TensorMeta meta;
            meta.dtype = tensor->dtype;
            meta.sizes.assign(tensor->sizes.begin(), tensor->sizes.end());
            REINSPECT_TRY(Tensor made, tensorFor(node.name, meta, tensor, {}));
            return Value(std::move(made));
        }
        if (m_graph.users(m_graph.find(node.name)).empty())
            return Value();
        if (std::holds_alternative<OpaqueMeta>(node.meta.value.value))
            return Value();
        return Error{.message = "input '" + node.name + "': the file does not say what it is",
                     .hint = "Give it with --inputs, or use a capture with metadata."};
    }

    Result<Value> scalarFor(const Node& node, const SymScalarMeta& scalar)
    {
        if (const StoredTensor* tensor = stored("input.", node.name))
        {
            const auto data = m_source.file->data(*tensor);
            if (tensor->dtype == DType::Int64 && data.size() == sizeof(std::int64_t))
            {
                std::int64_t value = 0;
                std::memcpy(&value, data.data(), sizeof(value));
                return Value(value);
            }
        }
        if (scalar.kind == SymScalarMeta::Kind::Int)
            if (const auto value = number(scalar.expr))
                return Value(*value);
        if (scalar.hint)
        {
            if (const auto whole = scalar.hint->integer())
                return Value(*whole);
            if (const double* real = scalar.hint->as<double>())
                return Value(*real);
            if (const bool* flag = scalar.hint->as<bool>())
                return Value(*flag);
        }
        return noValue(node.name, "symbol " + scalar.text, scalar.expr.symbols());
    }

    // One storage for all tensors that the capture says share it.
    Result<exec::StoragePtr> storageFor(const std::string& name, const TensorMeta& meta,
                                        std::int64_t bytes)
    {
        if (meta.storage && m_storages.contains(meta.storage)
            && m_storages[meta.storage]->bytes() >= bytes)
            return m_storages[meta.storage];
        std::int64_t all = bytes;
        if (meta.storageBytes)
            all = std::max(all, number(*meta.storageBytes).value_or(0));
        auto storage = m_tracker->allocate(all, meta.dtype, exec::StorageRole::Input);
        if (!storage.ok())
        {
            storage.error().message = "input '" + name + "': " + storage.error().message;
            return std::move(storage.error());
        }
        m_inputs.bytes += exec::roundedBytes(all);
        if (meta.storage)
            m_storages[meta.storage] = *storage;
        return *storage;
    }

    Result<Tensor> tensorFor(const std::string& name, const TensorMeta& meta,
                             const StoredTensor* given, std::optional<std::int64_t> indexLimit)
    {
        if (dtypeBytes(meta.dtype) == 0)
            return Error{"input '" + name + "': its dtype is not known"};
        REINSPECT_TRY(Sizes sizes, numbers(name, meta.sizes));
        Sizes strides = exec::contiguousStrides(sizes);
        if (meta.strides)
        {
            REINSPECT_TRY(strides, numbers(name, *meta.strides));
        }
        const std::int64_t offset = meta.offset ? number(*meta.offset).value_or(0) : 0;
        const auto length = exec::extent(sizes, strides);
        if (!length || !exec::elementCount(sizes) || offset < 0
            || *length > (std::int64_t{1} << 60) - offset
            || (*length + offset) > (std::int64_t{1} << 62) / dtypeBytes(meta.dtype))
            return Error{.message = "input '" + name + "': sizes " + exec::sizesText(sizes)
                             + " do not fit into memory",
                         .kind = ErrorKind::CannotRunHere};
        REINSPECT_TRY(auto storage,
                      storageFor(name, meta, (*length + offset) * dtypeBytes(meta.dtype)));
        Tensor tensor{meta.dtype, std::move(sizes),   std::move(strides),
                      offset,     std::move(storage), meta.device == "cpu" && deviceOf() != "cpu"};
        if (given)
            REINSPECT_CHECK(fill(name, tensor, *given));
        else
            draw(name, tensor, indexLimit);
        return tensor;
    }

    std::string deviceOf()
    {
        if (m_device.empty())
        {
            m_device = "cpu";
            for (const NodeId id : m_graph.order())
                if (const TensorMeta* meta = m_graph.node(id).meta.value.tensor())
                    if (!meta->device.empty() && meta->device != "cpu")
                        m_device = meta->device;
        }
        return m_device;
    }

    Result<void> fill(const std::string& name, const Tensor& tensor, const StoredTensor& given)
    {
        if (given.dtype != tensor.dtype || given.sizes != tensor.sizes)
            return Error{.message = "input '" + name + "' is " + exec::tensorText(tensor)
                             + ", and the file has " + std::string(dtypeName(given.dtype))
                             + exec::sizesText(given.sizes),
                         .file = m_source.file->name};
        const auto data = m_source.file->data(given);
        Tensor packed = tensor;
        packed.strides = exec::contiguousStrides(tensor.sizes);
        packed.offset = 0;
        REINSPECT_TRY(packed.storage,
                      m_tracker->allocate(static_cast<std::int64_t>(data.size()), tensor.dtype,
                                          exec::StorageRole::Scratch));
        std::memcpy(packed.storage->data(), data.data(), data.size());
        return exec::copyElements(tensor, packed);
    }

    void draw(const std::string& name, const Tensor& tensor, std::optional<std::int64_t> indexLimit)
    {
        if (m_source.file)
            m_inputs.assumptions.push_back(
                "'" + name + "' is not in the file of inputs and was drawn from the seed");
        const exec::Philox random(m_source.seed, exec::Philox::streamOf(name));
        if (exec::computeKind(tensor.dtype) == exec::ComputeKind::Integer)
        {
            const bool isBool = tensor.dtype == DType::Bool;
            const auto span = static_cast<std::uint64_t>(
                isBool ? 2 : std::max<std::int64_t>(indexLimit.value_or(8), 1));
            if (!isBool && !indexLimit)
                m_inputs.assumptions.push_back("no rule tells the range of the integers in '" + name
                                               + "': drawn from 0 to 7");
            fillWith<std::int64_t>(tensor, [&](std::uint64_t place) {
                return static_cast<std::int64_t>(random.bits(place) % span);
            });
            return;
        }
        fillWith<double>(tensor, [&](std::uint64_t place) { return random.normal(place); });
    }

    Result<void> makeAttributes()
    {
        for (const NodeId id : m_graph.order())
        {
            const Node& node = m_graph.node(id);
            const std::string name = node.target.str();
            if (node.op != NodeOp::GetAttr || m_graph.users(id).empty()
                || m_graph.subgraphs.contains(name) || m_inputs.run.attributes.contains(name))
                continue;
            const TensorMeta* meta = node.meta.value.tensor();
            const auto listed = m_graph.attributes.find(name);
            if (!meta && listed != m_graph.attributes.end())
                meta = listed->second.tensor();
            if (!meta)
                continue;
            const StoredTensor* given = stored("attribute.", name);
            if (!given)
                m_inputs.assumptions.push_back(
                    "the value of the attribute '" + name
                    + "' is not in the capture: it was drawn from the seed");
            REINSPECT_TRY(Tensor tensor, tensorFor(name, *meta, given, {}));
            m_inputs.run.attributes[name] = Value(std::move(tensor));
        }
        return {};
    }

    const Graph& m_graph;
    const ShapeEnv& m_shapes;
    const InputSource& m_source;
    std::shared_ptr<exec::StorageTracker> m_tracker;
    std::map<std::string, std::int64_t, std::less<>> m_symbols;
    std::map<StorageId, exec::StoragePtr> m_storages;
    std::string m_device;
    GraphInputs m_inputs;
};

} // namespace

Result<GraphInputs> makeInputs(const Graph& graph, const ShapeEnv& shapes,
                               const InputSource& source)
{
    return InputMaker(graph, shapes, source).make();
}

} // namespace reinspect::proof
