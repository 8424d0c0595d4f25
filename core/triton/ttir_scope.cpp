// SPDX-License-Identifier: MIT
// What names mean: values in scope, blocks of a region, locations.
#include "core/triton/ttir_reader.h"

#include <limits>

namespace reinspect::triton
{
namespace
{

constexpr ValueId kNoValue = std::numeric_limits<ValueId>::max();
constexpr std::size_t kValueLimit = 1u << 20;

} // namespace

std::uint32_t TtirReader::blockOf(std::string_view label)
{
    Labels& labels = m_labels.back();
    const auto known = labels.find(label);
    if (known != labels.end())
        return known->second;
    const auto index = static_cast<std::uint32_t>(labels.size());
    labels.emplace(std::string(label), index);
    return index;
}

Result<ValueId> TtirReader::valueNamed(const Token& token)
{
    const auto known = m_names.find(std::string(token.text));
    if (known == m_names.end() || known->second == kNoValue)
        return m_lexer.errorAt(token, "unknown value '%" + std::string(token.text) + "'");
    return known->second;
}

ValueId TtirReader::addValue(Type type, std::string name)
{
    m_function.values.push_back({std::move(type), std::move(name)});
    return static_cast<ValueId>(m_function.values.size() - 1);
}

Result<ValueId> TtirReader::define(const Token& token, std::string name, Type type)
{
    if (m_function.values.size() >= kValueLimit)
        return m_lexer.errorAt(token, "more values than a kernel can have");
    const ValueId id = addValue(std::move(type), name);
    const auto [entry, isNew] = m_names.try_emplace(name, kNoValue);
    m_undo.emplace_back(std::move(name), entry->second);
    entry->second = id;
    return id;
}

void TtirReader::closeScope()
{
    while (m_undo.size() > m_scopes.back())
    {
        m_names[m_undo.back().first] = m_undo.back().second;
        m_undo.pop_back();
    }
    m_scopes.pop_back();
}

void TtirReader::resolvePlaces()
{
    for (Function& function : m_kernel.functions)
    {
        resolvePlace(function.place);
        resolvePlaces(function.body);
    }
}

void TtirReader::resolvePlaces(Region& region)
{
    for (Block& block : region.blocks)
        for (Operation& operation : block.operations)
        {
            resolvePlace(operation.place);
            for (Region& inner : operation.regions)
                resolvePlaces(inner);
        }
}

// Through aliases of aliases, no more often than a text can sensibly name them.
void TtirReader::resolvePlace(Place& place) const
{
    for (int i = 0; i < kNestingLimit && place.sourceFile.starts_with('#'); ++i)
    {
        const auto alias = m_aliases.find(place.sourceFile.substr(1));
        if (alias == m_aliases.end())
            break;
        place.sourceFile = alias->second.sourceFile;
        place.sourceLine = alias->second.sourceLine;
    }
    if (place.sourceFile.starts_with('#') || place.sourceLine == 0)
    {
        place.sourceFile.clear();
        place.sourceLine = 0;
    }
}

} // namespace reinspect::triton
