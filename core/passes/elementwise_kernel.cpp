// SPDX-License-Identifier: MIT
#include "core/passes/elementwise_kernel.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace reinspect
{
namespace
{

bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Statements without blanks and comments; what brackets enclose stays together.
std::vector<std::string> statements(std::string_view source)
{
    std::vector<std::string> result(1);
    int depth = 0;
    bool inComment = false;
    for (const char c : source)
    {
        inComment = c != '\n' && (inComment || c == '#');
        depth += c == '(' || c == '[' ? 1 : 0;
        depth -= c == ')' || c == ']' ? 1 : 0;
        if (inComment || c == ' ' || c == '\t' || c == '\r')
            continue;
        if ((c == '\n' || c == ';') && depth == 0)
            result.emplace_back();
        else if (c != '\n')
            result.back() += c;
    }
    std::erase(result, std::string());
    return result;
}

// The word at `at`; empty when none starts there.
std::string_view wordAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isWord(text[end]))
        ++end;
    return text.substr(at, end - at);
}

template<typename Visit>
void forEachWord(std::string_view text, Visit visit)
{
    for (std::size_t at = 0; at < text.size();)
    {
        const std::string_view word = wordAt(text, at);
        if (!word.empty())
            visit(word, at);
        at += std::max<std::size_t>(word.size(), 1);
    }
}

// Every function that is called works on one element at a time, and nothing is subscripted.
bool callsOnlyElementwise(std::string_view statement)
{
    static constexpr std::array<std::string_view, 22> kAllowed = {
        "tl.program_id(", "tl.arange(", "tl.load(",  "tl.store(", "tl.where(",   "tl.sin(",
        "tl.cos(",        "tl.exp(",    "tl.exp2(",  "tl.log(",   "tl.log2(",    "tl.sqrt(",
        "tl.rsqrt(",      "tl.abs(",    "tl.floor(", "tl.ceil(",  "tl.maximum(", "tl.minimum(",
        "tl.sigmoid(",    "tl.fma(",    "tl.cast(",  ".to("};
    if (statement.find_first_of("[]{}:@\"'\\") != std::string_view::npos)
        return false;
    for (std::size_t at = statement.find('('); at != std::string_view::npos;
         at = statement.find('(', at + 1))
    {
        if (at == 0 || (!isWord(statement[at - 1])))
            continue; // groups, calls nothing
        const std::string_view upTo = statement.substr(0, at + 1);
        const bool allowed = std::ranges::any_of(kAllowed, [upTo](std::string_view name) {
            const bool ends = upTo.ends_with(name);
            const std::size_t before = upTo.size() - (ends ? name.size() : 0);
            return ends && (name.starts_with('.') || before == 0 || !isWord(upTo[before - 1]));
        });
        if (!allowed)
            return false;
    }
    return true;
}

class KernelReader
{
public:
    explicit KernelReader(const TritonKernel& kernel)
        : m_kernel(kernel)
    {}

    std::vector<std::string> read()
    {
        if (!readStatements() || !isOwnRun())
            return {};
        std::vector<std::string> result;
        for (const auto& [name, accesses] : m_accesses)
            if (m_mentions[name] == accesses)
                result.push_back(name);
        // A parameter that is mentioned otherwise may be read anywhere.
        return result.size() == m_accesses.size() ? result : std::vector<std::string>{};
    }

private:
    bool isParameter(std::string_view name, bool constexprOnly = false) const
    {
        return std::ranges::any_of(m_kernel.parameters, [&](const TritonParameter& parameter) {
            return parameter.name == name && (!constexprOnly || parameter.isConstexpr);
        });
    }

