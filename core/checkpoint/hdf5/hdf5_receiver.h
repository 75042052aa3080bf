// SPDX-License-Identifier: GPL-3.0-or-later
// Hdf5Receiver: turns what the reading child says into tensors and storages of a Checkpoint.
//
// One thread; memory is in the number of datasets and chunks.
#pragma once

#include "core/base/forked_reader.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/hdf5/hdf5_layout.h"
#include "core/checkpoint/hdf5/hdf5_window.h"

#include <string>
#include <unordered_map>

namespace firstbad::core {

class Hdf5Receiver
{
public:
    /// `file` is the number of the file in the checkpoint.
    Hdf5Receiver(Checkpoint& checkpoint, std::uint32_t file, const Hdf5Window& window)
        : m_checkpoint(checkpoint)
        , m_file(file)
        , m_window(window)
    { }

    /// False when the message makes no sense.
    bool take(const ForkedReader::Message& message);

    /// Sentence of the library when it could not open the file at all.
    [[nodiscard]] const std::string& broken() const noexcept { return m_broken; }

private:
    bool takeDataset(std::string_view bytes);
    bool takeChunks(std::string_view bytes);
    bool takePair(Hdf5Part part, std::string_view bytes);
    void takeScalar(const std::string& name, double value);
    void addStorage(Storage storage);
    void lose(const std::string& path, std::string_view why);

    Checkpoint& m_checkpoint;
    std::uint32_t m_file;
    const Hdf5Window& m_window;
    std::string m_broken;
    Hdf5Dataset m_dataset;  // the one that chunks belong to
    std::unordered_map<std::string, std::size_t> m_places;  // tensor by path
};

}  // namespace firstbad::core
