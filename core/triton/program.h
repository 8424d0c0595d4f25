// SPDX-License-Identifier: MIT
// A kernel made ready to run: operators are functions over numbered slots of a frame, whose size is known
// before anything runs. Integers of every width and pointers lie in slots as int64, sign-extended (a true
// i1 is -1); floats up to 32 bits as float, holding only numbers of their format; float64 as double.
// Running allocates nothing but frames.
#pragma once

#include "core/triton/ttir_run.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reinspect::triton
{

using Slot = std::uint32_t;
struct Step;
struct Body;
class Machine;
class Frame;

// False: stopped; the machine knows why.
using Handler = bool (*)(Machine&, Frame&, const Step&);

enum class Ending : std::uint8_t
{
    Yield, // back to the operator whose region this is
    Return,
    Branch,
    CondBranch,
    Unreachable,
};

struct Jump
{
    std::uint32_t block = 0;
    std::vector<Slot> from;
    std::vector<Slot> to;
    bool needsStaging = false; // a slot is written before it is read
};

struct StepList
{
    std::vector<Step> steps;
    std::vector<Slot> arguments;
    Ending ending = Ending::Yield;
    std::vector<Slot> yielded; // or returned
    Slot condition = 0;        // of scf.condition and CondBranch
    std::vector<Jump> jumps;
    std::int64_t weight = 1;
};

struct Step
{
    Handler run = nullptr;
    void (*fill)(Frame&, const Step&) = nullptr; // of a constant, in place of run
    std::vector<Slot> in;
    std::vector<Slot> out;
    std::int64_t count = 1; // elements of the result; of the value for a store
    int shift = 0;          // 64 less the width of the integers it computes with
    Scalar scalar = Scalar::None;
    std::int64_t number = 0; // what the handler's comment says
    std::int64_t other = 0;
    std::vector<std::int64_t> numbers;
    std::vector<std::uint32_t> map; // element of the operand for each of the result
    std::vector<StepList> lists;    // regions
    Jump enter;                     // first values of a loop, and those carried on
    Jump again;
    const Body* callee = nullptr;
    std::uint32_t child = 0; // which of the frame's children runs the callee
    void (*function)() = nullptr;
    const Type* element = nullptr; // in memory; the kernel outlives its program
    const Operation* operation = nullptr;
};

enum class Lane : std::uint8_t
{
    Int64,
    Float,
    Double,
};

struct SlotInfo
{
    Lane lane = Lane::Int64;
    std::int64_t count = 1;
    std::int64_t bytes() const { return count * (lane == Lane::Float ? 4 : 8); }
};

// A function, or the region of a reduction with what it uses from around it as further parameters.
struct Body
{
    std::vector<SlotInfo> slots;
    std::vector<Slot> parameters;
    std::vector<StepList> blocks;
    std::vector<Step> constants; // filled in once a frame
    std::uint32_t children = 0;
    std::vector<std::pair<const Body*, std::int64_t>> childBodies; // and their lanes
    std::int64_t stagingBytes = 0;
    bool isElementwise = true; // all of it may run on many lanes at once
    std::string name;
};

// The memory of a body's values. With several lanes, each value is that many times as long.
class Frame
{
public:
    Frame(const Body& body, std::int64_t capacity);

    std::int64_t* ints(Slot slot) { return reinterpret_cast<std::int64_t*>(m_data[slot]); }
    float* floats(Slot slot) { return reinterpret_cast<float*>(m_data[slot]); }
    double* doubles(Slot slot) { return reinterpret_cast<double*>(m_data[slot]); }
    template<typename T>
    T* data(Slot slot)
    {
        return reinterpret_cast<T*>(m_data[slot]);
    }
    std::byte* bytes(Slot slot) { return m_data[slot]; }
    std::int64_t size(Slot slot) const { return m_body.slots[slot].bytes() * lanes; }
    const Body& body() const { return m_body; }
    Frame& child(std::uint32_t index);
    void move(const Jump& jump);
    void copy(Slot from, Slot to);

    std::int64_t lanes = 1;
    // Of a reduction that runs its region here; kept, so that the next program allocates nothing.
    std::array<std::vector<std::vector<std::byte>>, 4> work;

private:
    const Body& m_body;
    std::int64_t m_capacity;
    std::unique_ptr<std::byte[]> m_memory;
    std::vector<std::byte*> m_data;
    std::byte* m_staging = nullptr;
    std::vector<std::unique_ptr<Frame>> m_children;
};

struct MemoryRegion
{
    TensorArgument tensor;
    std::string parameter;
    std::uint64_t base = 0; // address of the storage's first byte, as the kernel sees it
    bool hasWarned = false;
    RunReport::Touched touched = {};
};

// What all programs of a launch share.
class Machine
{
public:
    Machine(const Kernel& launched, const RunControl& control, const RunLimits& limits)
        : kernel(launched)
        , m_control(control)
        , m_limits(limits)
    {}

    const Kernel& kernel;
    std::array<std::int64_t, 3> program = {};
    std::array<std::int64_t, 3> grid = {};
    std::vector<MemoryRegion> regions;
    RunReport report;
    Error error;
    std::vector<std::int64_t> addresses; // of block pointers
    std::vector<std::int64_t> masks;

    std::uint64_t addRegion(const TensorArgument& tensor, std::string parameter);
    // The memory at an address; null after an error.
    std::byte* at(std::uint64_t address, std::int64_t bytes, bool isWrite, const Step& step)
    {
        const std::uint64_t index = (address >> kRegionShift) - 1;
        if (index >= regions.size()) [[unlikely]]
            return stray(address, isWrite, step);
        MemoryRegion& region = regions[index];
        const auto offset = static_cast<std::int64_t>(address - region.base);
        if (offset < 0 || offset + bytes > region.tensor.storageBytes) [[unlikely]]
            return outside(region, offset, bytes, isWrite, step);
        if (isWrite && (offset < region.tensor.viewBegin || offset + bytes > region.tensor.viewEnd))
            [[unlikely]]
            warn(region, offset, bytes, step);
        return region.tensor.storage + offset;
    }
    MemoryRegion* regionOf(std::uint64_t address); // null: in none
    // Whether all these bytes lie in one tensor's view.
    bool holds(std::uint64_t address, std::int64_t bytes)
    {
        const MemoryRegion* region = regionOf(address);
        const auto offset = region ? static_cast<std::int64_t>(address - region->base) : -1;
        return region && offset >= region->tensor.viewBegin
            && offset + bytes <= region->tensor.viewEnd;
    }

    // False when a limit is reached or the caller wants no more.
    bool spend(std::int64_t weight)
    {
        report.steps += weight;
        return report.steps < m_nextCheck || checkLimits();
    }
    bool fail(const Step& step, const std::string& what, ErrorKind kind = ErrorKind::BadInput);
    void print(std::string line);
    std::string where(const Step& step) const;

private:
    static constexpr int kRegionShift = 44;

    bool checkLimits();
    std::byte* stray(std::uint64_t address, bool isWrite, const Step& step);
    std::byte* outside(const MemoryRegion& region, std::int64_t offset, std::int64_t bytes,
                       bool isWrite, const Step& step);
    void warn(MemoryRegion& region, std::int64_t offset, std::int64_t bytes, const Step& step);

    const RunControl& m_control;
    const RunLimits& m_limits;
    std::int64_t m_nextCheck = 0;
};

bool runList(Machine& machine, Frame& frame, const StepList& list);
// From the entry block to a return; the slots of what is returned, null after an error.
const std::vector<Slot>* runBody(Machine& machine, Frame& frame);

} // namespace reinspect::triton
