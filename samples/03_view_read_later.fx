# An old value that is needed through a view.
# Nothing reads "buffer" itself after the call, but "flat" looks at the same memory.
# The pass decides at "updated": "total" reads "flat" later, so the copy stays.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0", rows: "i64[4][1]cuda:0", values: "f32[4, 16][16, 1]cuda:0"):
        buffer: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.sin.default(x)
        flat: "f32[128][1]cuda:0" = torch.ops.aten.view.default(buffer, [128])
        updated: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.index_put.default(buffer, [rows], values)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(flat)
        return (updated, total)
