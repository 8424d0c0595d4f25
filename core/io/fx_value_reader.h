// SPDX-License-Identifier: MIT
// Argument values in the spelling of print(graph): "%x", "[0, 1]", "torch.float32", and strings
// without their quotes. A bare word is therefore read by what it looks like, and a string that
// holds brackets or commas cannot always be told from its surroundings.
#pragma once

#include "core/io/name_table.h"
#include "core/io/source_text.h"
#include "core/ir/graph.h"

namespace reinspect
{

class FxValueReader
{
public:
    FxValueReader(const NameTable& names, const SourceText& source)
        : m_names(names)
        , m_source(source)
    {}

    // What stands between two brackets, e.g. of "args = (...)". `items` is a part of the source.
    Result<std::vector<Argument>> arguments(std::string_view items);
    // "k: v, k: v"
    Result<std::vector<NamedArgument>> namedArguments(std::string_view items);
    // The text behind "return": Python's spelling, where nodes have no percent sign.
    Result<Argument> returned(std::string_view text);
    // The name that the last error could not find; empty for other errors.
    std::string_view unknownName() const { return m_unknownName; }

private:
    Result<Argument> value(std::string_view text, std::size_t depth);
    Result<std::vector<Argument>> list(std::string_view items, std::size_t depth);
    Result<Argument> dict(std::string_view items, std::size_t depth);
    Result<Argument> slice(std::string_view items, std::size_t depth);
    Result<Argument> nodeNamed(std::string_view name);
    Result<Argument> word(std::string_view text);
    Error errorAt(std::string_view part, std::string message, std::string hint = {}) const;

    const NameTable& m_names;
    const SourceText& m_source;
    bool m_bareNames = false; // a word may be a node
    std::string_view m_unknownName;
};

} // namespace reinspect
