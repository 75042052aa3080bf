// SPDX-License-Identifier: GPL-3.0-or-later
// eventually(): spins the event loop until a condition holds. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>

namespace firstbad::test {

/// False when the condition does not hold within `ms`.
template <class Condition> bool eventually(Condition condition, int ms = 20'000)
{
    const QDeadlineTimer deadline(ms);
    while (!condition() && !deadline.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    return condition();
}

}  // namespace firstbad::test
