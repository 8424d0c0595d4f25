// SPDX-License-Identifier: MIT
#include "core/triton/ttir_effects.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace reinspect::triton
{
namespace
{

// Where a value's address may come from: parameters of the function, by position, and elsewhere.
struct Origin
{
    std::set<std::uint32_t> parameters;
    bool isUnknown = false; // loaded from memory, made of plain integers

    bool isEmpty() const { return parameters.empty() && !isUnknown; }
    // True when something is new.
    bool join(const Origin& other)
    {
        const std::size_t before = parameters.size();
        parameters.insert(other.parameters.begin(), other.parameters.end());
        const bool grew = parameters.size() != before || (other.isUnknown && !isUnknown);
        isUnknown = isUnknown || other.isUnknown;
        return grew;
    }
};

struct Summary
{
    std::vector<ParameterEffects> parameters;
    std::vector<Origin> results;
    bool usesUnknown = false; // a pointer of unknown origin is read or written
};

constexpr std::size_t kCallLimit = 64;

enum class Phase : std::uint8_t
{
    Follow,  // origins that the text tells
    Suspect, // what has none by now is of unknown origin, wherever it came from
    Mark,    // origins are settled: what is done through them
};

// One function, given nothing of its callers: effects and results in terms of its own parameters.
class FunctionEffects
{
public:
    using Summaries = std::map<const Function*, Summary>;

    // callers: the functions whose effects are being asked for, outermost first.
    FunctionEffects(const Kernel& kernel, const Function& function, Summaries& summaries,
                    std::vector<std::string>& reasons, std::vector<const Function*>& callers)
        : m_kernel(kernel)
        , m_function(function)
        , m_summaries(summaries)
        , m_reasons(reasons)
        , m_callers(callers)
        , m_origins(function.values.size())
    {}

    Summary run();

private:
    void settle(Phase phase);
    const Summary* summaryOf(const Function* callee, std::size_t operands);
    void visit(const Region& region);
    void visit(const Operation& operation);
    void visitFlow(const Operation& operation);
    void visitCall(const Operation& operation);
    void visitUnknown(const Operation& operation);
    void join(ValueId value, const Origin& origin);
    void joinAll(const std::vector<ValueId>& into, const std::vector<ValueId>& from,
                 std::size_t skipped = 0);
    void joinYields(const Region& region, Opcode terminator, const std::vector<ValueId>& into,
                    std::size_t skipped = 0);
    void suspect(const Operation& operation);
    void joinEveryOperand(const Operation& operation);
    void use(ValueId pointer, MemoryUse what, const Place& place, bool isCertain = true);
    void useOrigin(const Origin& origin, MemoryUse what, const Place& place, bool isCertain);
    void mark(std::uint32_t parameter, MemoryUse what, const Place& place, bool isCertain);
    void giveReason(const Operation& operation, const std::string& what);

    const Kernel& m_kernel;
    const Function& m_function;
    Summaries& m_summaries;
    std::vector<std::string>& m_reasons;
    std::vector<const Function*>& m_callers;
    std::vector<Origin> m_origins;
    Summary m_summary;
    Phase m_phase = Phase::Follow;
    bool m_grew = false;
};

bool carriesAddress(const Type& type)
{
    return type.isAnyPointer() || type.isInteger() || type.scalar == Scalar::Opaque;
}

// The parameter's effects before any operation is looked at.
std::vector<ParameterEffects> untouched(const Function& function)
{
    std::vector<ParameterEffects> parameters;
    for (const ValueId id : function.parameters)
    {
        const Type& type = function.type(id);
        const bool isPointer = type.isAnyPointer() || type.scalar == Scalar::Opaque;
        parameters.push_back({.name = function.values[id].name, .isPointer = isPointer});
    }
    return parameters;
}

Summary FunctionEffects::run()
{
    m_callers.push_back(&m_function);
    m_summary.parameters = untouched(m_function);
    m_summary.results.resize(m_function.results.size());
    for (std::uint32_t i = 0; i < m_function.parameters.size(); ++i)
        if (m_summary.parameters[i].isPointer)
            m_origins[m_function.parameters[i]].parameters.insert(i);
    settle(Phase::Follow);
    settle(Phase::Suspect);
    settle(Phase::Mark);
    m_callers.pop_back();
    return std::move(m_summary);
}

// Origins only grow, and there are finitely many.
void FunctionEffects::settle(Phase phase)
{
    m_phase = phase;
    do
    {
        m_grew = false;
        visit(m_function.body);
    } while (m_grew);
}

void FunctionEffects::join(ValueId value, const Origin& origin)
{
    if (carriesAddress(m_function.type(value)) && m_origins[value].join(origin))
        m_grew = true;
}

void FunctionEffects::joinAll(const std::vector<ValueId>& into, const std::vector<ValueId>& from,
                              std::size_t skipped)
{
    for (std::size_t i = 0; i < into.size() && i + skipped < from.size(); ++i)
        join(into[i], m_origins[from[i + skipped]]);
}

void FunctionEffects::visit(const Region& region)
{
    for (const Block& block : region.blocks)
        for (const Operation& operation : block.operations)
            visit(operation);
}

void FunctionEffects::visit(const Operation& operation)
{
    const OpcodeFacts facts = opcodeFacts(operation.name);
    const bool isPureCall =
        facts.code == Opcode::ExternElementwise && operation.integer("pure", 0) != 0;
    switch (isPureCall ? MemoryUse::None : facts.use)
    {
    case MemoryUse::Flow: visitFlow(operation); break;
    case MemoryUse::Any: visitUnknown(operation); break;
    case MemoryUse::None:
        joinEveryOperand(operation);
        if (facts.code == Opcode::IntToPtr)
            suspect(operation);
        break;
    case MemoryUse::Read:
    case MemoryUse::Write:
    case MemoryUse::Atomic:
        if (!operation.operands.empty())
            use(operation.operands[0], facts.use, operation.place);
        suspect(operation); // an address that was loaded
        break;
    }
    for (const Region& region : operation.regions)
        visit(region);
}

// Pointers that come from nowhere known by now may point anywhere.
void FunctionEffects::suspect(const Operation& operation)
{
    if (m_phase == Phase::Follow)
        return;
    for (const ValueId result : operation.results)
        if (m_function.type(result).isAnyPointer() && m_origins[result].isEmpty())
            join(result, {.parameters = {}, .isUnknown = true});
}

void FunctionEffects::joinEveryOperand(const Operation& operation)
{
    if (operation.code == Opcode::CmpI || operation.code == Opcode::CmpF)
        return; // a truth is no address
    Origin origin;
    for (const ValueId operand : operation.operands)
        origin.join(m_origins[operand]);
    for (const ValueId result : operation.results)
        join(result, origin);
    for (const Region& region : operation.regions) // of a reduction: elements of the operands
        for (const Block& block : region.blocks)
            for (const ValueId argument : block.arguments)
                join(argument, origin);
}

void FunctionEffects::joinYields(const Region& region, Opcode terminator,
                                 const std::vector<ValueId>& into, std::size_t skipped)
{
    for (const Block& block : region.blocks)
        if (!block.operations.empty() && block.operations.back().code == terminator)
            joinAll(into, block.operations.back().operands, skipped);
}

void FunctionEffects::visitFlow(const Operation& operation)
{
    const auto arguments = [](const Region& region) {
        return region.blocks.empty() ? std::vector<ValueId>() : region.blocks[0].arguments;
    };
    switch (operation.code)
    {
    case Opcode::Call: visitCall(operation); break;
    case Opcode::For:
    {
        if (operation.regions.empty())
            break;
        std::vector<ValueId> carried = arguments(operation.regions[0]);
        carried.erase(carried.begin(), carried.begin() + (carried.empty() ? 0 : 1));
        joinAll(carried, operation.operands, 3);
        joinYields(operation.regions[0], Opcode::Yield, carried);
        joinAll(operation.results, operation.operands, 3);
        joinYields(operation.regions[0], Opcode::Yield, operation.results);
        break;
    }
    case Opcode::If:
        for (const Region& region : operation.regions)
            joinYields(region, Opcode::Yield, operation.results);
        break;
    case Opcode::While:
        if (operation.regions.size() != 2)
            break;
        joinAll(arguments(operation.regions[0]), operation.operands);
        joinYields(operation.regions[1], Opcode::Yield, arguments(operation.regions[0]));
        joinYields(operation.regions[0], Opcode::Condition, arguments(operation.regions[1]), 1);
        joinYields(operation.regions[0], Opcode::Condition, operation.results, 1);
        break;
    case Opcode::Return:
        for (std::size_t i = 0; i < operation.operands.size() && i < m_summary.results.size(); ++i)
            if (carriesAddress(m_function.type(operation.operands[i])))
                m_summary.results[i].join(m_origins[operation.operands[i]]);
        break;
    default: break;
    }
    for (const Successor& successor : operation.successors)
        if (successor.block < m_function.body.blocks.size())
            joinAll(m_function.body.blocks[successor.block].arguments, successor.operands);
}

// Null: nothing is known of it, as of a function that calls itself.
const Summary* FunctionEffects::summaryOf(const Function* callee, std::size_t operands)
{
    if (!callee || callee->body.blocks.empty() || m_callers.size() > kCallLimit
        || callee->parameters.size() != operands
        || std::ranges::find(m_callers, callee) != m_callers.end())
        return nullptr;
    auto summary = m_summaries.find(callee);
    if (summary == m_summaries.end())
    {
        FunctionEffects inner(m_kernel, *callee, m_summaries, m_reasons, m_callers);
        summary = m_summaries.emplace(callee, inner.run()).first;
    }
    return &summary->second;
}

void FunctionEffects::visitCall(const Operation& operation)
{
    const Summary* summary =
        summaryOf(m_kernel.find(operation.text("callee")), operation.operands.size());
    if (!summary)
        return visitUnknown(operation);
    const Summary& called = *summary;
    if (called.usesUnknown)
        useOrigin({.parameters = {}, .isUnknown = true}, MemoryUse::Any, operation.place, false);
    for (std::size_t i = 0; i < called.parameters.size(); ++i)
    {
        const ParameterEffects& effects = called.parameters[i];
        if (effects.atomics)
            use(operation.operands[i], MemoryUse::Atomic, effects.firstWrite, effects.isCertain);
        if (effects.writes)
            use(operation.operands[i], MemoryUse::Write, effects.firstWrite, effects.isCertain);
        if (effects.reads)
            use(operation.operands[i], MemoryUse::Read, effects.firstRead, effects.isCertain);
    }
    for (std::size_t i = 0; i < operation.results.size() && i < called.results.size(); ++i)
    {
        Origin origin{.parameters = {}, .isUnknown = called.results[i].isUnknown};
        for (const std::uint32_t parameter : called.results[i].parameters)
            origin.join(m_origins[operation.operands[parameter]]);
        join(operation.results[i], origin);
    }
}

// Whatever pointer it is given may be read and written; what it returns may point there.
void FunctionEffects::visitUnknown(const Operation& operation)
{
    bool hasPointer = false;
    for (const ValueId operand : operation.operands)
        if (m_function.type(operand).isAnyPointer()
            || m_function.type(operand).scalar == Scalar::Opaque)
        {
            hasPointer = true;
            useOrigin(m_origins[operand], MemoryUse::Any, operation.place, false);
        }
    joinEveryOperand(operation);
    suspect(operation);
    if (hasPointer && m_phase == Phase::Mark)
        giveReason(operation, "what " + operation.name + " does with a pointer is not known");
}

void FunctionEffects::use(ValueId pointer, MemoryUse what, const Place& place, bool isCertain)
{
    const Origin& origin = m_origins[pointer];
    useOrigin(origin.isEmpty() ? Origin{.parameters = {}, .isUnknown = true} : origin, what, place,
              isCertain);
}

void FunctionEffects::useOrigin(const Origin& origin, MemoryUse what, const Place& place,
                                bool isCertain)
{
    if (m_phase != Phase::Mark)
        return;
    for (const std::uint32_t parameter : origin.parameters)
        mark(parameter, what, place, isCertain);
    if (!origin.isUnknown)
        return;
    m_summary.usesUnknown = true;
    const std::string reason = "a pointer of unknown origin is used at " + toText(place);
    if (std::ranges::find(m_reasons, reason) == m_reasons.end())
        m_reasons.push_back(reason);
    for (std::uint32_t i = 0; i < m_summary.parameters.size(); ++i)
        if (m_summary.parameters[i].isPointer)
            mark(i, what, place, false);
}

void FunctionEffects::mark(std::uint32_t parameter, MemoryUse what, const Place& place,
                           bool isCertain)
{
    ParameterEffects& effects = m_summary.parameters[parameter];
    const bool wasTouched = effects.reads || effects.writes;
    effects.isCertain = wasTouched ? effects.isCertain || isCertain : isCertain;
    if (what == MemoryUse::Read || what == MemoryUse::Atomic || what == MemoryUse::Any)
    {
        if (!effects.reads)
            effects.firstRead = place;
        effects.reads = true;
    }
    if (what != MemoryUse::Read)
    {
        if (!effects.writes)
            effects.firstWrite = place;
        effects.writes = true;
    }
    effects.atomics = effects.atomics || what == MemoryUse::Atomic;
}

void FunctionEffects::giveReason(const Operation& operation, const std::string& what)
{
    const std::string reason = what + ", " + toText(operation.place);
    if (std::ranges::find(m_reasons, reason) == m_reasons.end())
        m_reasons.push_back(reason);
}

} // namespace

std::vector<std::string> Effects::written() const
{
    std::vector<std::string> names;
    for (const ParameterEffects& parameter : parameters)
        if (parameter.writes)
            names.push_back(parameter.name);
    return names;
}

Effects effectsOf(const Kernel& kernel)
{
    Effects effects;
    FunctionEffects::Summaries summaries;
    std::vector<const Function*> callers;
    FunctionEffects entry(kernel, kernel.function(), summaries, effects.reasons, callers);
    effects.parameters = entry.run().parameters;
    return effects;
}

} // namespace reinspect::triton
