// SPDX-License-Identifier: GPL-3.0-or-later
// What the reading child tells its parent about an HDF5 file: little messages through a pipe.
//
// A message is u8 kind, u32 length, bytes. The parent believes no length: both ends keep the limit,
// and a child that breaks it is treated as crashed. One thread at each end.
#pragma once

#include "core/base/forked_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

enum class Hdf5Message : std::uint8_t {
    Column = 1,  ///< name of the column that the points after it belong to
    Points = 2,  ///< rows of i64 step, f64 value, f64 time
    Note = 3,  ///< sentence about something left out on purpose
    Skipped = 4,  ///< sentence about something that could not be read
    Refused = 5,  ///< sentence: the file as a whole is not for this reader
    Broken = 6,  ///< sentence: the file as a whole could not be read
    End = 7,
};

struct Hdf5Row {
    std::int64_t step = 0;
    double value = 0.0;
    double time = 0.0;
};

inline constexpr std::size_t kMaxHdf5Message = kMaxForkedMessage;

/// Writes all of it; false when the other end is gone. Async-signal-safe but for the string.
bool writeHdf5Message(int descriptor, Hdf5Message kind, std::string_view bytes) noexcept;

}  // namespace firstbad::core
