#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy 14 on the sources that changed: since the branch left origin/main, or, on main itself,
# over the last commits. `--all` takes every source. A time limit ends it; what was left is said.
set -euo pipefail
cd "$(dirname "$0")/../.."
kCommitsWithoutBase=20
limitSeconds=${FIRSTBAD_TIDY_SECONDS:-420}

baseCommit() {
    local base
    if base=$(git merge-base HEAD origin/main 2>/dev/null) && [ "$base" != "$(git rev-parse HEAD)" ]; then
        printf '%s' "$base"
    else
        git rev-list --first-parent -n "$((kCommitsWithoutBase + 1))" HEAD | tail -n 1
    fi
}

# A changed header stands for the source beside it.
changedSources() {
    git diff --name-only --diff-filter=d "$(baseCommit)" -- '*.cpp' '*.h' | sed 's/\.h$/.cpp/'
}

if [ "${1:-}" = --all ]; then
    mapfile -t wanted < <(git ls-files 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp' 'views/*.cpp' 'replay/*.cpp')
    limitSeconds=${FIRSTBAD_TIDY_SECONDS:-3000}
else
    mapfile -t wanted < <(changedSources | grep -E '^(core|app|ui|views|replay)/' | sort -u || true)
fi
cmake --preset tidy >/dev/null
sources=()
for source in "${wanted[@]}"; do
    ! grep -q "/$source\"" build/tidy/compile_commands.json || sources+=("$source")
done
if [ "${#sources[@]}" -eq 0 ]; then
    echo "clang-tidy: no changed source that is built here"
    exit 0
fi
tidy=$(command -v clang-tidy-14 || command -v clang-tidy)
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export tidy results
# Exit 0 clean, 1 findings; a source for which no file is left was not reached in time.
checkOne() {
    local name
    name=$(printf '%s' "$1" | tr / _)
    if "$tidy" --quiet -p build/tidy "$1" >"$results/$name.log" 2>/dev/null; then
        touch "$results/$name.clean"
    else
        touch "$results/$name.dirty"
    fi
}
export -f checkOne
timeout "$limitSeconds" xargs -P "$(nproc)" -I{} bash -c 'checkOne {}' < <(printf '%s\n' "${sources[@]}") || true
clean=$(find "$results" -name '*.clean' | wc -l)
dirty=$(find "$results" -name '*.dirty' | wc -l)
for mark in "$results"/*.dirty; do
    [ ! -e "$mark" ] || cat "${mark%.dirty}.log"
done
echo "clang-tidy: $clean clean, $dirty with findings, $((${#sources[@]} - clean - dirty)) not reached in $limitSeconds s"
[ "$dirty" -eq 0 ]
