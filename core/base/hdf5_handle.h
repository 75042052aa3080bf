// SPDX-License-Identifier: GPL-3.0-or-later
// Hdf5Handle: owns one identifier of the HDF5 library. And the library's own words for a failure.
//
// Move nothing, copy nothing; one thread. For children only (forked_reader.h): the library may
// crash on a hostile file.
#pragma once

#include <cstdint>
#include <string>

namespace firstbad::core {

class Hdf5Handle
{
public:
    using Id = std::int64_t;  ///< hid_t

    Hdf5Handle(Id id, int (*close)(Id))
        : m_id(id)
        , m_close(close)
    { }
    ~Hdf5Handle()
    {
        if (m_id >= 0)
            m_close(m_id);
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;

    [[nodiscard]] Id get() const noexcept { return m_id; }
    explicit operator bool() const noexcept { return m_id >= 0; }

private:
    Id m_id;
    int (*m_close)(Id);
};

/// The innermost description on the library's error stack.
[[nodiscard]] std::string hdf5Reason();

}  // namespace firstbad::core
