// SPDX-License-Identifier: MIT
// The operators of TTIR that are known here, by the names MLIR prints. The table says how one finds
// the types of the results in the pretty form, and what the operator may do to memory; how it is run
// is core/triton/compile's business.
#pragma once

#include <cstdint>
#include <string_view>

namespace reinspect::triton
{

// clang-format off
enum class Opcode : std::uint8_t
{
    Unknown,
    // arith
    Constant, AddI, SubI, MulI, DivSI, DivUI, RemSI, RemUI, FloorDivSI, CeilDivSI, CeilDivUI,
    ShlI, ShrSI, ShrUI, AndI, OrI, XorI, MaxSI, MaxUI, MinSI, MinUI, CmpI, CmpF, Select,
    AddF, SubF, MulF, DivF, RemF, NegF, MaximumF, MinimumF, MaxNumF, MinNumF,
    ExtSI, ExtUI, TruncI, ExtF, TruncF, SIToFP, UIToFP, FPToSI, FPToUI, IndexCast, IndexCastUI,
    ArithBitcast, MulSIExtended, MulUIExtended, AddUIExtended,
    // math
    Exp, Exp2, ExpM1, Log, Log2, Log10, Log1p, Sqrt, Rsqrt, Cbrt, Sin, Cos, Tan, Asin, Acos, Atan,
    Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Erf, AbsF, AbsI, Floor, Ceil, Round, RoundEven, Trunc,
    Fma, PowF, FPowI, IPowI, Atan2, CopySign, IsNan, IsInf, IsFinite, CtPop, Ctlz, Cttz,
    // tt
    GetProgramId, GetNumPrograms, MakeRange, Splat, Broadcast, ExpandDims, Reshape, Trans, Join,
    Split, Cat, Unsplat, Gather, AddPtr, Load, Store, AtomicRmw, AtomicCas, Reduce, Scan, Dot,
    Histogram, ClampF, MulHiUI, PreciseSqrt, PreciseDivF, FpToFp, IntToPtr, PtrToInt, Bitcast,
    Assert, Print, ExternElementwise, MakeTensorPtr, Advance, MakeDescriptor, DescriptorLoad,
    DescriptorStore, DescriptorReduce, Call, Return, ReduceReturn, ScanReturn, InlineAsm,
    MapElementwise, MapElementwiseReturn,
    // scf, cf, others
    For, If, While, Condition, Yield, Br, CondBr, Barrier, Poison, Unreachable, Assume,
};
// clang-format on

// How the types after the colon give those of the results.
enum class ResultForm : std::uint8_t
{
    None,          // no results
    Same,          // one type stands for operands and results
    First,         // the first of several
    Last,          // the last of several
    Arrow,         // those after -> or "to"
    Compare,       // i1 of the one type's shape
    Load,          // what a pointer points to; Triton 2 prints the result itself
    Own,           // read by a rule of its own
    SameAndOneBit, // the one type, and i1 of its shape
};

// What it may do with a pointer it is given.
enum class MemoryUse : std::uint8_t
{
    None,   // computes; a pointer made here is derived from the operands'
    Read,   // at its first operand
    Write,  // likewise
    Atomic, // reads and writes, likewise
    Flow,   // control: regions, calls, returns
    Any,    // anything: nothing is known
};

struct OpcodeFacts
{
    Opcode code = Opcode::Unknown;
    std::string_view name = {};
    ResultForm form = ResultForm::Arrow;
    MemoryUse use = MemoryUse::Any;
};

// By MLIR's name; an unknown one has Opcode::Unknown, ResultForm::Own and MemoryUse::Any.
OpcodeFacts opcodeFacts(std::string_view name);

} // namespace reinspect::triton
