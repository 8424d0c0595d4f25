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
            {"x: f64[12]", op + "repeat_interleave.self_int(x, 2)"},
            {"x: f16[2, 5, 3]; g: f16[2, 5, 6]",
             op + "reflection_pad1d_backward.default(g, x, [2, 1])"},
            {plane + "; g: f32[2, 3, 8, 12]",
             op + "replication_pad2d_backward.default(g, x, [3, 2, -1, 4])"},
            {plane, op + "upsample_nearest2d.default(x, [11, 9])"},
            {plane + "; g: f32[2, 3, 11, 9]",
             op + "upsample_nearest2d_backward.default(g, [11, 9], [2, 3, 5, 7])"},
            {plane, op + "tril.default(x, -1)"},
            {"x: i64[4, 6]", op + "triu.default(x, 2)"},
            {"x: b8[4, 3]", op + "tril.default(x)"},
            {"g: f32[2, 5]", op + "select_backward.default(g, [2, 3, 5], 1, 1)"},
            {"g: f16[2, 2, 5]", op + "slice_backward.default(g, [2, 6, 5], 1, 1, 5, 2)"},
            {"x: f32[1]",
             "s = torch.ops.prims.inductor_seeds.default(3, 'cuda'); "
             "i = torch.ops.prims.inductor_lookup_seed.default(s, 1); "
             "r = torch.ops.prims.inductor_random.default([4, 5], i, 'rand')"},
            {"x: f32[1]",
             "s = torch.ops.prims.inductor_seeds.default(3, 'cuda'); "
             "i = torch.ops.prims.inductor_lookup_seed.default(s, 2); "
             "r = torch.ops.prims.inductor_random.default([6], i, 'randn')"}};
}

// Masks, and several values for one place.
std::vector<OperatorProgram> indexingPrograms()
{
    const std::string op = "r = torch.ops.aten.";
    const std::string wide = "x: f32[3, 4, 5]; i: i64[3, 4, 2]; s: f32[3, 4, 2]";
    const std::string rows = "x: f32[3, 4, 5]; i: i64[6]; s: f32[3, 6, 5]";
    const std::string table = "g: f32[3, 4, 5]; i: i64[3, 4]";
    std::vector<OperatorProgram> programs{
        {"x: f32[4, 3]; m: b8[4]", op + "index.Tensor(x, [m])"},
        {"x: f32[4, 3]; m: b8[4, 3]", op + "index.Tensor(x, [m])"},
        {"x: f16[2, 4, 3, 5]; m: b8[4, 3]; i: i64[1]", op + "index.Tensor(x, [None, m])"},
        {"x: f32[4, 3]; m: b8[4]",
         "n = torch.ops.aten.full.default([4], False); " + op + "index.Tensor(x, [n])"},
        {"x: f32[7, 3]; m: b8[7]",
         "v = torch.ops.aten.select.int(x, 0, 2); " + op + "index_put.default(x, [m], v)"},
        {"x: f32[4, 3]; m: b8[4]; v: f32[]", op + "index_put.default(x, [m], v)"},
        {"x: i64[2, 4, 3]; m: b8[4, 3]; v: i64[1, 1]", op + "index_put_.default(x, [None, m], v)"},
        {"x: f32[4, 3]; m: b8[4, 3]; v: f32[]", op + "index_put.default(x, [m], v, True)"},
        {"m: b8[5, 6]", op + "nonzero.default(m)"},
        {"x: i32[11]", op + "nonzero.default(x)"},
        {"x: f32[2, 3, 4]; m: b8[3, 4]", op + "masked_select.default(x, m)"},
        {"x: f32[3, 5, 2]; i: i64[4]", op + "index_select.default(x, 1, i)"},
        {wide, op + "scatter.src(x, 2, i, s)"},
        {wide, op + "scatter.value(x, 2, i, 1.5)"},
        {wide, op + "scatter.reduce(x, 2, i, s, reduce = 'add')"},
        {rows, op + "index_add.default(x, 1, i, s)"},
        {rows, op + "index_add.default(x, 1, i, s, alpha = 0.5)"},
        {rows, op + "index_copy.default(x, 1, i, s)"},
        {"x: f32[3, 8, 5]; i: i64[6]; s: f32[3, 6, 5]",
         op + "index_reduce.default(x, 1, i, s, 'mean')"},
        {rows, op + "index_fill.int_Scalar(x, 1, i, 3)"},
        {rows + "; v: f32[]", op + "index_fill.int_Tensor(x, 1, i, v)"},
        {"x: i64[8]; i: i64[9]; s: i64[9]", op + "index_reduce.default(x, 0, i, s, 'mean')"},
        {table, op + "embedding_dense_backward.default(g, i, 9, -1, False)"},
        {"g: f16[3, 4, 5]; i: i64[3, 4]",
         op + "embedding_dense_backward.default(g, i, 9, 2, False)"}};
    for (const char* how : {"sum", "prod", "mean", "amax", "amin"})
        for (const char* includes : {"True", "False"})
            for (const char* dtype : {"f32", "f16", "i64"})
                programs.push_back(
                    {std::string("x: ") + dtype + "[3, 4]; i: i64[9, 3]; s: " + dtype + "[9, 4]",
                     op + "scatter_reduce.two(x, 0, i, s, '" + how + "', include_self = " + includes
                         + ")"});
    return programs;
}

} // namespace reinspect
