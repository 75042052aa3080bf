// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_describe.h"

#include "core/base/forked_reader.h"
#include "core/base/hdf5_handle.h"
#include "core/base/text.h"
#include "core/checkpoint/hdf5/hdf5_types.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <hdf5.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxObjects = 200'000;
constexpr int kMaxDepth = 64;
constexpr hsize_t kMaxDirectChunks = 2048;  // finding the n-th costs n steps in the library
constexpr std::size_t kMaxText = 4096;
constexpr std::size_t kMaxInline = 65536;
constexpr std::size_t kChunksPerMessage = 4096;

using Shape = std::vector<std::int64_t>;

Shape toShape(const std::vector<hsize_t>& sizes)
{
    Shape shape;
    for (const hsize_t size : sizes)
        shape.push_back(
            size > static_cast<hsize_t>(INT64_MAX) ? -1 : static_cast<std::int64_t>(size));
    return shape;
}

class Describer
{
public:
    Describer(hid_t file, int descriptor)
        : m_file(file)
        , m_descriptor(descriptor)
    { }

    void run()
    {
        describeRoot();
        walk("/", 0);
        for (const auto& [what, count] : m_left)
            say(Hdf5Part::Note, fmt::format("{} left out: {}", count, what));
    }

private:
    void say(Hdf5Part part, std::string_view bytes) const
    {
        if (!writeForkedMessage(
                m_descriptor, static_cast<std::uint8_t>(part), bytes.substr(0, kMaxForkedMessage)))
            std::exit(0);  // nobody listens
    }

    void lose(const std::string& path, std::string_view why) const
    {
        PartWriter out;
        out.text(path);
        out.text(why);
        say(Hdf5Part::Lost, out.bytes());
    }

    /// Attributes of the root that are a text or one number.
    void describeRoot()
    {
        hsize_t at = 0;
        H5Aiterate2(
            m_file, H5_INDEX_NAME, H5_ITER_INC, &at,
            [](hid_t location, const char* name, const H5A_info_t*, void* self) -> herr_t {
                static_cast<Describer*>(self)->describeAttribute(location, name);
                return 0;
            },
            this);
    }

