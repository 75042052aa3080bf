// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/cuda/finite_count.h"

#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kMaxBlocks = 4096;
constexpr unsigned kExponent = 0x7F800000U;
constexpr unsigned kMantissa = 0x007FFFFFU;

// The bits are judged, never the value, so that no compiler option can change the answer.
__global__ void countNonfinite(const float* values, std::uint64_t size, FirstbadFiniteCount* count)
{
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
         i += stride) {
        const unsigned bits = __float_as_uint(values[i]);
        if ((bits & kExponent) != kExponent)
            continue;
        if ((bits & kMantissa) != 0)
            atomicAdd(&count->nan, 1ULL);
        else
            atomicAdd((bits >> 31U) != 0 ? &count->negInf : &count->posInf, 1ULL);
        atomicMin(&count->firstBad, static_cast<unsigned long long>(i));
    }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int firstbadCountNonfiniteF32(
    const float* values, std::uint64_t size, FirstbadFiniteCount* count, void* stream)
{
    if (size == 0)
        return cudaSuccess;
    const auto blocks
        = static_cast<unsigned>(std::min((size + kThreads - 1) / kThreads, kMaxBlocks));
    countNonfinite<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(values, size, count);
    return cudaGetLastError();
}
