# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's log is what its training prints: same iterations, same losses until the slip.

After the slip the training is chaotic: the last bit of exp() of another libm decides, so there only
the number of iterations is compared.
"""
import math
import re
import subprocess
import sys

SLIP = 420
LINE = re.compile(r"iteration +(\d+)/.*?(?:lm loss: (\S+) \|)? loss scale: (\S+) \|")


def steps(text):
    return {int(i): (float(loss) if loss else None, float(scale)) for i, loss, scale in LINE.findall(text)}


def differs(ours, shipped):
    if (ours[0] is None) != (shipped[0] is None) or ours[1] != shipped[1]:
        return True
    return ours[0] is not None and not math.isclose(ours[0], shipped[0], rel_tol=0.02)


def main():
    program, log = sys.argv[1:]
    ours = steps(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    with open(log, encoding="utf-8") as file:
        shipped = steps(file.read())
    wrong = [i for i in range(1, SLIP) if i not in ours or i not in shipped or differs(ours[i], shipped[i])]
    print(f"{len(ours)} iterations trained, {len(shipped)} shipped, {len(wrong)} differ before the slip {wrong[:5]}")
    return 0 if ours.keys() == shipped.keys() and not wrong else 1


sys.exit(main())
