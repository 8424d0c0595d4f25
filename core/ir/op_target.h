// SPDX-License-Identifier: MIT
// What a node calls, as PyTorch names it, with its row of the operator table looked up once. Reads as
// text. A target that the table knows costs no memory of its own.
#pragma once

#include "core/ir/op_facts.h"

#include <memory>
#include <string>
#include <string_view>

namespace reinspect
{

class OpTarget
{
public:
    OpTarget() = default;
    OpTarget(std::string_view text)
        : m_facts(findOpFacts(text))
    {
        if (!text.empty() && (!m_facts || m_facts->name != text))
            m_text = std::make_unique<const std::string>(text);
    }
    OpTarget(const std::string& text)
        : OpTarget(std::string_view(text))
    {}
    OpTarget(const char* text)
        : OpTarget(std::string_view(text))
    {}
    OpTarget(const OpTarget& other)
        : m_facts(other.m_facts)
        , m_text(other.m_text ? std::make_unique<const std::string>(*other.m_text) : nullptr)
    {}
    OpTarget(OpTarget&&) noexcept = default;
    OpTarget& operator=(OpTarget other) noexcept
    {
        m_facts = other.m_facts;
        m_text = std::move(other.m_text);
        return *this;
    }
    ~OpTarget() = default;

    const OpFacts* facts() const { return m_facts; } // null: not an operator of the table
    // As facts(), but null where the row's name is another: "aten.clone" is aten.clone.default.
    const OpFacts* row() const { return m_text ? nullptr : m_facts; }
    std::string_view view() const
    {
        return m_text ? std::string_view(*m_text) : m_facts ? m_facts->name : std::string_view();
    }
    std::string str() const { return std::string(view()); }
    operator std::string_view() const { return view(); }

    bool empty() const { return !m_text && !m_facts; }
    bool starts_with(std::string_view text) const { return view().starts_with(text); }
    bool ends_with(std::string_view text) const { return view().ends_with(text); }

    friend bool operator==(const OpTarget& a, const OpTarget& b)
    {
        return (!a.m_text && !b.m_text) ? a.m_facts == b.m_facts : a.view() == b.view();
    }
    friend std::string operator+(std::string text, const OpTarget& target)
    {
        return text.append(target.view());
    }
    friend bool operator==(const OpTarget& a, std::string_view b) { return a.view() == b; }
    friend bool operator==(const OpTarget& a, const std::string& b) { return a.view() == b; }
    friend bool operator==(const OpTarget& a, const char* b) { return a.view() == b; }

private:
    const OpFacts* m_facts = nullptr;
    std::unique_ptr<const std::string> m_text; // where it is not the name of the row
};

} // namespace reinspect
