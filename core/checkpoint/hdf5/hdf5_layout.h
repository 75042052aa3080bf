// SPDX-License-Identifier: GPL-3.0-or-later
// What the reading child says of the datasets of an HDF5 file: types, shapes and where their bytes
// lie. The messages and their encoding; both ends are of the same build.
//
// Plain values; any thread.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace firstbad::core {

enum class Hdf5Part : std::uint8_t {
    Dataset = 1,  ///< Hdf5Dataset
    Chunks = 2,  ///< Hdf5Chunks of the dataset before
    Text = 3,  ///< name, value: an attribute of the root
    Scalar = 4,  ///< name, f64
    Alias = 5,  ///< name, other name of a dataset told before
    Lost = 6,  ///< dataset, sentence: why it cannot be read
    Note = 7,  ///< sentence about something left out on purpose
    Broken = 8,  ///< sentence: the file as a whole cannot be read
    Data = 9,  ///< bytes of a dataset, in order
    Failed = 10,  ///< sentence: the data of a dataset cannot be read on
};

enum class Hdf5Place : std::uint8_t { Contiguous, Chunked, Inline, Library };

struct Hdf5Dataset {
    std::string path;
    ElementType type = ElementType::Unknown;
    bool bigEndian = false;
    Hdf5Place place = Hdf5Place::Library;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> chunkShape;
    std::uint64_t address = 0;  ///< of contiguous data, in the HDF5 file
    std::uint64_t bytes = 0;
    std::string inlineBytes;
};

struct Hdf5Chunk {
    std::vector<std::int64_t> offsets;
    std::uint64_t address = 0;
    std::uint64_t storedBytes = 0;
    bool deflated = false;
};

/// Numbers as they lie in memory, texts and lists with their length in front.
class PartWriter
{
public:
    template <class T> void number(T value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + sizeof value);
        std::memcpy(m_bytes.data() + at, &value, sizeof value);
    }
    void text(std::string_view text)
    {
        number(static_cast<std::uint32_t>(text.size()));
        m_bytes.append(text);
    }
    void list(const std::vector<std::int64_t>& values)
    {
        number(static_cast<std::uint32_t>(values.size()));
        for (const std::int64_t value : values)
            number(value);
    }
    [[nodiscard]] const std::string& bytes() const noexcept { return m_bytes; }

private:
    std::string m_bytes;
};

/// Reads what PartWriter wrote; `ok` turns false at the first thing that does not fit.
class PartReader
{
public:
    explicit PartReader(std::string_view bytes)
        : m_bytes(bytes)
    { }
    template <class T> T number()
    {
        T value{};
        if (m_bytes.size() < sizeof value) {
            m_ok = false;
            return value;
        }
        std::memcpy(&value, m_bytes.data(), sizeof value);
        m_bytes.remove_prefix(sizeof value);
        return value;
    }
    std::string text()
    {
        const auto length = number<std::uint32_t>();
        if (length > m_bytes.size())
            m_ok = false;
        const std::string_view view = m_ok ? m_bytes.substr(0, length) : std::string_view();
        m_bytes.remove_prefix(view.size());
        return std::string(view);
    }
    std::vector<std::int64_t> list()
    {
        const auto count = number<std::uint32_t>();
        std::vector<std::int64_t> values;
        for (std::uint32_t i = 0; i < count && m_ok; ++i)
            values.push_back(number<std::int64_t>());
        return values;
    }
    [[nodiscard]] bool ok() const noexcept { return m_ok; }
    [[nodiscard]] bool atEnd() const noexcept { return m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_ok = true;
};

[[nodiscard]] std::string encodeDataset(const Hdf5Dataset& dataset);
[[nodiscard]] std::optional<Hdf5Dataset> decodeDataset(std::string_view bytes);
[[nodiscard]] std::string encodeChunks(const std::vector<Hdf5Chunk>& chunks);
[[nodiscard]] std::optional<std::vector<Hdf5Chunk>> decodeChunks(std::string_view bytes);

}  // namespace firstbad::core
