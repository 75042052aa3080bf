// SPDX-License-Identifier: GPL-3.0-or-later
// A real training that fails: the program that wrote resources/demo/train.log.
//
// A next-character model (embedding, one hidden ReLU layer, softmax) on generated sentences,
// trained with Adam, gradient clipping and a dynamic loss scale; activations and gradients are
// rounded to fp16, master weights are fp32. From iteration 420 the learning rate is 300 times what
// it should be, as after a slip in a schedule. Everything in the log is what then happened. Prints
// to stdout.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kIterations = 600;
constexpr int kSaveInterval = 100;
constexpr int kSlipAt = 420;
constexpr float kRate = 2e-3F;
constexpr float kRateAfterSlip = 0.6F;
constexpr int kWarmup = 40;
constexpr float kClip = 1.0F;
constexpr int kBatch = 32;
constexpr std::size_t kContext = 6;
constexpr std::size_t kEmbedding = 16;
constexpr std::size_t kInput = kContext * kEmbedding;
constexpr std::size_t kHidden = 96;
constexpr std::string_view kAlphabet = " abcdefghijklmnopqrstuvwxyz.,";
constexpr std::size_t kVocabulary = kAlphabet.size();

/// The nearest fp16 value, infinities beyond 65504 included.
float half(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t exponent = (bits >> 23U) & 0xFFU;
    if (exponent == 0xFFU)
        return value;
    if (exponent < 113U) {  // below 2^-14: fp16 keeps multiples of 2^-24
        constexpr float kSmallest = 1.0F / 16777216.0F;
        return std::nearbyint(value / kSmallest) * kSmallest;
    }
    const std::uint32_t rounded = (bits + 0xFFFU + ((bits >> 13U) & 1U)) & ~0x1FFFU;
    const auto result = std::bit_cast<float>(rounded);
    return ((rounded >> 23U) & 0xFFU) > 142U ? std::copysign(HUGE_VALF, value) : result;
}

/// A matrix of master weights with its gradient and Adam's moments.
struct Parameter {
    std::size_t rows;
    std::size_t columns;
    std::vector<float> weight;
    std::vector<float> gradient;
    std::vector<float> first;
    std::vector<float> second;

    Parameter(std::size_t r, std::size_t c, float spread, std::mt19937& random)
        : rows(r)
        , columns(c)
        , weight(r * c)
        , gradient(r * c)
        , first(r * c)
        , second(r * c)
    {
        std::normal_distribution<float> normal(0.0F, spread);
        for (auto& w : weight)
            w = normal(random);
    }
};

struct Model {
    Parameter embedding;
    Parameter hidden;
    Parameter output;

    explicit Model(std::mt19937& random)
        : embedding(kVocabulary, kEmbedding, 0.5F, random)
        , hidden(kInput, kHidden, 0.12F, random)
        , output(kHidden, kVocabulary, 0.12F, random)
    { }

    std::array<Parameter*, 3> all() { return {&embedding, &hidden, &output}; }
};

using Window = std::array<std::size_t, kContext + 1>;  // the last entry is what has to be predicted

/// Sentences of a small grammar, as symbols of the alphabet.
std::vector<std::size_t> generatedText(std::mt19937& random)
{
    constexpr std::array<std::string_view, 6> kSubjects{
        "the loss", "a gradient", "the scale", "one rank", "the sampler", "a late step"};
    constexpr std::array<std::string_view, 6> kVerbs{
        "falls below", "follows", "overtakes", "repeats", "waits for", "forgets"};
    constexpr std::array<std::string_view, 4> kEnds{". ", ", and ", ", but ", ", then "};
    std::vector<std::size_t> text;
    while (text.size() < 20000) {
        std::string sentence(kSubjects[random() % kSubjects.size()]);
        sentence += ' ';
        sentence += kVerbs[random() % kVerbs.size()];
        sentence += ' ';
        sentence += kSubjects[random() % kSubjects.size()];
        sentence += kEnds[random() % kEnds.size()];
        for (const char c : sentence)
            text.push_back(kAlphabet.find(c));
    }
    return text;
}

