# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `bootstrap.sh test` does after the set-up. Sourced by bootstrap.sh.

passed=0
failed=0
skipped=0
kFuzzSecondsTotal=60

tool() { command -v "$1-14" || command -v "$1" || printf '%s' "$1-14"; }

configureAndBuild() {  # PRESET [OPTIONS]
    local preset=$1
    shift
    cmake --preset "$preset" ${replayOption:+"$replayOption"} "$@" && cmake --build "build/$preset" -j "$(nproc)"
}

# countTests LOG: adds up what ctest said, and shows its closing lines.
countTests() {
    local closing of bad skips
    closing=$(grep -E '^[0-9]+% tests passed' "$1" | tail -n 1) || true
    grep -E '^[0-9]+% tests passed|\*\*\*(Skipped|Failed|Timeout|Exception|Not Run)|\(Failed\)$' "$1" | sed 's/^/      /' || true
    [ -n "$closing" ] || { failed=$((failed + 1)); return; }
    bad=$(printf '%s' "$closing" | sed -E 's/.*, ([0-9]+) tests? failed out of.*/\1/')
    of=$(printf '%s' "$closing" | sed -E 's/.* out of ([0-9]+).*/\1/')
    skips=$(grep -c '\*\*\*Skipped' "$1") || true
    passed=$((passed + of - bad - skips))
    failed=$((failed + bad))
    skipped=$((skipped + skips))
}

runTests() {  # PRESET WHAT
    step "$2" "Again: ctest --preset $1 (after cmake --build build/$1)" ctest --preset "$1" -j "$(nproc)" || true
    countTests "$stepLog"
}

checkFormat() {
    local files
    mapfile -t files < <(git ls-files '*.h' '*.cpp' '*.cu')
    "$(tool clang-format)" --dry-run -Werror "${files[@]}" && printf '%d files\n' "${#files[@]}"
}

startDisplay() {
    [ -z "${DISPLAY:-}" ] || return 0
    command -v Xvfb >/dev/null || return 0
    local number="$logFolder/display"
    : >"$number"
    Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>"$number" >"$logFolder/xvfb.log" 2>&1 &
    displayProcess=$!
    for _ in $(seq 100); do
        [ ! -s "$number" ] || { export DISPLAY=":$(cat "$number")"; return 0; }
        sleep 0.1
    done
    say "      Xvfb did not start within 10 s (see $logFolder/xvfb.log); the real window test is skipped"
}

fuzzPreset() {
    local targets seconds
    targets=$(grep -rhc '^firstbad_fuzz(' tests --include=CMakeLists.txt | awk '{ n += $1 } END { print n }')
    seconds=$((kFuzzSecondsTotal * $(nproc) / (targets > 0 ? targets : 1)))
    CXX="$(tool clang++)" configureAndBuild fuzz "-DCMAKE_CXX_COMPILER=$(tool clang++)" \
        "-DFIRSTBAD_FUZZ_SECONDS=$((seconds < 2 ? 2 : seconds))"
}

# Installs into an empty folder and runs what is there, away from the build.
checkInstall() {
    local prefix="$root/build/install-check" program
    rm -rf "$prefix"
    cmake --install build/release --prefix "$prefix"
    for program in firstbad firstbad-worker firstbad-workbench; do
        [ -n "$replayOption" ] && [ "$program" = firstbad-worker ] && continue
        (cd / && "$prefix/bin/$program" --version)
    done
    (cd / && "$prefix/bin/firstbad" help >/dev/null)
    (cd / && "$prefix/bin/firstbad" look "$root/resources/demo/run") || [ $? -eq 3 ]
    [ -n "$replayOption" ] || (cd / && printf '{"id":1,"method":"shutdown"}\n' | "$prefix/bin/firstbad-worker" | grep '"result"')
}

makePackage() { (cd build/release && cpack -B "$root/build/package") && ls -l build/package/*.tar.gz; }

# Everything below counts; a failure is remembered and the rest still runs.
runChecks() {
    step "Format (clang-format 14)" "Run clang-format-14 -i on the files named above." checkFormat || true
    if step "Build: release" "Fix the first error above; again: cmake --build build/release" configureAndBuild release -DBUILD_TESTING=ON; then
        startDisplay
        runTests release "Tests: release, all labels"
        step "Install into an empty prefix and run" "See the log for the program that failed." checkInstall || true
        step "Package" "See the log of cpack." makePackage || true
    fi
    if step "Build: dev-asan" "Again: cmake --build build/dev-asan" configureAndBuild dev-asan; then
        runTests dev-asan "Tests: dev-asan (unit, contract, fuzz)"
    fi
    if step "Build: fuzz targets" "Again: cmake --build build/fuzz" fuzzPreset; then
        runTests fuzz "Fuzzing, $kFuzzSecondsTotal s in all"
    fi
    # Shown, not counted, until every source was linted once: half of them have been so far.
    step "clang-tidy on what changed (findings are shown, not counted)" "" \
        bash -c "packaging/dev/tidy.sh ${fullRun:+--all} || true" || true
    grep -F ' error: ' "$stepLog" | sed 's/^/      /' || true
    [ ! -s "$stepLog" ] || tail -n 1 "$stepLog" | sed 's/^/      /'
    if [ -n "$fullRun" ]; then
        if step "Build: core alone" "Again: cmake --build build/core-only" configureAndBuild core-only; then
            runTests core-only "Tests: core alone"
        fi
    fi
}
