// SPDX-License-Identifier: GPL-3.0-or-later
// runJob(): a core function that returns Result<T>, run by a JobRunner, received as a snapshot.
//
// `work` runs on a pool thread, `receive` on the GUI thread. Not for moc headers (JobRunner is).
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "ui/bridge/job_runner.h"

#include <memory>
#include <QPointer>
#include <type_traits>
#include <utility>

namespace firstbad::bridge {

/// `work`: Result<T>(core::JobContext&). `receive`: void(core::Result<std::shared_ptr<const T>>).
template <class Work, class Receive>
quint64 runJob(JobRunner& runner, const QString& kind, Work work, Receive receive)
{
    using Found = std::invoke_result_t<Work, core::JobContext&>;
    using Snapshot = std::shared_ptr<const typename Found::value_type>;
    return runner.start(kind,
        [work = std::move(work), receive = std::move(receive)](
            core::JobContext& context) -> JobRunner::Delivery {
            auto found = std::make_shared<core::Result<Snapshot>>(
                work(context).map([](auto&& value) -> Snapshot {
                    return std::make_shared<const typename Found::value_type>(
                        std::forward<decltype(value)>(value));
                }));
            return [found, receive] { receive(*found); };
        });
}

/// Receives only while `object` lives: for views, which may be closed before their job ends.
template <class Receive> auto whileAlive(const QObject* object, Receive receive)
{
    return
        [guard = QPointer<const QObject>(object), receive = std::move(receive)](const auto& found) {
            if (guard)
                receive(found);
        };
}

}  // namespace firstbad::bridge
