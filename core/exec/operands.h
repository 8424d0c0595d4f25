// SPDX-License-Identifier: MIT
// Operands of an elementwise operator: tensors and Python numbers, the dtype that they promote to, the sizes
// that they broadcast to, and the layout that PyTorch gives the result.
#pragma once

#include "core/exec/elements.h"
#include "core/exec/kernel_call.h"
#include "core/ir/dtype_promotion.h"

namespace reinspect::exec
{

struct Operand
{
    std::optional<Tensor> tensor;
    Value number; // where it is no tensor
    DType dtype = DType::Unknown;

    ResultType::Rank rank() const;
};

// A tensor or a number; the error names the argument.
Result<Operand> operandOf(const KernelCall& call, std::string_view name);
Operand operandFrom(const Tensor& tensor);

struct Operands
{
    std::vector<Operand> list;
    Sizes sizes; // broadcast
    DType promoted = DType::Unknown;
};

// In the order of the names. All of them take part in promotion.
Result<Operands> operandsOf(const KernelCall& call, std::initializer_list<std::string_view> names);
Result<Operands> operandsFrom(const KernelCall& call, std::vector<Operand> list);

// Memory for an elementwise result.
Result<Tensor> elementwiseResult(const KernelCall& call, DType dtype, const Operands& operands);
// The layout that TensorIterator gives: the permutation of the operands.
Sizes elementwiseStrides(const Operands& operands, const Sizes& sizes);
// The layout that preserve_format keeps: dense strides as they are, others by their order.
Sizes preservedStrides(const Tensor& tensor);
TensorMeta metaOf(const Tensor& tensor);

bool isFloating(DType dtype);
bool isComplex(DType dtype);
bool isIntegral(DType dtype); // bool too

// One operand as blocks of C, broadcast to the sizes of a walk.
template<typename C>
class BlockSource
{
public:
    // What a cast to `common` would round is rounded, as PyTorch casts first; numbers are taken as they are.
    BlockSource(const Operand& operand, const Sizes& sizes, DType common)
        : m_tensor(operand.tensor)
        , m_common(common)
    {
        if (!m_tensor)
        {
            m_number = numberAs(operand.number);
            strides.assign(sizes.size(), 0);
            return;
        }
        auto wide = broadcastTo(*m_tensor, sizes);
        m_isValid = wide.ok();
        if (m_isValid)
            strides = wide->strides;
        offset = m_tensor->offset;
        m_rounds = m_tensor->dtype != common && dtypeBytes(common) <= 2 && isFloating(common)
            && !(m_tensor->isOnHost && m_tensor->rank() == 0);
    }

    bool isValid() const { return m_isValid; }
    void load(std::int64_t at, std::int64_t stride, std::int64_t count, C* out) const
    {
        if (!m_tensor)
        {
            for (std::int64_t i = 0; i < count; ++i)
                out[i] = m_number;
            return;
        }
        loadRun<C>(m_tensor->dtype, m_tensor->storage->data() + at * m_tensor->elementBytes(),
                   stride, count, out);
        if (m_rounds)
            roundTo(out, count);
    }

    Sizes strides;
    std::int64_t offset = 0;

private:
    static C numberAs(const Value& value)
    {
        if (const auto* pair = value.as<std::complex<double>>())
        {
            if constexpr (std::is_same_v<
                              C, std::complex<float>> || std::is_same_v<C, std::complex<double>>)
                return C(static_cast<typename C::value_type>(pair->real()),
                         static_cast<typename C::value_type>(pair->imag()));
        }
        if constexpr (std::is_same_v<C, std::int64_t>)
            return value.integer().value_or(0);
        else if constexpr (std::is_arithmetic_v<C>)
            return static_cast<C>(value.number().value_or(0));
        else
            return C(static_cast<typename C::value_type>(value.number().value_or(0)));
    }
    void roundTo(C* values, std::int64_t count) const
    {
        std::array<std::byte, 16> one;
        for (std::int64_t i = 0; i < count; ++i)
        {
            storeRun<C>(m_common, one.data(), 1, 1, values + i);
            loadRun<C>(m_common, one.data(), 1, 1, values + i);
        }
    }

    std::optional<Tensor> m_tensor;
    DType m_common;
    C m_number{};
    bool m_rounds = false;
    bool m_isValid = true;
};

// result[i] = f(operands[i]...), computed in C, stored as the result's dtype by way of `Out`.
// `f(std::array<const C*, N>, Out*, count)` works on a block.
template<typename C, typename Out, std::size_t N, typename F>
Result<void> mapBlocks(const Tensor& result, const Operands& operands, DType common, F&& f)
{
    constexpr std::int64_t block = 512;
    const Sizes& sizes = result.sizes;
    std::vector<BlockSource<C>> sources;
    for (const Operand& operand : operands.list)
        sources.emplace_back(operand, sizes, common);
    std::array<const Sizes*, N + 1> strides;
    std::array<std::int64_t, N + 1> offsets;
    strides[0] = &result.strides;
    offsets[0] = result.offset;
    for (std::size_t k = 0; k < N; ++k)
    {
        if (!sources[k].isValid())
            return Error{"operands do not broadcast"};
        strides[k + 1] = &sources[k].strides;
        offsets[k + 1] = sources[k].offset;
    }
    std::array<std::array<C, block>, N> values;
    std::array<Out, block> made;
    std::array<const C*, N> in;
    for (std::size_t k = 0; k < N; ++k)
        in[k] = values[k].data();
    const Walk<N + 1> walk(sizes, strides);
    walk.run(offsets, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t done = 0; done < count; done += block)
        {
            const std::int64_t part = std::min(block, count - done);
            for (std::size_t k = 0; k < N; ++k)
                sources[k].load(at[k + 1] + done * stride[k + 1], stride[k + 1], part,
                                values[k].data());
            f(in, made.data(), part);
            storeRun<Out>(result.dtype,
                          result.storage->data()
                              + (at[0] + done * stride[0]) * result.elementBytes(),
                          stride[0], part, made.data());
        }
    });
    return {};
}

} // namespace reinspect::exec
