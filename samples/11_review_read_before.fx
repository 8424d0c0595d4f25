# First of three programs in the manner of the review of pull request 111627: a read before the call.
# "before" reads "state" before the kernel writes it, which harms nobody. Policy pr-111627 counts users
# and refuses; later-uses, alias-aware and torch-2.11 ask what is read after the call, and write in place.
class lesson(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cuda:0", state: "f32[8, 16][16, 1]cuda:0"):
        before: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.sin.default(state)
        kernel = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in0': x, 'out': state}, tensors_to_clone = ['out'])
        result: "f32[8, 16][16, 1]cuda:0" = kernel['out']
        copy_back: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.copy_.default(state, result)
        return (before,)
