// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/hdf5_child.h"

#include "core/base/forked_reader.h"
#include "core/import/binary/hdf5_tables.h"

#include <cstdlib>

namespace firstbad::core {

bool writeHdf5Message(int descriptor, Hdf5Message kind, std::string_view bytes) noexcept
{
    const auto number = kind == Hdf5Message::End ? kForkedEnd : static_cast<std::uint8_t>(kind);
    return writeForkedMessage(descriptor, number, bytes);
}

Result<bool> readHdf5InChild(const std::filesystem::path& path,
    const std::vector<std::string>& stepNames, JobContext& job,
    const std::function<void(Hdf5Message, std::string_view)>& take)
{
    auto child = ForkedReader::start(path, [&](int descriptor) {
        ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // read-only mounts can not lock
        sendHdf5Tables(path.string(), stepNames, descriptor);
    });
    if (!child)
        return tl::unexpected(std::move(child.error()));
    ForkedReader::Message message;
    for (;;) {
        const auto outcome = child->next(job, message);
        if (!outcome)
            return tl::unexpected(outcome.error());
        if (*outcome != ForkedReader::Outcome::Message)
            return *outcome == ForkedReader::Outcome::End;
        if (message.kind < 1 || message.kind >= static_cast<std::uint8_t>(Hdf5Message::End))
            return false;
        take(static_cast<Hdf5Message>(message.kind), message.bytes);
    }
}

}  // namespace firstbad::core
