# A write to a part of a part: x[2:6, 4:8] = values.
# Two nested slice_scatter calls say it without mutation. The pass first joins them into one
# generalized scatter, then decides there: "state" gets the result back, so one copy into the part is enough.
class lesson(torch.nn.Module):
    def forward(self, state: "f32[8, 16][16, 1]cuda:0", values: "f32[4, 4][4, 1]cuda:0"):
        part: "f32[4, 16][16, 1]cuda:0" = torch.ops.aten.slice.Tensor(state, 0, 2, 6)
        inner: "f32[4, 16][16, 1]cuda:0" = torch.ops.aten.slice_scatter.default(part, values, 1, 4, 8)
        outer: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.slice_scatter.default(state, inner, 0, 2, 6)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(outer)
        copy_: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.copy_.default(state, outer)
        return (total,)
