// SPDX-License-Identifier: MIT
// A kernel in Triton's TTIR, as its text says: functions of blocks of operations over numbered values.
// Reads what Triton 2.x to 3.x print, in MLIR's pretty and generic forms. Pretty forms are brought to
// the generic shape: a loop's induction variable is its block's first argument, keywords ("slt",
// "inputPrecision = tf32") are words and attributes. What an operator means is not asked here: one
// that nobody knows is read as Opcode::Unknown, and refused where it would matter.
#pragma once

#include "core/base/result.h"
#include "core/triton/opcode.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reinspect::triton
{

enum class Scalar : std::uint8_t
{
    None,
    Int, // of Type::bits, without a sign: the operators have one
    Index,
    Float8E4M3FN,
    Float8E5M2,
    Float8E4M3FNUZ,
    Float8E5M2FNUZ,
    Float8E4M3B11FNUZ,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Pointer,      // to Type::pointee, one element
    BlockPointer, // to Type::pointee, a tensor: tt.make_tensor_ptr
    Descriptor,   // likewise: tt.make_tensor_descriptor
    Opaque,       // any other; Type::text says which
};

struct Type
{
    Scalar scalar = Scalar::None; // of the elements, for a tensor
    std::uint8_t bits = 0;        // of an element; 64 for Index and Pointer
    bool isTensor = false;
    std::vector<std::int64_t> shape; // rank 0 to 16; every size is 0 or more
    std::shared_ptr<const Type> pointee;
    std::string text; // Opaque only

    std::int64_t count() const; // elements; the reader checked that it fits
    bool isInteger() const { return scalar == Scalar::Int || scalar == Scalar::Index; }
    bool isFloat() const { return scalar >= Scalar::Float8E4M3FN && scalar <= Scalar::Float64; }
    bool isPointer() const { return scalar == Scalar::Pointer; }
    // To one element, to a block, or a descriptor of one.
    bool isAnyPointer() const { return isPointer() || isBlock(); }
    bool isBlock() const { return scalar == Scalar::BlockPointer || scalar == Scalar::Descriptor; }
    bool isOneBit() const { return scalar == Scalar::Int && bits == 1; }

    friend bool operator==(const Type& a, const Type& b);
};

std::string toText(const Type& type); // "tensor<16x!tt.ptr<f32>>"

using ValueId = std::uint32_t; // index into Function::values

struct Place
{
    std::uint32_t line = 0;       // of the TTIR text, from 1
    std::uint32_t column = 0;     // likewise
    std::uint32_t sourceLine = 0; // of the Python source; 0: not known
    std::string sourceFile = {};
};

// "line 12 (programs/cases.py:48)".
std::string toText(const Place& place);

struct Constant
{
    // One element where all are the same. Integers are sign-extended from the type's width; floats
    // hold the exact value of the type's narrower format.
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
};

struct Attribute
{
    enum class Kind : std::uint8_t
    {
        Unit,
        Bool,
        Integer,
        Real,
        Text,     // a string, a symbol, a word, or anything that is not read further
        Integers, // array<i32: 0, 1>, [0, 1]
        List,     // of anything else
    };

    Kind kind = Kind::Unit;
    std::int64_t integer = 0; // Bool, too
    double real = 0;
    std::string text = {};
    std::vector<std::int64_t> integers = {};
};

struct Region;

struct Successor
{
    std::uint32_t block = 0; // index into the region's blocks
    std::vector<ValueId> operands;
};

struct Operation
{
    Opcode code = Opcode::Unknown;
    std::string name;               // "tt.load"
    std::vector<std::string> words; // keywords before the types: "slt", "acq_rel", "gpu"
    std::vector<ValueId> operands;
    std::vector<ValueId> results;
    std::vector<std::pair<std::string, Attribute>> attributes;
    std::shared_ptr<const Constant> constant; // of arith.constant
    std::vector<Region> regions;
    std::vector<Successor> successors;
    Place place;

    const Attribute* attribute(std::string_view key) const; // null: absent
    std::int64_t integer(std::string_view key, std::int64_t otherwise) const;
    std::string_view text(std::string_view key) const; // empty: absent
    bool hasWord(std::string_view word) const;
};

struct Block
{
    std::string label; // "bb1"; empty for an entry without one
    std::vector<ValueId> arguments;
    std::vector<Operation> operations;
};

struct Region
{
    std::vector<Block> blocks;
};

struct Value
{
    Type type;
    std::string name; // without %; of several results with "#1"
};

struct Function
{
    std::string name;
    bool isPublic = true;
    std::vector<ValueId> parameters; // the entry block's arguments
    std::vector<Type> results;
    std::vector<Value> values;
    Region body; // without blocks: only declared
    Place place;

    const Type& type(ValueId id) const { return values[id].type; }
};

// A module. Never without a function.
struct Kernel
{
    std::vector<Function> functions;
    std::size_t entry = 0; // the first public function with a body

    const Function& function() const { return functions[entry]; }
    const Function* find(std::string_view name) const; // null: not there
    const std::string& name() const { return functions[entry].name; }
};

// Errors name line and column and what was expected or is not known. Nesting beyond 64 levels and
// tensors of more than 2^40 elements are errors, too.
Result<Kernel> readTtir(std::string_view text);

} // namespace reinspect::triton
