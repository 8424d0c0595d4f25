# Second of three: a view that is read after the call.
# "total" reads the memory of "buffer" through "flat". Policy later-uses looks at direct users only and
# writes in place: "total" would sum the new numbers. pr-111627 refuses because there is another user,
# alias-aware and torch-2.11 because they follow the view.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0"):
        buffer: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.cos.default(x)
        flat: "f32[128][1]cuda:0" = torch.ops.aten.view.default(buffer, [128])
        kernel = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': x, 'out': buffer}, tensors_to_clone = ['out'])
        result: "f32[8, 16][16, 1]cuda:0" = kernel['out']
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(flat)
        return (result, total)
