#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up a fresh Debian 12 or Ubuntu 24.04 (as root or with sudo), then builds, tests or shows.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: packaging/bootstrap.sh build|test|demo|recorder [--no-replay] [--full]
  build        install what is missing, build all programs into build/release
  test         that, and every test: formats, release, sanitizers, fuzzing, lint, installation, package
  demo         build, then show the incident in the log of a real small training that failed
  recorder     install a whole Python torch (about 5.4 GB) and run the recorder in real trainings
  --no-replay  without LibTorch and the replay process
  --full       (test) lint all files, and build and test core alone
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. packaging/dev/steps.sh
. packaging/dev/setup.sh
. packaging/dev/checks.sh

command=${1:-}
case "$command" in
    build | test | demo | recorder) shift ;;
    -h | --help | help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac
replayOption=
fullRun=
for option in "$@"; do
    case "$option" in
        --no-replay) replayOption=-DFIRSTBAD_REPLAY=OFF ;;
        --full) fullRun=yes ;;
        *) usage >&2; die "Unknown option $option." ;;
    esac
done

logFolder="$root/build/logs"
mkdir -p "$logFolder"
displayProcess=
trap '[ -z "$displayProcess" ] || kill "$displayProcess" 2>/dev/null || true' EXIT
export CCACHE_DIR=${CCACHE_DIR:-$root/.ccache} CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
export CMAKE_CXX_COMPILER_LAUNCHER=ccache

sections=(build gui)
[ "$command" != test ] || sections+=(test)
stepTotal=$(( (${#replayOption} ? 1 : 2) + 1))
[ "$command" != test ] || stepTotal=$((stepTotal + 9 + (${#fullRun} ? 2 : 0)))
[ "$command" != recorder ] || stepTotal=$((stepTotal + 1))
collectMissing "${sections[@]}"
[ "${#missingNeeds[@]}" -eq 0 ] || stepTotal=$((stepTotal + 1))

installPackages "${sections[@]}"
[ -n "$replayOption" ] || installTorch

case "$command" in
    recorder)
        installPythonTorch
        require "Build: release" "Fix the first error above; again: cmake --build build/release" \
            configureAndBuild release -DBUILD_TESTING=ON
        FIRSTBAD_TORCH_PYTHON="$pythonTorchFolder" ctest --test-dir build/release -L recorder --no-tests=error --output-on-failure -V
        ;;
    build)
        require "Build: release" "Fix the first error above; again: cmake --build build/release" \
            configureAndBuild release -DBUILD_TESTING=OFF
        say "Built: build/release/app/cli/firstbad, build/release/app/workbench/firstbad-workbench"
        ;;
    demo)
        require "Build: release" "Fix the first error above; again: cmake --build build/release" \
            configureAndBuild release -DBUILD_TESTING=OFF
        say ""
        say "\$ firstbad look resources/demo/run"
        build/release/app/cli/firstbad look resources/demo/run || [ $? -eq 3 ]
        ;;
    test)
        runChecks
        say ""
        say "Whole run: $(elapsed "$SECONDS"); logs in build/logs"
        [ "${#failedSteps[@]}" -eq 0 ] || say "Failed: $(printf '%s; ' "${failedSteps[@]}")"
        say "$passed passed, $failed failed, $skipped skipped"
        [ "${#failedSteps[@]}" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
        ;;
esac
