// SPDX-License-Identifier: MIT
#include "core/triton/ttir.h"

#include <algorithm>

namespace reinspect::triton
{
namespace
{

std::string scalarText(const Type& type)
{
    switch (type.scalar)
    {
    case Scalar::None: return "none";
    case Scalar::Int: return "i" + std::to_string(type.bits);
    case Scalar::Index: return "index";
    case Scalar::Float8E4M3FN: return "f8E4M3FN";
    case Scalar::Float8E5M2: return "f8E5M2";
    case Scalar::Float8E4M3FNUZ: return "f8E4M3FNUZ";
    case Scalar::Float8E5M2FNUZ: return "f8E5M2FNUZ";
    case Scalar::Float8E4M3B11FNUZ: return "f8E4M3B11FNUZ";
    case Scalar::Float16: return "f16";
    case Scalar::BFloat16: return "bf16";
    case Scalar::Float32: return "f32";
    case Scalar::Float64: return "f64";
    case Scalar::Pointer:
    case Scalar::BlockPointer: return "!tt.ptr<" + toText(*type.pointee) + ">";
    case Scalar::Descriptor: return "!tt.tensordesc<" + toText(*type.pointee) + ">";
    case Scalar::Opaque: return type.text;
    }
    return "?";
}

} // namespace

std::int64_t Type::count() const
{
    std::int64_t product = 1;
    for (const std::int64_t size : shape)
        product *= size;
    return product;
}

bool operator==(const Type& a, const Type& b)
{
    const bool samePointee =
        a.pointee && b.pointee ? *a.pointee == *b.pointee : !a.pointee && !b.pointee;
    return a.scalar == b.scalar && a.bits == b.bits && a.isTensor == b.isTensor
        && a.shape == b.shape && a.text == b.text && samePointee;
}

std::string toText(const Type& type)
{
    if (!type.isTensor)
        return scalarText(type);
    std::string text = "tensor<";
    for (const std::int64_t size : type.shape)
        text += std::to_string(size) + 'x';
    return text + scalarText(type) + ">";
}

std::string toText(const Place& place)
{
    std::string text = "line " + std::to_string(place.line);
    if (place.sourceLine != 0)
        text += " (" + place.sourceFile + ":" + std::to_string(place.sourceLine) + ")";
    return text;
}

const Attribute* Operation::attribute(std::string_view key) const
{
    const auto found =
        std::ranges::find(attributes, key, &std::pair<std::string, Attribute>::first);
    return found == attributes.end() ? nullptr : &found->second;
}

std::int64_t Operation::integer(std::string_view key, std::int64_t otherwise) const
{
    const Attribute* found = attribute(key);
    const bool isNumber =
        found && (found->kind == Attribute::Kind::Integer || found->kind == Attribute::Kind::Bool);
    return isNumber ? found->integer : otherwise;
}

std::string_view Operation::text(std::string_view key) const
{
    const Attribute* found = attribute(key);
    return found && found->kind == Attribute::Kind::Text ? std::string_view(found->text)
                                                         : std::string_view();
}

bool Operation::hasWord(std::string_view word) const
{
    return std::ranges::find(words, word) != words.end();
}

const Function* Kernel::find(std::string_view wanted) const
{
    const auto found = std::ranges::find(functions, wanted, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

} // namespace reinspect::triton
