// SPDX-License-Identifier: MIT
#include "tests/gpu/operator_programs.h"

namespace reinspect
{

// Padding, turning, repeating.
std::vector<OperatorProgram> rearrangingPrograms()
{
    const std::string op = "r = torch.ops.aten.";
    const std::string plane = "x: f32[2, 3, 5, 7]";
    return {{plane, op + "constant_pad_nd.default(x, [1, 2])"},
            {plane, op + "constant_pad_nd.default(x, [-1, 2, 3, -2, 1, 0], 2.5)"},
            {plane, op + "constant_pad_nd.default(x, [-3, -4])"},
            {"x: f16[4, 3]", op + "constant_pad_nd.default(x, [1, 1, 0, 3], -inf)"},
            {"x: i64[4]", op + "constant_pad_nd.default(x, [2, 0], 7)"},
            {"x: b8[4]", op + "constant_pad_nd.default(x, [0, 3], True)"},
            {"x: i32[2, 2]", op + "constant_pad_nd.default(x, [0, 1], 1.5)"},
            {"x: f32[0, 3]", op + "constant_pad_nd.default(x, [0, 1, 2, 1], 1.0)"},
            {"x: f32[2, 5, 3]", op + "reflection_pad1d.default(x, [2, 1])"},
            {plane, op + "reflection_pad2d.default(x, [3, 2, 1, 4])"},
            {plane, op + "replication_pad2d.default(x, [3, 2, -1, 4])"},
            {plane, op + "flip.default(x, [0, 3])"},
            {plane, op + "roll.default(x, [2, -1], [3, 1])"},
            {plane, op + "repeat.default(x, [2, 1, 3, 1, 2])"},
            {"x: i64[3, 20]", op + "repeat.default(x, [1, 11])"},
            {"x: f32[3, 4]", op + "repeat_interleave.self_int(x, 3, 1)"},
            {"x: f64[12]", op + "repeat_interleave.self_int(x, 2)"}};
}

} // namespace reinspect
