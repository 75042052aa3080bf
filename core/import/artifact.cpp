// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/artifact.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

std::string extensionOf(const fs::path& path)
{
    return toLowerAscii(path.extension().string());
}

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isDigits(std::string_view text) noexcept
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isAsciiDigit);
}

/// "checkpoint-500", "global_step1200", "iter_0000500", "step_40": folders that are one save.
bool namesSave(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kStems{
        "checkpoint-", "global_step", "iter_", "checkpoint_", "step_", "step-", "epoch_"};
    return std::any_of(kStems.begin(), kStems.end(), [&](std::string_view stem) {
        return name.starts_with(stem) && isDigits(name.substr(stem.size()));
    });
}

/// The topmost folder of up to three that is named like one save, or the file itself.
fs::path saveOf(const fs::path& file)
{
    fs::path folder = file.parent_path();
    for (int depth = 0; depth < 3 && !folder.empty(); ++depth, folder = folder.parent_path()) {
        if (namesSave(folder.filename().string()))
            return folder;
    }
    return file;
}

std::string formatOf(const HeadBytes& head)
{
    constexpr std::array<std::string_view, 9> kTorch{
        ".pt", ".pth", ".bin", ".ckpt", ".pkl", ".tar", ".distcp", ".model", ".th"};
    const std::string extension = extensionOf(head.path);
    const std::string name = head.path.filename().string();
    const std::string_view bytes = head.head;
    if (extension == ".safetensors" && bytes.size() > 9 && bytes[8] == '{')
        return "safetensors";
    if (bytes.starts_with("\x93NUMPY"))
        return "npy";
    if (extension == ".npz")
        return "npz";
    if (name == ".metadata" || extension == ".distcp")
        return "dcp";
    const bool zip = bytes.starts_with("PK\x03\x04");
    const bool pickle = bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
    if (zip && (isOneOf(extension, kTorch) || bytes.find("data.pkl") != std::string_view::npos))
        return "torch-zip";
    if (pickle)
        return "torch-legacy";
    if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
        return "git-lfs-pointer";
    // The name alone: only names that nothing else uses.
    constexpr std::array<std::string_view, 4> kSure{".safetensors", ".pt", ".pth", ".ckpt"};
    return isOneOf(extension, kSure) ? "checkpoint" : "";
}

}  // namespace

std::optional<FoundArtifact> checkpointOf(const HeadBytes& head)
{
    const std::string format = formatOf(head);
    if (format.empty())
        return std::nullopt;
    const fs::path save = saveOf(head.path);
    return FoundArtifact{save.string(), "checkpoint", format, head.bytes};
}

bool isCapsuleFolder(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / "capsule.json", ignored);
}

bool isCaseFolder(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / "case.db", ignored)
        && fs::is_directory(folder / "series", ignored);
}

bool isDocument(const fs::path& path)
{
    constexpr std::array<std::string_view, 5> kDocuments{".md", ".rst", ".adoc", ".tex", ".bib"};
    const std::string stem = toLowerAscii(path.stem().string());
    return isOneOf(extensionOf(path), kDocuments) || stem == "readme" || stem == "changelog";
}

std::string reasonToIgnore(const HeadBytes& head)
{
    constexpr std::array<std::string_view, 22> kProgram{".py", ".pyc", ".sh", ".cpp", ".cc", ".c",
        ".h", ".hpp", ".cu", ".cuh", ".js", ".ts", ".rs", ".go", ".java", ".so", ".o", ".a",
        ".html", ".css", ".whl", ".lock"};
    constexpr std::array<std::string_view, 12> kMedia{".png", ".jpg", ".jpeg", ".gif", ".svg",
        ".pdf", ".webp", ".mp4", ".wav", ".ico", ".ttf", ".docx"};
    constexpr std::array<std::string_view, 6> kLegal{
        "license", "licence", "copying", "notice", "license-cc-by-sa", "unlicense"};
    constexpr std::array<std::string_view, 4> kSettings{".yaml", ".yml", ".toml", ".ini"};
    const std::string extension = extensionOf(head.path);
    const std::string stem = toLowerAscii(head.path.stem().string());
    if (isOneOf(extension, kProgram))
        return "program text, not a log";
    if (isOneOf(extension, kMedia))
        return "a picture, document or recording, not a log";
    if (isOneOf(stem, kLegal) || stem.starts_with("license-") || stem.starts_with("license_"))
        return "a licence text, not a log";
    if (isOneOf(extension, kSettings))
        return "settings, not a log";
    return {};
}

}  // namespace firstbad::core
