// SPDX-License-Identifier: GPL-3.0-or-later
// The data of one dataset, decoded by the library and sent slab by slab.
#include "core/base/forked_reader.h"
#include "core/base/hdf5_handle.h"
#include "core/checkpoint/hdf5/hdf5_describe.h"

#include <algorithm>
#include <fmt/format.h>
#include <hdf5.h>

namespace firstbad::core {
namespace {

constexpr hsize_t kSlabBytes = hsize_t{16} << 20U;

class DataSender
{
public:
    DataSender(hid_t dataset, hid_t space, hid_t type, int descriptor)
        : m_dataset(dataset)
        , m_space(space)
        , m_type(type)
        , m_itemBytes(H5Tget_size(type))
        , m_descriptor(descriptor)
    {
        const int rank = H5Sget_simple_extent_ndims(space);
        m_sizes.resize(rank > 0 ? static_cast<std::size_t>(rank) : 0);
        if (!m_sizes.empty())
            H5Sget_simple_extent_dims(space, m_sizes.data(), nullptr);
    }

    /// False when the library fails or nobody listens.
    bool run()
    {
        if (m_sizes.empty())
            return readScalar();
        if (std::find(m_sizes.begin(), m_sizes.end(), hsize_t{0}) != m_sizes.end())
            return true;
        // Slabs run along the first dimension whose rows are small enough to be read at once.
        std::size_t along = 0;
        hsize_t rowItems = 1;
        for (std::size_t d = m_sizes.size(); d-- > 1;) {
            if (rowItems > kSlabBytes / m_itemBytes / m_sizes[d]) {
                along = d;
                break;
            }
            rowItems *= m_sizes[d];
        }
        const hsize_t rows = std::max<hsize_t>(1, kSlabBytes / m_itemBytes / rowItems);
        return sendFrom(std::vector<hsize_t>(m_sizes.size(), 0), along, rows);
    }

private:
    bool sendFrom(std::vector<hsize_t> start, std::size_t along, hsize_t rows)
    {
        for (;;) {
            std::vector<hsize_t> count = m_sizes;
            for (std::size_t d = 0; d < along; ++d)
                count[d] = 1;
            count[along] = std::min(rows, m_sizes[along] - start[along]);
            if (!readSlab(start, count))
                return false;
            start[along] += count[along];
            for (std::size_t d = along; start[d] >= m_sizes[d]; --d) {
                if (d == 0)
                    return true;
                start[d] = 0;
                ++start[d - 1];
            }
        }
    }

    bool readSlab(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count)
    {
        hsize_t items = 1;
        for (const hsize_t size : count)
            items *= size;
        m_buffer.resize(static_cast<std::size_t>(items * m_itemBytes));
        const Hdf5Handle memory(H5Screate_simple(1, &items, nullptr), H5Sclose);
        return memory
            && H5Sselect_hyperslab(
                   m_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr)
            >= 0
            && H5Dread(m_dataset, m_type, memory.get(), m_space, H5P_DEFAULT, m_buffer.data()) >= 0
            && send();
    }

    bool readScalar()
    {
        m_buffer.resize(m_itemBytes);
        return H5Dread(m_dataset, m_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, m_buffer.data()) >= 0
            && send();
    }

    bool send() const
    {
        const std::string_view bytes(m_buffer);
        for (std::size_t at = 0; at < bytes.size(); at += kMaxForkedMessage) {
            if (!writeForkedMessage(m_descriptor, static_cast<std::uint8_t>(Hdf5Part::Data),
                    bytes.substr(at, kMaxForkedMessage)))
                return false;
        }
        return true;
    }

    hid_t m_dataset;
    hid_t m_space;
    hid_t m_type;
    std::size_t m_itemBytes;
    int m_descriptor;
    std::vector<hsize_t> m_sizes;
    std::string m_buffer;
};

bool sendData(hid_t file, const std::string& name, int descriptor)
{
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
    // The type of the file: conversion could change a NaN. The parent turns the bytes around.
    const Hdf5Handle type(dataset ? H5Dget_type(dataset.get()) : -1, H5Tclose);
    return space && type && H5Tget_size(type.get()) > 0
        && DataSender(dataset.get(), space.get(), type.get(), descriptor).run();
}

}  // namespace

void sendHdf5Data(const Hdf5Window& window, const std::string& dataset, int descriptor) noexcept
try {
    std::string reason = "the library cannot decode it";
    const Hdf5Handle file(openForChild(window, reason), H5Fclose);
    if (!file || !sendData(file.get(), dataset, descriptor))
        writeForkedMessage(descriptor, static_cast<std::uint8_t>(Hdf5Part::Failed), reason);
    writeForkedMessage(descriptor, kForkedEnd, {});
} catch (const std::exception& failure) {
    writeForkedMessage(descriptor, static_cast<std::uint8_t>(Hdf5Part::Failed), failure.what());
    writeForkedMessage(descriptor, kForkedEnd, {});
}

}  // namespace firstbad::core
