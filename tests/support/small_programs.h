// SPDX-License-Identifier: MIT
// Programs of a few lines that several tests look at.
#pragma once

#include <string_view>

namespace reinspect
{

// v shares c's memory and y reads it after p, so p keeps its clone.
inline constexpr std::string_view kKeptCode = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (p, y)
)";

// p is copied back into x, so it may write x itself, and the copy goes.
inline constexpr std::string_view kCopiedBackCode = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        p: "f32[4]" = torch.ops.aten.index_put.default(x, [i], src)
        s: "f32[4]" = torch.ops.aten.sin.default(p)
        b: "f32[4]" = torch.ops.aten.copy_.default(x, p)
        return (s,)
)";

// p is kept because y reads v later; q may write p.
inline constexpr std::string_view kTwoDecisionsCode = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        q: "f32[4]" = torch.ops.aten.index_put.default(p, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (q, y)
)";

} // namespace reinspect
