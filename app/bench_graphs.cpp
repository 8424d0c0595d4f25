// SPDX-License-Identifier: MIT
#include "app/bench_graphs.h"

namespace reinspect
{
namespace
{

constexpr const char* kHeader = "class GraphModule(torch.nn.Module):\n"
                                "    def forward(self, x: \"f32[64][1]cuda:0\", i: "
                                "\"i64[4][1]cuda:0\", s: \"f32[4][1]cuda:0\"):\n";

std::string statement(const std::string& name, const char* meta, const std::string& call)
{
    return "        " + name + ": \"" + meta + "\" = torch.ops.aten." + call + "\n";
}

std::string comment(std::size_t line)
{
    return "\n        # File: model.py:" + std::to_string(line)
        + " in forward, code: y = self.proj(x); y[i] = s; return y + self.bias\n";
}

} // namespace

std::string longProgram(std::size_t nodes)
{
    constexpr const char* kWhole = "f32[64][1]cuda:0";
    std::string text = kHeader;
    std::string last = "x";
    for (std::size_t block = 0; block * 6 < nodes; ++block)
    {
        const std::string number = "_" + std::to_string(block);
        const bool readLater = block % 2 == 1;
        text += comment(block + 1);
        text +=
            statement("cos" + number, kWhole,
                      "cos.default(" + last + ");  " + (block == 0 ? "" : last + " = ") + "None");
        text += statement("slice" + number, "f32[32][1]cuda:0",
                          "slice.Tensor(cos" + number + ", 0, 0, 32)");
        text += statement("sum" + number, "f32[][]cuda:0", "sum.default(slice" + number + ")");
        text += statement("put" + number, kWhole, "index_put.default(cos" + number + ", [i], s)");
        const std::string read = readLater ? "slice" + number + ", 0" : "sum" + number;
        const std::string reader =
            readLater ? "select.int(" + read + ", 0)" : "neg.default(" + read + ")";
        text += statement("read" + number, "f32[][]cuda:0", reader);
        text +=
            statement("add" + number, kWhole, "add.Tensor(put" + number + ", read" + number + ")");
        last = "add" + number;
    }
    return text + "        return (" + last + ",)\n";
}

std::string manyViewsProgram(std::size_t views)
{
    std::string text = kHeader + statement("c", "f32[64][1]cuda:0", "cos.default(x)");
    std::string readers;
    std::string returned;
    for (std::size_t i = 0; i < views; ++i)
    {
        const std::string number = "_" + std::to_string(i);
        const std::string begin = std::to_string(i % 60);
        text += statement("v" + number, "f32[4][1]cuda:0",
                          "slice.Tensor(c, 0, " + begin + ", " + std::to_string(i % 60 + 4) + ")");
        if (i % 10 == 0)
        {
            text += statement("p" + number, "f32[64][1]cuda:0", "index_put.default(c, [i], s)");
            returned += "p" + number + ", ";
        }
        readers += statement("r" + number, "f32[4][1]cuda:0", "neg.default(v" + number + ")");
        returned += "r" + number + ", ";
    }
    return text + readers + "        return (" + returned + ")\n";
}

std::string disjointSlicesProgram(std::size_t slices)
{
    const std::string whole = "f32[" + std::to_string(4 * slices) + "][1]cuda:0";
    std::string text = kHeader
        + statement("c", whole.c_str(),
                    "empty.memory_format([" + std::to_string(4 * slices) + "])");
    std::string writers;
    std::string returned;
    for (std::size_t i = 0; i < slices; ++i)
    {
        const std::string number = "_" + std::to_string(i);
        text += statement("v" + number, "f32[4][1]cuda:0",
                          "slice.Tensor(c, 0, " + std::to_string(4 * i) + ", "
                              + std::to_string(4 * i + 4) + ")");
        writers += statement("p" + number, "f32[4][1]cuda:0",
                             "index_put.default(v" + number + ", [i], s)");
        returned += "p" + number + ", ";
    }
    return text + writers + "        return (" + returned + ")\n";
}

std::string updatesProgram(std::size_t updates)
{
    constexpr const char* kWhole = "f32[64][1]cuda:0";
    std::string text = kHeader + statement("p_0", kWhole, "cos.default(x)");
    for (std::size_t i = 1; i <= updates; ++i)
        text += statement("p_" + std::to_string(i), kWhole,
                          "index_put.default(p_" + std::to_string(i - 1) + ", [i], s)");
    return text + "        return (p_" + std::to_string(updates) + ",)\n";
}

std::string manyUsersProgram(std::size_t users)
{
    constexpr const char* kWhole = "f32[64][1]cuda:0";
    std::string text = kHeader + statement("c", kWhole, "cos.default(x)");
    for (std::size_t i = 0; i < users; ++i)
    {
        if (i == users / 2)
            text += statement("p", kWhole, "index_put.default(c, [i], s)");
        text += statement("r_" + std::to_string(i), kWhole, "neg.default(c)");
    }
    return text + statement("q", kWhole, "index_put.default(c, [i], s)")
        + "        return (p, q)\n";
}

} // namespace reinspect
