// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the bytes of event files for tests, independent of the code under test but for the CRC.
//
// Plain functions; temporary files lie in the system's temporary folder and remove themselves.
#pragma once

#include "core/base/job_context.h"
#include "core/import/binary/crc32c.h"
#include "core/import/binary/tfrecord_reader.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace firstbad::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

template <class T> std::string littleEndian(T value)
{
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

inline std::string fromHex(std::string_view hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
}

inline std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7U)
        bytes += static_cast<char>(value | 0x80U);
    return bytes + static_cast<char>(value);
}

/// A length-delimited field whose key needs one byte.
inline std::string field(int number, std::string_view content)
{
    return std::string(1, static_cast<char>(number * 8 + 2)) + varint(content.size())
        + std::string(content);
}

inline std::string simpleValue(std::string_view tag, float value)
{
    return field(1, field(1, tag) + "\x15" + littleEndian(value));
}

inline std::string tensorValue(
    std::string_view tag, std::string_view tensor, std::string_view plugin)
{
    const std::string metadata = plugin.empty() ? "" : field(9, field(1, field(1, plugin)));
    return field(1, field(1, tag) + field(8, tensor) + metadata);
}

/// An Event with a summary; `summary` is the joined values, `more` any further fields.
inline std::string eventBytes(
    double time, std::int64_t step, std::string_view summary, std::string_view more = {})
{
    std::string bytes = "\x09" + littleEndian(time);
    if (step != 0)
        bytes += "\x10" + varint(static_cast<std::uint64_t>(step));
    if (!summary.empty())
        bytes += field(5, summary);
    return bytes + std::string(more);
}

inline std::string tfRecord(std::string_view data)
{
    using namespace firstbad::core;
    const std::string length = littleEndian(static_cast<std::uint64_t>(data.size()));
    return length + littleEndian(maskedCrc(crc32c(length))) + std::string(data)
        + littleEndian(maskedCrc(crc32c(data)));
}

inline std::string versionRecord(double time = 1.0)
{
    return tfRecord(eventBytes(time, 0, "", field(3, "brain.Event:2")));
}

/// A folder of its own that is removed with everything in it.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::string name
            = (std::filesystem::temp_directory_path() / "firstbad-binary-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no temporary folder");
        m_path = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path write(const std::string& name, std::string_view bytes) const
    {
        const std::filesystem::path path = m_path / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// The data of every good record of a file with these bytes.
inline std::vector<std::string> readRecords(
    std::string_view bytes, std::vector<firstbad::core::SkippedPart>* gaps = nullptr)
{
    using namespace firstbad::core;
    const TemporaryFolder folder;
    TfRecordReader reader(FileWindow::open(folder.write("records", bytes)).value());
    JobContext job;
    std::vector<std::string> records;
    while (const auto record = reader.next(job).value())
        records.emplace_back(record->data);
    if (gaps != nullptr)
        *gaps = reader.takeGaps();
    return records;
}

}  // namespace firstbad::test
