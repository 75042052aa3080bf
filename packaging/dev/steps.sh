# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Steps with progress: sourced by bootstrap.sh. A step runs a command into a log file, says what it
# does and how long it took, and on failure shows the end of the log and what to do.

kHeartbeatSeconds=30
kLogTailLines=25
stepNumber=0
stepTotal=0
stepLog=
failedSteps=()
logFolder=

say() { printf '%s\n' "$*"; }

elapsed() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

# die SENTENCE HINT: ends the script.
die() {
    printf '\nfirstbad: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
    exit 1
}

# beat PID LOG: until the process ends, tells now and then that it is alive, by its log's last line.
beat() {
    local waited=0
    while kill -0 "$1" 2>/dev/null; do
        sleep 1
        waited=$((waited + 1))
        if [ $((waited % kHeartbeatSeconds)) -eq 0 ]; then
            printf '      %s: %s\n' "$(elapsed "$waited")" "$(tail -n 1 "$2" | tr -d '\r' | cut -c1-100)"
        fi
    done
}

# step WHAT HINT COMMAND...: runs COMMAND; returns its status after having said what went wrong.
step() {
    local what=$1 hint=$2 begun=$SECONDS status=0
    shift 2
    stepNumber=$((stepNumber + 1))
    stepLog="$logFolder/$(printf '%02d' "$stepNumber")-$(printf '%s' "$what" | tr -cs 'A-Za-z0-9' '-').log"
    printf '[%d/%d] %s\n' "$stepNumber" "$stepTotal" "$what"
    "$@" >"$stepLog" 2>&1 </dev/null &
    local process=$!
    beat "$process" "$stepLog"
    wait "$process" || status=$?
    if [ "$status" -eq 0 ]; then
        printf '      done in %s\n' "$(elapsed $((SECONDS - begun)))"
        return 0
    fi
    failedSteps+=("$what")
    printf '      FAILED after %s (exit %d). The end of %s:\n' "$(elapsed $((SECONDS - begun)))" "$status" "$stepLog"
    tail -n "$kLogTailLines" "$stepLog" | sed 's/^/      | /'
    printf '      %s\n' "$hint"
    return "$status"
}

# require WHAT HINT COMMAND...: a step without which nothing else makes sense.
require() {
    step "$@" || die "$1 failed; the whole output is in $stepLog." "$2"
}
