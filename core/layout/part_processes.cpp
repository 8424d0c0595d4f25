// SPDX-License-Identifier: MIT
#include "core/layout/part_processes.h"

#include "core/layout/plan_bytes.h"

#if defined(__unix__) || defined(__APPLE__)

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace reinspect
{

namespace
{

using Batch = std::vector<std::size_t>; // of parts

Error error(std::string message)
{
    return {.message = std::move(message), .kind = ErrorKind::CannotRunHere};
}

// The largest first, to each batch in turn: all are done at about the same time.
std::vector<Batch> deal(const std::vector<const Part*>& parts, const ProcessLimits& limits)
{
    const std::size_t least = (parts.size() + limits.mostParts - 1) / limits.mostParts;
    std::vector<Batch> batches(std::min(parts.size(), std::max<std::size_t>(least, limits.atOnce)));
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&parts](std::size_t a, std::size_t b) {
        return parts[a]->boxes.size() > parts[b]->boxes.size();
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        batches[i % batches.size()].push_back(order[i]);
    return batches;
}

bool send(const std::string& bytes, int pipe)
{
    for (std::size_t sent = 0; sent < bytes.size();)
    {
        const ssize_t written = ::write(pipe, bytes.data() + sent, bytes.size() - sent);
        if (written < 0 && errno != EINTR)
            return false;
        sent += written < 0 ? 0 : static_cast<std::size_t>(written);
    }
    return true;
}

struct Child
{
    pid_t process = 0;
    int pipe = -1;
    const Batch* batch = nullptr;
    std::string bytes;
};

// The children of one layout; those that still run are killed with it.
class Children
{
public:
    Children(const std::vector<const Part*>& parts, const LayoutOptions& options,
             const PartEngine& engine)
        : m_parts(parts)
        , m_options(options)
        , m_engine(engine)
    {}
    ~Children()
    {
        for (Child& child : m_running)
        {
            ::kill(child.process, SIGKILL);
            (void)end(child);
        }
    }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    std::size_t count() const { return m_running.size(); }
    Result<void> start(const Batch& batch);
    // Waits a little for what the children say; those that are done leave their plans.
    Result<void> listen(std::vector<PartPlan>& plans);

private:
    [[noreturn]] void work(const Batch& batch, int pipe, pid_t parent) const;
    Result<void> finish(Child& child, std::vector<PartPlan>& plans) const;
    static bool end(Child& child);

    const std::vector<const Part*>& m_parts;
    const LayoutOptions& m_options;
    const PartEngine& m_engine;
    std::vector<Child> m_running;
};

void Children::work(const Batch& batch, int pipe, pid_t parent) const
{
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (::getppid() != parent)
        ::_exit(1); // it went before we asked to go with it
    PlanWriter writer;
    for (const std::size_t part : batch)
    {
        const Result<PartPlan> plan = m_engine(*m_parts[part], m_options);
        writer.add(std::size_t{plan.ok() ? 1u : 0u});
        if (plan)
            writer.add(*plan);
        else
            writer.add(plan.error().message);
        if (!plan)
            break;
    }
    ::_exit(send(writer.bytes(), pipe) ? 0 : 1);
}

Result<void> Children::start(const Batch& batch)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return error("no pipe could be made for a layout process");
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process == 0)
    {
        ::close(ends[0]);
        work(batch, ends[1], parent);
    }
    ::close(ends[1]);
    if (process < 0)
    {
        ::close(ends[0]);
        return error("no process could be made for a part of the layout");
    }
    m_running.push_back({process, ends[0], &batch, {}});
    return {};
}

bool Children::end(Child& child)
{
    ::close(child.pipe);
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Result<void> Children::finish(Child& child, std::vector<PartPlan>& plans) const
{
    if (!end(child))
        return error("a layout process ended before it was done");
    PlanReader reader(child.bytes);
    for (const std::size_t part : *child.batch)
    {
        if (reader.takeNumber() == 0)
            return error(reader.takeText());
        plans[part] = reader.takePlan(m_parts[part]->edges.size());
    }
    if (reader.isBroken() || !reader.atEnd())
        return error("a layout process gave half an answer");
    return {};
}

Result<void> Children::listen(std::vector<PartPlan>& plans)
{
    constexpr int kPatience = 50; // milliseconds
    std::vector<pollfd> wanted;
    for (const Child& child : m_running)
        wanted.push_back({child.pipe, POLLIN, 0});
    ::poll(wanted.data(), static_cast<nfds_t>(wanted.size()), kPatience);
    for (std::size_t i = wanted.size(); i-- > 0;)
    {
        if ((wanted[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0)
            continue;
        char room[65536];
        const ssize_t count = ::read(m_running[i].pipe, room, sizeof(room));
        if (count > 0)
            m_running[i].bytes.append(room, static_cast<std::size_t>(count));
        if (count > 0 || (count < 0 && errno == EINTR))
            continue;
        Child done = std::move(m_running[i]);
        m_running.erase(m_running.begin() + static_cast<std::ptrdiff_t>(i));
        REINSPECT_CHECK(finish(done, plans));
    }
    return {};
}

Result<std::vector<PartPlan>> planInProcesses(const std::vector<const Part*>& parts,
                                              const LayoutOptions& options,
                                              const PartEngine& engine, const ProcessLimits& limits,
                                              const RunControl& control)
{
    std::vector<PartPlan> plans(parts.size());
    const std::vector<Batch> batches = deal(parts, limits);
    Children children(parts, options, engine);
    std::size_t next = 0;
    while (next < batches.size() || children.count() > 0)
    {
        if (control.stopRequested())
            return error("the layout was stopped");
        if (next < batches.size() && children.count() < std::max(limits.atOnce, 1u))
            REINSPECT_CHECK(children.start(batches[next++]));
        else
            REINSPECT_CHECK(children.listen(plans));
        control.report(static_cast<double>(next - children.count())
                       / static_cast<double>(batches.size()));
    }
    return plans;
}

} // namespace

PartsEngine inProcesses(PartEngine engine, const ProcessLimits& limits)
{
    return [engine = std::move(engine), limits](const std::vector<const Part*>& parts,
                                                const LayoutOptions& options,
                                                const RunControl& control) {
        // A fork costs more than a single small part.
        return parts.size() < 2 ? oneByOne(engine)(parts, options, control)
                                : planInProcesses(parts, options, engine, limits, control);
    };
}

} // namespace reinspect

#else

namespace reinspect
{

PartsEngine inProcesses(PartEngine engine, const ProcessLimits&)
{
    return oneByOne(std::move(engine));
}

} // namespace reinspect

#endif
