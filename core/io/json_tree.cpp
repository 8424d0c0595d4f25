// SPDX-License-Identifier: MIT
#include "core/io/json_tree.h"

#include <charconv>

namespace reinspect
{

JsonKind JsonValue::kind() const
{
    return m_tree ? m_tree->m_entries[m_index].kind : JsonKind::Null;
}

std::string_view JsonValue::raw() const
{
    if (!m_tree)
        return {};
    const JsonTree::Entry& entry = m_tree->m_entries[m_index];
    return m_tree->m_source->text().substr(entry.offset, entry.length);
}

std::size_t JsonValue::offset() const
{
    return m_tree ? m_tree->m_entries[m_index].offset : 0;
}

std::size_t JsonValue::count() const
{
    return isArray() || isObject() ? m_tree->m_entries[m_index].count : 0;
}

std::string_view JsonValue::string() const
{
    if (!isString())
        return {};
    const JsonTree::Entry& entry = m_tree->m_entries[m_index];
    if (entry.count > 0)
        return *m_tree->m_strings[entry.count - 1];
    return m_tree->m_source->text().substr(entry.offset + 1, entry.length - 2);
}

std::optional<std::int64_t> JsonValue::integer() const
{
    if (kind() != JsonKind::Number)
        return {};
    const std::string_view text = raw();
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

std::optional<double> JsonValue::number() const
{
    if (kind() != JsonKind::Number)
        return {};
    const std::string_view text = raw();
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc())
        return {};
    return value;
}

std::optional<bool> JsonValue::boolean() const
{
    const JsonKind own = kind();
    if (own != JsonKind::True && own != JsonKind::False)
        return {};
    return own == JsonKind::True;
}

JsonValue JsonValue::operator[](std::string_view key) const
{
    if (!isObject())
        return {};
    const Iterator last = end();
    for (Iterator it = begin(); it != last; ++it)
    {
        const bool found = (*it).string() == key;
        ++it;
        if (found)
            return *it;
    }
    return {};
}

JsonValue::Iterator& JsonValue::Iterator::operator++()
{
    m_index = m_tree->m_entries[m_index].next;
    return *this;
}

JsonValue::Iterator JsonValue::begin() const
{
    return {m_tree, isArray() || isObject() ? m_index + 1 : m_index};
}

JsonValue::Iterator JsonValue::end() const
{
    return {m_tree, isArray() || isObject() ? m_tree->m_entries[m_index].next : m_index};
}

} // namespace reinspect
