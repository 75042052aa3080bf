// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/assert.h"
#include "core/base/file.h"

#include <array>
#include <openssl/evp.h>
#include <vector>

namespace firstbad::core {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
};

Sha256::Sha256()
    : m_state(std::make_unique<State>())
{
    FB_ASSERT(m_state->context != nullptr);
    FB_ASSERT(EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256()
{
    EVP_MD_CTX_free(m_state->context);
}

void Sha256::add(std::string_view bytes)
{
    FB_ASSERT(EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish(std::size_t digits)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    FB_ASSERT(EVP_DigestFinal_ex(m_state->context, digest.data(), &size) == 1);
    std::string hex;
    hex.reserve(digits);
    for (std::size_t i = 0; i < size && hex.size() < digits; ++i) {
        hex += kHex[digest.at(i) >> 4U];
        hex += kHex[digest.at(i) & 15U];
    }
    return hex;
}

void Sha256::restart()
{
    // Keeps the algorithm that is set: looking it up again costs more than hashing a short line.
    FB_ASSERT(EVP_DigestInit_ex(m_state->context, nullptr, nullptr) == 1);
}

std::string sha256Hex(std::string_view bytes)
{
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

Result<std::string> sha256OfFile(
    const std::filesystem::path& path, JobContext& job, std::uint64_t limitBytes)
{
    constexpr std::size_t kChunk = 1U << 20U;
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    Sha256 hash;
    std::vector<char> buffer(kChunk);
    for (std::uint64_t offset = 0;;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const std::size_t wanted = std::min<std::uint64_t>(kChunk, limitBytes - offset);
        auto got = file->readAt(offset, std::span(buffer).first(wanted));
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            return hash.finish();
        hash.add(std::string_view(buffer.data(), *got));
        offset += *got;
    }
}

}  // namespace firstbad::core
