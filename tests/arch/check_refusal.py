# SPDX-License-Identifier: GPL-3.0-or-later
"""Fast-math flags are refused when configuring, and no compile command carries one."""
import json
import re
import subprocess
import sys
import tempfile

REFUSED = re.compile(r"-ffast-math|-Ofast|-ffinite-math-only|-funsafe-math|use_fast_math")


def is_refused(cmake, source, option):
    with tempfile.TemporaryDirectory() as build:
        run = subprocess.run([cmake, "-S", source, "-B", build, option], capture_output=True, text=True)
    return run.returncode != 0 and "Fast-math flags are refused" in run.stderr


def main():
    cmake, source, commands = sys.argv[1:]
    wrong = [option for option in ("-DCMAKE_CXX_FLAGS=-ffast-math",
                                   "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-Ofast",
                                   "-DCMAKE_CXX_FLAGS=-ffinite-math-only",
                                   "-DCMAKE_CUDA_FLAGS=--use_fast_math")
             if not is_refused(cmake, source, option)]
    for option in wrong:
        print(f"configuring with {option} was not refused")
    with open(commands, encoding="utf-8") as file:
        entries = json.load(file)
    flagged = [entry["file"] for entry in entries if REFUSED.search(entry["command"])]
    for file in flagged:
        print(f"{file} is compiled with a fast-math flag")
    print(f"{len(entries)} compile commands looked at")
    return 1 if wrong or flagged or not entries else 0


sys.exit(main())
