// SPDX-License-Identifier: MIT
// What a reader looks for: words and conditions that must all hold.
//     index_put                      name or operator contains it
//     op:add,mul dtype:f16           one of these; a quoted value may hold blanks
//     verdict:kept bytes>1M          "K", "M", "G" are powers of 1024
//     -kind:input                    a minus takes out what matches
// Keys are listed in queryKeys(). Text compares without case and by part; "=" by the whole.
#pragma once

#include "core/base/ascii.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reinspect
{

enum class QueryKey : std::uint8_t
{
    Any, // name or operator
    Name,
    Op,
    DType,
    Device,
    Shape,
    Storage,
    Source,
    Module,
    Kind,
    Verdict,
    Reason,
    Bytes,
    Users,
    Inputs,
    Line,
};

enum class QueryTest : std::uint8_t
{
    Contains,
    Equals,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
};

struct QueryTerm
{
    QueryKey key = QueryKey::Any;
    QueryTest test = QueryTest::Contains;
    std::vector<std::string> texts; // lower case; one of them must match
    double number = 0;              // of keys that count
    bool isNegated = false;

    friend bool operator==(const QueryTerm&, const QueryTerm&) = default;
};

struct QueryKeyWords
{
    QueryKey key;
    const char* word;
    const char* meaning;
    bool isNumber;
};

std::span<const QueryKeyWords> queryKeys(); // all but Any
// An unknown key, a missing value or a bad number is an error with a hint. Blank gives no terms.
Result<std::vector<QueryTerm>> parseQuery(std::string_view text);

} // namespace reinspect
