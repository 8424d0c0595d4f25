// SPDX-License-Identifier: MIT
// The reader behind readTtir: one pass over the words of the text. Values are looked up by the names in
// scope where they are used, so a text that uses one before it is written is refused.
#pragma once

#include "core/triton/ttir.h"
#include "core/triton/ttir_lexer.h"
#include "core/triton/ttir_types.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace reinspect::triton
{

class TtirReader
{
public:
    explicit TtirReader(std::string_view text)
        : m_lexer(text)
    {}

    Result<Kernel> read();

private:
    struct ResultName
    {
        Token token;
        std::uint32_t count = 1; // "%i:3"
    };

    // The types behind the colon.
    struct Signature
    {
        std::vector<Type> before;
        std::vector<Type> after; // the arrow
        bool hasArrow = false;
    };

    using Labels = std::map<std::string, std::uint32_t, std::less<>>;

    // ttir_reader.cpp: what stands around operations
    Result<void> readTopLevel();
    Result<void> readAliasDefinition();
    Result<void> readModule();
    Result<void> readModuleBody();
    Result<void> readGenericModule();
    Result<void> readFunction();
    Result<void> readParameters(std::vector<Type>& types, std::vector<Token>& names);
    Result<void> readGenericFunction();
    Result<void> beginFunction(const Token& token);
    Result<void> endFunction();
    Result<void> readRegion(Region& region, const std::vector<ValueId>& entryArguments);
    Result<void> readBlocks(Region& region, const std::vector<ValueId>& entryArguments);
    Result<void> readLabel(Region& region, std::size_t& current, std::vector<bool>& seen);
    Result<void> readBlockArguments(Block& block);
    std::uint32_t blockOf(std::string_view label);
    void resolvePlaces();
    void resolvePlaces(Region& region);
    void resolvePlace(Place& place) const;

    // ttir_operation.cpp
    Result<void> readOperation(Block& block);
    Result<std::vector<ResultName>> readResultNames();
    Result<void> readGenericOperation(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readGenericTail(Operation& operation, Literal& literal);
    Result<void> readGenericRegions(Operation& operation);
    Result<void> readPrettyOperation(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readConstant(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readHead(Operation& operation);
    Result<bool> readHeadToken(Operation& operation, int& depth); // false: the head ends here
    void takeHeadWord(Operation& operation, const Token& word);
    Result<void> readSuccessor(Operation& operation);
    Result<Signature> readSignature();
    Result<void> readTypeList(std::vector<Type>& types);
    Result<std::vector<Type>> resultTypes(const OpcodeFacts& facts, const Operation& operation,
                                          const Signature& signature, std::size_t named);
    Result<void> defineResults(Operation& operation, const std::vector<ResultName>& names,
                               std::vector<Type> types);
    Result<void> readTrailingLocation(Place& place);

    // ttir_control_flow.cpp
    Result<void> readFor(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readIf(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readWhile(Operation& operation, const std::vector<ResultName>& names);
    Result<void> readAssignments(Operation& operation, std::vector<Token>& names);
    Result<void> readOperand(Operation& operation);

    // Names in scope.
    Result<ValueId> valueNamed(const Token& token);
    ValueId addValue(Type type, std::string name);
    Result<ValueId> define(const Token& token, std::string name, Type type);
    void openScope() { m_scopes.push_back(m_undo.size()); }
    void closeScope();
    bool isLocation() const;
    Result<void> expect(char sign, const char* what);

    TtirLexer m_lexer;
    Kernel m_kernel;
    Function m_function;
    bool m_inFunction = false;
    int m_depth = 0; // of regions
    std::vector<Labels> m_labels;
    std::unordered_map<std::string, ValueId> m_names;
    std::vector<std::pair<std::string, ValueId>> m_undo; // what a name meant before
    std::vector<std::size_t> m_scopes;
    std::unordered_map<std::string, Place> m_aliases; // of locations, without the sign
};

} // namespace reinspect::triton