/// out[j] = sum over i of in[i] * matrix[i][j], in fp16 with fp32 sums.
std::vector<float> timesMatrix(const std::vector<float>& in, const Parameter& matrix)
{
    std::vector<float> out(matrix.columns, 0.0F);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j)
            out[j] += in[i] * half(matrix.weight[i * matrix.columns + j]);
    }
    std::transform(out.begin(), out.end(), out.begin(), half);
    return out;
}

/// Adds in^T * outGradient to the gradient and returns the gradient of `in`.
std::vector<float> backThrough(
    const std::vector<float>& in, Parameter& matrix, const std::vector<float>& outGradient)
{
    std::vector<float> inGradient(matrix.rows, 0.0F);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            matrix.gradient[i * matrix.columns + j] += in[i] * outGradient[j];
            inGradient[i] += half(matrix.weight[i * matrix.columns + j]) * outGradient[j];
        }
    }
    std::transform(inGradient.begin(), inGradient.end(), inGradient.begin(), half);
    return inGradient;
}

/// Forward and backward of one window; returns its loss. Gradients are those of scale * loss.
float learn(Model& model, const Window& window, float scale)
{
    std::vector<float> input(kInput);
    for (std::size_t k = 0; k < kContext; ++k) {
        for (std::size_t e = 0; e < kEmbedding; ++e)
            input[k * kEmbedding + e] = half(model.embedding.weight[window[k] * kEmbedding + e]);
    }
    std::vector<float> hidden = timesMatrix(input, model.hidden);
    for (auto& h : hidden)
        h = h < 0.0F ? 0.0F : h;
    const std::vector<float> logits = timesMatrix(hidden, model.output);

    const float largest = *std::max_element(logits.begin(), logits.end());
    float sum = 0.0F;
    for (const float logit : logits)
        sum += std::exp(logit - largest);
    const std::size_t target = window[kContext];
    const float loss = std::log(sum) - (logits[target] - largest);

    std::vector<float> logitGradient(kVocabulary);
    for (std::size_t v = 0; v < kVocabulary; ++v) {
        const float probability = std::exp(logits[v] - largest) / sum;
        logitGradient[v] = half((probability - (v == target ? 1.0F : 0.0F)) * scale / kBatch);
    }
    std::vector<float> hiddenGradient = backThrough(hidden, model.output, logitGradient);
    for (std::size_t h = 0; h < kHidden; ++h)
        hiddenGradient[h] = hidden[h] > 0.0F ? hiddenGradient[h] : 0.0F;
    const std::vector<float> inputGradient = backThrough(input, model.hidden, hiddenGradient);
    for (std::size_t k = 0; k < kContext; ++k) {
        for (std::size_t e = 0; e < kEmbedding; ++e)
            model.embedding.gradient[window[k] * kEmbedding + e]
                += inputGradient[k * kEmbedding + e];
    }
    return loss;
}

/// Rounds to fp16, divides by the scale and returns the norm: infinite or NaN when any value is.
float unscaledNorm(Model& model, float scale)
{
    double squares = 0.0;
    for (auto* parameter : model.all()) {
        for (auto& g : parameter->gradient) {
            g = half(g) / scale;
            squares += double{g} * double{g};
        }
    }
    return static_cast<float>(std::sqrt(squares));
}

void adamStep(Model& model, float rate, float shrink, int update)
{
    constexpr float kBeta1 = 0.9F;
    constexpr float kBeta2 = 0.95F;
    const float correction1 = 1.0F - std::pow(kBeta1, static_cast<float>(update));
    const float correction2 = 1.0F - std::pow(kBeta2, static_cast<float>(update));
    for (auto* parameter : model.all()) {
        for (std::size_t i = 0; i < parameter->weight.size(); ++i) {
            const float g = parameter->gradient[i] * shrink;
            parameter->first[i] = kBeta1 * parameter->first[i] + (1.0F - kBeta1) * g;
            parameter->second[i] = kBeta2 * parameter->second[i] + (1.0F - kBeta2) * g * g;
            parameter->weight[i] -= rate * (parameter->first[i] / correction1)
                / (std::sqrt(parameter->second[i] / correction2) + 1e-8F);
        }
    }
}

