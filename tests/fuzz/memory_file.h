// SPDX-License-Identifier: GPL-3.0-or-later
// MemoryFile: the fuzzer's bytes as a file with a path, for readers that open one.
//
// Owns one memfd; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace firstbad::test {

class MemoryFile
{
public:
    MemoryFile(const std::uint8_t* data, std::size_t size)
        : m_descriptor(::memfd_create("fuzz", MFD_CLOEXEC))
    {
        while (size > 0) {
            const ssize_t written = ::write(m_descriptor, data, size);
            if (written <= 0)
                std::abort();  // no memory for the harness itself
            data += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    ~MemoryFile() { ::close(m_descriptor); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const
    {
        return "/proc/self/fd/" + std::to_string(m_descriptor);
    }

private:
    int m_descriptor;
};

}  // namespace firstbad::test
