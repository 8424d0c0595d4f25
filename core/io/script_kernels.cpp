// SPDX-License-Identifier: MIT
#include "core/io/script_kernels.h"

#include "core/io/forward_reader.h"
#include "core/io/json_text.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// Calls visit with what stands behind each `word` up to the end of its line.
template<typename Visit>
void forEachBehind(std::string_view text, std::string_view word, Visit visit)
{
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1))
        visit(at + word.size(),
              text.substr(at + word.size(), text.find('\n', at) - at - word.size()));
}

// From its decorators to the next line at the left margin.
std::string_view sourceOfKernel(std::string_view text, std::size_t definition)
{
    std::size_t begin = text.rfind('\n', definition);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    while (begin > 0)
    {
        const std::size_t previous =
            begin < 2 ? std::string_view::npos : text.rfind('\n', begin - 2);
        const std::size_t lineStart = previous == std::string_view::npos ? 0 : previous + 1;
        const char c = text[lineStart];
        // Decorators may be wrapped: "@triton.autotune(\n    configs=[...],\n)".
        if (c != '@' && c != ' ' && c != ')')
            break;
        begin = lineStart;
    }
    std::size_t end = nextLineStart(text, definition);
    while (end < text.size()
           && (text[end] == ' ' || text[end] == '\n' || text[end] == '\r' || text[end] == ')'))
        end = nextLineStart(text, end);
    std::string_view source = text.substr(begin, end - begin);
    return source.substr(0, source.find_last_not_of(" \n\r") + 1);
}

std::vector<TritonParameter> parametersOf(std::string_view source, std::size_t open)
{
    std::vector<TritonParameter> parameters;
    Lexer lexer(source, open);
    lexer.next();
    std::size_t depth = 1;
    bool atStart = true;
    for (Token token = lexer.next(); depth > 0 && token.kind != TokenKind::End;
         token = lexer.next())
    {
        if (token.is("(") || token.is("[") || token.is("{"))
            ++depth;
        else if (token.is(")") || token.is("]") || token.is("}"))
            --depth;
        else if (atStart && token.kind == TokenKind::Name)
            parameters.push_back({std::string(token.text), false});
        else if (token.isName("constexpr") && !parameters.empty())
            parameters.back().isConstexpr = true;
        atStart = depth == 1 && token.is(",");
    }
    return parameters;
}

// Without the number that the script puts behind it to keep kernels apart.
std::string plainName(std::string_view name, std::size_t index)
{
    const std::string suffix = "_" + std::to_string(index);
    return std::string(name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name);
}

void appendScalar(std::string& json, const Argument& value)
{
    if (const auto number = value.integer())
        json += std::to_string(*number);
    else if (const auto* flag = value.as<bool>())
        json += *flag ? "true" : "false";
    else if (const auto* text = value.as<std::string>())
        appendJsonString(json, *text);
    else if (value.isNone())
        json += "null";
    else
        appendJsonString(json, toText(Graph{}, value));
}

// constant_args={0: {'n': 128, 'BLOCK': 64}}
std::string constantsJson(ProblemList& problems)
{
    const std::string_view text = problems.source().text();
    std::string json = "{";
    JsonSeparator tables(json);
    forEachBehind(text, ".constant_args=", [&](std::size_t at, std::string_view) {
        ReadingTools tools(problems);
        const NameTable noNames;
        tools.values.setNames(&noNames);
        tools.tokens.seek(at);
        const Result<Argument> read = tools.values.value();
        const auto* all = read ? read->as<DictArgument>() : nullptr;
        for (const auto& [index, table] : all ? all->items : decltype(all->items){})
        {
            const auto number = index.integer();
            const auto* entries = table.as<DictArgument>();
            if (!number || !entries)
                continue;
            tables.key(std::to_string(*number)) += '{';
            JsonSeparator separator(json);
            for (const auto& [name, value] : entries->items)
                if (const auto* key = name.as<std::string>())
                    appendScalar(separator.key(*key), value);
            json += '}';
        }
    });
    return json + "}";
}

std::string kernelsJson(const std::vector<TritonKernel>& kernels)
{
    std::string json = "[";
    JsonSeparator items(json);
    for (const TritonKernel& kernel : kernels)
    {
        items.next() += '{';
        JsonSeparator keys(json);
        keys.key("kernel_idx") += std::to_string(kernel.index);
        appendJsonString(keys.key("name"), kernel.name);
        keys.key("params") += '[';
        JsonSeparator parameters(json);
        for (const TritonParameter& parameter : kernel.parameters)
        {
            parameters.next() += "{\"name\":";
            appendJsonString(json, parameter.name);
            json += parameter.isConstexpr ? ",\"constexpr\":true}" : ",\"constexpr\":false}";
        }
        json += ']';
        appendJsonString(keys.key("source"), kernel.source);
        json += '}';
    }
    return json + "]";
}

} // namespace

CaptureFacts scriptKernels(ProblemList& problems)
{
    const std::string_view text = problems.source().text();
    CaptureFacts facts;
    forEachBehind(text, ".add_kernel(", [&](std::size_t, std::string_view rest) {
        const std::string_view name = rest.substr(0, rest.find(')'));
        TritonKernel kernel;
        kernel.index = static_cast<std::int64_t>(facts.kernels.size());
        kernel.name = plainName(name, facts.kernels.size());
        const std::string head = "def " + std::string(name) + "(";
        if (const std::size_t at = text.find(head); at != std::string_view::npos)
        {
            kernel.parameters = parametersOf(text, at + head.size() - 1);
            kernel.source = sourceOfKernel(text, at);
        }
        facts.kernels.push_back(std::move(kernel));
    });
    if (!facts.kernels.empty())
        facts.tritonJson = "{\"kernels\":" + kernelsJson(facts.kernels)
            + ",\"constant_args\":" + constantsJson(problems) + "}";
    return facts;
}

} // namespace reinspect
