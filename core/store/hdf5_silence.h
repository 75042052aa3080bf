// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of HDF5 ids, and quiet: HDF5 prints its errors unless told not to.
//
// Private to core/store. One thread.
#pragma once

#include <hdf5.h>
#include <utility>

namespace firstbad::core {

/// An HDF5 id and the function that gives it back.
class Handle
{
public:
    Handle(hid_t id, herr_t (*close)(hid_t))
        : m_id(id)
        , m_close(close)
    { }
    Handle(Handle&& other) noexcept
        : m_id(std::exchange(other.m_id, H5I_INVALID_HID))
        , m_close(other.m_close)
    { }
    Handle& operator=(Handle&& other) noexcept
    {
        std::swap(m_id, other.m_id);
        std::swap(m_close, other.m_close);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle()
    {
        if (m_id >= 0)
            m_close(m_id);
    }
    [[nodiscard]] hid_t get() const noexcept { return m_id; }
    [[nodiscard]] bool ok() const noexcept { return m_id >= 0; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

/// Quiet while it lives; the setting of the caller comes back.
class Silence
{
public:
    Silence()
    {
        H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence() { H5Eset_auto2(H5E_DEFAULT, m_function, m_data); }

private:
    H5E_auto2_t m_function = nullptr;
    void* m_data = nullptr;
};

}  // namespace firstbad::core
