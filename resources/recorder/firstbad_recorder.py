# SPDX-License-Identifier: Apache-2.0
"""Evidence ledgers and capsules for firstbad, from inside a PyTorch training. torch 2.1 or later, standard library.

    recorder = Recorder("run/ledger", model, optimizer, scaler=scaler)             # 1
    for batch in loader:
        recorder.begin(batch)                                                      # 2
        loss = model(batch["input_ids"], batch["labels"])
        recorder.loss(loss)                                                        # 3
        (scaler.scale(loss) if scaler else loss).backward()
        recorder.update(clip=1.0)                                                  # 4
    recorder.close()                                                               # 5

update() stands for unscale, clip, step, scaler.update, scheduler.step and zero_grad, and takes one decision for
all ranks: the flags of all are reduced by MAX before anyone acts. Until something is bad it does what these calls
do, bit for bit. With accumulation: begin, loss and backward for each micro-step, update once. On the first bad
value the evidence is on disk, synced, before anybody raises; the loss scale is updated whatever happens.
"""
import atexit
import contextlib
import ctypes
import datetime
import glob
import hashlib
import importlib.util
import json
import math
import os
import re
import time

import torch
import torch.distributed as dist

MAX_BAD_LINES = 64


class FirstBadStop(RuntimeError):
    pass  # raised on all ranks alike, after the evidence is on disk


def _plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Ledger:
    def __init__(self, path):
        self.path = path
        self.file = open(path, "xb", buffering=1 << 16)
        self.previous, self.unsynced = "", 0

    def write(self, kind, sync=False, **members):
        line = json.dumps({"kind": kind, "prev": self.previous, **{k: _plain(v) for k, v in members.items()}},
                          separators=(",", ":"), default=str).encode()
        self.previous = hashlib.sha256(line).hexdigest()[:16]
        self.file.write(line + b"\n")
        self.unsynced += 1
        if sync or self.unsynced % 32 == 0:
            self.file.flush()
        if sync:
            os.fsync(self.file.fileno())


_SAFE_NAMES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64",
               torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def _bytes(tensor):
    return ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""


def _write_synced(path, *parts):
    digest = hashlib.sha256()
    with open(path, "xb") as file:
        for part in parts:
            file.write(part)
            digest.update(part)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def write_safetensors(path, tensors):
    header, offset, ready = {}, 0, []
    for name, tensor in sorted(tensors.items()):
        ready.append(tensor.detach().to("cpu").contiguous())
        end = offset + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _SAFE_NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return _write_synced(path, len(head).to_bytes(8, "little") + head, *map(_bytes, ready))


def _named_batch(batch):
    if isinstance(batch, (torch.Tensor, tuple, list)):
        batch = [batch] if isinstance(batch, torch.Tensor) else batch
        batch = dict(zip(("input_ids", "labels", "attention_mask", "position_ids", "loss_mask"), batch))
    return {name: value for name, value in getattr(batch, "items", dict().items)() if isinstance(value, torch.Tensor)}


