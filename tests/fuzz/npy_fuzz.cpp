// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes arrays of NumPy: raw bytes, the bytes as a header, and edits of a sound array of records.
#include "core/checkpoint/numpy/npy_array.h"
#include "tests/fuzz/checkpoint_check.h"
#include "tests/fuzz/edited.h"
#include "tests/unit/checkpoint/zip_builder.h"

using namespace firstbad;

namespace {

std::string withHeader(const std::string& header)
{
    return "\x93NUMPY" + test::little(2, 1) + test::little(0, 1) + test::little(header.size(), 4)
        + header + "0123456789abcdef";
}

void run(const std::string& bytes)
{
    core::NpyPlace place;
    place.bytes = core::ByteSource::ofMemory(std::make_shared<const std::string>(bytes));
    place.decodedBytes = place.declaredBytes = bytes.size();
    place.member = "fuzz.npy";
    place.name = "fuzz";
    core::Checkpoint part;
    core::JobContext job;
    if (core::readNpyArray(place, part, job))
        test::checkDescription(part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    run(bytes);
    run(withHeader(bytes));
    run(withHeader("{'descr': '" + bytes + "', 'fortran_order': False, 'shape': (2,), }"));
    run(test::edited(
        withHeader("{'descr': [('w', '<f4', (1,)), ('s', '>f2')], 'fortran_order': True, 'shape': "
                   "(2, 1), }\n"),
        data, size));
    return 0;
}
