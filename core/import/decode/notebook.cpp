// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/notebook.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxNotebook = 256U << 20U;

/// Collects what stands under outputs[].text and outputs[].data["text/plain"].
class OutputCollector final : public JsonVisitor
{
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number(std::string_view) override { return true; }
    bool text(std::string_view content) override
    {
        if (isOutputText())
            m_text.append(content);
        if (m_arrays.empty() || !m_arrays.back())
            endValue();
        return true;
    }
    bool key(std::string_view name) override
    {
        m_keys.back() = name;
        return true;
    }
    bool beginObject() override
    {
        m_keys.emplace_back();
        m_arrays.push_back(false);
        return true;
    }
    bool endObject() override
    {
        m_keys.pop_back();
        m_arrays.pop_back();
        return true;
    }
    bool beginArray() override
    {
        m_arrays.push_back(true);
        return true;
    }
    bool endArray() override
    {
        m_arrays.pop_back();
        endValue();
        return true;
    }
    void restart() override
    {
        m_text.clear();
        m_keys.clear();
        m_arrays.clear();
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    [[nodiscard]] bool isOutputText() const
    {
        const bool named
            = !m_keys.empty() && (m_keys.back() == "text" || m_keys.back() == "text/plain");
        return named && std::find(m_keys.begin(), m_keys.end(), "outputs") != m_keys.end();
    }
    /// Texts of different outputs never share a line.
    void endValue()
    {
        if (isOutputText() && !m_text.empty() && m_text.back() != '\n')
            m_text += '\n';
    }

    std::string m_text;
    std::vector<std::string> m_keys;  // of the open objects
    std::vector<bool> m_arrays;  // of the open containers: true for an array
};

}  // namespace

bool looksLikeNotebook(std::string_view head)
{
    const std::string_view body = trimmed(head.substr(0, 4096));
    return !body.empty() && body.front() == '{' && body.find("\"cell") != std::string_view::npos
        && (body.find("\"cells\"") != std::string_view::npos
            || body.find("\"nbformat\"") != std::string_view::npos);
}

Result<std::unique_ptr<ByteStream>> notebookOutputs(std::unique_ptr<ByteStream> bytes)
{
    std::string json;
    std::vector<char> block(1U << 20U);
    for (;;) {
        const auto got = bytes->read(block);
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            break;
        if (json.size() + *got > kMaxNotebook)
            return fail(ErrorCode::Unsupported, "The notebook is larger than 256 MiB.",
                "Save its output as a text file and read that.");
        json.append(block.data(), *got);
    }
    OutputCollector collector;
    JsonReader reader;
    if (auto read = reader.read(json, collector, {kMaxNotebook, 64}); !read)
        return tl::unexpected(std::move(read.error()));
    return bytesFromMemory(collector.take());
}

}  // namespace firstbad::core
