// SPDX-License-Identifier: MIT
// Random operators. They draw from Philox, so that the graph before and after the pass draws the same numbers.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"
#include "core/exec/philox.h"
#include "core/exec/random.h"

namespace reinspect::exec
{
namespace
{

// The stream of a random node: its name, which the pass keeps.
Philox generatorFor(const KernelCall& call, std::int64_t salt = 0)
{
    return Philox(call.context->seed,
                  Philox::streamOf(call.node) + static_cast<std::uint64_t>(salt));
}

template<typename Draw>
Result<Value> drawn(const KernelCall& call, const Tensor& result, Draw&& draw)
{
    noteRandom(call);
    std::vector<double> values(static_cast<std::size_t>(result.count()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = draw(i);
    writeAll<double>(result, values);
    return Value(result);
}

Result<Value> uniform(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, randomResult(call, DType::Float32));
    const double low = call.optionalNumber("from").value_or(0);
    const double high = call.optionalNumber("to").value_or(1);
    const Philox random = generatorFor(call);
    return drawn(call, result,
                 [&](std::size_t i) { return low + (high - low) * random.uniform(i); });
}

Result<Value> normal(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, randomResult(call, DType::Float32));
    const double mean = call.optionalNumber("mean").value_or(0);
    const double deviation = call.optionalNumber("std").value_or(1);
    const Philox random = generatorFor(call);
    return drawn(call, result, [&](std::size_t i) { return mean + deviation * random.normal(i); });
}

Result<Value> randint(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor result, randomResult(call, DType::Int64));
    const std::int64_t low = call.optionalInteger("low").value_or(0);
    REINSPECT_TRY(const std::int64_t high, call.integer("high"));
    if (high <= low)
        return call.error("no integers from " + std::to_string(low) + " to "
                          + std::to_string(high));
    const Philox random = generatorFor(call);
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return drawn(call, result, [&](std::size_t i) {
        return static_cast<double>(low + static_cast<std::int64_t>(random.bits(i) % span));
    });
}

Result<Value> bernoulli(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    const auto fixed = call.optionalNumber("p");
    const std::vector<double> chances = fixed ? std::vector<double>() : readAll<double>(self);
    const Philox random = generatorFor(call);
    return drawn(call, result, [&](std::size_t i) {
        return random.uniform(i) < (fixed ? *fixed : chances[i]) ? 1.0 : 0.0;
    });
}

Result<Value> nativeDropout(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("input"));
    REINSPECT_TRY(const double p, call.number("p"));
    const bool trains = !call.has("train") || call.flag("train");
    REINSPECT_TRY(const Tensor result,
                  call.result(self.dtype, self.sizes, 0, preservedStrides(self)));
    REINSPECT_TRY(const Tensor mask,
                  call.result(DType::Bool, self.sizes, 1, preservedStrides(self)));
    const Philox random = generatorFor(call);
    std::vector<double> values = readAll<double>(self);
    std::vector<std::int64_t> kept(values.size(), 1);
    for (std::size_t i = 0; trains && i < values.size(); ++i)
    {
        kept[i] = random.uniform(i) >= p;
        values[i] = kept[i] ? values[i] / (1 - p) : 0;
    }
    writeAll<double>(result, values);
    writeAll<std::int64_t>(mask, kept);
    return listOf(std::vector<Value>{Value(result), Value(mask)});
}

// inductor_seeds and inductor_random: the seed's number chooses the stream.
Result<Value> inductorSeeds(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t count, call.integer("count"));
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, {count}));
    const Philox random = generatorFor(call);
    std::vector<std::int64_t> values(static_cast<std::size_t>(result.count()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int64_t>(random.bits(i) >> 1);
    writeAll<std::int64_t>(result, values);
    return Value(result);
}

Result<Value> inductorLookupSeed(const KernelCall& call)
{
    REINSPECT_TRY(Tensor seed, call.tensor("seeds"));
    REINSPECT_TRY(const std::int64_t index, call.integer("index"));
    if (seed.rank() != 1 || index < 0 || index >= seed.count())
        return call.error("index " + std::to_string(index) + " is out of range");
    REINSPECT_TRY(const Tensor result, call.result(DType::Int64, {}));
    seed.offset += index * seed.strides[0];
    seed.sizes.clear();
    seed.strides.clear();
    REINSPECT_CHECK(copyElements(result, seed));
    return Value(result);
}

Result<Value> inductorRandom(const KernelCall& call)
{
    REINSPECT_TRY(Sizes sizes, call.integers("size"));
    REINSPECT_TRY(const Tensor seed, call.tensor("seed"));
    REINSPECT_TRY(const Tensor result, call.result(DType::Float32, std::move(sizes)));
    const Philox random(call.context->seed,
                        static_cast<std::uint64_t>(readAll<std::int64_t>(seed).front()));
    const bool isNormal = call.text("mode") == "randn";
    return drawn(call, result,
                 [&](std::size_t i) { return isNormal ? random.normal(i) : random.uniform(i); });
}

const KernelRow table[] = {
    {"aten.rand.default", uniform},
    {"aten.rand_like.default", uniform},
    {"aten.uniform.default", uniform},
    {"aten.randn.default", normal},
    {"aten.randn_like.default", normal},
    {"aten.normal_functional.default", normal},
    {"aten.randint.default", randint},
    {"aten.randint.low", randint},
    {"aten.randint_like.default", randint},
    {"aten.randint_like.low_dtype", randint},
    {"aten.bernoulli.default", bernoulli},
    {"aten.bernoulli.p", bernoulli},
    {"aten.native_dropout.default", nativeDropout},
    {"prims.inductor_seeds.default", inductorSeeds},
    {"prims.inductor_lookup_seed.default", inductorLookupSeed, {}, RunsOn::Anywhere},
    {"prims.inductor_random.default", inductorRandom},
};

} // namespace

std::span<const KernelRow> randomKernels()
{
    static const std::vector<KernelRow> rows = joinedRows({table, drawRows()});
    return rows;
}

} // namespace reinspect::exec
