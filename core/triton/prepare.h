// SPDX-License-Identifier: MIT
// How operators become steps. Each group of operators has a table of rows (operator -> function that
// checks the operation's shape and types and picks the handler). What a row has let through runs without
// further checks, so a row checks all that its handler relies on.
#pragma once

#include "core/triton/program.h"

#include <initializer_list>
#include <span>
#include <string>

namespace reinspect::triton
{

struct Preparation
{
    const Operation& operation;
    const Function& function;
    Step& step;
    bool isElementwise = false; // set by the row: lanes do not depend on each other

    const Type& in(std::size_t i) const { return function.type(operation.operands[i]); }
    const Type& out(std::size_t i = 0) const { return function.type(operation.results[i]); }
    std::size_t ins() const { return operation.operands.size(); }
    std::size_t outs() const { return operation.results.size(); }

    Error fail(const std::string& what) const;
    Error misfit() const { return fail("its operands do not fit each other"); }
    // So many operands and results?
    bool has(std::size_t operands, std::size_t results) const
    {
        return ins() == operands && outs() == results;
    }
    // All operands and results have the same shape.
    bool hasOneShape() const;
};

using Prepare = Result<void> (*)(Preparation&);

struct PrepareRow
{
    Opcode code;
    Prepare prepare;
};

std::span<const PrepareRow> integerRows();
std::span<const PrepareRow> floatRows();
std::span<const PrepareRow> mathRows();
std::span<const PrepareRow> convertRows();
std::span<const PrepareRow> shapeRows();
std::span<const PrepareRow> memoryRows();
std::span<const PrepareRow> atomicRows();
std::span<const PrepareRow> blockRows();
std::span<const PrepareRow> productRows();
std::span<const PrepareRow> otherRows();

Lane laneOf(const Type& type);
std::int64_t slotCount(const Type& type); // int64s for a block pointer

// What is added to an address for an element of this type; 0: cannot lie in memory.
std::int64_t memoryBytes(const Type& element);

// Elements of memory to lanes of a slot and back; element's type gives the format.
using ReadLane = void (*)(const std::byte* from, void* lanes, std::int64_t index);
using WriteLane = void (*)(std::byte* to, const void* lanes, std::int64_t index);
struct Codec
{
    ReadLane read = nullptr; // null: cannot lie in memory
    WriteLane write = nullptr;
};
Codec codecOf(const Type& element);

// Handlers that other files prepare: regions and calls.
bool runCall(Machine&, Frame&, const Step&);
bool runFor(Machine&, Frame&, const Step&);
bool runIf(Machine&, Frame&, const Step&);
bool runWhile(Machine&, Frame&, const Step&);
// step.numbers: outer, axis, inner sizes; number 1 for a scan from the end.
bool runReduce(Machine&, Frame&, const Step&);
bool runScan(Machine&, Frame&, const Step&);
void fillConstant(Frame&, const Step&);
void fillRange(Frame&, const Step&); // step.number: the first
bool runNothing(Machine&, Frame&, const Step&);

} // namespace reinspect::triton
