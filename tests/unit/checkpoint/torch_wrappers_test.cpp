// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which PyTorch and NumPy wrap a tensor in a pickle.
#include "core/base/value_kind.h"
#include "core/checkpoint/torch/torch_file.h"
#include "tests/support/catch.h"
#include "tests/unit/checkpoint/pickle_builder.h"

#include <cstring>

using namespace firstbad;
using namespace firstbad::core;
using namespace firstbad::test;
using namespace std::string_literals;

namespace {

const std::string kHooks = "ccollections\nOrderedDict\n)R";

std::string floats(const std::string& key, std::int64_t count)
{
    return pickledTensor({"FloatStorage", key, count, 0, {count}, {1}});
}

Checkpoint read(const std::string& value)
{
    JobContext job;
    auto file = readTorchZip(
        ByteSource::ofMemory(std::make_shared<const std::string>(
            torchArchive({{"0", floatBytes(8)}, {"1", floatBytes(8)}}, pickle(value)).bytes())),
        {}, job);
    REQUIRE(file);
    CHECK(file->part.damage.empty());
    return std::move(file->part);
}

CheckpointTensor onlyTensor(const Checkpoint& part)
{
    REQUIRE(part.tensors.size() == 1);
    return part.tensors[0];
}

std::string call(const std::string& module, const std::string& name, const std::string& arguments)
{
    return "c" + module + "\n" + name + "\n(" + arguments + "tR";
}

}  // namespace

TEST_CASE("a parameter is its tensor, its attributes lie below it", "[torch]")
{
    const std::string parameter = call("torch._utils", "_rebuild_parameter_with_state",
        floats("0", 8) + "\x88" + kHooks + pickledDict({{"shadow", floats("1", 8)}}));
    const Checkpoint part = read(pickledDict({{"w", parameter}}));
    REQUIRE(part.tensors.size() == 2);
    CHECK(part.tensors[0].name == "w");
    CHECK(part.tensors[1].name == "w.shadow");
}

TEST_CASE("types without a storage class come through an untyped storage", "[torch]")
{
    const std::string tensor = call("torch._utils", "_rebuild_tensor_v3",
        "(" + pickledText("storage") + "ctorch.storage\nUntypedStorage\n" + pickledText("0")
            + pickledText("cpu") + pickledInt(32) + "tQ" + pickledInt(4) + pickledTuple({28})
            + pickledTuple({1}) + "\x89" + kHooks + "ctorch\nfloat8_e4m3fn\n");
    const CheckpointTensor found = onlyTensor(read(pickledDict({{"w", tensor}})));
    CHECK(found.type == ElementType::Float8E4M3FN);
    CHECK(found.pieces[0].storageOffset == 4);
}

TEST_CASE("a sparse tensor has its own shape and the values' pieces", "[torch]")
{
    const std::string layout
        = "ctorch.serialization\n_get_layout\n(" + pickledText("torch.sparse_csr") + "tR";
    const std::string tensor = call("torch._utils", "_rebuild_sparse_tensor",
        layout + "(" + pickledTensor({"LongStorage", "1", 4, 0, {3}, {1}})
            + pickledTensor({"LongStorage", "1", 4, 0, {2}, {1}}) + floats("0", 8)
            + pickledTuple({6, 7}) + "t");
    const CheckpointTensor found = onlyTensor(read(pickledDict({{"s", tensor}})));
    CHECK(found.object == "sparse_csr");
    CHECK(found.valuesOnly);
    CHECK(found.shape == std::vector<std::int64_t>{6, 7});
    CHECK(found.pieces[0].sizes == std::vector<std::int64_t>{8});
}

TEST_CASE("the scales of a quantised tensor are read, NaN included", "[torch]")
{
    // 8 int8 values in the first bytes of storage 1; scales are two doubles in storage 0.
    const std::string scales = pickledTensor({"DoubleStorage", "0", 4, 1, {2}, {1}});
    const std::string zeros = pickledTensor({"LongStorage", "1", 4, 0, {2}, {1}});
    const std::string tensor = call("torch._utils", "_rebuild_qtensor",
        pickledStorage("QInt8Storage", "1", 32) + pickledInt(0) + pickledTuple({2, 4})
            + pickledTuple({4, 1}) + "(ctorch\nper_channel_affine\n" + scales + zeros + "K\x00t"s
            + "\x89" + kHooks);
    const Checkpoint part = read(pickledDict({{"q", tensor}}));
    const CheckpointTensor found = onlyTensor(part);
    CHECK(found.object == "quantized");
    CHECK(found.type == ElementType::QInt8);
    REQUIRE(found.scales.size() == 2);
    double expected = 0.0;
    std::memcpy(&expected, floatBytes(8).data() + 8, sizeof(expected));
    CHECK(found.scales[0] == expected);
}

TEST_CASE("a distributed tensor is its local shard", "[torch]")
{
    const std::string wrapper
        = "(ctorch.distributed.tensor\nDTensor\nctorch\nfloat32\n" + pickledTuple({8}) + "t";
    const std::string tensor = call("torch._tensor", "_rebuild_from_type_v2",
        "ctorch._utils\n_rebuild_wrapper_subclass\nctorch.distributed.tensor\nDTensor\n" + wrapper
            + "(N" + pickledDict({{"_local_tensor", floats("0", 8)}, {"mesh", floats("1", 8)}})
            + "t");
    const CheckpointTensor found = onlyTensor(read(pickledDict({{"w", tensor}})));
    CHECK(found.name == "w");
    CHECK(found.object == "subclass DTensor");
}

