// SPDX-License-Identifier: MIT
// Each operator on a few numbers, with results worked out by hand.
#include "tests/support/triton_kernels.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace reinspect;
using namespace reinspect::triton;
using Numbers = std::vector<double>;
Q_DECLARE_METATYPE(Numbers)

namespace
{

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// "tensor<4x...>": T in an operator's line is the type of %a and %b, R that of %r.
std::string replaced(std::string line, const std::string& in, const std::string& out)
{
    for (const auto& [mark, text] :
         {std::pair(std::string("$T"), in), std::pair(std::string("$R"), out)})
        for (std::size_t at = 0; (at = line.find(mark, at)) != std::string::npos; at += text.size())
            line.replace(at, mark.size(), text);
    return line;
}

// %a and %b are loaded from memory, %r is stored.
std::string kernelAround(const std::string& lines, const std::string& in, const std::string& out,
                         std::size_t count, std::size_t results)
{
    const auto n = std::to_string(count);
    const auto m = std::to_string(results);
    const auto pointers = [](const std::string& size, const std::string& type) {
        return "tensor<" + size + "x!tt.ptr<" + type + ">>";
    };
    std::string text = "module {\n  tt.func public @k(%x: !tt.ptr<" + in + ">, %y: !tt.ptr<" + in
        + ">, %z: !tt.ptr<" + out + ">) {\n";
    const std::string range = "    %i = tt.make_range {end = " + n
        + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n    %o = tt.make_range {end = " + m
        + " : i32, start = 0 : i32} : tensor<" + m + "xi32>\n";
    text += range;
    for (const auto& [value, base] : {std::pair("a", "x"), std::pair("b", "y")})
    {
        const std::string v = value;
        text += "    %p" + v + " = tt.splat %" + base + " : !tt.ptr<" + in + "> -> "
            + pointers(n, in) + "\n";
        text += "    %q" + v + " = tt.addptr %p" + v + ", %i : " + pointers(n, in) + ", tensor<" + n
            + "xi32>\n";
        text += "    %" + v + " = tt.load %q" + v + " : " + pointers(n, in) + "\n";
    }
    text += lines + "\n";
    text += "    %pz = tt.splat %z : !tt.ptr<" + out + "> -> " + pointers(m, out) + "\n";
    text += "    %qz = tt.addptr %pz, %o : " + pointers(m, out) + ", tensor<" + m + "xi32>\n";
    text += "    tt.store %qz, %r : " + pointers(m, out) + "\n    tt.return\n  }\n}\n";
    return text;
}

bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

} // namespace

class tst_TtirOperators : public QObject
{
    Q_OBJECT

private slots:
    void operators_data();
    void operators();
};

void tst_TtirOperators::operators_data()
{
    QTest::addColumn<std::string>("lines");
    QTest::addColumn<std::string>("in");
    QTest::addColumn<std::string>("out");
    QTest::addColumn<Numbers>("a");
    QTest::addColumn<Numbers>("b");
    QTest::addColumn<Numbers>("expected");

    const auto row = [](const char* name, const std::string& lines, const std::string& in,
                        const std::string& out, Numbers a, Numbers b, Numbers expected) {
        QTest::newRow(name) << lines << in << out << std::move(a) << std::move(b)
                            << std::move(expected);
    };
    // T: four elements of the input's type.
    const auto binary = [&](const char* op, const std::string& type, Numbers a, Numbers b,
                            Numbers r) {
        const std::string name = std::string(op) + " " + type;
        row(name.c_str(), "    %r = " + std::string(op) + " %a, %b : tensor<4x" + type + ">", type,
            type, std::move(a), std::move(b), std::move(r));
    };
    binary("arith.addi", "i32", {1, -1, 2147483647, 5}, {2, -2, 1, 0}, {3, -3, -2147483648.0, 5});
    binary("arith.addi", "i8", {100, -100, 1, 0}, {100, -100, 1, 0}, {-56, 56, 2, 0});
    binary("arith.addi", "i64", {1, -1, 4294967296.0, 0}, {2, 1, 1, 0}, {3, 0, 4294967297.0, 0});
    binary("arith.subi", "i32", {1, -2147483648.0, 0, 5}, {2, 1, 0, 7}, {-1, 2147483647, 0, -2});
    binary("arith.muli", "i16", {300, -300, 2, 0}, {300, 300, 3, 9}, {24464, -24464, 6, 0});
    binary("arith.divsi", "i32", {7, -7, 7, -2147483648.0}, {2, 2, 0, -1},
           {3, -3, -1, -2147483648.0});
    binary("arith.divui", "i32", {7, -1, 7, 9}, {2, 2, 0, 3}, {3, 2147483647, -1, 3});
    binary("arith.remsi", "i32", {7, -7, 7, -2147483648.0}, {2, 2, -4, -1}, {1, -1, 3, 0});
    binary("arith.remui", "i32", {7, -1, 7, 9}, {4, 10, 2, 3}, {3, 5, 1, 0});
    binary("arith.floordivsi", "i32", {7, -7, 7, -7}, {2, 2, -2, -2}, {3, -4, -4, 3});
    binary("arith.ceildivsi", "i32", {7, -7, 7, -7}, {2, 2, -2, -2}, {4, -3, -3, 4});
    binary("arith.ceildivui", "i32", {7, 8, 0, 9}, {2, 2, 5, 10}, {4, 4, 0, 1});
    binary("arith.shli", "i32", {1, -1, 1, 3}, {4, 1, 32, 31}, {16, -2, 0, -2147483648.0});
    binary("arith.shrsi", "i32", {16, -16, -1, 1}, {2, 2, 40, 0}, {4, -4, -1, 1});
    binary("arith.shrui", "i32", {16, -16, -1, 1}, {2, 28, 32, 0}, {4, 15, 0, 1});
    binary("arith.andi", "i8", {12, -1, 5, 0}, {10, 7, 2, 1}, {8, 7, 0, 0});
    binary("arith.ori", "i8", {12, -1, 5, 0}, {10, 7, 2, 1}, {14, -1, 7, 1});
    binary("arith.xori", "i8", {12, -1, 5, 0}, {10, 7, 2, 1}, {6, -8, 7, 1});
    binary("arith.maxsi", "i32", {1, -1, 5, 0}, {2, -2, 5, -7}, {2, -1, 5, 0});
    binary("arith.maxui", "i32", {1, -1, 5, 0}, {2, 7, 5, -7}, {2, -1, 5, -7});
    binary("arith.minsi", "i32", {1, -1, 5, 0}, {2, -2, 5, -7}, {1, -2, 5, -7});
    binary("arith.minui", "i32", {1, -1, 5, 0}, {2, 7, 5, -7}, {1, 7, 5, 0});
    binary("tt.mulhiui", "i32", {-1, 65536, 3, 2147483647}, {-1, 65536, 5, 4}, {-2, 1, 0, 1});
    binary("tt.mulhiui", "i64", {-1, 4294967296.0, 3, 1}, {-1, 4294967296.0, 5, 1}, {-2, 1, 0, 0});
    binary("arith.addf", "f32", {1.5, -0.0, kInf, 16777216}, {2, -0.0, -kInf, 1},
           {3.5, -0.0, kNan, 16777216});
    // 2048 + 1 lies halfway between two numbers of f16: the even one; 2050 + 1, likewise.
    binary("arith.addf", "f16", {2048, 2050, 65504, 1}, {1, 1, 32, 0.0009765625},
           {2048, 2052, kInf, 1.0009765625});
    binary("arith.addf", "bf16", {256, 258, 1, -1}, {1, 1, 0.00390625, 1}, {256, 260, 1, 0});
    binary("arith.subf", "f32", {1.5, 3, 1, 0}, {2, 1, 1, 0}, {-0.5, 2, 0, 0});
    binary("arith.mulf", "f32", {1.5, -3, 0, kInf}, {2, 1, -1, 0}, {3, -3, -0.0, kNan});
    binary("arith.divf", "f64", {1, -3, 1, 0}, {3, 2, 0, 0}, {1.0 / 3, -1.5, kInf, kNan});
    binary("arith.remf", "f32", {7.5, -7.5, 7.5, 1}, {2, 2, -2, 0}, {1.5, -1.5, 1.5, kNan});
    binary("arith.maximumf", "f32", {1, kNan, -0.0, 3}, {2, 1, 0.0, kNan}, {2, kNan, 0, kNan});
    binary("arith.minimumf", "f32", {1, kNan, -0.0, 3}, {2, 1, 0.0, kNan}, {1, kNan, -0.0, kNan});
    binary("arith.maxnumf", "f32", {1, kNan, 5, kNan}, {2, 1, kNan, kNan}, {2, 1, 5, kNan});
    binary("arith.minnumf", "f32", {1, kNan, 5, kNan}, {2, 1, kNan, kNan}, {1, 1, 5, kNan});
    binary("tt.precise_divf", "f32", {1, 9, 1, 0}, {4, 3, 2, 1}, {0.25, 3, 0.5, 0});
    binary("math.powf", "f32", {2, 9, -2, 0}, {10, 0.5, 3, 0}, {1024, 3, -8, 1});
    binary("math.copysign", "f32", {2, -9, 0, 1}, {-1, 0.5, -3, -0.0}, {-2, 9, -0.0, -1});

    const auto unary = [&](const char* op, const std::string& type, Numbers a, Numbers r) {
        row((std::string(op) + " " + type).c_str(),
            "    %r = " + std::string(op) + " %a : tensor<4x" + type + ">", type, type, a, a,
            std::move(r));
    };
    unary("math.exp", "f64", {0, 1, -kInf, kInf}, {1, std::exp(1.0), 0, kInf});
    unary("math.exp2", "f32", {0, 3, -1, 10}, {1, 8, 0.5, 1024});
    unary("math.log", "f64", {1, 0, -1, 2}, {0, -kInf, kNan, std::log(2.0)});
    unary("math.log2", "f32", {1, 8, 0.5, 1024}, {0, 3, -1, 10});
    unary("math.log1p", "f64", {0, 1, -1, 1e-20}, {0, std::log(2.0), -kInf, 1e-20});
    unary("math.sqrt", "f32", {4, 2.25, 0, -1}, {2, 1.5, 0, kNan});
    unary("math.rsqrt", "f32", {4, 0.25, 1, 0}, {0.5, 2, 1, kInf});
    unary("tt.precise_sqrt", "f32", {4, 2.25, 0, 9}, {2, 1.5, 0, 3});
    unary("math.sin", "f64", {0, 1, -1, 2}, {0, std::sin(1.0), -std::sin(1.0), std::sin(2.0)});
    unary("math.cos", "f64", {0, 1, -1, 2}, {1, std::cos(1.0), std::cos(1.0), std::cos(2.0)});
    unary("math.tanh", "f64", {0, kInf, -kInf, 1}, {0, 1, -1, std::tanh(1.0)});
    unary("math.erf", "f64", {0, kInf, -kInf, 1}, {0, 1, -1, std::erf(1.0)});
    unary("math.absf", "f32", {-1, -0.0, kInf, 2}, {1, 0, kInf, 2});
    unary("math.absi", "i32", {-1, 0, 7, -2147483648.0}, {1, 0, 7, -2147483648.0});
    unary("math.floor", "f32", {1.5, -1.5, 2, -0.5}, {1, -2, 2, -1});
    unary("math.ceil", "f32", {1.5, -1.5, 2, -0.5}, {2, -1, 2, -0.0});
    unary("math.round", "f32", {1.5, -1.5, 2.5, 0.5}, {2, -2, 3, 1});
    unary("math.roundeven", "f32", {1.5, -1.5, 2.5, 0.5}, {2, -2, 2, 0});
    unary("arith.negf", "f32", {1.5, 0, -kInf, -2}, {-1.5, -0.0, kInf, 2});
    unary("math.ctpop", "i32", {0, -1, 7, 8}, {0, 32, 3, 1});
    unary("math.ctlz", "i32", {0, -1, 7, 1}, {32, 0, 29, 31});
    unary("math.cttz", "i32", {0, -1, 8, 2}, {32, 0, 3, 1});

    row("fma rounds once", "    %r = math.fma %a, %a, %b : tensor<2xf32>", "f32", "f32", {3, 4097},
        {1, -16785408}, {10, 1});
    row("clampf",
        "    %l = arith.constant dense<0.0> : tensor<4xf32>\n    %h = arith.constant dense<1.0> : "
        "tensor<4xf32>\n    %r = tt.clampf %a, %l, %h, propagateNan = none : tensor<4xf32>",
        "f32", "f32", {-1, 0.5, 2, kNan}, {0, 0, 0, 0}, {0, 0.5, 1, 0});
    row("clampf keeps a NaN",
        "    %l = arith.constant dense<0.0> : tensor<4xf32>\n    %h = arith.constant dense<1.0> : "
        "tensor<4xf32>\n    %r = tt.clampf %a, %l, %h, propagateNan = all : tensor<4xf32>",
        "f32", "f32", {-1, 0.5, 2, kNan}, {0, 0, 0, 0}, {0, 0.5, 1, kNan});
    row("mulsi_extended", "    %l, %r = arith.mulsi_extended %a, %b : tensor<4xi32>", "i32", "i32",
        {-1, 65536, -65536, 3}, {-1, 65536, 65536, 5}, {0, 1, -1, 0});
    row("mului_extended", "    %l, %r = arith.mului_extended %a, %b : tensor<4xi32>", "i32", "i32",
        {-1, 65536, 2, 3}, {-1, 65536, -1, 5}, {-2, 1, 1, 0});

    const auto compare = [&](const char* predicate, bool isFloat, Numbers a, Numbers b, Numbers r) {
        const std::string type = isFloat ? "f32" : "i32";
        row((std::string(isFloat ? "cmpf " : "cmpi ") + predicate).c_str(),
            "    %c = arith.cmp" + std::string(isFloat ? "f " : "i ") + predicate
                + ", %a, %b : tensor<4x" + type
                + ">\n    %r = arith.extui %c : tensor<4xi1> to tensor<4xi32>",
            type, "i32", std::move(a), std::move(b), std::move(r));
    };
    const Numbers ia = {1, 2, -1, 5};
    const Numbers ib = {2, 2, 1, -5};
    compare("eq", false, ia, ib, {0, 1, 0, 0});
    compare("ne", false, ia, ib, {1, 0, 1, 1});
    compare("slt", false, ia, ib, {1, 0, 1, 0});
    compare("sle", false, ia, ib, {1, 1, 1, 0});
    compare("sgt", false, ia, ib, {0, 0, 0, 1});
    compare("sge", false, ia, ib, {0, 1, 0, 1});
    compare("ult", false, ia, ib, {1, 0, 0, 1});
    compare("ule", false, ia, ib, {1, 1, 0, 1});
    compare("ugt", false, ia, ib, {0, 0, 1, 0});
    compare("uge", false, ia, ib, {0, 1, 1, 0});
    const Numbers fa = {1, 2, 3, kNan};
    const Numbers fb = {2, 2, 1, 1};
    compare("false", true, fa, fb, {0, 0, 0, 0});
    compare("oeq", true, fa, fb, {0, 1, 0, 0});
    compare("ogt", true, fa, fb, {0, 0, 1, 0});
    compare("oge", true, fa, fb, {0, 1, 1, 0});
    compare("olt", true, fa, fb, {1, 0, 0, 0});
    compare("ole", true, fa, fb, {1, 1, 0, 0});
    compare("one", true, fa, fb, {1, 0, 1, 0});
    compare("ord", true, fa, fb, {1, 1, 1, 0});
    compare("ueq", true, fa, fb, {0, 1, 0, 1});
    compare("ugt", true, fa, fb, {0, 0, 1, 1});
    compare("uge", true, fa, fb, {0, 1, 1, 1});
    compare("ult", true, fa, fb, {1, 0, 0, 1});
    compare("ule", true, fa, fb, {1, 1, 0, 1});
    compare("une", true, fa, fb, {1, 0, 1, 1});
    compare("uno", true, fa, fb, {0, 0, 0, 1});
    compare("true", true, fa, fb, {1, 1, 1, 1});

    const auto cast = [&](const char* op, const std::string& from, const std::string& to, Numbers a,
                          Numbers r) {
        row((std::string(op) + " " + from + " to " + to).c_str(),
            "    %r = " + std::string(op) + " %a : tensor<4x" + from + "> to tensor<4x" + to + ">",
            from, to, a, a, std::move(r));
    };
    cast("arith.extsi", "i8", "i32", {-1, 127, -128, 0}, {-1, 127, -128, 0});
    cast("arith.extui", "i8", "i32", {-1, 127, -128, 0}, {255, 127, 128, 0});
    cast("arith.trunci", "i32", "i8", {255, 128, 257, -1}, {-1, -128, 1, -1});
    cast("arith.sitofp", "i32", "f32", {-1, 16777217, 0, 7}, {-1, 16777216, 0, 7});
    cast("arith.uitofp", "i8", "f32", {-1, 1, -128, 7}, {255, 1, 128, 7});
    cast("arith.fptosi", "f32", "i32", {-1.9, 1.9, 1e20, kNan}, {-1, 1, 2147483647, 0});
    cast("arith.fptosi", "f32", "i8", {-1.9, 100, 3, 4}, {-1, 100, 3, 4});
    cast("arith.fptoui", "f32", "i32", {-5, 1.9, 4294967295.0, 3e9}, {0, 1, -1, -1294967296});
    cast("arith.extf", "f16", "f32", {1.5, -0.0, kInf, 65504}, {1.5, -0.0, kInf, 65504});
    cast("arith.truncf", "f32", "f16", {1.0004883, 65520, 1e-8, 2049}, {1, kInf, 0, 2048});
    cast("arith.truncf", "f32", "bf16", {1.00390625, 1.01171875, -3, kNan},
         {1, 1.015625, -3, kNan});
    cast("arith.truncf", "f64", "f32", {0.1, 1e300, -3, 1},
         {static_cast<double>(0.1f), kInf, -3, 1});

    const auto arrow = [&](const char* name, const std::string& op, const std::string& from,
                           const std::string& to, Numbers a, Numbers r) {
        row(name, "    %r = " + op + " : tensor<4x" + from + "> -> tensor<4x" + to + ">", from, to,
            a, a, std::move(r));
    };
    arrow("f8E4M3FN, ties to even and saturation", "tt.fp_to_fp %a, rounding = rtne", "f32",
          "f8E4M3FN", {1.0625, 1.1875, 1000, 0.001953125}, {1, 1.25, 448, 0.001953125});
    arrow("f8E5M2", "tt.fp_to_fp %a, rounding = rtne", "f32", "f8E5M2", {1.125, 1.375, -3, kNan},
          {1, 1.5, -3, kNan});
    arrow("f16 towards zero", "tt.fp_to_fp %a, rounding = rtz", "f32", "f16",
          {1.0009, 65535, -2049.5, 3}, {1, 65504, -2048, 3});
    arrow("bits of a float", "tt.bitcast %a", "f32", "i32", {1, -0.0, 2, 0},
          {1065353216, -2147483648.0, 1073741824, 0});
    arrow("float of bits", "arith.bitcast %a", "i32", "f32",
          {1065353216, 0, 1073741824, -2147483648.0}, {1, 0, 2, -0.0});

    row("select",
        "    %c = arith.cmpi sgt, %a, %b : tensor<4xi32>\n    %r = arith.select %c, %a, %b : "
        "tensor<4xi1>, tensor<4xi32>",
        "i32", "i32", {1, 5, -1, 0}, {2, 2, 2, 0}, {2, 5, 2, 0});
    row("dense constants",
        "    %c = arith.constant dense<[1, -2, 3, 4]> : tensor<4xi32>\n"
        "    %r = arith.addi %a, %c : tensor<4xi32>",
        "i32", "i32", {1, 5, -1, 0}, {0, 0, 0, 0}, {2, 3, 2, 4});
    row("a constant of bytes",
        "    %r = arith.constant dense<\"0x0000803F000000C0\"> : tensor<2xf32>", "f32", "f32",
        {0, 0}, {0, 0}, {1, -2});
    row("a constant of bits", "    %r = arith.constant dense<0xFF800000> : tensor<2xf32>", "f32",
        "f32", {0, 0}, {0, 0}, {-kInf, -kInf});

    row("expand, broadcast",
        "    %e = tt.expand_dims %a {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>\n"
        "    %d = tt.broadcast %e : tensor<2x1xf32> -> tensor<2x3xf32>\n"
        "    %r = tt.reshape %d : tensor<2x3xf32> -> tensor<6xf32>",
        "f32", "f32", {1, 2}, {0, 0}, {1, 1, 1, 2, 2, 2});
    row("transpose",
        "    %e = tt.reshape %a {allow_reorder = false} : tensor<6xf32> -> tensor<2x3xf32>\n"
        "    %d = tt.trans %e {order = array<i32: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>\n"
        "    %r = tt.reshape %d : tensor<3x2xf32> -> tensor<6xf32>",
        "f32", "f32", {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}, {1, 4, 2, 5, 3, 6});
    row("join",
        "    %e = tt.join %a, %b : tensor<3xf32> -> tensor<3x2xf32>\n"
        "    %r = tt.reshape %e : tensor<3x2xf32> -> tensor<6xf32>",
        "f32", "f32", {1, 2, 3}, {4, 5, 6}, {1, 4, 2, 5, 3, 6});
    row("split",
        "    %e = tt.reshape %a : tensor<6xi32> -> tensor<3x2xi32>\n"
        "    %s, %r = tt.split %e : tensor<3x2xi32> -> tensor<3xi32>",
        "i32", "i32", {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}, {2, 4, 6});
    row("cat", "    %r = tt.cat %a, %b : tensor<2xf32> -> tensor<4xf32>", "f32", "f32", {1, 2},
        {3, 4}, {1, 2, 3, 4});
    row("gather",
        "    %r = tt.gather %a[%b] {axis = 0 : i32} : (tensor<4xi32>, tensor<4xi32>) -> "
        "tensor<4xi32>",
        "i32", "i32", {10, 20, 30, 40}, {3, 0, 0, 2}, {40, 10, 10, 30});
    row("histogram", "    %r = tt.histogram %a : tensor<6xi32> -> tensor<4xi32>", "i32", "i32",
        {0, 1, 1, 3, 7, -1}, {0, 0, 0, 0, 0, 0}, {1, 2, 0, 1});

    const std::string sum =
        "({\n    ^bb0(%u: f32, %v: f32):\n      %w = arith.addf %u, %v : f32\n      ";
    row("reduce, an odd axis",
        "    %s = \"tt.reduce\"(%a) <{axis = 0 : i32}> " + sum
            + "tt.reduce.return %w : f32\n    }) : (tensor<5xf32>) -> f32\n"
              "    %r = tt.splat %s : f32 -> tensor<1xf32>",
        "f32", "f32", {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}, {15});
    row("reduce, inner axis",
        "    %e = tt.reshape %a : tensor<6xf32> -> tensor<2x3xf32>\n"
        "    %r = \"tt.reduce\"(%e) <{axis = 1 : i32}> "
            + sum + "tt.reduce.return %w : f32\n    }) : (tensor<2x3xf32>) -> tensor<2xf32>",
        "f32", "f32", {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}, {6, 15});
    row("reduce, outer axis",
        "    %e = tt.reshape %a : tensor<6xf32> -> tensor<3x2xf32>\n"
        "    %r = \"tt.reduce\"(%e) <{axis = 0 : i32}> "
            + sum + "tt.reduce.return %w : f32\n    }) : (tensor<3x2xf32>) -> tensor<2xf32>",
        "f32", "f32", {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}, {9, 12});
    row("scan",
        "    %r = \"tt.scan\"(%a) <{axis = 0 : i32, reverse = false}> " + sum
            + "tt.scan.return %w : f32\n    }) : (tensor<4xf32>) -> tensor<4xf32>",
        "f32", "f32", {1, 2, 3, 4}, {0, 0, 0, 0}, {1, 3, 6, 10});
    row("scan from the end",
        "    %r = \"tt.scan\"(%a) <{axis = 0 : i32, reverse = true}> " + sum
            + "tt.scan.return %w : f32\n    }) : (tensor<4xf32>) -> tensor<4xf32>",
        "f32", "f32", {1, 2, 3, 4}, {0, 0, 0, 0}, {10, 9, 7, 4});
    // With a value from around it, and a branch: lanes run one by one.
    row("reduce with a branch",
        "    %zero = arith.constant 0.0 : f32\n    %s = \"tt.reduce\"(%a) <{axis = 0 : i32}> ({\n"
        "    ^bb0(%u: f32, %v: f32):\n      %c = arith.cmpf ogt, %v, %zero : f32\n"
        "      %w = scf.if %c -> (f32) {\n        %t = arith.addf %u, %v : f32\n        scf.yield "
        "%t : f32\n"
        "      } else {\n        scf.yield %u : f32\n      }\n      tt.reduce.return %w : f32\n"
        "    }) : (tensor<4xf32>) -> f32\n    %r = tt.splat %s : f32 -> tensor<1xf32>",
        "f32", "f32", {1, 2, -3, 4}, {0, 0, 0, 0}, {4});

    const std::string square =
        "    %d = tt.reshape %a : tensor<4x$T> -> tensor<2x2x$T>\n"
        "    %e = tt.reshape %b : tensor<4x$T> -> tensor<2x2x$T>\n"
        "    %z0 = arith.constant dense<1$0> : tensor<2x2x$R>\n"
        "    %p = tt.dot %d, %e, %z0$P : tensor<2x2x$T> * tensor<2x2x$T> -> tensor<2x2x$R>\n"
        "    %r = tt.reshape %p : tensor<2x2x$R> -> tensor<4x$R>";
    const auto dot = [&](const char* name, const char* precision, const char* in, const char* out,
                         Numbers a, Numbers b, Numbers r) {
        std::string lines = square;
        lines.replace(lines.find("$P"), 2, precision);
        lines.replace(lines.find("$0"), 2, std::string(out).starts_with("f") ? ".0" : "");
        row(name, lines, in, out, std::move(a), std::move(b), std::move(r));
    };
    dot("dot", "", "f32", "f32", {1, 2, 3, 4}, {5, 6, 7, 8}, {20, 23, 44, 51});
    dot("dot of f16", ", inputPrecision = tf32", "f16", "f32", {1, 2, 3, 4}, {5, 6, 7, 8},
        {20, 23, 44, 51});
    dot("dot of i8", "", "i8", "i32", {1, 2, 3, 4}, {5, 6, 7, -8}, {20, -9, 44, -13});
    // TF32 holds 1 + 2^-10, not 1 + 2^-11.
    dot("dot in TF32", ", inputPrecision = tf32", "f32", "f32", {1.0009765625, 0, 1.00048828125, 0},
        {1, 0, 0, 1}, {2.0009765625, 1, 2, 1});

    row("libdevice",
        "    %r = tt.extern_elementwise %a {libname = \"\", libpath = \"\", pure = true, symbol = "
        "\"__nv_rintf\"} : (tensor<4xf32>) -> tensor<4xf32>",
        "f32", "f32", {0.5, 1.5, -0.5, 3}, {0, 0, 0, 0}, {0, 2, -0.0, 3});
    row("libdevice, two operands",
        "    %r = tt.extern_elementwise %a, %b {libname = \"\", libpath = \"\", pure = true, "
        "symbol = "
        "\"__nv_powf\"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
        "f32", "f32", {2, 3}, {3, 2}, {8, 9});
    row("libdevice, a truth",
        "    %r = tt.extern_elementwise %a {libname = \"\", libpath = \"\", pure = true, symbol = "
        "\"__nv_isnanf\"} : (tensor<2xf32>) -> tensor<2xi32>",
        "f32", "i32", {2, kNan}, {0, 0}, {0, 1});
}

void tst_TtirOperators::operators()
{
    QFETCH(const std::string, lines);
    QFETCH(const std::string, in);
    QFETCH(const std::string, out);
    QFETCH(const Numbers, a);
    QFETCH(const Numbers, b);
    QFETCH(const Numbers, expected);
    const std::string text =
        kernelAround(replaced(lines, in, out), in, out, a.size(), expected.size());

    const Result<Kernel> kernel = readTtir(text);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : toText(kernel.error()).c_str());
    Memory x(in, a);
    Memory y(in, b);
    Memory z(out, Numbers(expected.size(), 77));
    const std::vector<LaunchArgument> arguments = {x.argument(), y.argument(), z.argument()};
    const Result<RunReport> report = runKernel(*kernel, arguments, {});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());

    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(same(z.at(i), expected[i]),
                 ("element " + std::to_string(i) + " is " + std::to_string(z.at(i)) + ", expected "
                  + std::to_string(expected[i]))
                     .c_str());
}

QTEST_APPLESS_MAIN(tst_TtirOperators)
#include "tst_ttir_operators.moc"
