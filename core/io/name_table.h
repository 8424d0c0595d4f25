// SPDX-License-Identifier: MIT
// The node names of one graph while it is read. Names are views into the text being read (or into
// the JSON tree), which outlives the table. Every argument is looked up here, so the table is a
// flat one (open addressing): reading large graphs spent a fifth of its time in std::unordered_map.
#pragma once

#include "core/base/ids.h"

#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

class NameTable
{
public:
    // False when the name is taken; the table is then unchanged.
    bool add(std::string_view name, NodeId id);
    // Takes the name, also from another node: Python text may assign to a name again.
    void set(std::string_view name, NodeId id);
    NodeId find(std::string_view name) const;
    // What was probably meant by an unknown name: "Nearest name: 'cos_1'."; empty when nothing is
    // close.
    std::string nearestHint(std::string_view name) const;

private:
    struct Slot
    {
        std::uint32_t hash = 0;
        std::uint32_t entry = 0; // 1 + index into m_names and m_ids; 0: free
    };

    static std::uint32_t hashOf(std::string_view name);
    // Where the name is, or where it would go.
    std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
    void grow();

    std::vector<Slot> m_slots; // a power of two, at most half full
    std::vector<std::string_view> m_names;
    std::vector<NodeId> m_ids;
};

} // namespace reinspect
