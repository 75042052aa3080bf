// SPDX-License-Identifier: GPL-3.0-or-later
// Data of datasets that only the library can decode, pulled out of a child message by message.
#include "core/base/forked_reader.h"
#include "core/checkpoint/hdf5/hdf5_describe.h"
#include "core/checkpoint/hdf5/hdf5_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

class Hdf5Stream final : public StorageStream
{
public:
    Hdf5Stream(ForkedReader child, std::string dataset, std::uint64_t limit)
        : m_child(std::move(child))
        , m_dataset(std::move(dataset))
        , m_left(limit)
    { }

    Result<std::size_t> read(std::span<char> buffer) override
    {
        std::size_t filled = 0;
        while (filled < buffer.size() && m_left > 0) {
            if (m_message.bytes.empty()) {
                auto more = nextData();
                if (!more)
                    return tl::unexpected(std::move(more.error()));
                if (!*more)
                    break;
            }
            const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(
                m_left, std::min(buffer.size() - filled, m_message.bytes.size())));
            std::copy_n(m_message.bytes.data(), part, buffer.data() + filled);
            m_message.bytes.remove_prefix(part);
            filled += part;
            m_left -= part;
        }
        return filled;
    }

private:
    Result<bool> nextData()
    {
        const auto outcome = m_child.next(m_job, m_message);
        if (!outcome)
            return tl::unexpected(outcome.error());
        if (*outcome == ForkedReader::Outcome::End)
            return false;
        if (*outcome == ForkedReader::Outcome::Message
            && m_message.kind == static_cast<std::uint8_t>(Hdf5Part::Data))
            return true;
        const std::string why = *outcome == ForkedReader::Outcome::Message
            ? std::string(m_message.bytes)
            : std::string("the HDF5 library failed");
        return fail(
            ErrorCode::Malformed, fmt::format("the data of {} cannot be read: {}", m_dataset, why));
    }

    ForkedReader m_child;
    ForkedReader::Message m_message;
    JobContext m_job;
    std::string m_dataset;
    std::uint64_t m_left;
};

}  // namespace

Result<std::unique_ptr<StorageStream>> openHdf5Storage(
    const Storage& storage, const std::string& location)
{
    const Hdf5Window window{location, storage.offset, storage.storedBytes};
    auto child = ForkedReader::start(
        location, [&](int descriptor) { sendHdf5Data(window, storage.member, descriptor); });
    if (!child)
        return tl::unexpected(std::move(child.error()));
    return std::make_unique<Hdf5Stream>(std::move(*child), storage.member, storage.bytes);
}

}  // namespace firstbad::core