class Recorder:
    def __init__(self, folder, model, optimizer=None, *, scaler=None, scheduler=None, run_id=None, attempt=None, blocks=None,
                 on_bad="skip", max_skips=20, rollback=None, weights="auto", capsules=4, capsule_every=0, guard=None,
                 precision=None, group=None, quiet=False, **header):
        """`optimizer`: one or several. `on_bad`: "skip", "stop", or "rollback" (`rollback(step)` is called on all ranks);
        after `max_skips` skips in a row all stop. `blocks`: modules whose outputs are watched, so that a bad forward names
        its block. `weights`: "value", "reference" (to the checkpoint told last), "auto". `capsules`: at most so many after
        bad steps; `capsule_every`: also every so many steps. `guard`: read the flag before an update without scaler
        (default: unless all optimizers are fused on CUDA, whose kernels skip by themselves). `header`: more names."""
        self.model, self.scaler, self.scheduler, self.group = model, scaler, scheduler, group
        self.optimizers = list(optimizer) if isinstance(optimizer, (list, tuple)) else [optimizer] if optimizer else []
        self.on_bad, self.max_skips, self.rollback, self.weights = on_bad, max_skips, rollback, weights
        self.capsules_left, self.capsule_every, self.folder, self.quiet = capsules, capsule_every, str(folder), quiet
        self.parallel = dist.is_available() and dist.is_initialized()
        self.rank = dist.get_rank() if self.parallel else int(os.environ.get("RANK", 0))
        self.world = dist.get_world_size() if self.parallel else 1
        self.device = next((p.device for p in model.parameters()), torch.device("cpu"))
        self.lagged = self.device.type == "cuda"
        fused = all(g.get("fused") for o in self.optimizers for g in o.param_groups)
        self.guard = guard if guard is not None else not (self.lagged and fused)
        self.step = self.skips = self.steps_done = self.samples = self.tokens = 0
        self.batch = self.ids = self.rng = self.begun = self.frozen = self.last_checkpoint = None
        self.queue, self.block_flags, self.bucket_flags, self.losses = [], [], [], []
        self.cost, self.total, self.closed = 0.0, 0.0, False
        os.makedirs(self.folder, exist_ok=True)
        self.names = {id(p): self._clean(name) for name, p in model.named_parameters()}
        self.attempt = self._agree_attempt(attempt)
        self.run_id = run_id or os.environ.get("FIRSTBAD_RUN_ID") or os.path.basename(os.path.abspath(self.folder))
        self.ledger = _Ledger(os.path.join(self.folder, "a%d.r%05d.ledger.jsonl" % (self.attempt, self.rank)))
        self.precision = precision or ("fp16" if scaler is not None else str(next(model.parameters()).dtype).replace("torch.", ""))
        self._write_header(header)
        self._watch(blocks)
        atexit.register(self.close, "signal", "the process ended without close()")

    def begin(self, batch=None, *, sample_ids=None, step=None):
        """Before the forward pass, after the data was loaded: freezes batch and random state by reference."""
        start = time.perf_counter()
        if not self.losses:
            self.total += start - self.begun if self.begun is not None else 0.0
            self.begun = start
        self.step = self.step if step is None else step
        self.batch = _named_batch(batch)
        self.ids = batch.get("sample_ids") if sample_ids is None and hasattr(batch, "get") else sample_ids
        self.rng = {"torch_cpu": torch.get_rng_state()}
        if self.lagged:
            self.rng["torch_cuda.%d" % (self.device.index or 0)] = torch.cuda.get_rng_state(self.device)
        first = next(iter(self.batch.values()), None)
        if first is not None and first.dim() > 0:
            self.samples += first.shape[0] * self.world
            self.tokens += first.numel() * self.world
        self.cost += time.perf_counter() - start

    def loss(self, loss):
        start = time.perf_counter()
        self.losses.append((self._input_scalars(), loss.detach().float().reshape(()), self.ids, self._rng_hash(), self.batch, self.rng))
        self.cost += time.perf_counter() - start

    def update(self, clip=None, own_step=True):
        """Unscale, decide for all ranks, clip, step or skip, update the scale, move the schedule, clear gradients.
        With own_step=False a trainer does that itself, and is only told the decision."""
        if not self.losses:
            self.losses.append((self._input_scalars(), None, self.ids, self._rng_hash(), self.batch or {}, self.rng))
        scale = self._scale()
        rate = float(self.optimizers[0].param_groups[0]["lr"]) if self.optimizers else None
        for optimizer in self.optimizers if self.scaler is not None and own_step else ():
            self.scaler.unscale_(optimizer)
        parameters = [p for p in self.model.parameters() if p.grad is not None]
        sharded = hasattr(self.model, "clip_grad_norm_")  # FSDP: here are shards, the norm of all is its own business
        start = time.perf_counter()
        norm = self._norm(parameters)
        start = start if clip is None or sharded else time.perf_counter()  # clipping needs the norm anyway: no cost of ours
        local = self._local_flag()
        bad = torch.maximum(local, self._is_bad(norm).to(self.device))
        for found in self._found_inf():
            bad = torch.maximum(bad, found.to(self.device).reshape(()))
        local = bad if self.world == 1 or sharded else local
        if not self.lagged and float(bad) != 0.0:
            self._evidence(norm)
        everywhere = self._reduce(bad)
        known = self.guard or self.scaler is not None
        is_bad = known and float(everywhere) != 0.0
        if is_bad:
            self._evidence(norm)
        enough = self.on_bad == "skip" and self.skips + 1 >= self.max_skips
        action = "update" if not is_bad else "stop" if enough else self.on_bad
        self.cost += time.perf_counter() - start
        if self.capsule_every and self.step % self.capsule_every == 0 and not is_bad:
            self._capsule(self.step, None)  # before the update: the weights that this step began with
        if clip is not None and action == "update":
            norm = self._clip(parameters, norm, clip)
        self.skips = 0 if action == "update" else self.skips + 1
        self.steps_done += action == "update"
        if own_step:
            self._act(action, everywhere, known)
        start = time.perf_counter()
        self._record(norm, scale, rate, local, everywhere, action)
        if is_bad and self.capsules_left > 0 and (self.rank == 0 or action != "skip" or float(local) != 0.0):
            self.capsules_left -= 1
            self._capsule(self.step - 1, self.frozen)
        self.losses, self.block_flags, self.bucket_flags = [], [], []
        self.cost += time.perf_counter() - start
        if action == "stop" and own_step:
            text = "step %d is bad on some rank, all %d ranks stop" % (self.step - 1, self.world)
            self.close("exception", text)
            raise FirstBadStop(text + "; see " + self.ledger.path)
        if action == "rollback" and self.rollback is not None:
            self.rollback(self.step - 1)
        return action

    @contextlib.contextmanager
    def waiting(self, op, seq=0):
        self.ledger.write("wait", sync=True, step=self.step, op=op, seq=seq)
        yield

    def checkpoint(self, path, parent=None):
        self.ledger.write("checkpoint", sync=True, step=self.step, path=str(path), parent=parent, files=[])
        self.last_checkpoint = {"path": str(path), "format": None, "step": self.step, "sha256": None}

    def close(self, how="finished", message=""):
        if self.closed:
            return
        self.closed = True
        self._drain(all_of_them=True)
        self.ledger.write("end", sync=True, how=how, message=str(message)[:400])
        if not self.quiet and self.rank == 0 and self.step:
            print("firstbad recorder: %.3f ms a step, %.2f %% of it" % (1000 * self.cost / self.step, 100 * self.cost_share()))

    def cost_share(self):
        return self.cost / self.total if self.total else 0.0

    @staticmethod
    def _is_bad(value):
        return (~torch.isfinite(value.detach())).float().reshape(())

    def _local_flag(self):  # before the reduce
        flag = torch.zeros((), device=self.device)
        for _, loss, *_ in self.losses:
            flag = flag if loss is None else torch.maximum(flag, self._is_bad(loss.to(self.device)))
        for _, _, bad in self.bucket_flags:
            flag = torch.maximum(flag, bad)
        return flag

    def _found_inf(self):
        states = getattr(self.scaler, "_per_optimizer_states", None) or {}
        return [value for o in self.optimizers if id(o) in states for value in states[id(o)].get("found_inf_per_device", {}).values()]

    def _reduce(self, flag):
        if self.parallel:
            flag = flag.clone()
            dist.all_reduce(flag, op=dist.ReduceOp.MAX, group=self.group)  # a logical or: sums of values can overflow
        return flag

    @staticmethod
    def _norm(parameters):
        """As torch.nn.utils.clip_grad_norm_ computes it, bit for bit."""
        if not parameters:
            return torch.zeros(())
        norms = torch._foreach_norm([p.grad for p in parameters], 2.0)
        return torch.linalg.vector_norm(torch.stack([n.to(norms[0].device) for n in norms]), 2.0)

    def _clip(self, parameters, norm, limit):
        """After the decision: a clipped NaN spreads to every gradient and would spoil the evidence."""
        if hasattr(self.model, "clip_grad_norm_"):
            return self.model.clip_grad_norm_(limit)
        factor = torch.clamp(limit / (norm + 1e-6), max=1.0)
        torch._foreach_mul_([p.grad for p in parameters], factor.to(self.device))
        return norm

    def _act(self, action, everywhere, known):
        """The same on all ranks. The scaler hears of the flag of all ranks, and its scale is always updated."""
        for found in self._found_inf():
            found.copy_(torch.maximum(found, everywhere.to(found.device).reshape(found.shape)))
        for optimizer in self.optimizers:
            if self.scaler is not None and self.scaler.is_enabled():
                self.scaler.step(optimizer)
            elif action == "update":
                if not known:
                    optimizer.found_inf = everywhere.reshape(1)  # fused kernels skip by themselves
                optimizer.step()
        if self.scaler is not None:
            self.scaler.update()
        if action == "update" and self.scheduler is not None:
            self.scheduler.step()
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)

    def _scale(self):
        if self.scaler is None or not self.scaler.is_enabled():
            return None
        scale = getattr(self.scaler, "_scale", None)  # the tensor: get_scale() would wait for the device
        return torch.tensor(float(self.scaler.get_scale())) if scale is None else scale.detach().clone()

    def _record(self, norm, scale, rate, local, everywhere, action):
        after = self._scale()
        values = []
        for at, (scalars, loss, ids, rng, *_) in enumerate(self.losses):
            last = at + 1 == len(self.losses)
            values.append([loss, norm if last else None, scale, after if last else scale, local, everywhere, *scalars])
        packed = torch.stack([v.detach().to(self.device, torch.float64).reshape(())
                              for row in values for v in row if isinstance(v, torch.Tensor)])
        ready = None
        if self.lagged:  # the copy runs beside the training; its line is written when it has arrived
            packed = torch.empty(packed.shape, dtype=packed.dtype, pin_memory=True).copy_(packed, non_blocking=True)
            ready = torch.cuda.Event()
            ready.record()
        lines = [(row[2], row[3], values[at]) for at, row in enumerate(self.losses)]
        common = {"learning_rate": rate, "optimizer_steps": self.steps_done, "schedule_steps": self.steps_done,
                  "consumed_samples": self.samples, "consumed_tokens": self.tokens}
        self.queue.append((packed, ready, lines, common, action, self.step, _now()))
        self._drain(all_of_them=not self.lagged or action != "update")
        self.step += 1

    def _drain(self, all_of_them):
        while self.queue:
            packed, ready, lines, common, action, step, when = self.queue[0]
            if ready is not None and not ready.query():
                if not all_of_them and len(self.queue) < 8:
                    return
                ready.synchronize()
            self.queue.pop(0)
            host = iter(packed.tolist())
            stage = self.frozen[1] if self.frozen and self.frozen[0] == step else None
            for micro, (ids, rng, values) in enumerate(lines):
                row = [next(host) if isinstance(v, torch.Tensor) else v for v in values]
                loss, norm, scale, after, local, everywhere = row[:6]
                counts = dict(zip(("rows", "tokens", "valid_targets", "id_min", "id_max", "nonfinite"),
                                  (None if v is None else int(v) for v in row[6:])))
                bad = everywhere != 0.0
                skipped = bad if action == "update" and not self.guard else action != "update"
                self.ledger.write("step", step=step, micro_step=micro, sample_ids=ids, loss=loss, loss_scale=scale,
                                  loss_scale_after=after, total_grad_norm=norm, grad_norm_of="unscaled", skipped_step=skipped,
                                  local_bad=local != 0.0, global_bad=bad, first_bad_stage=stage if bad else None,
                                  rng_state_hash=rng, time=when, input=counts, **common)
            self.ledger.write("decision", sync=action != "update", step=step, action=action, scope="global",
                              reason="non-finite value" if action != "update" else "")

    def _evidence(self, norm):
        if self.frozen and self.frozen[0] == self.step:
            return
        self._drain(all_of_them=True)
        found = self._find_bad(norm)
        self.frozen = (self.step, found[0]["stage"] if found else None)
        for at, one in enumerate(found[:MAX_BAD_LINES]):
            self.ledger.write("bad", sync=at in (0, len(found) - 1), step=self.step, **one)  # the first is safe before the rest

    def _find_bad(self, norm):
        found = []
        for micro, (_, loss, _, _, batch, _) in enumerate(self.losses):
            for name, tensor in batch.items():
                if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
                    found.append(self._bad(micro, "input", "input", name, tensor))
            for flagged, module, bad in self.block_flags:
                if flagged == micro and float(bad) != 0.0:
                    found.append(dict(self._bad(micro, "forward", module, "output", None), nan=None))
            if loss is not None and not bool(torch.isfinite(loss)):
                found.append(self._bad(micro, "loss", "loss", "loss", loss))
        micro, stage = len(self.losses) - 1, "grad_reduced" if self.world > 1 else "grad_local"
        for bucket, names, bad in self.bucket_flags:
            if float(bad) != 0.0:
                line = self._bad(micro, "grad_local", names[0].rpartition(".")[0], names[0] + ".grad", None)
                found.append(dict(line, bucket=bucket, parameters=names[:32]))
        for name, parameter in reversed(list(self.model.named_parameters())):  # backward runs from the last layer to the first
            if len(found) >= MAX_BAD_LINES:
                break
            if parameter.grad is not None and not bool(torch.isfinite(parameter.grad).all()):
                module, _, leaf = self._clean(name).rpartition(".")
                found.append(self._bad(micro, stage, module, leaf + ".grad", parameter.grad))
        if not found and not bool(torch.isfinite(norm)):
            found.append(self._bad(micro, "clip", "total_grad_norm", "norm", norm))
        return found

    @staticmethod
    def _bad(micro, stage, module, tensor, values):
        line = {"micro_step": max(micro, 0), "stage": stage, "module": module, "param_group": None, "bucket": None, "tensor": tensor}
        if values is None:
            return line
        values = values.detach().float()
        finite = values[torch.isfinite(values)]
        return dict(line, nan=int(torch.isnan(values).sum()), posinf=int((values == math.inf).sum()), neginf=int((values == -math.inf).sum()),
                    max_abs=float(finite.abs().max()) if finite.numel() else None, elements=values.numel())

    def _capsule(self, step, first):
        path = os.path.join(self.folder, "a%d.s%d.r%05d.capsule" % (self.attempt, step, self.rank))
        try:
            os.makedirs(path)
            text = json.dumps(self._capsule_document(path, step, first), indent=1, default=str)
            _write_synced(os.path.join(path, "capsule.json"), text.encode())
            self.ledger.write("capsule", sync=True, step=step, path=path)
        except (OSError, KeyError) as error:  # evidence in the ledger is safe; a full disk must not end the training
            self.ledger.write("note", sync=True, text="capsule of step %d not written: %s" % (step, error))

    def _capsule_document(self, path, step, first):
        def stored(name, tensors):
            return {"file": name, "sha256": write_safetensors(os.path.join(path, name), tensors)}
        batches = [dict(stored("batch%d.safetensors" % i if i else "batch.safetensors", batch), tensors=sorted(batch))
                   for i, (_, _, _, _, batch, _) in enumerate(self.losses) if batch]
        size = sum(p.numel() * p.element_size() for p in self.model.parameters())
        weights = {"checkpoint": self.last_checkpoint}
        small = self.weights == "auto" and self.last_checkpoint is None and size <= 2 << 30
        if (self.weights == "value" or small) and not hasattr(self.model, "clip_grad_norm_"):  # FSDP's is a collective
            state = {self._clean(k): v for k, v in self.model.state_dict().items() if v.dtype in _SAFE_NAMES}
            weights = stored("weights.safetensors", state)
        config = getattr(self.model, "config", None)
        config = config.to_dict() if hasattr(config, "to_dict") else getattr(config, "__dict__", {})
        _, loss, ids, rng_hash, _, rng = self.losses[0]
        return {"firstbad_capsule": 1, "run_id": self.run_id, "attempt": self.attempt, "step": step, "micro_step": 0, "rank": self.rank,
                "family": config.get("model_type") or "other", "config": config, "precision": {"compute": self.precision}, "train": self.model.training,
                "batch": batches[0] if batches else None, "micro_steps": batches if len(batches) > 1 else None, "weights": weights,
                "rng": dict(stored("rng.safetensors", rng), hash=rng_hash) if rng else None, "sample_ids": ids,
                "state": {"optimizer": None, "scaler": None, "buffers": None, "fp8": None},
                "observed": {"loss": None if loss is None else _plain(float(loss)), "found_inf": first is not None,
                             "first_bad": {"stage": first[1]} if first else None},
                "environment": {"framework": "torch", "torch": torch.__version__, "cuda": torch.version.cuda,
                                "device": str(self.device), "world_size": self.world}}

    @staticmethod
    def _clean(name):
        return re.sub(r"(^|\.)(module|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)(?=\.)\.?", r"\1", name).lstrip(".")

    def _agree_attempt(self, attempt):
        names = " ".join(os.path.basename(p) for p in glob.glob(os.path.join(self.folder, "a*.ledger.jsonl")))
        box = [attempt or 1 + max(map(int, re.findall(r"\ba(\d+)\.r", names)), default=0)]
        if self.parallel:
            dist.broadcast_object_list(box, src=0)
        return box[0]

    def _write_header(self, more):
        scaler = self.scaler if self.scaler is not None and self.scaler.is_enabled() else None
        policy = scaler and {"name": "torch-gradscaler", "init": float(scaler.get_scale()), "window": scaler.get_growth_interval(),
                             "hysteresis": 1, "min": None, "max": None}
        known = dict({"dp_rank": self.rank, "tp_rank": 0, "pp_rank": 0, "checkpoint_parent": None}, **more)
        self.ledger.write("header", sync=True, firstbad_ledger=1, run_id=self.run_id, attempt=self.attempt, rank=self.rank,
                          world_size=self.world, precision=self.precision, framework="torch " + torch.__version__, scale_policy=policy,
                          started=_now(), **known)

    def _watch(self, blocks):
        names = {id(m): self._clean(n) for n, m in self.model.named_modules()}
        for block in blocks or ():
            block.register_forward_hook(lambda m, _, out, name=names.get(id(block), "block"): self._see_block(name, out))
        if isinstance(self.model, torch.nn.parallel.DistributedDataParallel):
            self.model.register_comm_hook(None, self._see_bucket)

    def _see_block(self, name, out):
        out = out[0] if isinstance(out, (tuple, list)) else out
        if isinstance(out, torch.Tensor) and out.is_floating_point():
            self.block_flags.append((len(self.losses), name, self._is_bad(out.detach().sum(dtype=torch.float32))))

    def _see_bucket(self, _, bucket):
        """DDP's own all-reduce, with one look at the bucket before it: afterwards the origin is gone."""
        buffer = bucket.buffer()
        start = time.perf_counter()
        names = [self.names.get(id(p), "?") for p in bucket.parameters()]
        self.bucket_flags.append((bucket.index(), names, self._is_bad(buffer.sum(dtype=torch.float32))))
        self.cost += time.perf_counter() - start
        buffer.mul_(1.0 / self.world)  # as DDP does: multiplied by the reciprocal, not divided
        return dist.all_reduce(buffer, group=self.model.process_group, async_op=True).get_future().then(lambda done: done.value()[0])

    def _rng_hash(self):
        return hashlib.sha256(_bytes(self.rng["torch_cpu"])).hexdigest()[:8] if self.rng else None

    def _input_scalars(self):
        tensor, labels = (self.batch or {}).get("input_ids"), (self.batch or {}).get("labels")
        if tensor is None or tensor.is_floating_point() or tensor.numel() == 0:
            return [None] * 6
        low, high = torch.aminmax(tensor)
        valid = (labels != -100).sum() if labels is not None and not labels.is_floating_point() else None
        return [tensor.shape[0], tensor.numel(), valid, low, high, 0]


def hf_callback(recorder):
    """For transformers.Trainer(callbacks=[...]): records the gradients; batches and losses are not shown to callbacks."""
    from transformers import TrainerCallback

    def stop(self, args, state, control, **_):
        control.should_training_stop = recorder.update(own_step=False) == "stop" or control.should_training_stop

    return type("FirstBadCallback", (TrainerCallback,), {
        "on_step_begin": lambda self, args, state, control, **_: recorder.begin(None, step=state.global_step),
        "on_pre_optimizer_step": stop,
        "on_train_end": lambda self, *args, **_: recorder.close()})()


def lightning_callback(recorder):
    """For lightning.Trainer(callbacks=[...])."""
    name = "lightning.pytorch" if importlib.util.find_spec("lightning") else "pytorch_lightning"

    def stop(self, trainer, module, optimizer):
        trainer.should_stop = recorder.update(own_step=False) == "stop" or trainer.should_stop

    return type("FirstBadCallback", (importlib.import_module(name).Callback,), {
        "on_train_batch_start": lambda self, trainer, module, batch, index: recorder.begin(batch, step=trainer.global_step),
        "on_before_optimizer_step": stop,
        "on_train_end": lambda self, trainer, module: recorder.close()})()
