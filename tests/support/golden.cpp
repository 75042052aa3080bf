// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include "tests/support/catch.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace firstbad::test {
namespace {

std::string normalised(const std::string& text)
{
    std::istringstream in(text);
    std::string line;
    std::string out;
    while (std::getline(in, line)) {
        line.erase(line.find_last_not_of(" \r\t") + 1);
        out += line + "\n";
    }
    return out;
}

std::string readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string firstDifference(const std::string& expected, const std::string& actual)
{
    std::istringstream a(expected);
    std::istringstream b(actual);
    std::string expectedLine;
    std::string actualLine;
    for (int number = 1;; ++number) {
        const bool moreA = static_cast<bool>(std::getline(a, expectedLine));
        const bool moreB = static_cast<bool>(std::getline(b, actualLine));
        if (!moreA && !moreB)
            return "none";
        if (moreA != moreB || expectedLine != actualLine)
            return "line " + std::to_string(number)
                + "\n  golden: " + (moreA ? expectedLine : "(end)")
                + "\n  actual: " + (moreB ? actualLine : "(end)");
    }
}

}  // namespace

void checkGolden(const std::string& path, const std::string& text)
{
    const std::string golden = std::string(FIRSTBAD_SOURCE_DIR) + "/" + path;
    const std::string actual = normalised(text);
    if (std::getenv("FIRSTBAD_ACCEPT_GOLDEN") != nullptr) {
        std::ofstream(golden, std::ios::binary) << actual;
        return;
    }
    const std::string expected = normalised(readFile(golden));
    if (expected == actual)
        return;
    std::ofstream(golden + ".actual", std::ios::binary) << actual;
    FAIL_CHECK(path << " differs at " << firstDifference(expected, actual));
}

}  // namespace firstbad::test
