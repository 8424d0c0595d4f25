# An input that the program only reads.
# Nothing reads "state" after the call, but its memory belongs to the caller, and no "copy_" says that
# it may change. The pass decides at "updated": the copy stays.
class lesson(torch.nn.Module):
    def forward(self, state: "f32[8, 16][16, 1]cuda:0", rows: "i64[4][1]cuda:0", values: "f32[4, 16][16, 1]cuda:0"):
        updated: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.index_put.default(state, [rows], values)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(updated)
        return (total,)
