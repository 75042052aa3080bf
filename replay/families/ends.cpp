// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/ends.h"

namespace firstbad::replay {

namespace {

/// Rows of a table's gradient: sums in `compute`, one rounding.
Tensor tableGradient(
    const Tensor& table, const Tensor& index, const Tensor& gradient, const BlockTypes& types)
{
    const Tensor flat = stored(gradient, types.compute).reshape({-1, gradient.size(-1)});
    Tensor sum = at::zeros(table.sizes(), flat.options());
    sum.index_add_(0, index.reshape({-1}), flat);
    return stored(sum, types.param);
}

}  // namespace

Tensor embeddingForward(BlockRun& run)
{
    const Tensor tokens = run.inputs.embeds.defined()
        ? run.inputs.embeds
        : at::embedding(run.weights.find("wte"), run.inputs.ids);
    const Tensor positions = run.weights.find("wpe");
    const Tensor rounded = stored(tokens, run.types.stream);
    return run.value("embedding",
        positions.defined() ? run.add(rounded, at::embedding(positions, run.inputs.positions))
                            : rounded);
}

void embeddingBackward(BlockRun& run, const Tensor& gradient)
{
    const Tensor dOut = run.gradient("embedding", stored(gradient, run.types.stream));
    if (!run.inputs.embeds.defined())
        run.gradients["wte"]
            = tableGradient(run.weights.find("wte"), run.inputs.ids, dOut, run.types);
    const Tensor positions = run.weights.find("wpe");
    if (positions.defined())
        run.gradients["wpe"] = tableGradient(positions, run.inputs.positions, dOut, run.types);
}

LossValue headForward(BlockRun& run, const HeadInputs& head, const Tensor& input)
{
    const BlockTypes& types = run.types;
    const Tensor x = stored(input, types.stream);
    run.saved["<"] = x;
    const NormWeights norm = run.norm("final_norm");
    const Tensor normed = run.normed(
        "final_norm", x, head.rmsNorm ? rmsNorm(x, norm, types) : layerNorm(x, norm, types));
    const NumberType result = isHalf(types.logits) ? types.matmul : types.logits;
    BlockTypes plain = types;
    plain.fp8.reset();  // fp8 is for the layers of blocks
    const Tensor logits
        = run.value("logits", linear(normed, run.layer("logits", false), plain, result));
    LossValue loss = crossEntropy(logits, head.targets, head.rule, types.compute);
    run.value("loss", loss.loss);
    return loss;
}

Tensor headBackward(BlockRun& run, const HeadInputs& head, const LossValue& loss)
{
    const Tensor& logits = run.at("logits");
    run.gradient("loss", at::full({}, head.scale, loss.loss.options()));
    const Tensor dLogits = run.gradient("logits",
        crossEntropyBackward(loss, head.targets, head.rule, head.scale, logits.scalar_type()));
    run.types.fp8.reset();
    const Tensor dNorm = run.gradient(
        "final_norm", run.linearBackward("logits", dLogits, run.at("final_norm"), false));
    return head.rmsNorm ? run.rmsNormBackward("final_norm", dNorm, run.at("<"))
                        : run.layerNormBackward("final_norm", dNorm, run.at("<"));
}

}  // namespace firstbad::replay
