// SPDX-License-Identifier: MIT
// reinspect-layout: a layout request as JSON on stdin, the result as JSON on stdout. A process of
// its own so that it can be stopped at any moment and so that nothing in Graphviz can take the
// window down. How far it is goes to stderr, "progress 42" in percent. On failure: one sentence on stderr, exit code 3 for a bad request, 4 when it cannot
// be placed here.
#include "core/layout/graphviz_layout.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <new>
#include <thread>
#include <utility>

using namespace reinspect;

static void limit(decltype(RLIMIT_AS) what, rlim_t bytes)
{
    rlimit current{};
    if (getrlimit(what, &current) != 0)
        return;
    current.rlim_cur =
        current.rlim_max == RLIM_INFINITY ? bytes : std::min(bytes, current.rlim_max);
    setrlimit(what, &current);
}

// dot recurses along the ranks, and grows without bound on graphs it cannot handle.
static void limitMyself()
{
    constexpr rlim_t kMegabyte = 1024 * 1024;
    limit(RLIMIT_STACK, 128 * kMegabyte);
    limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they reserve terabytes
    limit(RLIMIT_AS, 2048 * kMegabyte);
#endif
}

static int fail(const Error& error)
{
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return error.kind == ErrorKind::CannotRunHere ? 4 : 3;
}

// No more often than can be seen.
static RunControl tellingProgress()
{
    return {{}, [last = -1](double done) mutable {
                const int percent = static_cast<int>(done * 100);
                if (std::exchange(last, percent) != percent)
                    std::fprintf(stderr, "progress %d\n", percent);
            }};
}

static int place()
{
    const std::string input(std::istreambuf_iterator<char>(std::cin), {});
    const Result<LayoutRequest> request = layoutRequestFromJson(input);
    if (!request)
        return fail(request.error());
    const Result<LayoutResult> result = graphvizLayout(
        *request, tellingProgress(), std::max(std::thread::hardware_concurrency(), 1u));
    if (!result)
        return fail(result.error());
    const std::string output = toJson(*result);
    if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size()
        || std::fflush(stdout) != 0)
        return fail(
            {.message = "the result could not be written", .kind = ErrorKind::CannotRunHere});
    return 0;
}

int main()
{
    limitMyself();
    try
    {
        return place();
    }
    catch (const std::bad_alloc&)
    {
        return fail({.message = "the layout needs more than 2 GB of memory",
                     .kind = ErrorKind::CannotRunHere});
    }
}
