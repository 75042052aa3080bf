// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the pickle machine and the walk over what it built: the bytes as a pickle, and as edits of
// one that torch.save could have written.
#include "core/checkpoint/torch/torch_values.h"
#include "tests/fuzz/checkpoint_check.h"
#include "tests/fuzz/edited.h"
#include "tests/unit/checkpoint/pickle_builder.h"

using namespace firstbad;

namespace {

std::string soundPickle()
{
    const std::string tensor = test::pickledTensor({"FloatStorage", "0", 8, 1, {2, 3}, {3, 1}});
    const std::string dtype = "cnumpy\ndtype\n(" + test::pickledText("f4") + "\x89\x88tR(K\x03"
        + test::pickledText("<") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x01tb";
    const std::string array = "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n"
        + test::pickledTuple({0})
        + "C\x01"
          "btR(K\x01"
        + test::pickledTuple({2}) + dtype + "\x89" + "C\x08" + "abcdefghtb";
    return test::pickle(
        test::pickledDict({{"w", tensor + "q\x01"}, {"alias", "h\x01"}, {"np", array},
            {"groups", "](" + test::pickledDict({{"lr", "G?\xf0\x01\x01\x01\x01\x01\x01"}}) + "e"},
            {"args", "cargparse\nNamespace\n)\x81" + test::pickledDict({{"x", "K\x05"}}) + "b"}}));
}

void run(std::string bytes)
{
    core::Checkpoint part;
    core::JobContext job;
    if (!core::collectPickledValues(std::move(bytes), {}, "data.pkl", part, job))
        std::abort();
    test::checkDescription(part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    run(std::string(reinterpret_cast<const char*>(data), size));
    run(test::edited(soundPickle(), data, size));
    return 0;
}
