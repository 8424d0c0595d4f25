// SPDX-License-Identifier: MIT
// The right side of a statement: what kind of node it makes. One line makes one node, so there is
// one operation at most: a call, an operator, a subscript or an attribute.
#pragma once

#include "core/io/value_reader.h"

namespace reinspect
{

// The part of a node that its right side says.
struct NodeExpression
{
    NodeOp op = NodeOp::CallFunction;
    std::string target;
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
};

// A plain value makes no node: another name for one ("l_x_ = L_x_"), or None in a deletion.
using Expression = std::variant<NodeExpression, Argument>;

class ExpressionReader
{
public:
    ExpressionReader(TokenStream& tokens, ValueReader& values)
        : m_tokens(tokens)
        , m_values(values)
    {}

    Result<Expression> expression();

private:
    Result<Expression> startingWithName();
    Result<Expression> ofModule(std::string path);
    Result<Expression> getattrCall();
    Result<void> getattrEnd(std::string& path);
    Result<Expression> ofNode(NodeId node, std::string_view rest);
    Result<Expression> functionCall(std::string_view path);
    Result<Expression> prefixed();
    Result<Expression> continued(Argument left);

    TokenStream& m_tokens;
    ValueReader& m_values;
};

} // namespace reinspect
