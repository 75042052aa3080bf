#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the workbench on the X server of DISPLAY with injected keys and mouse: opens a log by command line, walks
# the incidents, zooms, follows a growing log, cancels a long reading, and closes it with Ctrl+Q.
set -euo pipefail
workbench=$1
demo=$2
if [ -z "${DISPLAY:-}" ] || ! command -v xdotool >/dev/null; then
    echo "SKIPPED: no DISPLAY or no xdotool"
    exit 77
fi
work=$(mktemp -d)
export XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work LC_ALL=C.UTF-8
process=
cleanup() {
    [ -z "$process" ] || kill "$process" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

fail() { echo "FAILED: $1"; exit 1; }

# start TITLE ARGUMENTS...: runs the workbench until a window of that title is there; sets $window.
start() {
    local title=$1
    shift
    QT_QPA_PLATFORM=xcb "$workbench" "$@" 2>"$work/stderr" &
    process=$!
    window=$(timeout 30 xdotool search --sync --onlyvisible --pid "$process" --name "$title" | head -n 1)
    [ -n "$window" ] || fail "no window titled $title within 30 s"
    xdotool windowfocus --sync "$window" 2>/dev/null || true
}

# until_ended: the program has to leave by itself.
until_ended() {
    for _ in $(seq 100); do
        if ! kill -0 "$process" 2>/dev/null; then
            wait "$process" || fail "the workbench ended with status $?: $(cat "$work/stderr")"
            process=
            return
        fi
        sleep 0.1
    done
    fail "Ctrl+Q did not close the window"
}

# The window may be gone before the key is released.
quit() { xdotool key --window "$window" ctrl+q 2>/dev/null || true; }

keys() { xdotool key --window "$window" --delay 30 "$@"; }

echo "open by command line, next and previous incident, zoom, measure, theme"
start 'demo/run' "$demo"
keys n p n plus plus minus 0 f Home m Right Right Escape shift+f shift+f
size=$(xdotool getwindowgeometry --shell "$window" | grep -E '^(WIDTH|HEIGHT)=')
eval "$size"
xdotool mousemove --window "$window" $((WIDTH / 2)) $((HEIGHT / 2)) click 4 click 4 click 5 click 1
keys ctrl+z ctrl+shift+z ctrl+k
sleep 0.3
keys Escape
quit
until_ended

echo "follow a growing log"
for step in $(seq 1 200); do echo "step=$step loss=2.5"; done >"$work/growing.log"
start 'growing' "$work/growing.log"
keys ctrl+l
for step in $(seq 201 400); do echo "step=$step loss=2.4"; done >>"$work/growing.log"
sleep 1.5
quit
until_ended

echo "leave while a long log is being read"
awk 'BEGIN { for (i = 1; i <= 600000; ++i) printf "step=%d loss=%.6f grad_norm=0.5\n", i, 2 + 1 / i }' >"$work/long.log"
start 'long' "$work/long.log"
quit
until_ended
echo "all done"
