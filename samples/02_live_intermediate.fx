# A tensor whose old value is still needed.
# The same graph as 01, but "total" reads "buffer" after the rows were replaced.
# The pass decides at "updated": "total" would see the new rows, so the copy stays.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0", rows: "i64[4][1]cuda:0", values: "f32[4, 16][16, 1]cuda:0"):
        buffer: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.sin.default(x)
        updated: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.index_put.default(buffer, [rows], values)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(buffer)
        return (updated, total)