    bool readStatements()
    {
        bool inBody = false;
        bool stored = false;
        for (const std::string& statement : statements(m_kernel.source))
        {
            if (!inBody)
            {
                inBody = statement.starts_with("def") && statement.ends_with("):");
                if (!inBody && statement != "@triton.jit")
                    return false;
                continue;
            }
            const bool stores = statement.starts_with("tl.store(");
            const bool loads = statement.find("tl.load(") != std::string::npos;
            // A load after a store may find what was stored.
            if ((stored && loads) || !callsOnlyElementwise(statement)
                || !(stores || readAssignment(statement)) || !readAccesses(statement, stores))
                return false;
            stored = stored || stores;
            forEachWord(statement, [&](std::string_view word, std::size_t at) {
                const bool isKeyword = at + word.size() < statement.size()
                    && statement[at + word.size()] == '=' && at > 0
                    && (statement[at - 1] == ',' || statement[at - 1] == '(');
                if (isParameter(word) && !isKeyword)
                    ++m_mentions[std::string(word)];
            });
        }
        return inBody && stored;
    }

    // `name=expression`, once a name.
    bool readAssignment(const std::string& statement)
    {
        const std::string_view name = wordAt(statement, 0);
        if (name.empty() || name.size() + 1 >= statement.size() || statement[name.size()] != '='
            || statement[name.size() + 1] == '=' || isParameter(name))
            return false;
        return m_values.try_emplace(std::string(name), statement.substr(name.size() + 1)).second;
    }

    // tl.load(pointer+offset...) and tl.store(pointer+offset...), all at one offset.
    bool readAccesses(const std::string& statement, bool stores)
    {
        for (const std::string_view call : {"tl.load(", "tl.store("})
        {
            for (std::size_t at = statement.find(call); at != std::string::npos;
                 at = statement.find(call, at + 1))
            {
                if (call == "tl.store(" && !(stores && at == 0))
                    return false;
                const std::size_t begin = at + call.size();
                const std::string_view pointer = wordAt(statement, begin);
                const std::size_t plus = begin + pointer.size();
                if (pointer.empty() || plus >= statement.size() || statement[plus] != '+'
                    || !isParameter(pointer))
                    return false;
                const std::string_view offset = wordAt(statement, plus + 1);
                const std::size_t end = plus + 1 + offset.size();
                if (offset.empty() || end >= statement.size()
                    || (statement[end] != ',' && statement[end] != ')'))
                    return false;
                if (!m_offset.empty() && m_offset != offset)
                    return false;
                m_offset = offset;
                ++m_accesses[std::string(pointer)];
            }
        }
        return true;
    }

    // What a name stands for, with the names in it replaced by what they stand for.
    std::string expanded(std::string text) const
    {
        for (int round = 0; round < 8; ++round)
        {
            std::string next;
            for (std::size_t at = 0; at < text.size();)
            {
                const std::string_view word = wordAt(text, at);
                const auto value = m_values.find(std::string(word));
                const bool isName = at == 0 || text[at - 1] != '.';
                if (!word.empty() && isName && value != m_values.end())
                    next += value->second;
                else
                    next += word.empty() ? std::string_view(text).substr(at, 1) : word;
                at += std::max<std::size_t>(word.size(), 1);
            }
            if (next == text || next.size() > 400)
                break;
            text = std::move(next);
        }
        return text;
    }

    // The offset is program * BLOCK + 0 .. BLOCK: no two programs have an address in common.
    bool isOwnRun() const
    {
        if (!m_values.contains(m_offset))
            return false;
        const std::string offset = expanded(m_offset);
        return std::ranges::any_of(m_kernel.parameters, [&](const TritonParameter& parameter) {
            const std::string& block = parameter.name;
            const std::string run = "tl.arange(0," + block + ")";
            const auto matches = [&](const std::string& program) {
                return offset == program + "*" + block + "+" + run
                    || offset == block + "*" + program + "+" + run
                    || offset == run + "+" + program + "*" + block;
            };
            return parameter.isConstexpr
                && (matches("tl.program_id(0)") || matches("tl.program_id(axis=0)"));
        });
    }

    const TritonKernel& m_kernel;
    std::map<std::string, std::string> m_values; // of assigned names
    std::map<std::string, int> m_accesses;       // loads and stores, by parameter
    std::map<std::string, int> m_mentions;
    std::string m_offset;
};

} // namespace

std::vector<std::string> elementwiseParameters(const TritonKernel& kernel)
{
    return KernelReader(kernel).read();
}

} // namespace reinspect
