// SPDX-License-Identifier: GPL-3.0-or-later
// Hdf5Handle: owns one identifier of the HDF5 library. And the library's own words for a failure.
//
// Move nothing, copy nothing; one thread.
#pragma once

#include <hdf5.h>
#include <string>

namespace firstbad::core {

class Hdf5Handle
{
public:
    Hdf5Handle(hid_t id, herr_t (*close)(hid_t))
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

    [[nodiscard]] hid_t get() const noexcept { return m_id; }
    explicit operator bool() const noexcept { return m_id >= 0; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

/// The innermost description on the library's error stack.
[[nodiscard]] inline std::string hdf5Reason()
{
    std::string reason = "no reason given";
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_DOWNWARD,
        [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
            if (error->desc != nullptr)
                *static_cast<std::string*>(out) = error->desc;
            return 0;
        },
        &reason);
    return reason;
}

}  // namespace firstbad::core
