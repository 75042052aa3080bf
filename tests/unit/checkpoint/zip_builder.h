// SPDX-License-Identifier: GPL-3.0-or-later
// ZipBuilder: archives as PyTorch writes them, and as nobody should, in memory.
//
// One thread. Everything about an entry can be set apart, so that lies can be told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <zlib.h>

namespace firstbad::test {

inline std::string little(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += i < 8 ? static_cast<char>((value >> (8 * i)) & 0xFFU) : '\0';
    return text;
}

inline std::uint32_t crcOf(const std::string& bytes)
{
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// A raw deflate stream.
inline std::string deflated(const std::string& plain)
{
    std::string packed(::compressBound(plain.size()) + 64, '\0');
    z_stream stream{};
    ::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream, Z_FINISH);
    packed.resize(packed.size() - stream.avail_out);
    ::deflateEnd(&stream);
    return packed;
}

struct ZipItem {
    std::string name;
    std::string stored;
    std::uint64_t declared = 0;
    std::uint32_t crc = 0;
    int method = 0;
    std::string localName;  ///< `name` when empty
    std::int64_t headerOffset = -1;  ///< of an earlier entry, to overlap with it
};

inline ZipItem plainItem(std::string name, std::string bytes)
{
    ZipItem item;
    item.name = std::move(name);
    item.declared = bytes.size();
    item.crc = crcOf(bytes);
    item.stored = std::move(bytes);
    return item;
}

inline ZipItem deflatedItem(std::string name, const std::string& bytes)
{
    ZipItem item = plainItem(std::move(name), deflated(bytes));
    item.declared = bytes.size();
    item.crc = crcOf(bytes);
    item.method = 8;
    return item;
}

class ZipBuilder
{
public:
    ZipBuilder& add(const ZipItem& item)
    {
        if (item.headerOffset < 0)
            addLocal(item);
        const std::uint64_t offset
            = item.headerOffset < 0 ? m_last : static_cast<std::uint64_t>(item.headerOffset);
        m_directory += "PK\x01\x02" + little(0, 4) + little(0x0808, 2)
            + little(static_cast<std::uint64_t>(item.method), 2) + little(0, 4)
            + little(item.crc, 4) + little(item.stored.size(), 4) + little(item.declared, 4)
            + little(item.name.size(), 2) + little(0, 12) + little(offset, 4) + item.name;
        ++m_entries;
        return *this;
    }

    [[nodiscard]] std::uint64_t lastHeader() const { return m_last; }
    /// The records without a directory: a save that was cut off.
    [[nodiscard]] const std::string& records() const { return m_records; }

    [[nodiscard]] std::string bytes() const
    {
        const std::uint64_t at = m_records.size();
        const std::uint64_t end = at + m_directory.size();
        return m_records + m_directory + "PK\x06\x06" + little(44, 8) + little(0x031e, 2)
            + little(0x2d, 2) + little(0, 8) + little(m_entries, 8) + little(m_entries, 8)
            + little(m_directory.size(), 8) + little(at, 8) + "PK\x06\x07" + little(0, 4)
            + little(end, 8) + little(1, 4) + "PK\x05\x06" + little(0, 4) + little(m_entries, 2)
            + little(m_entries, 2) + little(m_directory.size(), 4) + little(at, 4) + little(0, 2);
    }

private:
    void addLocal(const ZipItem& item)
    {
        m_last = m_records.size();
        const std::string& name = item.localName.empty() ? item.name : item.localName;
        const std::uint64_t start = m_records.size() + 30 + name.size() + 4;
        const std::uint64_t pad = (64 - start % 64) % 64;
        m_records += "PK\x03\x04" + little(0, 2) + little(0x0808, 2)
            + little(static_cast<std::uint64_t>(item.method), 2) + little(0, 16)
            + little(name.size(), 2) + little(4 + pad, 2) + name + "FB" + little(pad, 2)
            + std::string(pad, 'Z') + item.stored + "PK\x07\x08" + little(item.crc, 4)
            + little(item.stored.size(), 4) + little(item.declared, 4);
    }

    std::string m_records;
    std::string m_directory;
    std::uint64_t m_entries = 0;
    std::uint64_t m_last = 0;
};

}  // namespace firstbad::test
