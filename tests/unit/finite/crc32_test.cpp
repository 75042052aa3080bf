// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/crc32.h"

#include "tests/support/catch.h"

#include <random>
#include <string>
#include <zlib.h>

TEST_CASE("The checksum equals zlib's at every length and alignment", "[finite]")
{
    std::mt19937_64 random(9);
    std::string bytes(5000, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    std::size_t wrong = 0;
    for (std::size_t length = 0; length < 4000; ++length) {
        const std::span<const char> part(bytes.data() + length % 17, length);
        const auto expected
            = crc32_z(0, reinterpret_cast<const unsigned char*>(part.data()), part.size());
        wrong += firstbad::core::crc32Of(part) == expected ? 0U : 1U;
    }
    CHECK(wrong == 0);
    CHECK(firstbad::core::crc32Of(std::span<const char>("123456789", 9)) == 0xCBF43926U);
}
