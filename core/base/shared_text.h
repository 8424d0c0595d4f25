// SPDX-License-Identifier: MIT
// A text that many owners hold at once, as the line of code that a run of nodes came from. Never changed
// in place; copies cost a count.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace reinspect
{

class SharedText
{
public:
    SharedText() = default;
    SharedText(std::string text)
        : m_text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)))
    {}
    SharedText(std::string_view text)
        : SharedText(std::string(text))
    {}
    SharedText(const char* text)
        : SharedText(std::string(text))
    {}

    bool empty() const { return !m_text; }
    const std::string& str() const
    {
        static const std::string nothing;
        return m_text ? *m_text : nothing;
    }

    friend bool operator==(const SharedText& a, const SharedText& b)
    {
        return a.m_text == b.m_text || a.str() == b.str();
    }

private:
    std::shared_ptr<const std::string> m_text; // null: empty
};

} // namespace reinspect
