# SPDX-License-Identifier: GPL-3.0-or-later
"""The recorder in real trainings: losses bit for bit, one decision for all ranks, ledgers that firstbad understands."""
import glob
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

FIRSTBAD, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
HERE = os.path.dirname(os.path.abspath(__file__))
TORCH = os.environ.get("FIRSTBAD_TORCH_PYTHON") or os.path.join(SOURCE, ".deps", "torch-python")


def environment(**more):
    path = TORCH + os.pathsep + os.environ.get("PYTHONPATH", "")
    return dict(os.environ, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS="1", **more)


def train(*args, world=1, timeout=900):
    """One process a rank; results by rank."""
    with tempfile.TemporaryDirectory() as folder:
        processes = []
        for rank in range(world):
            more = {"RANK": str(rank), "WORLD_SIZE": str(world), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(20000 + os.getpid() % 20000)}
            out = open(os.path.join(folder, "out%d" % rank), "w+")
            processes.append((subprocess.Popen([sys.executable, "-B", os.path.join(HERE, "training.py"), *map(str, args)],
                                               env=environment(**more), stdout=out, stderr=subprocess.STDOUT), out))
        results = []
        for process, out in processes:
            process.wait(timeout)
            with out:
                out.seek(0)
                text = out.read()
            found = [line for line in text.splitlines() if line.startswith("RESULT ")]
            if process.returncode != 0 or not found:
                raise AssertionError("a training failed:\n" + text[-4000:])
            results.append(json.loads(found[-1][7:]))
        return sorted(results, key=lambda result: result["rank"])


def firstbad(*args):
    run = subprocess.run([FIRSTBAD, *args, "--json"], capture_output=True, text=True, check=False, env=dict(os.environ, NO_COLOR="1"))
    return run.returncode, json.loads(run.stdout)["result"]


class RecorderTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ledger = os.path.join(self.folder.name, "ledger")

    def same_with_and_without(self, *args, world=1):
        plain = train(*args, world=world)
        recorded = train(*args, "--ledger", self.ledger, world=world)
        for without, with_it in zip(plain, recorded):
            self.assertEqual(without["losses"], with_it["losses"])
            self.assertEqual(without["weights"], with_it["weights"])
        return recorded

    def lines(self, rank=0):
        with open(glob.glob(os.path.join(self.ledger, "a1.r%05d.ledger.jsonl" % rank))[0], encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def check_capsule(self, folder):
        with open(os.path.join(folder, "capsule.json"), encoding="utf-8") as file:
            capsule = json.load(file)
        for part in (capsule["batch"], capsule["weights"], capsule["rng"]):
            with open(os.path.join(folder, part["file"]), "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).hexdigest(), part["sha256"])
        with open(os.path.join(folder, "weights.safetensors"), "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
            self.assertEqual(header["blocks.1.fc.weight"]["shape"], [128, 32])  # names without DDP's prefix
            values = memoryview(file.read()).cast("f")
            self.assertTrue(all(math.isfinite(value) for value in values))  # skipped: the weights that the step began with

    def test_one_process_changes_no_bit(self):
        self.same_with_and_without("--steps", 6, "--clip", 1.0)
        status, result = firstbad("ledger", self.ledger)
        self.assertEqual(status, 0)
        self.assertIsNone(result["first_bad"])
        self.assertTrue(all(one["ok"] for one in result["chain"]))

    def test_accumulation_with_scaler_changes_no_bit(self):
        self.same_with_and_without("--steps", 4, "--accumulate", 3, "--scaler")
        steps = [line for line in self.lines() if line["kind"] == "step"]
        self.assertEqual([(s["step"], s["micro_step"]) for s in steps], [(i // 3, i % 3) for i in range(12)])
        self.assertEqual(steps[-1]["loss_scale"], 2.0 ** 15)

    def test_a_scaler_probe_is_skipped_as_without_the_recorder(self):
        self.same_with_and_without("--steps", 8, "--scaler", "--poison-rank", 0, "--poison-step", 3)
        status, result = firstbad("ledger", self.ledger)
        self.assertEqual(status, 0)
        self.assertTrue(result["first_bad"]["probe"])
        self.assertEqual(result["first_bad"]["step"], 3)
        after = [line["loss_scale_after"] for line in self.lines() if line["kind"] == "step"]
        self.assertEqual(after[2:5], [2.0 ** 15, 2.0 ** 14, 2.0 ** 14])

    def test_four_processes_change_no_bit(self):
        self.same_with_and_without("--steps", 5, "--clip", 1.0, world=4)
        status, result = firstbad("ledger", self.ledger)
        self.assertEqual(status, 0, result)
        self.assertEqual(result["ranks"], 4)
        self.assertEqual(result["disagreements"], [])
        self.assertEqual(result["missing"], [])

    def test_one_of_four_processes_fails_and_all_skip(self):
        results = train("--steps", 6, "--poison-rank", 2, "--poison-step", 3, "--ledger", self.ledger, world=4)
        self.assertEqual({one["how"] for one in results}, {"finished"})
        self.assertEqual(len({one["weights"] for one in results}), 1)  # the replicas did not part
        status, result = firstbad("ledger", self.ledger)
        self.assertEqual(status, 3)
        self.assertEqual(result["origin_ranks"], [2])
        self.assertEqual(result["victim_ranks"], [0, 1, 3])
        self.assertEqual((result["first_bad"]["step"], result["first_bad"]["lane"]), (3, "grad"))
        self.assertEqual(result["disagreements"], [])
        self.assertTrue(all(one["ok"] for one in result["chain"]))
        capsules = glob.glob(os.path.join(self.ledger, "*.capsule"))
        self.assertIn("a1.s3.r00002.capsule", [os.path.basename(one) for one in capsules])
        self.check_capsule(os.path.join(self.ledger, "a1.s3.r00002.capsule"))
        status, found = firstbad("incidents", self.ledger)
        self.assertIn("rank-origin", [one["kind"] for one in found["incidents"]])

    def test_the_policy_stops_all_ranks_with_evidence_on_disk(self):
        results = train("--steps", 6, "--poison-rank", 1, "--poison-step", 2, "--on-bad", "stop", "--ledger", self.ledger, world=4)
        self.assertEqual({one["how"] for one in results}, {"stopped"})
        status, result = firstbad("ledger", self.ledger)
        self.assertEqual((status, result["origin_ranks"], result["hang"]), (3, [1], None))
        for rank in range(4):
            kinds = [line["kind"] for line in self.lines(rank)]
            self.assertLess(kinds.index("bad"), kinds.index("end"))
            self.assertEqual(self.lines(rank)[-1]["how"], "exception")

    def test_cost_on_twelve_blocks(self):
        size = ("--steps", 8, "--blocks", 12, "--width", 256, "--rows", 8, "--length", 128, "--vocab", 4096)
        plain = train(*size, "--clip", 1.0)[0]
        recorded = train(*size, "--clip", 1.0, "--ledger", self.ledger)[0]
        print("cost of the recorder on 12 blocks: %.2f ms a step, %.3f %% of a step; whole run %.2f s without, %.2f s with"
              % (recorded["cost_ms"], 100 * recorded["cost_share"], plain["seconds"], recorded["seconds"]))
        self.assertLess(recorded["cost_share"], 0.01)


if __name__ == "__main__":
    probe = subprocess.run([sys.executable, "-c", "import torch; print(torch.__version__)"], env=environment(), capture_output=True, text=True)
    if probe.returncode != 0:
        print("SKIPPED: no Python torch in %s; run packaging/bootstrap.sh recorder" % TORCH)
        sys.exit(77)
    print("torch", probe.stdout.strip())
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[3:])
