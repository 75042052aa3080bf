#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the workbench on the X server of DISPLAY, waits for its window, closes it with Ctrl+Q.
set -euo pipefail
workbench=$1
if [ -z "${DISPLAY:-}" ] || ! command -v xdotool >/dev/null; then
    echo "SKIPPED: no DISPLAY or no xdotool"
    exit 77
fi
"$workbench" -platform xcb &
process=$!
trap 'kill "$process" 2>/dev/null || true' EXIT
window=$(timeout 30 xdotool search --sync --onlyvisible --pid "$process" --name '^firstbad$' | head -n 1)
[ -n "$window" ] || { echo "no window titled firstbad appeared within 30 s"; exit 1; }
xdotool windowfocus --sync "$window" key --window "$window" ctrl+q || true
for _ in $(seq 100); do
    kill -0 "$process" 2>/dev/null || { wait "$process"; trap - EXIT; echo "window opened and closed"; exit 0; }
    sleep 0.1
done
echo "the window opened but Ctrl+Q did not close it"
exit 1
