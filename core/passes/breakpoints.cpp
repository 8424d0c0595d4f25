// SPDX-License-Identifier: MIT
#include "core/passes/breakpoints.h"

#include "core/base/ascii.h"

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
constexpr std::array<FieldRow, 10> kFields = {{{"node", BreakField::Node},
                                               {"op", BreakField::Operator},
                                               {"kind", BreakField::Kind},
                                               {"reason", BreakField::Reason},
                                               {"check", BreakField::Check},
                                               {"verdict", BreakField::Verdict},
                                               {"storage", BreakField::Storage},
                                               {"bytes", BreakField::Bytes},
                                               {"hazard", BreakField::Hazard},
                                               {"is", BreakField::Is}}};

constexpr std::array<std::string_view, 5> kStates = {"missed", "hazard", "opportunity", "assumed",
                                                     "overruled"};

// The names of an enumeration whose last value is `last`.
template<typename Enum, typename Name>
std::vector<std::string> namesUpTo(Enum last, Name name)
{
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(last); ++i)
        names.emplace_back(name(static_cast<Enum>(i)));
    return names;
}

// What a field of a closed list may be; empty where any text will do.
std::vector<std::string> valuesOf(BreakField field)
{
    switch (field)
    {
    case BreakField::Kind: return namesUpTo(CandidateKind::Foreach, candidateKindName);
    case BreakField::Reason: return namesUpTo(Reason::ResultOverwritten, reasonName);
    case BreakField::Verdict: return namesUpTo(Verdict::Kept, verdictName);
    case BreakField::Hazard: return namesUpTo(HazardKind::OldValueRead, hazardName);
    case BreakField::Is: return {kStates.begin(), kStates.end()};
    case BreakField::Any:
    case BreakField::Node:
    case BreakField::Operator:
    case BreakField::Check:
    case BreakField::Storage:
    case BreakField::Bytes: break;
    }
    return {};
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
    return {.message = "'" + word + "' is no condition",
            .hint = std::move(hint),
            .kind = ErrorKind::BadUsage};
}

// A word that the field can never be would silently match nothing.
Result<void> checkValue(const std::string& word, const BreakTerm& term)
{
    std::string known;
    for (const std::string& value : valuesOf(term.field))
    {
        if (lowered(value) == term.text)
            return {};
        known += (known.empty() ? "" : ", ") + value;
    }
    if (known.empty())
        return {};
    return notUnderstood(word, "It may be one of " + known + ".");
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
                             "verdict:, storage:, bytes>, hazard: or is:.");
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
    REINSPECT_CHECK(checkValue(word, term));
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

bool isIn(const Decision& decision, std::string_view state)
{
    return state == "missed"     ? decision.missed
        : state == "hazard"      ? !decision.hazards.empty()
        : state == "opportunity" ? decision.safe
        : state == "assumed"
        ? decision.certainty == Certainty::Assumed
        : decision.overruled || decision.forced || decision.reason == Reason::ForbiddenByUser;
}

bool holds(const Subject& subject, const BreakTerm& term)
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
    case BreakField::Is: return isIn(decision, term.text);
    }
    return false;
}

bool allHold(const Subject& subject, const Breakpoint& breakpoint)
{
    return std::ranges::all_of(breakpoint.terms,
                               [&](const BreakTerm& term) { return holds(subject, term); });
}

bool asksForCheck(const Breakpoint& breakpoint)
{
    return std::ranges::any_of(
        breakpoint.terms, [](const BreakTerm& term) { return term.field == BreakField::Check; });
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

bool matches(const PassTrace& trace, DecisionIndex index, const Breakpoint& breakpoint)
{
    const Decision& decision = trace.decision(index);
    if (!asksForCheck(breakpoint))
        return allHold({trace, decision, nullptr}, breakpoint);
    for (std::size_t i = decision.tried.index(); i < decision.decided.index(); ++i)
        if (const CheckDone* check = trace.events[i].as<CheckDone>())
            if (allHold({trace, decision, check}, breakpoint))
                return true;
    return false;
}

std::vector<std::string> breakpointWords()
{
    std::vector<std::string> found;
    for (const FieldRow& row : kFields)
    {
        const std::string word(row.word);
        const std::vector<std::string> values = valuesOf(row.field);
        if (values.empty())
            found.push_back(word + (row.field == BreakField::Bytes ? ">" : ":"));
        for (const std::string& value : values)
            found.push_back(word + ":" + value);
    }
    for (const std::string& name : namesUpTo(Check::NotForbidden, checkName))
        found.push_back("check:\"" + name + "\"");
    return found;
}

bool stopsAt(const PassTrace& trace, EventIndex event, const Breakpoint& breakpoint)
{
    const ArgumentTried* tried = trace.event(event).as<ArgumentTried>();
    const CheckDone* check = trace.event(event).as<CheckDone>();
    if (asksForCheck(breakpoint) ? !check : !tried)
        return false;
    const DecisionIndex index = tried ? tried->decision : trace.decisionAt(event);
    if (!index)
        return false;
    return allHold({trace, trace.decision(index), check}, breakpoint);
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