TEST_CASE("an unknown subclass shows the tensors inside it", "[torch]")
{
    const std::string tensor = call("torch._tensor", "_rebuild_from_type_v2",
        "cacme\n_rebuild_packed\ncacme\nPacked\n(" + pickledText("x") + "t"
            + pickledDict({{"packed", floats("0", 8)}, {"scale", floats("1", 8)}}));
    const Checkpoint part = read(pickledDict({{"w", tensor}}));
    REQUIRE(part.tensors.size() == 2);
    CHECK(part.tensors[0].name == "w.packed");
    CHECK(part.tensors[1].name == "w.scale");
}

TEST_CASE("a meta tensor has a shape and no bytes", "[torch]")
{
    const std::string tensor = call("torch._utils", "_rebuild_meta_tensor_no_storage",
        "ctorch\nfloat32\n" + pickledTuple({100, 100}) + pickledTuple({100, 1}) + "\x89");
    const CheckpointTensor found = onlyTensor(read(pickledDict({{"m", tensor}})));
    CHECK(found.object == "meta");
    CHECK(found.kind == TensorKind::Other);
    CHECK(found.pieces.empty());
}

TEST_CASE("arrays and scalars of NumPy keep their bytes in the description", "[torch]")
{
    const std::string dtype = "cnumpy\ndtype\n(" + pickledText("f4") + "\x89\x88tR(K\x03"
        + pickledText(">") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"s;
    const std::string array = "cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nndarray\n"
        + pickledTuple({0})
        + "C\x01"
          "btR(K\x01"
        + pickledTuple({2, 1}) + dtype + "\x88" + "C\x08\x7f\x80\x00\x00\x3f\x80\x00\x00tb"s;
    const Checkpoint part = read(pickledDict({{"np", array}}));
    const CheckpointTensor found = onlyTensor(part);
    CHECK(found.object == "ndarray");
    CHECK(found.shape == std::vector<std::int64_t>{2, 1});
    CHECK(found.pieces[0].strides == std::vector<std::int64_t>{1, 2});
    const Storage& storage = part.storages[found.pieces[0].storage];
    CHECK(storage.bigEndian);
    CHECK(storage.coding == StorageCoding::Inline);
    CHECK(storage.inlineBytes.size() == 8);
}

TEST_CASE("a pickled module has the names of its state_dict", "[torch]")
{
    const auto module = [](const std::string& parameters, const std::string& buffers,
                            const std::string& modules) {
        return "ctorch.nn\nLinear\n)\x81"
            + pickledDict({{"training", "\x88"}, {"_parameters", parameters}, {"_buffers", buffers},
                {"_modules", modules}})
            + "b";
    };
    const std::string inner = module(
        pickledDict({{"weight", floats("0", 8)}}), pickledDict({{"table", floats("1", 8)}}), "}");
    const Checkpoint part = read(module("}", "}", pickledDict({{"0", inner}})));
    REQUIRE(part.tensors.size() == 2);
    CHECK(part.tensors[0].name == "0.weight");
    CHECK(part.tensors[1].name == "0.table");
    CHECK(part.tensors[1].kind == TensorKind::Buffer);
}

TEST_CASE("a storage pickled by itself is a torch file in bytes", "[torch]")
{
    const std::string nested
        = torchArchive({{"0", floatBytes(8)}}, pickle(pickledStorage("FloatStorage", "0", 8)))
              .bytes();
    const std::string bytes = "B" + little(nested.size(), 4) + nested;
    const std::string tensor = "ctorch._utils\n_rebuild_tensor_v2\n("
        + call("torch.storage", "_load_from_bytes", bytes) + pickledInt(2) + pickledTuple({6})
        + pickledTuple({1}) + "\x89" + kHooks + "tR";
    const Checkpoint part = read(pickledDict({{"w", tensor}}));
    const CheckpointTensor found = onlyTensor(part);
    const Storage& storage = part.storages[found.pieces[0].storage];
    CHECK(std::string(storage.inlineBytes.begin(), storage.inlineBytes.end()) == floatBytes(8));
}

TEST_CASE("numbers outside tensors have names, and the iteration is known", "[torch]")
{
    const std::string nan = "G\x7f\xf8\0\0\0\0\0\0"s;
    const Checkpoint part = read(pickledDict({{"iteration", pickledInt(1200)},
        {"optimizer", pickledDict({{"param_groups", "](" + pickledDict({{"lr", nan}}) + "e"}})},
        {"amp", "cbuiltins\ncomplex\n(G?\xf0\0\0\0\0\0\0"s + nan + "tR"}}));
    CHECK(part.step == 1200);
    REQUIRE(part.scalars.size() == 3);
    CHECK(part.scalars[1].name == "optimizer.param_groups.0.lr");
    CHECK(classify(part.scalars[1].value) == ValueKind::NotANumber);
    CHECK(part.scalars[2].name == "amp");
    CHECK(classify(part.scalars[2].value) == ValueKind::NotANumber);
}
