# Third of three: a read after the result was copied back.
# "total" reads "copy_back", which is the memory of "state" after the kernel's result was written there:
# it wants the new value. alias-aware counts every alias that is read after the call and refuses;
# torch-2.11 stops counting at the copy back, and writes in place as pr-111627 and later-uses do.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0", state: "f32[8, 16][16, 1]cuda:0"):
        kernel = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': x, 'out': state}, tensors_to_clone = ['out'])
        result: "f32[8, 16][16, 1]cuda:0" = kernel['out']
        copy_back: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.copy_.default(state, result)
        total: "f32[][]cuda:0" = torch.ops.aten.sum.default(copy_back)
        return (total,)
