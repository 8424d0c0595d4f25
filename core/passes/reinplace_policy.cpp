// SPDX-License-Identifier: MIT
#include "core/passes/reinplace_policy.h"

namespace reinspect
{

std::vector<std::string_view> policyNames()
{
    return {"torch-2.11"};
}

Result<ReinplacePolicy> policyNamed(std::string_view name)
{
    if (name == "torch-2.11")
        return ReinplacePolicy{};
    return Error{.message = "unknown policy '" + std::string(name) + "'",
                 .hint = "Known policies: torch-2.11.",
                 .kind = ErrorKind::BadUsage};
}

} // namespace reinspect
