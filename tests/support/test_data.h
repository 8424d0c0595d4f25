// SPDX-License-Identifier: MIT
// Files of tests/data, and texts compared so that a failure shows where they part.
#pragma once

#include <QTest>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace reinspect
{

inline std::string testDataPath(std::string_view name)
{
    return std::string(REINSPECT_SOURCE_DIR "/tests/data/").append(name);
}

// Ends the test program when the file is not there: the checkout is not complete.
inline std::string testData(std::string_view name)
{
    std::ifstream file(testDataPath(name), std::ios::binary);
    if (!file)
        qFatal("tests/data/%s is missing", std::string(name).c_str());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Empty when equal; else the first line that differs, from both.
inline std::string firstDifference(std::string_view actual, std::string_view expected)
{
    std::istringstream a{std::string(actual)};
    std::istringstream b{std::string(expected)};
    std::string lineA;
    std::string lineB;
    for (int number = 1; actual != expected; ++number)
    {
        const bool endA = !std::getline(a, lineA);
        const bool endB = !std::getline(b, lineB);
        if (endA && endB)
            return "the texts differ in their last line break";
        if (endA != endB || lineA != lineB)
            return "line " + std::to_string(number) + "\n  actual:   " + (endA ? "(end)" : lineA)
                + "\n  expected: " + (endB ? "(end)" : lineB);
    }
    return {};
}

} // namespace reinspect

#define COMPARE_TEXT(actual, expected)                                                             \
    do                                                                                             \
    {                                                                                              \
        const std::string difference = reinspect::firstDifference((actual), (expected));           \
        QVERIFY2(difference.empty(), difference.c_str());                                          \
    } while (false)
