// SPDX-License-Identifier: GPL-3.0-or-later
// JsonDocument: finds the records in one JSON document, whatever it wraps them in.
//
// Understands arrays of objects (also below a key: log_history, history, data), Megatron's golden
// values, columns of numbers by name, and a single record. One thread; reads in one pass.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/record_table.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class JsonDocument : public JsonVisitor
{
public:
    explicit JsonDocument(const ImportOptions& options)
        : m_options(options)
    {
        restart();
    }

    [[nodiscard]] RecordSink& sink() noexcept { return m_found->sink; }
    /// After the reading: writes what was found. False when the document holds no log.
    [[nodiscard]] bool finish();
    /// Names at the top of the document and the texts that stand there.
    [[nodiscard]] const std::map<std::string, std::string>& facts() const noexcept
    {
        return m_facts;
    }
    [[nodiscard]] bool isGolden() const noexcept { return m_golden > 0; }

    bool null() override;
    bool boolean(bool flag) override;
    bool number(std::string_view spelled) override;
    bool text(std::string_view content) override;
    bool key(std::string_view name) override;
    bool beginObject() override;
    bool endObject() override;
    bool beginArray() override;
    bool endArray() override;
    void restart() override;

private:
    struct Level {
        bool isArray = false;
        std::string key;  // the member that is being read
        std::int64_t index = 0;
    };
    /// "start_step" and "step_interval" of golden values.
    struct Stepping {
        std::int64_t start = 1;
        std::int64_t interval = 1;
    };

    /// All that a second, more lenient reading has to begin anew.
    struct Found {
        explicit Found(const ImportOptions& options)
            : table(sink, flat, options)
        { }
        RecordSink sink;
        JsonFlattener flat;
        RecordTable table;
    };

    [[nodiscard]] bool inRecord() const noexcept { return m_recordLevels > 0; }
    bool open(bool isArray);
    bool close();
    void measure(std::string_view name, std::int64_t step, std::string_view content);
    void startRecord();
    void endRecord();
    void scalar(std::string_view content);
    void columnValue(const std::string& name, std::int64_t row, std::string_view content);
    bool writeColumns();

    const ImportOptions& m_options;
    std::unique_ptr<Found> m_found;
    std::vector<Level> m_levels;
    std::size_t m_recordLevels = 0;
    std::uint64_t m_records = 0;
    bool m_rootIsArray = false;
    std::uint64_t m_golden = 0;
    Stepping m_stepping;
    std::map<std::string, std::string> m_facts;
    std::map<std::string, std::map<std::int64_t, std::string>> m_columns;
};

}  // namespace firstbad::core