    void describeAttribute(hid_t location, const char* name)
    {
        const Hdf5Handle attribute(H5Aopen(location, name, H5P_DEFAULT), H5Aclose);
        const Hdf5Handle type(attribute ? H5Aget_type(attribute.get()) : -1, H5Tclose);
        const Hdf5Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
        if (!type || !space || H5Sget_simple_extent_npoints(space.get()) != 1)
            return;
        const H5T_class_t kind = H5Tget_class(type.get());
        if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
            double value = 0.0;
            if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value) < 0)
                return;
            PartWriter out;
            out.text(name);
            out.number(value);
            say(Hdf5Part::Scalar, out.bytes());
        } else if (kind == H5T_STRING) {
            describeText(attribute.get(), type.get(), name);
        }
    }

    void describeText(hid_t attribute, hid_t type, const char* name) const
    {
        std::string value;
        if (H5Tis_variable_str(type) > 0) {
            const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
            H5Tset_size(memory.get(), H5T_VARIABLE);
            H5Tset_cset(memory.get(), H5Tget_cset(type));
            char* text = nullptr;
            if (H5Aread(attribute, memory.get(), &text) >= 0 && text != nullptr) {
                value.assign(text, ::strnlen(text, kMaxText));
                H5free_memory(text);
            }
        } else if (const std::size_t size = H5Tget_size(type); size <= kMaxInline) {
            value.resize(size);
            if (size == 0 || H5Aread(attribute, type, value.data()) < 0)
                return;
            value.resize(std::min(::strnlen(value.data(), size), kMaxText));
        }
        PartWriter out;
        out.text(name);
        out.text(value);
        say(Hdf5Part::Text, out.bytes());
    }

    struct Link {
        std::string name;
        H5L_type_t type;
    };

    static herr_t collect(hid_t, const char* name, const H5L_info_t* info, void* out)
    {
        auto* links = static_cast<std::vector<Link>*>(out);
        links->push_back({name, info->type});
        return links->size() < kMaxObjects ? 0 : 1;
    }

    void walk(const std::string& path, int depth)
    {
        const Hdf5Handle group(H5Gopen2(m_file, path.c_str(), H5P_DEFAULT), H5Gclose);
        std::vector<Link> links;
        if (!group
            || H5Literate(
                   group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, &Describer::collect, &links)
                < 0) {
            lose(path, "the group cannot be listed");
            return;
        }
        for (const Link& link : links) {
            const std::string inner = (path == "/" ? path : path + '/') + link.name;
            if (link.type == H5L_TYPE_HARD)
                look(inner, depth);
            else if (link.type == H5L_TYPE_SOFT)
                ++m_left["links to other names in the file"];
            else
                lose(inner, "it is a link into another file, which is not followed");
        }
    }

    void look(const std::string& path, int depth)
    {
        H5O_info_t info{};
        if (m_seen.size() >= kMaxObjects
            || H5Oget_info_by_name(m_file, path.c_str(), &info, H5P_DEFAULT) < 0) {
            lose(path, fmt::format("it cannot be opened: {}", hdf5Reason()));
            return;
        }
        const auto [at, isNew] = m_seen.emplace(info.addr, path);
        if (!isNew && info.type == H5O_TYPE_DATASET) {
            PartWriter out;
            out.text(at->second);
            out.text(path);
            say(Hdf5Part::Alias, out.bytes());
        }
        if (!isNew)
            return;  // or a ring of groups
        if (info.type == H5O_TYPE_GROUP && depth < kMaxDepth)
            walk(path, depth + 1);
        else if (info.type == H5O_TYPE_GROUP)
            lose(path, "groups are nested too deeply");
        else if (info.type == H5O_TYPE_DATASET)
            describe(path);
    }

    /// Why the data of a dataset is not read; empty when it can be.
    static std::string obstacle(hid_t plan)
    {
        if (plan < 0)
            return "it has no readable description";
        if (H5Pget_layout(plan) == H5D_VIRTUAL || H5Pget_external_count(plan) > 0)
            return "it keeps its data in other files, which are not followed";
        const int filters = H5Pget_nfilters(plan);
        for (int i = 0; i < filters; ++i) {
            std::array<char, 64> name{};
            std::size_t parameters = 0;
            unsigned flags = 0;
            unsigned config = 0;
            const H5Z_filter_t filter = H5Pget_filter2(plan, static_cast<unsigned>(i), &flags,
                &parameters, nullptr, name.size() - 1, name.data(), &config);
            if (filter < 0 || H5Zfilter_avail(filter) <= 0)
                return fmt::format("it needs the filter {} ({}), which is not available here",
                    escapedForTerminal(name.data()), filter);
        }
        return {};
    }

    void describe(const std::string& path)
    {
        const Hdf5Handle dataset(H5Dopen2(m_file, path.c_str(), H5P_DEFAULT), H5Dclose);
        const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
        const Hdf5Handle type(dataset ? H5Dget_type(dataset.get()) : -1, H5Tclose);
        if (!space || !type) {
            lose(path, fmt::format("it cannot be opened: {}", hdf5Reason()));
            return;
        }
        const Hdf5Number number = numberOfHdf5Type(type.get());
        if (number.type == ElementType::Unknown) {
            leaveOut(path, type.get());
            return;
        }
        if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
            ++m_left["datasets without a value"];
            return;
        }
        const Hdf5Handle plan(H5Dget_create_plist(dataset.get()), H5Pclose);
        Hdf5Dataset out;
        out.path = path;
        out.type = number.type;
        out.bigEndian = number.bigEndian;
        out.shape = shapeOf(space.get());
        out.bytes = H5Dget_storage_size(dataset.get());
        if (const std::string reason = obstacle(plan.get()); !reason.empty())
            lose(path, reason);
        else
            place(out, dataset.get(), space.get(), plan.get(), type.get());
    }

    void leaveOut(const std::string& path, hid_t type)
    {
        const H5T_class_t kind = H5Tget_class(type);
        if (kind == H5T_FLOAT || kind == H5T_COMPOUND || kind == H5T_ARRAY)
            lose(path, "its type is none that firstbad can scan");
        else
            ++m_left["datasets of texts and other things that are no numbers"];
    }

    static Shape shapeOf(hid_t space)
    {
        const int rank = H5Sget_simple_extent_ndims(space);
        std::vector<hsize_t> sizes(rank > 0 ? static_cast<std::size_t>(rank) : 0);
        if (!sizes.empty())
            H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
        return toShape(sizes);
    }

    void place(Hdf5Dataset& out, hid_t dataset, hid_t space, hid_t plan, hid_t type)
    {
        std::vector<Hdf5Chunk> chunks;
        switch (H5Pget_layout(plan)) {
        case H5D_CONTIGUOUS:
            if (const haddr_t address = H5Dget_offset(dataset); address != HADDR_UNDEF) {
                out.place = Hdf5Place::Contiguous;
                out.address = address;
            }
            break;
        case H5D_COMPACT:
            if (out.bytes <= kMaxInline) {
                out.inlineBytes.resize(static_cast<std::size_t>(out.bytes));
                const bool read = out.bytes == 0
                    || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.inlineBytes.data())
                        >= 0;
                out.place = read ? Hdf5Place::Inline : Hdf5Place::Library;
            }
            break;
        case H5D_CHUNKED:
            if (listChunks(out, dataset, space, plan, chunks))
                out.place = Hdf5Place::Chunked;
            break;
        default:
            break;
        }
        say(Hdf5Part::Dataset, encodeDataset(out));
        for (std::size_t at = 0; at < chunks.size(); at += kChunksPerMessage) {
            const std::size_t end = std::min(chunks.size(), at + kChunksPerMessage);
            say(Hdf5Part::Chunks,
                encodeChunks({chunks.begin() + static_cast<std::ptrdiff_t>(at),
                    chunks.begin() + static_cast<std::ptrdiff_t>(end)}));
        }
    }

    /// True when every chunk is there and is plain or deflated: then nobody needs the library.
    bool listChunks(Hdf5Dataset& out, hid_t dataset, hid_t space, hid_t plan,
        std::vector<Hdf5Chunk>& chunks) const
    {
        std::vector<hsize_t> sizes(out.shape.size());
        if (sizes.empty() || H5Pget_chunk(plan, static_cast<int>(sizes.size()), sizes.data()) < 0)
            return false;
        out.chunkShape = toShape(sizes);
        bool deflate = false;
        if (!isPlain(plan, deflate) || hasUserBlock())
            return false;
        hsize_t expected = 1;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            if (out.shape[d] < 0 || out.chunkShape[d] <= 0)
                return false;
            const auto along = (static_cast<hsize_t>(out.shape[d]) + sizes[d] - 1) / sizes[d];
            if (along > kMaxDirectChunks || (expected *= along) > kMaxDirectChunks)
                return false;
        }
        hsize_t count = 0;
        if (H5Dget_num_chunks(dataset, space, &count) < 0 || count != expected)
            return false;
        for (hsize_t i = 0; i < count; ++i) {
            unsigned skipped = 0;
            haddr_t address = 0;
            hsize_t bytes = 0;
            if (H5Dget_chunk_info(dataset, space, i, sizes.data(), &skipped, &address, &bytes) < 0
                || address == HADDR_UNDEF) {
                chunks.clear();
                return false;
            }
            chunks.push_back({toShape(sizes), address, bytes, deflate && (skipped & 1U) == 0});
        }
        return true;
    }

    static bool isPlain(hid_t plan, bool& deflate)
    {
        const int filters = H5Pget_nfilters(plan);
        if (filters != 1)
            return filters == 0;
        std::size_t parameters = 0;
        unsigned flags = 0;
        unsigned config = 0;
        deflate = H5Pget_filter2(plan, 0, &flags, &parameters, nullptr, 0, nullptr, &config)
            == H5Z_FILTER_DEFLATE;
        return deflate;
    }

    [[nodiscard]] bool hasUserBlock() const
    {
        const Hdf5Handle plan(H5Fget_create_plist(m_file), H5Pclose);
        hsize_t bytes = 0;
        return !plan || H5Pget_userblock(plan.get(), &bytes) < 0 || bytes > 0;
    }

    hid_t m_file;
    int m_descriptor;
    std::map<haddr_t, std::string> m_seen;
    std::map<std::string, std::uint64_t> m_left;  // what was left out on purpose, by kind
};

}  // namespace

std::int64_t openForChild(const Hdf5Window& window, std::string& reason)
{
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // read-only mounts can not lock
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // a file must not choose code to load
    return openHdf5Window(window, reason);
}

void sendHdf5Layout(const Hdf5Window& window, int descriptor) noexcept
try {
    std::string reason;
    const Hdf5Handle file(openForChild(window, reason), H5Fclose);
    if (file)
        Describer(file.get(), descriptor).run();
    else
        writeForkedMessage(descriptor, static_cast<std::uint8_t>(Hdf5Part::Broken), reason);
    writeForkedMessage(descriptor, kForkedEnd, {});
} catch (const std::exception& failure) {
    writeForkedMessage(descriptor, static_cast<std::uint8_t>(Hdf5Part::Broken), failure.what());
    writeForkedMessage(descriptor, kForkedEnd, {});
}

}  // namespace firstbad::core
