// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the non-finite values of one fp32 array on a CUDA device and finds the first of them.
//
// C interface of the shared library firstbad_kernels. Asynchronous on the given stream; all
// pointers are device memory of the caller; one read of the array, no allocation.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FirstbadFiniteCount {
    unsigned long long nan;
    unsigned long long posInf;
    unsigned long long negInf;
    unsigned long long firstBad;  // index of the first non-finite value, or UINT64_MAX
} FirstbadFiniteCount;

/// Adds to `*count`, which the caller has set to {0, 0, 0, UINT64_MAX}. `stream` is a cudaStream_t.
/// Returns a cudaError_t; 0 is success.
int firstbadCountNonfiniteF32(
    const float* values, uint64_t size, FirstbadFiniteCount* count, void* stream);

#ifdef __cplusplus
}
#endif
