# Two views of one tensor that share rows 3 and 4.
# "first" is rows 0 to 4, "second" is rows 3 to 7. The rows of "first" are replaced, then "total" reads "second".
# The pass decides at "updated": "second" would see the change in the shared rows, so the copy stays.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0", rows: "i64[4][1]cuda:0", values: "f32[4, 16][16, 1]cuda:0"):
        buffer: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.sin.default(x)
        first: "f32[5, 16][16, 1]cuda:0" = torch.ops.aten.slice.Tensor(buffer, 0, 0, 5)
        second: "f32[5, 16][16, 1]cuda:0" = torch.ops.aten.slice.Tensor(buffer, 0, 3, 8)
        updated: "f32[5, 16][16, 1]cuda:0" = torch.ops.aten.index_put.default(first, [rows], values)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(second)
        return (updated, total)
