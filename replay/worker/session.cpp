// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/worker/session.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

/// Methods of the protocol that need a model family.
constexpr std::array<std::string_view, 7> kModelMethods{
    "load", "replay", "sweep", "probe", "matrix", "isolate", "tensor"};

}  // namespace

Session::Session(core::WorkerHello hello)
    : m_hello(std::move(hello))
{ }

std::string Session::greeting() const
{
    return core::encodeHello(m_hello);
}

std::string Session::answer(std::string_view line)
{
    const auto request = core::parseRequest(line);
    if (!request)
        return core::encodeError(std::nullopt, request.error());
    const auto result = run(*request);
    return result ? core::encodeResult(request->id, *result)
                  : core::encodeError(request->id, result.error());
}

core::Result<std::string> Session::run(const core::WorkerRequest& request)
{
    if (request.method == "shutdown") {
        m_finished = true;
        return "{}";
    }
    if (request.method == "cancel")
        return core::fail(
            core::ErrorCode::NotFound, "No request is running that could be cancelled.");
    if (std::find(kModelMethods.begin(), kModelMethods.end(), request.method)
        != kModelMethods.end()) {
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("This worker cannot run \"{}\": it knows no model family.", request.method),
            "The families a worker knows are listed in its hello.");
    }
    return core::fail(core::ErrorCode::InvalidArgument,
        fmt::format("The method \"{}\" is unknown.", request.method),
        "Protocol 1 has load, replay, sweep, probe, matrix, isolate, tensor, cancel, shutdown.");
}

}  // namespace firstbad::replay
