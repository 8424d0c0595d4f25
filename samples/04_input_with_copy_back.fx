# An input that the program updates.
# The result of "updated" is copied back into the input "state" at the end: the caller expects
# the change. The pass decides at "updated": it writes "state" in place, and "copy_" has nothing left to do.
class lesson(torch.nn.Module):
    def forward(self, state: "f32[8, 16][16, 1]cuda:0", rows: "i64[4][1]cuda:0", values: "f32[4, 16][16, 1]cuda:0"):
        updated: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.index_put.default(state, [rows], values)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(updated)
        copy_: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.copy_.default(state, updated)
        return (total,)
