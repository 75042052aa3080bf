// SPDX-License-Identifier: GPL-3.0-or-later
// Every library of ours, compiled with its own flags, must still tell NaN and infinities apart.
#include "tests/support/catch.h"

#include <limits>

#define PROBE(library) extern "C" int firstbadNanProbe_##library(double value);
#include "nan_probes.inc"
#undef PROBE

TEST_CASE("each built library keeps NaN", "[arch]")
{
    struct Library {
        const char* name;
        int (*probe)(double);
    };
    const Library libraries[] = {
#define PROBE(library) {#library, firstbadNanProbe_##library},
#include "nan_probes.inc"
#undef PROBE
    };
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (const auto& library : libraries) {
        CAPTURE(library.name);
        CHECK(library.probe(std::numeric_limits<double>::quiet_NaN()) == 1);
        CHECK(library.probe(kInf) == 2);
        CHECK(library.probe(-kInf) == 2);
        CHECK(library.probe(std::numeric_limits<double>::max()) == 0);
    }
}
