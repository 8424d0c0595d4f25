// SPDX-License-Identifier: MIT
// Typed ids: small values that name a node, a storage or an event and survive copying and saving.
// Two ids of different tags do not mix. A default id is "none" and is never an index.
#pragma once

#include <cstddef> // stands before <compare>, which the moc of Qt 6.4 cannot read first

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace reinspect
{

template<typename Tag>
class Id
{
public:
    constexpr Id() = default;
    constexpr explicit Id(std::size_t index)
        : m_value(static_cast<std::uint32_t>(index))
    {}

    constexpr bool isValid() const { return m_value != kNone; }
    constexpr explicit operator bool() const { return isValid(); }
    // Position in the array of its kind; only for valid ids.
    constexpr std::size_t index() const { return m_value; }

    friend constexpr auto operator<=>(Id, Id) = default;

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t m_value = kNone;
};

using NodeId = Id<struct NodeTag>;
using StorageId = Id<struct StorageTag>;
using EventIndex = Id<struct EventTag>;
using DecisionIndex = Id<struct DecisionTag>;

} // namespace reinspect

template<typename Tag>
struct std::hash<reinspect::Id<Tag>>
{
    std::size_t operator()(reinspect::Id<Tag> id) const noexcept
    {
        return std::hash<std::size_t>()(id.isValid() ? id.index() : ~std::size_t{0});
    }
};
