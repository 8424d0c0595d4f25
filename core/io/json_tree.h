// SPDX-License-Identifier: MIT
// A parsed JSON text as one flat array in text order, with the place of every value. Our own reader
// instead of a library's document because messages need places, key order matters (keyword
// arguments), and it must be quick: nothing is copied but strings with escapes, and nothing
// recurses.
#pragma once

#include "core/io/source_text.h"

#include <memory>
#include <optional>

namespace reinspect
{

enum class JsonKind : std::uint8_t
{
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
};

class JsonTree;

// One value of a tree; small, valid as long as the tree is. A default one is "absent", which reads
// as null: optional keys need no special case.
class JsonValue
{
public:
    JsonValue() = default;
    JsonValue(const JsonTree* tree, std::uint32_t index)
        : m_tree(tree)
        , m_index(index)
    {}

    bool present() const { return m_tree != nullptr; }
    JsonKind kind() const;
    bool isNull() const { return kind() == JsonKind::Null; }
    bool isString() const { return kind() == JsonKind::String; }
    bool isArray() const { return kind() == JsonKind::Array; }
    bool isObject() const { return kind() == JsonKind::Object; }

    // The value of a string, escapes resolved, stable for the life of the tree; empty for other
    // kinds.
    std::string_view string() const;
    std::optional<std::int64_t> integer() const; // nothing for other kinds, fractions and overflow
    std::optional<double> number() const;
    std::optional<bool> boolean() const;

    std::size_t offset() const;
    std::string_view raw() const; // the value as it is spelled
    std::size_t count() const;    // items of an array, keys of an object

    // The first value of that key; absent when there is none or this is no object.
    JsonValue operator[](std::string_view key) const;

    // Array: its items. Object: key, value, key, value.
    class Iterator
    {
    public:
        Iterator(const JsonTree* tree, std::uint32_t index)
            : m_tree(tree)
            , m_index(index)
        {}
        JsonValue operator*() const { return {m_tree, m_index}; }
        Iterator& operator++();
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const JsonTree* m_tree;
        std::uint32_t m_index;
    };
    Iterator begin() const;
    Iterator end() const;

    // Calls visit(key, value) for each pair, in order, until one returns an error.
    template<typename Visit>
    Result<void> forEachPair(Visit visit) const
    {
        const Iterator last = end();
        for (Iterator it = begin(); it != last; ++it)
        {
            const JsonValue key = *it;
            REINSPECT_CHECK(visit(key, *++it));
        }
        return {};
    }

private:
    const JsonTree* m_tree = nullptr;
    std::uint32_t m_index = 0;
};

class JsonTree
{
public:
    static constexpr std::size_t kDepthLimit = 200;

    // The text is kept: values are views into it.
    static Result<std::shared_ptr<const JsonTree>> parse(std::shared_ptr<const SourceText> text);

    JsonValue root() const { return {this, 0}; }
    const SourceText& source() const { return *m_source; }

private:
    struct Entry
    {
        std::uint32_t offset = 0;
        std::uint32_t length = 0;
        std::uint32_t next = 0; // index behind this value and everything inside it
        std::uint32_t count =
            0; // items or keys; for a string with escapes 1 + its place in m_strings
        JsonKind kind = JsonKind::Null;
    };

    std::shared_ptr<const SourceText> m_source;
    std::vector<Entry> m_entries;
    std::vector<std::unique_ptr<const std::string>> m_strings;

    friend class JsonValue;
    friend class JsonParser;
};

} // namespace reinspect
