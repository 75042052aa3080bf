// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as capsule.json and as a batch file: a capsule or a sentence, and lint never crashes.
#include "core/base/assert.h"
#include "core/capsule/capsule.h"
#include "core/capsule/model_shape.h"
#include "core/capsule/tensor_cursor.h"
#include "core/capsule/tensor_file.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace firstbad::core;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto capsule = parseCapsule(text, "/nonexistent", "fuzz.capsule");
    FB_ASSERT(capsule || !capsule.error().message.empty());
    if (capsule)
        static_cast<void>(modelShape(*capsule));

    const firstbad::test::MemoryFile file(data, size);
    const auto tensors = TensorFile::open(file.path(), "fuzz.safetensors");
    JobContext job;
    for (const auto& tensor : tensors ? tensors->tensors() : std::vector<TensorEntry>()) {
        TensorCursor cursor(*tensors, tensor, job);
        while (cursor.next())
            static_cast<void>(cursor.integer());
        FB_ASSERT(!cursor.error());
    }
    return 0;
}