/// Halves after two bad steps in a row that used up the hysteresis, doubles after a clean window.
class LossScale
{
public:
    [[nodiscard]] float value() const { return m_value; }

    void update(bool bad)
    {
        if (bad) {
            m_clean = 0;
            if (--m_hysteresis <= 0)
                m_value = std::max(m_value / 2.0F, 1.0F);
        } else if (++m_clean == kGrowthWindow) {
            m_clean = 0;
            m_hysteresis = kHysteresis;
            m_value *= 2.0F;
        }
    }

private:
    static constexpr int kGrowthWindow = 100;
    static constexpr int kHysteresis = 2;
    float m_value = 1048576.0F;
    int m_clean = 0;
    int m_hysteresis = kHysteresis;
};

struct Step {
    int iteration;
    double elapsedMs;
    float rate;
    float loss;
    float scale;
    float norm;
    bool skipped;
};

/// One line in the form of Megatron-LM's training log.
void printLine(const Step& step)
{
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> when{};
    std::strftime(when.data(), when.size(), "%Y-%m-%d %H:%M:%S", std::gmtime(&now));
    const bool lossIsNumber = std::fpclassify(step.loss) >= FP_ZERO;
    std::printf(
        " [%s] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): "
        "%.1f | learning rate: %.6E | global batch size: %5d |",
        when.data(), step.iteration, kIterations, step.iteration * kBatch, step.elapsedMs,
        double{step.rate}, kBatch);
    if (!step.skipped)
        std::printf(" lm loss: %.6E |", double{step.loss});
    std::printf(" loss scale: %.1f |", double{step.scale});
    if (!step.skipped)
        std::printf(" grad norm: %.3f |", double{step.norm});
    std::printf(" number of skipped iterations: %3d | number of nan iterations: %3d |\n",
        step.skipped ? 1 : 0, lossIsNumber ? 0 : 1);
}

float learningRate(int iteration)
{
    if (iteration >= kSlipAt)
        return kRateAfterSlip;
    return kRate * std::min(1.0F, static_cast<float>(iteration) / kWarmup);
}

}  // namespace

int main()
{
    std::mt19937 random(1234);
    Model model(random);
    const auto text = generatedText(random);
    LossScale scale;
    int updates = 0;
    std::printf("training a next-character model, fp16 activations, dynamic loss scale ...\n");
    for (int iteration = 1; iteration <= kIterations; ++iteration) {
        const auto begun = std::chrono::steady_clock::now();
        for (auto* parameter : model.all())
            std::fill(parameter->gradient.begin(), parameter->gradient.end(), 0.0F);
        float loss = 0.0F;
        for (int sample = 0; sample < kBatch; ++sample) {
            Window window{};
            const std::size_t at = random() % (text.size() - window.size());
            std::copy_n(
                text.begin() + static_cast<std::ptrdiff_t>(at), window.size(), window.begin());
            loss += learn(model, window, scale.value()) / kBatch;
        }
        const float used = scale.value();
        const float norm = unscaledNorm(model, used);
        const bool skipped = std::fpclassify(norm) < FP_ZERO;
        if (!skipped)
            adamStep(
                model, learningRate(iteration), std::min(1.0F, kClip / (norm + 1e-6F)), ++updates);
        scale.update(skipped);
        const std::chrono::duration<double, std::milli> elapsed
            = std::chrono::steady_clock::now() - begun;
        printLine({iteration, elapsed.count(), learningRate(iteration), loss, used, norm, skipped});
        if (iteration % kSaveInterval == 0)
            std::printf("saving checkpoint at iteration %7d to checkpoints\n", iteration);
    }
    return 0;
}
