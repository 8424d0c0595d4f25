// SPDX-License-Identifier: MIT
// sympy's spelling of a tree: the brackets of its printer, "1 - s0" instead of "1 + -s0".
#include "core/ir/sym_node.h"

namespace reinspect
{
namespace
{

enum class Precedence
{
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Sum,
    Product,
    Power,
    Atom,
};

Precedence precedenceOf(const SymExpr& expr)
{
    const SymNode* node = expr.node();
    if (!node)
        return *expr.constant() < 0 ? Precedence::Sum : Precedence::Atom;
    switch (node->kind)
    {
    case SymKind::Compare: return Precedence::Compare;
    case SymKind::BitOr: return Precedence::BitOr;
    case SymKind::BitXor: return Precedence::BitXor;
    case SymKind::BitAnd: return Precedence::BitAnd;
    case SymKind::Add:
    case SymKind::Negate:
    case SymKind::Modulo: // -(a % b) is not -a % b
        return Precedence::Sum;
    case SymKind::Multiply:
    case SymKind::Divide:
        // "-2*s0" stands like a difference.
        return node->operands[0].constant().value_or(0) < 0 ? Precedence::Sum : Precedence::Product;
    case SymKind::Power:
    case SymKind::Not: return Precedence::Power;
    case SymKind::Symbol:
    case SymKind::Literal:
    case SymKind::FloorDivide:
    case SymKind::Call:
    case SymKind::Tuple:
    case SymKind::Group:
    case SymKind::TooLarge: break;
    }
    return Precedence::Atom;
}

class Printer
{
public:
    std::string take() { return std::move(m_text); }
    void print(const SymExpr& expr);

private:
    // In brackets when it binds less tightly than `least`.
    void printAtLeast(const SymExpr& expr, Precedence least);
    void printJoined(const std::vector<SymExpr>& items, std::string_view separator,
                     Precedence least);
    void printSum(const std::vector<SymExpr>& terms);
    void printProduct(const SymNode& node, std::string_view sign);
    void printPair(const SymNode& node, std::string_view sign, Precedence left, Precedence right);
    void printPrefixed(std::string_view sign, const SymExpr& operand, Precedence least);
    void printEnclosed(std::string_view name, const std::vector<SymExpr>& items,
                       std::string_view end);
    void printFloorDivide(const SymNode& node);
    void printNode(const SymNode& node);

    std::string m_text;
};

void Printer::print(const SymExpr& expr)
{
    if (expr.node())
        printNode(*expr.node());
    else
        m_text += std::to_string(*expr.constant());
}

void Printer::printAtLeast(const SymExpr& expr, Precedence least)
{
    const bool brackets = precedenceOf(expr) < least;
    m_text += brackets ? "(" : "";
    print(expr);
    m_text += brackets ? ")" : "";
}

void Printer::printJoined(const std::vector<SymExpr>& items, std::string_view separator,
                          Precedence least)
{
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        m_text += i == 0 ? "" : separator;
        printAtLeast(items[i], least);
    }
}

void Printer::printSum(const std::vector<SymExpr>& terms)
{
    for (std::size_t i = 0; i < terms.size(); ++i)
    {
        const std::size_t start = m_text.size();
        // A sum inside a sum keeps its brackets; a negative term does not need any.
        printAtLeast(terms[i],
                     isKind(terms[i], SymKind::Add) ? Precedence::Product : Precedence::Sum);
        if (i == 0)
            continue;
        if (m_text[start] == '-')
            m_text.replace(start, 1, " - ");
        else
            m_text.insert(start, " + ");
    }
}

// A negative number may lead without brackets: "-2*s0".
void Printer::printProduct(const SymNode& node, std::string_view sign)
{
    const bool leadingNumber = !node.operands[0].node();
    printAtLeast(node.operands[0], leadingNumber ? Precedence::Sum : Precedence::Product);
    for (std::size_t i = 1; i < node.operands.size(); ++i)
    {
        m_text += sign;
        const bool product = precedenceOf(node.operands[i]) == Precedence::Product;
        printAtLeast(node.operands[i], product ? Precedence::Power : Precedence::Product);
    }
}

void Printer::printPair(const SymNode& node, std::string_view sign, Precedence left,
                        Precedence right)
{
    printAtLeast(node.operands[0], left);
    m_text += sign;
    printAtLeast(node.operands[1], right);
}

void Printer::printPrefixed(std::string_view sign, const SymExpr& operand, Precedence least)
{
    m_text += sign;
    printAtLeast(operand, least);
}

void Printer::printEnclosed(std::string_view name, const std::vector<SymExpr>& items,
                            std::string_view end)
{
    (m_text += name) += '(';
    printJoined(items, ", ", Precedence::Compare);
    m_text += end;
}

void Printer::printFloorDivide(const SymNode& node)
{
    m_text += '(';
    printPair(node, "//", Precedence::Atom, Precedence::Atom);
    m_text += ')';
}

void Printer::printNode(const SymNode& node)
{
    switch (node.kind)
    {
    case SymKind::Add: return printSum(node.operands);
    case SymKind::Multiply: return printProduct(node, "*");
    case SymKind::Divide: return printProduct(node, "/");
    case SymKind::Negate: return printPrefixed("-", node.operands[0], Precedence::Product);
    case SymKind::FloorDivide: return printFloorDivide(node);
    case SymKind::Modulo: return printPair(node, " % ", Precedence::Product, Precedence::Power);
    case SymKind::Power: return printPair(node, "**", Precedence::Atom, Precedence::Power);
    case SymKind::Compare:
        return printPair(node, " " + node.text + " ", Precedence::BitOr, Precedence::BitOr);
    case SymKind::BitAnd: return printJoined(node.operands, " & ", Precedence::Sum);
    case SymKind::BitXor: return printJoined(node.operands, " ^ ", Precedence::BitAnd);
    case SymKind::BitOr: return printJoined(node.operands, " | ", Precedence::BitXor);
    case SymKind::Not: return printPrefixed("~", node.operands[0], Precedence::Atom);
    case SymKind::Call:
    case SymKind::Group: return printEnclosed(node.text, node.operands, ")");
    case SymKind::Tuple:
        return printEnclosed({}, node.operands, node.operands.size() == 1 ? ",)" : ")");
    case SymKind::Symbol:
    case SymKind::Literal:
    case SymKind::TooLarge: m_text += node.text;
    }
}

} // namespace

std::string toText(const SymExpr& expr)
{
    Printer printer;
    printer.print(expr);
    return printer.take();
}

} // namespace reinspect
