# SPDX-License-Identifier: GPL-3.0-or-later
"""A program must not need certain shared libraries, directly or through those it needs."""
import re
import subprocess
import sys


def needed(program):
    """Names of the shared libraries that the loader would load."""
    run = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    return re.findall(r"^\s*(\S+)(?: =>| \()", run.stdout, re.MULTILINE)


def main():
    program, *refused = sys.argv[1:]
    names = needed(program)
    wrong = [name for name in names if any(name.startswith(prefix) for prefix in refused)]
    for name in wrong:
        print(f"{program} needs {name}")
    print(f"{len(names)} libraries looked at")
    return 1 if wrong or not names else 0


sys.exit(main())
