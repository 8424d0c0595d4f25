// SPDX-License-Identifier: MIT
// Which slot of a graph has which name. Holds hashes and slot numbers only: the names themselves stay in
// the nodes. Copies are cheap enough to be made with every copy of a graph that gains a node.
#pragma once

#include "core/base/ids.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reinspect
{

class NameIndex
{
public:
    // `nameOf(id)` gives the name of a slot that was added. Invalid when no slot has the name.
    template<typename NameOf>
    NodeId find(std::string_view name, const NameOf& nameOf) const
    {
        if (m_places.empty())
            return {};
        const std::uint32_t hash = hashOf(name);
        for (std::size_t at = hash; m_places[at & mask()].id; ++at)
        {
            const Place& place = m_places[at & mask()];
            if (place.hash == hash && nameOf(place.id) == name)
                return place.id;
        }
        return {};
    }
    void add(std::string_view name, NodeId id); // not there yet

    // The name itself, or with the next free number in PyTorch's style: what follows slice_1 is slice_2.
    template<typename NameOf>
    std::string unused(std::string_view candidate, const NameOf& nameOf) const
    {
        if (!find(candidate, nameOf))
            return std::string(candidate);
        auto [base, number] = numbered(candidate);
        if (const auto last = m_lastNumber.find(base); last != m_lastNumber.end())
            number = std::max(number, last->second);
        std::string name;
        do
            name = base + "_" + std::to_string(++number);
        while (find(name, nameOf));
        return name;
    }

private:
    struct Place
    {
        std::uint32_t hash = 0;
        NodeId id; // invalid: free
    };

    // "slice_12" is slice and 12; a name without a number has 0.
    static std::pair<std::string, std::size_t> numbered(std::string_view name);
    static std::uint32_t hashOf(std::string_view name)
    {
        const std::size_t hash = std::hash<std::string_view>()(name);
        return static_cast<std::uint32_t>(hash ^ (hash >> 32));
    }
    std::size_t mask() const { return m_places.size() - 1; }
    void put(Place place);

    std::vector<Place> m_places; // open addressing; a power of two of them
    std::size_t m_count = 0;
    // By name without number, the number given last where it is not 0.
    std::unordered_map<std::string, std::size_t> m_lastNumber;
};

} // namespace reinspect
