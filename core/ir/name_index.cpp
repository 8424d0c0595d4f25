// SPDX-License-Identifier: MIT
#include "core/ir/name_index.h"

namespace reinspect
{

std::pair<std::string, std::size_t> NameIndex::numbered(std::string_view name)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    if (last == std::string_view::npos || last + 1 == name.size() || name[last] != '_'
        || name.size() - last >= 10)
        return {std::string(name), 0};
    return {std::string(name.substr(0, last)), std::stoul(std::string(name.substr(last + 1)))};
}

void NameIndex::put(Place place)
{
    std::size_t at = place.hash;
    while (m_places[at & mask()].id)
        ++at;
    m_places[at & mask()] = place;
}

void NameIndex::add(std::string_view name, NodeId id)
{
    if (m_places.empty() || (m_count + 1) * 3 > m_places.size() * 2)
    {
        std::vector<Place> old(m_places.empty() ? 8 : m_places.size() * 2);
        old.swap(m_places);
        for (const Place& place : old)
            if (place.id)
                put(place);
    }
    put({hashOf(name), id});
    ++m_count;
    auto [base, number] = numbered(name);
    if (number != 0)
        m_lastNumber.insert_or_assign(std::move(base), number);
    else if (!m_lastNumber.empty())
        m_lastNumber.erase(base);
}

} // namespace reinspect
