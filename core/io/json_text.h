// SPDX-License-Identifier: MIT
// Spelling JSON: what writers append to a growing text.
#pragma once

#include <string>
#include <string_view>

namespace reinspect
{

// In double quotes; control characters escaped, bytes that are no UTF-8 replaced.
void appendJsonString(std::string& text, std::string_view value);
// Shortest digits that read back, with a point or an exponent, so that it stays a float.
// The value must be finite.
void appendJsonNumber(std::string& text, double value);

// Writes the commas of one array or object: call next() before each item.
class JsonSeparator
{
public:
    explicit JsonSeparator(std::string& text)
        : m_text(text)
    {}

    std::string& next()
    {
        if (m_started)
            m_text += ',';
        m_started = true;
        return m_text;
    }
    // Object: the comma and the key.
    std::string& key(std::string_view name)
    {
        next();
        appendJsonString(m_text, name);
        return m_text += ':';
    }

private:
    std::string& m_text;
    bool m_started = false;
};

} // namespace reinspect
