// SPDX-License-Identifier: MIT
// Reads the types and attributes of an MLIR text. All of them can be read; what no operator here asks
// for is kept as text. Nesting is limited, so that no text can exhaust the stack.
#pragma once

#include "core/triton/ttir.h"
#include "core/triton/ttir_lexer.h"

#include <optional>
#include <string>
#include <vector>

namespace reinspect::triton
{

inline constexpr int kNestingLimit = 64;

Result<Type> readType(TtirLexer& lexer, int depth = 0);
// From an opening sign to the one that closes it: ( [ { <.
Result<void> skipBalanced(TtirLexer& lexer);

// A literal before its type is known.
struct Literal
{
    std::vector<Token> numbers; // Number tokens, and the words true and false
    std::string_view bytes;     // dense<"0x...">: without the 0x; empty otherwise
    std::optional<Type> type;   // when it was written behind
    bool isDense = false;
};

// With a literal given, numbers and dense<...> are left there, too.
Result<Attribute> readAttribute(TtirLexer& lexer, Literal* literal = nullptr, int depth = 0);

using Attributes = std::vector<std::pair<std::string, Attribute>>;
// "{key = value, unit}", from the brace on. literal: for the value of the key "value".
Result<void> readAttributes(TtirLexer& lexer, Attributes& into, Literal* literal = nullptr,
                            int depth = 0);

// "loc(...)", from the word on. The place it names ("file":12:3), or "#alias" as its file.
Result<Place> readLocation(TtirLexer& lexer);

Result<Constant> makeConstant(const TtirLexer& lexer, const Literal& literal, const Type& type);

} // namespace reinspect::triton
