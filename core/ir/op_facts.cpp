// SPDX-License-Identifier: MIT
#include "core/ir/op_facts.h"

#include <array>
#include <string>

namespace reinspect
{

namespace
{

enum Flag : unsigned
{
    Plain = 0,
    View = 1,
    Mutable = 2,
    Fallback = 4,
    Realizes = 8,
    Foreach = 16,
    Pointwise = 32
};

constexpr OpFacts row(std::string_view name, std::string_view schema, unsigned flags,
                      std::uint64_t mutatedArguments, int aliasedArgument, std::string_view twin)
{
    return {.name = name,
            .schema = schema,
            .isView = (flags & View) != 0,
            .isMutable = (flags & Mutable) != 0,
            .isFallback = (flags & Fallback) != 0,
            .needsRealizedInputs = (flags & Realizes) != 0,
            .isForeach = (flags & Foreach) != 0,
            .isPointwise = (flags & Pointwise) != 0,
            .mutatedArguments = mutatedArguments,
            .aliasedArgument = aliasedArgument,
            .inplaceTwin = twin};
}

#define REINPLACE(functional, inplace, mutatedArgument)
#define FOREACH(functional, inplace)
#define OP(name, schema, flags, mutated, aliased, twin)                                            \
    row(name, schema, flags, mutated, aliased, twin),
constexpr OpFacts opRows[] = {
#include "core/ir/op_table.inc"
};
#undef REINPLACE
#undef FOREACH
#undef OP

#define OP(name, schema, flags, mutated, aliased, twin)
#define FOREACH(functional, inplace)
#define REINPLACE(functional, inplace, mutatedArgument) {functional, inplace, mutatedArgument},
constexpr ReinplaceTableEntry reinplaceRows[] = {
#include "core/ir/op_table.inc"
};
#undef REINPLACE
#undef FOREACH

#define REINPLACE(functional, inplace, mutatedArgument)
#define FOREACH(functional, inplace) {functional, inplace},
constexpr ForeachTableEntry foreachRows[] = {
#include "core/ir/op_table.inc"
};
#undef REINPLACE
#undef FOREACH
#undef OP

// A hash table with open addressing, filled by the compiler. Each slot holds a row number plus one.
constexpr std::size_t slotCount = 16384;
static_assert(std::size(opRows) * 2 < slotCount, "give the table more slots");

constexpr std::size_t firstSlot(std::string_view name)
{
    std::uint32_t hash = 2166136261u; // FNV-1a
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return (hash ^ (hash >> 16)) % slotCount;
}

constexpr std::array<std::uint16_t, slotCount> fillSlots()
{
    std::array<std::uint16_t, slotCount> slots{};
    for (std::size_t i = 0; i < std::size(opRows); ++i)
    {
        std::size_t slot = firstSlot(opRows[i].name);
        while (slots[slot] != 0)
            slot = (slot + 1) % slotCount;
        slots[slot] = static_cast<std::uint16_t>(i + 1);
    }
    return slots;
}

constexpr std::array<std::uint16_t, slotCount> opSlots = fillSlots();

const OpFacts* findRow(std::string_view target)
{
    for (std::size_t slot = firstSlot(target); opSlots[slot] != 0; slot = (slot + 1) % slotCount)
    {
        const OpFacts& facts = opRows[opSlots[slot] - 1u];
        if (facts.name == target)
            return &facts;
    }
    return nullptr;
}

} // namespace

const OpFacts* findOpFacts(std::string_view target)
{
    const OpFacts* row = findRow(target);
    const bool namesNoOverload = target.starts_with("aten.") && target.rfind('.') == 4;
    return row || !namesNoOverload ? row : findRow(std::string(target) + ".default");
}

std::span<const OpFacts> allOpFacts()
{
    return opRows;
}

std::span<const ReinplaceTableEntry> reinplaceTable()
{
    return reinplaceRows;
}

std::span<const ReinplaceTableEntry> recentReinplaceTable()
{
    static constexpr std::array<ReinplaceTableEntry, 3> rows = {{
        {"aten._philox_uniform.default", "aten._philox_uniform_.default", 0},
        {"aten._philox_normal.default", "aten._philox_normal_.default", 0},
        {"aten._philox_randint.default", "aten._philox_randint_.default", 0},
    }};
    return rows;
}

std::span<const ReinplaceTableEntry> laterReinplaceTable()
{
    static constexpr std::array<ReinplaceTableEntry, 1> rows = {{
        {"aten._scaled_addmm.default", "aten._scaled_addmm_.default", 0},
    }};
    return rows;
}

std::span<const ForeachTableEntry> foreachTable()
{
    return foreachRows;
}

std::span<const ForeachTableEntry> laterForeachTable()
{
    static constexpr std::array<ForeachTableEntry, 2> rows = {{
        {"aten._foreach_addcdiv.Scalar", "aten._foreach_addcdiv_.Scalar"},
        {"aten._foreach_addcmul.Scalar", "aten._foreach_addcmul_.Scalar"},
    }};
    return rows;
}

} // namespace reinspect
