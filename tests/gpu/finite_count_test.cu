// SPDX-License-Identifier: GPL-3.0-or-later
// Device code keeps NaN and infinities: the kernel's counts against a plain loop on the host.
#include "replay/cuda/finite_count.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <limits>
#include <vector>

namespace {

constexpr int kSkipped = 77;

void require(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

FirstbadFiniteCount countOnDevice(const std::vector<float>& values)
{
    FirstbadFiniteCount count{0, 0, 0, UINT64_MAX};
    float* deviceValues = nullptr;
    FirstbadFiniteCount* deviceCount = nullptr;
    const std::size_t bytes = values.size() * sizeof(float);
    require(cudaMalloc(&deviceValues, bytes));
    require(cudaMalloc(&deviceCount, sizeof count));
    require(cudaMemcpy(deviceValues, values.data(), bytes, cudaMemcpyHostToDevice));
    require(cudaMemcpy(deviceCount, &count, sizeof count, cudaMemcpyHostToDevice));
    require(static_cast<cudaError_t>(
        firstbadCountNonfiniteF32(deviceValues, values.size(), deviceCount, nullptr)));
    require(cudaMemcpy(&count, deviceCount, sizeof count, cudaMemcpyDeviceToHost));
    require(cudaFree(deviceValues));
    require(cudaFree(deviceCount));
    return count;
}

bool same(const char* name, unsigned long long found, unsigned long long expected)
{
    if (found == expected)
        return true;
    std::fprintf(stderr, "%s: found %llu, expected %llu\n", name, found, expected);
    return false;
}

}  // namespace

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("SKIPPED: no CUDA device on this machine");
        return kSkipped;
    }
    std::vector<float> values(3'000'001, 1.5F);
    constexpr float kInf = std::numeric_limits<float>::infinity();
    values[777] = -kInf;
    values[800] = std::numeric_limits<float>::quiet_NaN();
    values[2'999'999] = -std::numeric_limits<float>::quiet_NaN();
    values[3'000'000] = kInf;
    const auto bad = countOnDevice(values);
    const auto clean = countOnDevice(std::vector<float>(1000, std::numeric_limits<float>::max()));
    const bool ok = same("NaN", bad.nan, 2) && same("+Inf", bad.posInf, 1)
        && same("-Inf", bad.negInf, 1) && same("first bad", bad.firstBad, 777)
        && same("NaN of finite values", clean.nan, 0)
        && same("first of none", clean.firstBad, UINT64_MAX);
    return ok ? 0 : 1;
}
