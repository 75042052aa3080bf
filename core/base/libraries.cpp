// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/libraries.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

namespace firstbad::core {

std::vector<LibraryVersion> libraryVersions()
{
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    return {
        {"SQLite", sqlite3_libversion()},
        {"HDF5", fmt::format("{}.{}.{}", major, minor, release)},
        {"zlib", zlibVersion()},
        {"zstd", ZSTD_versionString()},
        {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
    };
}

}  // namespace firstbad::core
