// SPDX-License-Identifier: MIT
// One background job at a time: the only place where threads start. A newer job asks the older one
// to stop, and only the newest result is delivered, on the thread of the lane's owner. Destroying a
// lane asks its job to stop and waits for it, so a job never outlives what it was given.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QtConcurrentRun>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace reinspect
{

class Lane
{
public:
    Lane() { m_pool.setMaxThreadCount(1); }
    ~Lane()
    {
        cancel();
        m_pool.waitForDone();
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // From run() until the result was delivered or cancelled.
    bool isBusy() const { return m_isBusy; }

    // `job(std::stop_token)` runs on the lane's thread; `deliver(result)` on the caller's, unless a
    // newer job was given or cancel() was called by then.
    template<typename Job, typename Deliver>
    void run(Job job, Deliver deliver)
    {
        using Outcome = std::optional<std::invoke_result_t<Job, std::stop_token>>;
        cancel();
        m_isBusy = true;
        m_stop = std::stop_source();
        const std::uint64_t ticket = m_ticket;
        QtConcurrent::run(&m_pool,
                          [job = std::move(job), stop = m_stop.get_token()]() mutable -> Outcome {
                              if (stop.stop_requested())
                                  return std::nullopt;
                              return job(stop);
                          })
            .then(&m_home, [this, ticket, deliver = std::move(deliver)](Outcome outcome) {
                // A job that is done by now continues right here, inside run(): the caller must
                // not be told before it has the control back.
                auto kept = std::make_shared<Outcome>(std::move(outcome));
                QMetaObject::invokeMethod(
                    &m_home,
                    [this, ticket, deliver, kept] {
                        if (ticket == m_ticket && *kept)
                            finish(deliver, std::move(**kept));
                    },
                    Qt::QueuedConnection);
            });
    }

    // Nothing more is delivered; the job is asked to stop and not waited for.
    void cancel()
    {
        m_stop.request_stop();
        ++m_ticket;
        m_isBusy = false;
    }

private:
    template<typename Deliver, typename Value>
    void finish(const Deliver& deliver, Value value)
    {
        m_isBusy = false;
        deliver(std::move(value));
    }

    QObject m_home; // results arrive on its thread, and not at all once it is gone
    QThreadPool m_pool;
    std::stop_source m_stop;
    std::uint64_t m_ticket = 0;
    bool m_isBusy = false;
};

} // namespace reinspect
