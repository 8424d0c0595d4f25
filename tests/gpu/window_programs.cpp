// SPDX-License-Identifier: MIT
#include "tests/gpu/operator_programs.h"

namespace reinspect
{

std::vector<OperatorProgram> poolPrograms()
{
    const std::string op = "r = torch.ops.aten.";
    const std::string plane = "x: f32[2, 3, 9, 7]";
    const std::string half = "x: f16[2, 3, 8, 8]";
    const std::string last = "y: f32[2, 6, 8, 5]";
    const std::string moved = "x = torch.ops.aten.permute.default(y, [0, 3, 1, 2]); ";
    std::vector<OperatorProgram> programs{
        {plane, op + "max_pool2d_with_indices.default(x, [2, 2])"},
        {half, op + "max_pool2d_with_indices.default(x, [3, 2], [2, 1], [1, 1])"},
        {plane, op + "max_pool2d_with_indices.default(x, [3, 3], [2, 2], [1, 1], [2, 1], True)"},
        {last, moved + op + "max_pool2d_with_indices.default(x, [3, 3], [2, 2], [1, 1])"},
        {"x: f32[3, 9, 7]", op + "max_pool2d_with_indices.default(x, [2, 3])"},
        {"x: f32[0, 3, 9, 7]", op + "max_pool2d_with_indices.default(x, [2, 3])"},
        {"x: f64[1, 2, 5, 6, 4]", op + "max_pool3d_with_indices.default(x, [2, 3, 2], [1, 2, 2])"},
        {plane,
         "r = torch.ops.prims._low_memory_max_pool_with_offsets.default(x, [3, 3], [2, 2], "
         "[1, 1], [1, 1], False)"},
        {plane,
         "a = torch.ops.prims._low_memory_max_pool_with_offsets.default(x, [3, 3], [2, 2], "
         "[1, 1], [1, 1], False); o = a[1]; "
         "r = torch.ops.prims._low_memory_max_pool_offsets_to_indices.default(o, [3, 3], "
         "[9, 7], [2, 2], [1, 1], [1, 1])"},
        {plane, op + "avg_pool2d.default(x, [2, 3])"},
        {half, op + "avg_pool2d.default(x, [3, 3], [2, 2], [1, 1], True)"},
        {plane, op + "avg_pool2d.default(x, [3, 3], [2, 2], [1, 1], True, False)"},
        {plane, op + "avg_pool2d.default(x, [3, 3], [2, 2], [1, 1], False, True, 5)"},
        {last, moved + op + "avg_pool2d.default(x, [3, 3])"},
        {"x: f32[2, 3, 9]", op + "avg_pool1d.default(x, [4], [3], [2])"},
        {"x: f32[2, 4, 5, 6]", op + "avg_pool3d.default(x, [2, 2, 3])"},
        {plane, op + "_adaptive_avg_pool2d.default(x, [4, 3])"},
        {plane, op + "_adaptive_avg_pool2d.default(x, [1, 1])"},
        {half, op + "_adaptive_avg_pool2d.default(x, [11, 5])"},
        {"x: f32[3, 7]", op + "adaptive_avg_pool1d.default(x, [3])"},
        {"x: f32[1, 2, 3, 4, 5]", op + "_adaptive_avg_pool3d.default(x, [2, 4, 3])"},
        {plane, op + "adaptive_max_pool2d.default(x, [4, 3])"},
        {plane + "; g: f32[2, 3, 4, 3]",
         op
             + "avg_pool2d_backward.default(g, x, [3, 3], [2, 2], "
               "[0, 0], False, True, None)"},
        {plane + "; g: f32[2, 3, 5, 4]",
         op
             + "avg_pool2d_backward.default(g, x, [3, 3], [2, 2], "
               "[1, 1], True, False, None)"},
        {"x: f16[1, 2, 4, 5, 6]; g: f16[1, 2, 3, 4, 5]",
         op + "avg_pool3d_backward.default(g, x, [2, 2, 2], [1, 1, 1], [0, 0, 0], False, True, 3)"},
        {plane + "; g: f32[2, 3, 4, 3]", op + "_adaptive_avg_pool2d_backward.default(g, x)"},
        {plane + "; g: f32[2, 3, 10, 9]", op + "_adaptive_avg_pool2d_backward.default(g, x)"},
        // Places that no forward step gives, many of them the same.
        {plane + "; g: f32[2, 3, 4, 3]; i: i64[2, 3, 4, 3]",
         op
             + "max_pool2d_with_indices_backward.default(g, x, [3, 3], [2, 2], [0, 0], [1, 1], "
               "False, i)"}};
    const auto backward = [](const std::string& forward, const std::string& arguments,
                             const std::string& rest) {
        return "a = torch.ops.aten." + forward + ".default(x, " + arguments
            + "); i = a[1]; r = torch.ops.aten." + forward + "_backward.default(g, x, " + rest
            + "i)";
    };
    programs.push_back({plane + "; g: f32[2, 3, 5, 4]",
                        backward("max_pool2d_with_indices", "[3, 3], [2, 2], [1, 1]",
                                 "[3, 3], [2, 2], [1, 1], [1, 1], False, ")});
    programs.push_back({half + "; g: f16[2, 3, 6, 6]",
                        backward("max_pool2d_with_indices", "[3, 3], [1, 1]",
                                 "[3, 3], [1, 1], [0, 0], [1, 1], False, ")});
    programs.push_back({last + "; g: f32[2, 5, 5, 6]",
                        moved
                            + backward("max_pool2d_with_indices", "[2, 3], [1, 1], [0, 0], [1, 1]",
                                       "[2, 3], [1, 1], [0, 0], [1, 1], False, ")});
    programs.push_back({"x: f32[1, 2, 5, 6, 4]; g: f32[1, 2, 4, 2, 2]",
                        backward("max_pool3d_with_indices", "[2, 3, 2], [1, 2, 2]",
                                 "[2, 3, 2], [1, 2, 2], [0, 0, 0], [1, 1, 1], False, ")});
    programs.push_back(
        {plane + "; g: f32[2, 3, 4, 3]", backward("adaptive_max_pool2d", "[4, 3]", "")});
    return programs;
}

std::vector<OperatorProgram> convolutionPrograms()
{
    struct Shape
    {
        std::string input; // dtype and sizes
        std::string weight;
        std::string result;
        std::string arguments; // stride, padding, dilation, transposed, output padding, groups
        std::string bias;
        std::int64_t memoryLimit = 0;
    };
    const std::vector<Shape> shapes{
        {"f32[2, 3, 7, 6]", "f32[4, 3, 3, 3]", "f32[2, 4, 5, 4]",
         "[1, 1], [0, 0], [1, 1], False, [0, 0], 1", "f32[4]"},
        {"f32[2, 4, 7, 9]", "f32[6, 2, 3, 2]", "f32[2, 6, 4, 8]",
         "[2, 1], [1, 0], [1, 1], False, [0, 0], 2", "f32[6]"},
        {"f16[3, 4, 8, 7]", "f16[4, 1, 3, 3]", "f16[3, 4, 6, 2]",
         "[1, 2], [1, 0], [2, 2], False, [0, 0], 4", "f16[4]"},
        {"f32[2, 5, 4, 3]", "f32[7, 5, 1, 1]", "f32[2, 7, 4, 3]",
         "[1, 1], [0, 0], [1, 1], False, [0, 0], 1", "f32[7]"},
        {"f64[2, 3, 9]", "f64[4, 3, 4]", "f64[2, 4, 4]", "[2], [1], [1], False, [0], 1", "f64[4]"},
        {"f32[1, 2, 4, 5, 3]", "f32[3, 2, 2, 3, 2]", "f32[1, 3, 3, 2, 2]",
         "[1, 2, 1], [0, 0, 0], [1, 1, 1], False, [0, 0, 0], 1", "f32[3]"},
        {"f32[2, 4, 4, 3]", "f32[4, 3, 3, 2]", "f32[2, 3, 9, 4]",
         "[2, 1], [0, 0], [1, 1], True, [0, 0], 1", "f32[3]"},
        {"bf16[2, 4, 4, 3]", "bf16[4, 2, 3, 3]", "bf16[2, 4, 8, 6]",
         "[2, 2], [1, 1], [1, 1], True, [1, 1], 2", "bf16[4]"},
        {"f32[3, 7, 6]", "f32[4, 3, 3, 3]", "f32[4, 5, 4]",
         "[1, 1], [0, 0], [1, 1], False, [0, 0], 1", "f32[4]"},
        {"f32[0, 3, 7, 6]", "f32[4, 3, 3, 3]", "f32[0, 4, 5, 4]",
         "[1, 1], [0, 0], [1, 1], False, [0, 0], 1", "f32[4]"},
        // Batch by batch, for there is little memory.
        {"f32[5, 3, 7, 6]", "f32[4, 3, 3, 3]", "f32[5, 4, 5, 4]",
         "[1, 1], [0, 0], [1, 1], False, [0, 0], 1", "f32[4]", 64 << 10},
        {"f32[5, 4, 4, 3]", "f32[4, 3, 3, 2]", "f32[5, 3, 9, 4]",
         "[2, 1], [0, 0], [1, 1], True, [0, 0], 1", "f32[3]", 64 << 10}};
    const std::string forward = "r = torch.ops.aten.convolution.default(x, w, ";
    const std::string backward = "r = torch.ops.aten.convolution_backward.default(g, x, w, ";
    std::vector<OperatorProgram> programs;
    for (const Shape& shape : shapes)
    {
        const std::string inputs = "x: " + shape.input + "; w: " + shape.weight;
        programs.push_back({inputs + "; b: " + shape.bias, forward + "b, " + shape.arguments + ")",
                            shape.memoryLimit});
        programs.push_back({inputs, forward + "None, " + shape.arguments + ")", shape.memoryLimit});
        programs.push_back({inputs + "; g: " + shape.result,
                            backward + "None, " + shape.arguments + ", [True, True, True])",
                            shape.memoryLimit});
    }
    const std::string last = "[1, 1], [1, 1], [1, 1], False, [0, 0], 1";
    programs.push_back(
        {"y: f32[2, 6, 5, 3]; w: f32[4, 3, 3, 3]; b: f32[4]",
         "x = torch.ops.aten.permute.default(y, [0, 3, 1, 2]); " + forward + "b, " + last + ")"});
    programs.push_back({"y: f32[2, 6, 5, 3]; v: f32[4, 3, 3, 3]; h: f32[2, 6, 5, 4]",
                        "x = torch.ops.aten.permute.default(y, [0, 3, 1, 2]); "
                        "w = torch.ops.aten.permute.default(v, [0, 3, 1, 2]); "
                        "g = torch.ops.aten.permute.default(h, [0, 3, 1, 2]); "
                            + backward + "[4], " + last + ", [True, True, False])"});
    return programs;
}

} // namespace reinspect
