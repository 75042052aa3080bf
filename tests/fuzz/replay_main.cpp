// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer: every seed, its cuts, and a fixed series of mutations.
//
// Deterministic, so that a failure under ASan+UBSan on one machine is a failure on all.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int kMutationsOfASeed = 200;
constexpr std::size_t kCutsOfASeed = 64;

/// Pieces that log readers trip over.
constexpr std::array<std::string_view, 12> kPieces{"\n", "\r", "\r\n", std::string_view("\0x", 2),
    "nan", "-Infinity", "1e400", "{\"", "[[[[[[[[", "18446744073709551616", "\xff\xfe", "\x1b[0m"};

void runOne(const std::string& input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string mutated(std::string input, std::mt19937_64& random)
{
    const std::size_t edits = 1 + random() % 8;
    for (std::size_t edit = 0; edit < edits; ++edit) {
        const std::size_t at = input.empty() ? 0 : random() % input.size();
        const std::size_t length = std::min<std::size_t>(random() % 32, input.size() - at);
        switch (random() % 4) {
        case 0:
            if (!input.empty())
                input[at] = static_cast<char>(random());
            break;
        case 1:
            input.erase(at, length);
            break;
        case 2:
            input.insert(at, kPieces[random() % kPieces.size()]);
            break;
        default:
            input.insert(at, input.substr(at, length));
            break;
        }
    }
    return input;
}

void runSeed(const std::string& seed, std::mt19937_64& random)
{
    runOne(seed);
    const std::size_t stride = std::max<std::size_t>(1, seed.size() / kCutsOfASeed);
    for (std::size_t end = 0; end < seed.size(); end += stride)
        runOne(seed.substr(0, end));
    for (int count = 0; count < kMutationsOfASeed; ++count)
        runOne(mutated(seed, random));
}

std::vector<std::string> seedsIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> seeds;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        seeds.emplace_back(
            std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return seeds;
}

}  // namespace

int main(int argc, char** argv)
{
    std::mt19937_64 random(20240607);
    std::vector<std::string> seeds{"", "\n", "step 1 loss nan\nstep 2 loss inf\n"};
    for (int index = 1; index < argc; ++index) {
        for (auto& seed : seedsIn(argv[index]))
            seeds.push_back(std::move(seed));
    }
    for (const auto& seed : seeds)
        runSeed(seed, random);
    std::printf(
        "%zu seeds with their cuts and %d mutations each\n", seeds.size(), kMutationsOfASeed);
    return EXIT_SUCCESS;
}
