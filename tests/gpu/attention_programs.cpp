// SPDX-License-Identifier: MIT
#include "tests/gpu/operator_programs.h"

namespace reinspect
{

std::vector<OperatorProgram> attentionPrograms()
{
    const std::string plain = "q: f32[2, 3, 5, 8]; k: f32[2, 3, 7, 8]; v: f32[2, 3, 7, 4]";
    const std::string half = "q: f16[1, 4, 6, 16]; k: f16[1, 2, 6, 16]; v: f16[1, 2, 6, 16]";
    const std::string op = "r = torch.ops.aten._scaled_dot_product_";
    const std::string efficient = op + "efficient_attention.default";
    const std::string flash = op + "flash_attention.default";
    std::vector<OperatorProgram> rows{
        {plain, efficient + "(q, k, v, None, True)"},
        {plain, efficient + "(q, k, v, None, False, scale = 0.3)"},
        {plain, efficient + "(q, k, v, None, True, 0.0, True)"},
        {plain + "; m: f32[2, 3, 5, 7]", efficient + "(q, k, v, m, True)"},
        {plain + "; m: f32[5, 7]", efficient + "(q, k, v, m, True, 0.0, True)"},
        {plain + "; m: b8[2, 1, 5, 7]", op + "attention_math.default(q, k, v, m)"},
        {plain, flash + "(q, k, v, 0.0, True)"},
        {half, flash + "(q, k, v)"},
        {half, op + "cudnn_attention.default(q, k, v, None, True, 0.0, True)"},
        {half + "; m: f16[1, 1, 6, 6]",
         op + "fused_attention_overrideable.default(q, k, v, m, 0.0)"},
        {plain, op + "flash_attention_for_cpu.default(q, k, v, 0.0, True)"},
        {"q: f64[1, 2, 3, 4]; k: f64[1, 2, 3, 4]; v: f64[1, 2, 3, 4]",
         op + "attention_math.default(q, k, v, None, 0.0, True)"},
        {"q: bf16[2, 5, 3, 8]; k: bf16[2, 5, 3, 8]; v: bf16[2, 5, 3, 8]",
         "a = torch.ops.aten.permute.default(q, [0, 2, 1, 3]); b = "
         "torch.ops.aten.permute.default(k, "
         "[0, 2, 1, 3]); c = torch.ops.aten.permute.default(v, [0, 2, 1, 3]); "
             + flash + "(a, b, c, 0.0, True)"},
        {plain,
         "m = torch.ops.aten.full.default([5, 7], False); " + op
             + "attention_math.default(q, k, v, m)"}, // nothing is seen
        {"q: f32[1, 2, 1, 4]; k: f32[1, 2, 1, 4]; v: f32[1, 2, 1, 1]",
         efficient + "(q, k, v, None, True)"}};
    const std::string flashBack =
        "; r = torch.ops.aten._scaled_dot_product_flash_attention_backward."
        "default(g, q, k, v, o, l, None, None, ";
    const std::string efficientBack =
        "; r = torch.ops.aten._scaled_dot_product_efficient_attention_"
        "backward.default(g, q, k, v, ";
    const auto forward = [](const std::string& name, const std::string& arguments) {
        return "a = torch.ops.aten._scaled_dot_product_" + name + ".default(q, k, v, " + arguments
            + "); o = a[0]; l = a[1]";
    };
    for (const char* causal : {"False", "True"})
    {
        rows.push_back({half + "; g: f16[1, 4, 6, 16]",
                        forward("flash_attention", std::string("0.0, ") + causal) + flashBack
                            + "6, 6, 0.0, " + causal + ", None, None)"});
        rows.push_back({plain + "; m: f32[2, 1, 5, 7]; g: f32[2, 3, 5, 4]",
                        forward("efficient_attention", std::string("m, True, 0.0, ") + causal)
                            + efficientBack + "m, o, l, None, None, 0.0, [True, True, True, True], "
                            + causal + ")"});
    }
    rows.push_back({plain + "; g: f32[2, 3, 5, 4]",
                    "m = torch.ops.aten.full.default([5, 7], -inf); "
                        + forward("efficient_attention", "m, True") + efficientBack
                        + "m, o, l, None, None, 0.0, [True, True, True, False], False)"});
    rows.push_back(
        {plain + "; m: f32[5, 1]; g: f32[2, 3, 5, 4]",
         forward("efficient_attention", "m, True") + efficientBack
             + "m, o, l, None, None, 0.0, [True, False, True, True], False, scale = 0.2)"});
    return rows;
}

} // namespace reinspect
