// SPDX-License-Identifier: GPL-3.0-or-later
// store_writer: adds to a case until it is killed or the disk is full; acknowledges each commit.
#include "tests/store_kill/growing_case.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

constexpr int kSources = 3;
constexpr int kNotPermitted = 77;

/// Adds round robin; each source grows by `stride` points a turn. Returns the error that ended it.
Error addUntilError(
    const std::filesystem::path& folder, std::int64_t stride, Acknowledged& acknowledged)
{
    auto store = std::filesystem::exists(folder / "case.db")
        ? CaseStore::open(folder, CaseAccess::Write)
        : CaseStore::create(folder);
    if (!store)
        return store.error();
    for (int turn = 0;; ++turn) {
        const int source = turn % kSources;
        const std::int64_t points = acknowledged[source] + stride;
        JobContext job;
        auto report = store->add(grownDataset(folder.parent_path(), source, points), {}, job);
        if (!report)
            return report.error();
        acknowledged[source] = points;
        std::printf("ack %d %lld\n", source, static_cast<long long>(points));
        std::fflush(stdout);
    }
}

int runUntilKilled(const std::filesystem::path& folder)
{
    Acknowledged acknowledged;
    if (std::filesystem::exists(folder / "case.db")) {
        auto held = heldBy(folder);
        if (!held) {
            std::printf("error %s\n", held.error().message.c_str());
            return 1;
        }
        acknowledged = *held;
    }
    const Error error = addUntilError(folder, 40, acknowledged);
    std::printf("error %s\n", error.message.c_str());
    return 1;
}

/// Fills up, then frees `ballast` and checks that all that was acknowledged is there.
int runUntilFull(const std::filesystem::path& folder, std::int64_t stride)
{
    const auto ballast = folder.parent_path() / "ballast";
    std::ofstream(ballast) << std::string(512 << 10, 'x');
    Acknowledged acknowledged;
    const Error error = addUntilError(folder, stride, acknowledged);
    std::printf("error %s\n", error.message.c_str());
    std::filesystem::remove(ballast);
    auto held = heldBy(folder);
    std::printf("%s\n", held ? "sound" : held.error().message.c_str());
    return held && holdsAll(*held, acknowledged) && !error.message.empty() ? 0 : 1;
}

int runOnSmallDisk(const std::filesystem::path& folder)
{
    const std::string disk = folder.parent_path().string();
    if (::unshare(CLONE_NEWNS) != 0
        || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
        || ::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=3m") != 0)
        return kNotPermitted;
    return runUntilFull(folder, 400);
}

int runWithFileLimit(const std::filesystem::path& folder, rlim_t bytes)
{
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return runUntilFull(folder, 2000);
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 2 ? argv[1] : "";
    if (mode == "killed")
        return runUntilKilled(argv[2]);
    if (mode == "small-disk")
        return runOnSmallDisk(argv[2]);
    if (mode == "file-limit" && argc > 3)
        return runWithFileLimit(argv[2], std::strtoull(argv[3], nullptr, 10));
    return 2;
}
