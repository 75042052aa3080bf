// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the files of torch.save: zip with and without its directory, deflated records, the old
// format; by edits of sound files, and by raw bytes.
#include "core/checkpoint/torch/torch_file.h"
#include "tests/fuzz/checkpoint_check.h"
#include "tests/fuzz/edited.h"
#include "tests/unit/checkpoint/pickle_builder.h"

using namespace firstbad;

namespace {

std::string soundPickle()
{
    return test::pickle(
        test::pickledDict({{"a", test::pickledTensor({"FloatStorage", "0", 8, 0, {2, 4}, {4, 1}})},
            {"b", test::pickledTensor({"HalfStorage", "1", 4, 1, {3}, {1}})}}));
}

const test::ZipBuilder& soundZip()
{
    static const test::ZipBuilder zip = [] {
        test::ZipBuilder made;
        made.add(test::plainItem("m/data.pkl", soundPickle()))
            .add(test::plainItem("m/data/0", test::floatBytes(8)))
            .add(test::deflatedItem("m/data/1", test::floatBytes(2)))
            .add(test::plainItem("m/byteorder", "little"))
            .add(test::plainItem("m/version", "3\n"));
        return made;
    }();
    return zip;
}

const std::string& soundLegacy()
{
    static const std::string bytes
        = test::pickle("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19")
        + test::pickle(test::pickledInt(1001)) + test::pickle("}") + soundPickle()
        + test::pickle("](" + test::pickledText("0") + test::pickledText("1") + "e")
        + test::little(8, 8) + test::floatBytes(8) + test::little(4, 8) + test::floatBytes(2);
    return bytes;
}

void run(std::string bytes)
{
    core::JobContext job;
    const auto file = core::readTorchFile(
        core::ByteSource::ofMemory(std::make_shared<const std::string>(std::move(bytes))), {}, job);
    if (file)
        test::checkDescription(file->part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    run("PK\x03\x04" + std::string(reinterpret_cast<const char*>(data), size));
    run(test::edited(soundZip().bytes(), data, size));
    run(test::edited(soundZip().records(), data, size));
    run(test::edited(soundLegacy(), data, size));
    return 0;
}
