// SPDX-License-Identifier: MIT
#include "core/passes/breakpoints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace reinspect
{
namespace
{

struct FieldRow
{
    std::string_view word;
    BreakField field;
};
constexpr std::array<FieldRow, 9> kFields = {{{"node", BreakField::Node},
                                              {"op", BreakField::Operator},
                                              {"kind", BreakField::Kind},
                                              {"reason", BreakField::Reason},
                                              {"check", BreakField::Check},
                                              {"verdict", BreakField::Verdict},
                                              {"storage", BreakField::Storage},
                                              {"bytes", BreakField::Bytes},
                                              {"hazard", BreakField::Hazard}}};

std::string lowered(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

bool contains(std::string_view text, const std::string& part)
{
    return lowered(text).find(part) != std::string::npos;
}

// "1M" is 1,048,576; K, M, G and T as powers of 1024.
std::optional<std::int64_t> byteNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || number < 0)
        return {};
    const std::string unit = lowered({end, text.data() + text.size()});
    constexpr std::string_view kUnits = "kmgt";
    if (unit.empty())
        return number;
    const std::size_t power = kUnits.find(unit.front());
    const bool known =
        power != std::string_view::npos && (unit.size() == 1 || unit.substr(1) == "b");
    std::int64_t bytes = 0;
    if (!known || __builtin_mul_overflow(number, std::int64_t{1} << (10 * (power + 1)), &bytes))
        return {};
    return bytes;
}

// Splits at spaces outside of quotation marks, which are dropped.
std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> found;
    std::string word;
    bool quoted = false;
    for (const char c : text)
    {
        if (c == '"')
            quoted = !quoted;
        else if (std::isspace(static_cast<unsigned char>(c)) && !quoted)
        {
            if (!word.empty())
                found.push_back(std::move(word));
            word.clear();
        }
        else
            word += c;
    }
    if (!word.empty())
        found.push_back(std::move(word));
    return found;
}

Error notUnderstood(const std::string& word, std::string hint)
{
    return {.message = "'" + word + "' is no condition to stop at",
            .hint = std::move(hint),
            .kind = ErrorKind::BadUsage};
}

Result<BreakTerm> parseTerm(const std::string& word)
{
    const std::size_t at = word.find_first_of(":<>=");
    if (at == std::string::npos)
        return BreakTerm{BreakField::Any, lowered(word), '=', 0};
    const std::string name = lowered(word.substr(0, at));
    const auto row = std::ranges::find(kFields, name, &FieldRow::word);
    if (row == kFields.end())
        return notUnderstood(word,
                             "Conditions begin with node:, op:, kind:, reason:, check:, "
                             "verdict:, storage:, bytes> or hazard:.");
    BreakTerm term{row->field, lowered(word.substr(at + 1)), word[at] == ':' ? '=' : word[at], 0};
    const bool isNumber = term.field == BreakField::Bytes || term.field == BreakField::Storage;
    if (term.text.empty())
        return notUnderstood(word, "Something must follow '" + name + word[at] + "'.");
    if (term.comparison != '=' && term.field != BreakField::Bytes)
        return notUnderstood(word, "Only bytes are compared with < and >.");
    if (isNumber)
    {
        const auto number = byteNumber(term.text);
        if (!number)
            return notUnderstood(word, "Numbers are written as 512, 4K, 1M or 2G.");
        term.number = *number;
    }
    return term;
}

// What an event is about.
struct Subject
{
    const PassTrace& trace;
    const Decision& decision;
    const CheckDone* check; // null: the argument as a whole
};

bool matchesBytes(const Decision& decision, const BreakTerm& term)
{
    const auto bytes = decision.bytes.constant();
    if (!bytes)
        return false;
    return term.comparison == '>' ? *bytes > term.number
        : term.comparison == '<'  ? *bytes < term.number
                                  : *bytes == term.number;
}

bool matches(const Subject& subject, const BreakTerm& term)
{
    const Decision& decision = subject.decision;
    const auto& name = subject.trace.nameOf(decision.node);
    switch (term.field)
    {
    case BreakField::Any:
        return contains(name, term.text) || contains(decision.operatorName, term.text);
    case BreakField::Node: return lowered(name) == term.text;
    case BreakField::Operator: return contains(decision.operatorName, term.text);
    case BreakField::Kind: return lowered(candidateKindName(decision.kind)) == term.text;
    case BreakField::Reason:
        return decision.reason && lowered(reasonName(*decision.reason)) == term.text;
    case BreakField::Check:
        return subject.check && contains(checkName(subject.check->check), term.text);
    case BreakField::Verdict: return lowered(verdictName(decision.verdict)) == term.text;
    case BreakField::Storage:
        return std::ranges::any_of(decision.mutated, [&](NodeId node) {
            const StorageId storage = subject.trace.storages.storageOf(node);
            return storage && static_cast<std::int64_t>(storage.index()) == term.number;
        });
    case BreakField::Bytes: return matchesBytes(decision, term);
    case BreakField::Hazard:
        return std::ranges::any_of(decision.hazards, [&](const Hazard& hazard) {
            return lowered(hazardName(hazard.kind)) == term.text;
        });
    }
    return false;
}

} // namespace

Result<Breakpoint> parseBreakpoint(std::string_view text)
{
    Breakpoint breakpoint{std::string(text), {}, true};
    for (const std::string& word : words(text))
    {
        REINSPECT_TRY(BreakTerm term, parseTerm(word));
        breakpoint.terms.push_back(std::move(term));
    }
    if (breakpoint.terms.empty())
        return notUnderstood(std::string(text), "For example: op:index_put verdict:kept.");
    return breakpoint;
}

bool stopsAt(const PassTrace& trace, EventIndex event, const Breakpoint& breakpoint)
{
    const bool asksForCheck = std::ranges::any_of(
        breakpoint.terms, [](const BreakTerm& term) { return term.field == BreakField::Check; });
    const ArgumentTried* tried = trace.event(event).as<ArgumentTried>();
    const CheckDone* check = trace.event(event).as<CheckDone>();
    if (asksForCheck ? !check : !tried)
        return false;
    const DecisionIndex index = tried ? tried->decision : trace.decisionAt(event);
    if (!index)
        return false;
    const Subject subject{trace, trace.decision(index), check};
    return std::ranges::all_of(breakpoint.terms,
                               [&](const BreakTerm& term) { return matches(subject, term); });
}

std::optional<EventIndex> runToBreakpoint(const PassTrace& trace, EventIndex from,
                                          std::span<const Breakpoint> breakpoints, bool backwards)
{
    const auto stops = [&](EventIndex event) {
        return std::ranges::any_of(breakpoints, [&](const Breakpoint& breakpoint) {
            return breakpoint.enabled && stopsAt(trace, event, breakpoint);
        });
    };
    const std::size_t count = trace.events.size();
    for (std::size_t i = from.index(); backwards ? i-- > 0 : ++i < count;)
        if (stops(EventIndex(i)))
            return EventIndex(i);
    return {};
}

} // namespace reinspect
