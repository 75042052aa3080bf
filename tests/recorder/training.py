# SPDX-License-Identifier: GPL-3.0-or-later
"""One small GPT-like training on one or several processes, with or without the recorder and a planted fault."""
import argparse
import json
import os
import sys
import time

import torch
import torch.distributed as dist

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "recorder"))
from firstbad_recorder import FirstBadStop, Recorder  # noqa: E402


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.ln_1, self.ln_2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.fc, self.proj = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.ln_1(x)).view(rows, length, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(rows, length, width))
        return x + self.proj(torch.nn.functional.gelu(self.fc(self.ln_2(x))))


class Model(torch.nn.Module):
    def __init__(self, vocab, width, blocks):
        super().__init__()
        self.wte = torch.nn.Embedding(vocab, width)
        self.blocks = torch.nn.ModuleList(Block(width) for _ in range(blocks))
        self.ln_f, self.head = torch.nn.LayerNorm(width), torch.nn.Linear(width, vocab, bias=False)

    def forward(self, ids, labels):
        x = self.wte(ids)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.ln_f(x))
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def batches(seed, steps, rows, length, vocab):
    source = torch.Generator().manual_seed(seed)
    for step in range(steps):
        ids = torch.randint(0, vocab, (rows, length + 1), generator=source)
        yield step, {"input_ids": ids[:, :-1].contiguous(), "labels": ids[:, 1:].contiguous()}


class Poison(torch.autograd.Function):
    """Finite forward, one infinite gradient element backward."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad.view(-1)[0] = float("inf")
        return grad


def train(options):
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    if world > 1:
        dist.init_process_group("gloo")
    model = Model(options.vocab, options.width, options.blocks)
    inner, inner.step = model, -1
    if options.poison_rank == rank:
        inner.blocks[1].proj.register_forward_hook(
            lambda module, inputs, out: Poison.apply(out) if inner.step == options.poison_step else out)
    if world > 1:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 15) if options.scaler else None
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: 1.0 / (1 + n))
    recorder = None
    if options.ledger:
        recorder = Recorder(options.ledger, model, optimizer, scaler=scaler, scheduler=scheduler, run_id="ddp", on_bad=options.on_bad,
                            weights="value", dataset_version="generated-1")
    losses, begun = [], time.perf_counter()
    try:
        for step, batch in batches(options.seed + rank, options.steps * options.accumulate, options.rows, options.length, options.vocab):
            inner.step = step // options.accumulate
            first, last = step % options.accumulate == 0, (step + 1) % options.accumulate == 0
            if recorder:
                recorder.begin(batch, sample_ids=list(range(step * options.rows, (step + 1) * options.rows)))
            loss = model(batch["input_ids"], batch["labels"])
            if recorder:
                recorder.loss(loss)
            (scaler.scale(loss) if scaler else loss).div(options.accumulate).backward()
            losses.append(loss.item())
            if not last:
                continue
            if recorder:
                recorder.update(clip=options.clip)
                continue
            if scaler:
                scaler.unscale_(optimizer)
            if options.clip is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip)
            if scaler:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            if not scaler or all(bool(torch.isfinite(p.grad).all()) for p in model.parameters()):
                scheduler.step()
            optimizer.zero_grad(set_to_none=True)
        how = "finished"
    except FirstBadStop:
        how = "stopped"
    seconds = time.perf_counter() - begun
    result = {"rank": rank, "how": how, "losses": losses, "seconds": seconds,
              "weights": sum(float(p.detach().double().sum()) for p in model.parameters())}
    if recorder:
        recorder.close()
        result.update(cost_share=recorder.cost_share(), cost_ms=1000 * recorder.cost / max(recorder.step, 1))
    print("RESULT " + json.dumps(result), flush=True)
    if world > 1:
        dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    for name, kind, default in (("steps", int, 8), ("rows", int, 2), ("length", int, 16), ("vocab", int, 97), ("width", int, 32),
                                ("blocks", int, 3), ("seed", int, 7), ("threads", int, 1), ("accumulate", int, 1), ("clip", float, None),
                                ("poison-rank", int, -1), ("poison-step", int, -1)):
        parser.add_argument("--" + name, type=kind, default=default)
    parser.add_argument("--ledger")
    parser.add_argument("--scaler", action="store_true")
    parser.add_argument("--on-bad", default="skip")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
