// SPDX-License-Identifier: MIT
// Programs of a few lines for tests of operators: x is [[0, 1, 2], [3, 4, 5]], b is [true, false, true], i is
// [2, 0], h is [1.5, 2.25] in float16, n is [[1, nan, 3], [-2, 0, -7]], e has the sizes [0, 3].
#pragma once

#include "core/exec/elements.h"
#include "core/exec/executor.h"

#include "tests/support/graph_text.h"

#include <QTest>

#include <cmath>
#include <cstdio>
#include <string>

namespace reinspect::exec
{

template<typename C>
Value tensorOf(DType dtype, Sizes sizes, const std::vector<C>& values)
{
    const auto tracker = std::make_shared<StorageTracker>(1 << 20);
    Tensor tensor{dtype, sizes, contiguousStrides(sizes), 0, nullptr, false};
    tensor.storage =
        *tracker->allocate(tensor.count() * tensor.elementBytes(), dtype, StorageRole::Input);
    writeAll<C>(tensor, values);
    return Value(tensor);
}

inline RunInputs smallInputs()
{
    RunInputs given;
    given.placeholders = {tensorOf<double>(DType::Float32, {2, 3}, {0, 1, 2, 3, 4, 5}),
                          tensorOf<std::int64_t>(DType::Bool, {3}, {1, 0, 1}),
                          tensorOf<std::int64_t>(DType::Int64, {2}, {2, 0}),
                          tensorOf<double>(DType::Float16, {2}, {1.5, 2.25}),
                          tensorOf<double>(DType::Float32, {2, 3}, {1, NAN, 3, -2, 0, -7}),
                          tensorOf<double>(DType::Float32, {0, 3}, {})};
    return given;
}

// "float32[2]: 1 2.5", parts of a tuple separated by "; "
inline std::string valueText(const Value& value)
{
    if (const std::vector<Value>* items = value.items())
    {
        std::string text;
        for (const Value& item : *items)
            text += (text.empty() ? "" : "; ") + valueText(item);
        return text;
    }
    const Tensor* tensor = value.tensor();
    if (!tensor)
        return value.number() ? std::to_string(*value.number()) : kindText(value);
    std::string text = tensorText(*tensor) + ":";
    for (const double number : readAll<double>(*tensor))
    {
        char digits[32];
        std::snprintf(digits, sizeof(digits), " %.6g", std::isnan(number) ? NAN : number);
        text += digits;
    }
    return text;
}

inline Graph smallGraph(const std::string& statements, const std::string& result = "r")
{
    return graphFrom("    def forward(self, x: \"f32[2, 3]\", b: \"b8[3]\", i: \"i64[2]\", "
                     "h: \"f16[2]\", n: \"f32[2, 3]\", e: \"f32[0, 3]\"):\n"
                     + statements + "        return (" + result + ",)\n");
}

// Runs the statements of `body`, separated by ";", on `given`; the last value is named r.
inline GraphRun runSmall(const std::string& body, RunInputs& given, const RunOptions& options = {})
{
    std::string text;
    std::size_t at = 0;
    while (at < body.size())
    {
        const std::size_t end = std::min(body.find(';', at), body.size());
        text += "        " + body.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return runGraph(smallGraph(text), {}, given, options);
}

// What the program gives, or "node 'r' (...): ..." where it cannot run.
inline std::string resultOf(const std::string& body)
{
    RunInputs given = smallInputs();
    const GraphRun run = runSmall(body, given);
    if (run.failure)
        return run.failure->message;
    std::string text;
    for (const Value& output : run.outputs) // a tuple comes in its parts
        text += (text.empty() ? "" : "; ") + valueText(output);
    return text;
}

// The data and the checks of a table of programs, each with what it gives or with what is said of it.
inline void operatorColumns()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("expected");
}

inline void operatorRow(const char* name, const char* body, const char* expected)
{
    QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(expected);
}

inline void operatorGives()
{
    QFETCH(const QString, body);
    QFETCH(const QString, expected);
    QCOMPARE(QString::fromStdString(resultOf(body.toStdString())), expected);
}

inline void operatorSays()
{
    QFETCH(const QString, body);
    QFETCH(const QString, expected);
    const QString text = QString::fromStdString(resultOf(body.toStdString()));
    QVERIFY2(text.contains(expected), qPrintable(text));
}

} // namespace reinspect::exec
