// SPDX-License-Identifier: MIT
#include "core/io/name_table.h"

#include <algorithm>
#include <numeric>

namespace reinspect
{
namespace
{

constexpr std::size_t kLongestCompared = 200;

// Insertions, deletions and replacements between the two.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

} // namespace

// FNV-1a: names are short, and the function is small enough to be inlined.
std::uint32_t NameTable::hashOf(std::string_view name)
{
    std::uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash ^ (hash >> 15);
}

std::size_t NameTable::slotOf(std::string_view name, std::uint32_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    while (m_slots[at].entry != 0
           && (m_slots[at].hash != hash || m_names[m_slots[at].entry - 1] != name))
        at = (at + 1) & mask;
    return at;
}

void NameTable::grow()
{
    std::vector<Slot> old = std::move(m_slots);
    m_slots.assign(std::max<std::size_t>(64, old.size() * 2), Slot{});
    for (const Slot& slot : old)
    {
        if (slot.entry != 0)
            m_slots[slotOf(m_names[slot.entry - 1], slot.hash)] = slot;
    }
}

bool NameTable::add(std::string_view name, NodeId id)
{
    if ((m_names.size() + 1) * 2 > m_slots.size())
        grow();
    const std::uint32_t hash = hashOf(name);
    Slot& slot = m_slots[slotOf(name, hash)];
    if (slot.entry != 0)
        return false;
    m_names.push_back(name);
    m_ids.push_back(id);
    slot = {hash, static_cast<std::uint32_t>(m_names.size())};
    return true;
}

void NameTable::set(std::string_view name, NodeId id)
{
    if (!add(name, id))
        m_ids[m_slots[slotOf(name, hashOf(name))].entry - 1] = id;
}

NodeId NameTable::find(std::string_view name) const
{
    if (m_slots.empty())
        return {};
    const Slot& slot = m_slots[slotOf(name, hashOf(name))];
    return slot.entry == 0 ? NodeId{} : m_ids[slot.entry - 1];
}

std::string NameTable::nearestHint(std::string_view name) const
{
    if (name.size() > kLongestCompared)
        return {};
    std::size_t best = 1 + std::min<std::size_t>(3, name.size() / 2);
    std::string_view nearest;
    // A misspelt name is most often one that was defined shortly before.
    constexpr std::size_t kCompared = 2000;
    const std::size_t begin = m_names.size() - std::min(m_names.size(), kCompared);
    for (std::size_t i = begin; i < m_names.size(); ++i)
    {
        const std::string_view known = m_names[i];
        const std::size_t difference =
            std::max(known.size(), name.size()) - std::min(known.size(), name.size());
        if (difference >= best)
            continue;
        const std::size_t distance = editDistance(known, name);
        if (distance < best)
        {
            best = distance;
            nearest = known;
        }
    }
    return nearest.empty() ? std::string() : "Nearest name: '" + std::string(nearest) + "'.";
}

} // namespace reinspect
