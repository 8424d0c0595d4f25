// SPDX-License-Identifier: MIT
// Argument values in print_readable's spelling: names of nodes, constants, lists, tuples, dicts,
// slices, dtypes and devices. What is none of these is kept as text.
#pragma once

#include "core/io/annotation.h"
#include "core/io/name_table.h"
#include "core/io/token_stream.h"

namespace reinspect
{

struct CallArguments
{
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
};

class ValueReader
{
public:
    static constexpr std::size_t kDepthLimit = 200;

    ValueReader(TokenStream& tokens, AnnotationReader& annotations, ProblemList& problems)
        : m_tokens(tokens)
        , m_annotations(annotations)
        , m_problems(problems)
    {}

    void setNames(const NameTable* names) { m_names = names; }
    // Forgets what the last statement met.
    void beginStatement();
    // The last error was a name that stands for nothing here, not a mistake of grammar.
    bool metUnknownName() const { return !m_unknownName.empty(); }
    std::string_view unknownNode() const { return m_unknownName; }

    // A value up to a comma, a closing bracket or the end of the statement.
    Result<Argument> value();
    // The same without looking at what follows: a statement may go on with an operator.
    Result<Argument> operand();
    // "(a, k = b)" with the parentheses.
    Result<CallArguments> callArguments();
    // "[0]", "['out']", "[1:2]" with the brackets: what getitem is given.
    Result<Argument> subscript();
    // "a.b.c"
    std::string_view dottedPath();
    NodeId nodeNamed(std::string_view name) const { return m_names->find(name); }

    Error errorHere(std::string message, std::string hint = {}) const;
    Error unexpected(const std::string& wanted) const;

private:
    friend class DepthGuard;

    Result<Argument> name();
    Result<Argument> namedConstant(std::string_view path, std::size_t offset);
    Result<Argument> torchConstant(std::string_view path, std::size_t offset);
    Result<Argument> unknownName(std::string_view path, std::size_t offset);
    Result<Argument> device();
    Result<Argument> slice();
    Result<Argument> floatCall();
    Result<Argument> viewOp();
    Result<Argument> opaqueCall(std::size_t begin);
    Result<Argument> angleText();
    Result<Argument> number(bool negative);
    Argument string();
    Result<Argument> tuple();
    Result<Argument> dict();
    Result<std::vector<Argument>> items(std::string_view close);
    Result<std::vector<NamedArgument>> dictOfNames();
    Result<Argument> subscriptItem();
    Result<Argument> schemaText();
    Result<Argument> restAsText(std::size_t begin);
    bool valueEndsHere() const;

    TokenStream& m_tokens;
    AnnotationReader& m_annotations;
    ProblemList& m_problems;
    const NameTable* m_names = nullptr;
    std::size_t m_depth = 0;
    std::string_view m_unknownName; // of the last error, when that was the reason
};

// Counts open containers: the reader recurses, and a text may nest without end.
class DepthGuard
{
public:
    explicit DepthGuard(ValueReader& reader)
        : m_reader(reader)
    {
        ++m_reader.m_depth;
    }
    ~DepthGuard() { --m_reader.m_depth; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

    Result<void> check() const
    {
        if (m_reader.m_depth <= ValueReader::kDepthLimit)
            return {};
        return m_reader.errorHere("nested deeper than " + std::to_string(ValueReader::kDepthLimit)
                                  + " levels");
    }

private:
    ValueReader& m_reader;
};

// A Python number: integer, float, hexadecimal or imaginary; nothing when it is none.
std::optional<Argument> parseNumber(std::string_view text, bool negative);
// "1+2j", "-1.5e-05-2j"; nothing when it is none.
std::optional<Argument> parseComplex(std::string_view text);

} // namespace reinspect
