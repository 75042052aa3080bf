// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/hdf5_tables.h"

#include "core/base/hdf5_handle.h"
#include "core/base/text.h"
#include "core/import/binary/hdf5_messages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <hdf5.h>
#include <limits>
#include <map>
#include <set>

namespace firstbad::core {
namespace {

constexpr hsize_t kSlice = 32768;
constexpr hsize_t kMaxRows = 64U << 20U;  // of one dataset
constexpr std::uint64_t kMaxPoints = 256U << 20U;  // of one file
constexpr std::size_t kMaxObjects = 100000;
constexpr int kMaxDepth = 32;
constexpr std::size_t kRowsPerMessage = 16384;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<std::string_view, 6> kStepNames{
    "step", "steps", "iteration", "global_step", "iter", "update"};
constexpr std::array<std::string_view, 4> kTimeNames{
    "time", "wall_time", "timestamp", "_timestamp"};

/// One column that can be read as numbers: a whole dataset, or one member of its records.
struct Source {
    std::string name;  // below the file's root
    std::string leaf;  // last part, to find steps and times by
    std::string path;  // of the dataset
    std::string member;  // of a compound; empty for a plain dataset
    hsize_t rows = 0;
    bool isInteger = false;
};

class TableSender
{
public:
    TableSender(hid_t file, std::vector<std::string> stepNames, int descriptor)
        : m_file(file)
        , m_stepNames(std::move(stepNames))
        , m_descriptor(descriptor)
    {
        m_stepNames.insert(m_stepNames.end(), kStepNames.begin(), kStepNames.end());
    }

    void send()
    {
        if (isKerasModel()) {
            say(Hdf5Message::Refused,
                "It holds the weights of a Keras model, a checkpoint and no training log.");
            return;
        }
        walk("/", 0);
        for (const auto& [what, count] : m_left)
            say(Hdf5Message::Note, fmt::format("{} left out: {}.", count, what));
        if (m_columns == 0)
            say(Hdf5Message::Refused, "It holds no 1-D numbers and no tables of numbers.");
    }

private:
    void say(Hdf5Message kind, std::string_view text) const
    {
        writeHdf5Message(m_descriptor, kind, text.substr(0, kMaxHdf5Message));
    }

    [[nodiscard]] bool isKerasModel() const
    {
        constexpr std::array<const char*, 3> kMarks{"keras_version", "model_config", "layer_names"};
        return std::any_of(kMarks.begin(), kMarks.end(),
            [this](const char* mark) { return H5Aexists(m_file, mark) > 0; });
    }

    static herr_t collect(hid_t, const char* name, const H5L_info_t* info, void* out)
    {
        auto* names = static_cast<std::vector<std::pair<std::string, bool>>*>(out);
        names->emplace_back(name, info->type == H5L_TYPE_HARD);
        return names->size() < kMaxObjects ? 0 : 1;
    }

    void walk(const std::string& path, int depth)
    {
        const Hdf5Handle group(H5Gopen2(m_file, path.c_str(), H5P_DEFAULT), H5Gclose);
        std::vector<std::pair<std::string, bool>> names;
        if (!group
            || H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
                   &TableSender::collect, &names)
                < 0) {
            say(Hdf5Message::Skipped, fmt::format("Group {} can not be listed.", shown(path)));
            return;
        }
        std::vector<Source> columns;
        std::vector<std::string> groups;
        for (const auto& [name, isHard] : names) {
            const std::string inner = (path == "/" ? path : path + '/') + name;
            if (isHard)
                look(inner, name, columns, groups);
            else
                ++m_left["links to other places"];
        }
        sendTable(columns);
        for (const std::string& inner : groups) {
            if (depth < kMaxDepth)
                walk(inner, depth + 1);
        }
    }

    void look(const std::string& path, const std::string& leaf, std::vector<Source>& columns,
        std::vector<std::string>& groups)
    {
        H5O_info_t info{};
        if (m_seen.size() >= kMaxObjects
            || H5Oget_info_by_name(m_file, path.c_str(), &info, H5P_DEFAULT) < 0) {
            ++m_left["objects that can not be opened"];
            return;
        }
        if (!m_seen.insert(info.addr).second)
            return;  // a second link to the same object, or a ring of groups
        if (info.type == H5O_TYPE_GROUP)
            groups.push_back(path);
        else if (info.type == H5O_TYPE_DATASET)
            lookAtDataset(path, leaf, columns);
    }

    /// Why the raw data of a dataset is not read; empty when it can be.
    static std::string obstacle(hid_t dataset, hid_t space)
    {
        const Hdf5Handle plan(H5Dget_create_plist(dataset), H5Pclose);
        if (!plan)
            return "has no readable description";
        if (H5Pget_layout(plan.get()) == H5D_VIRTUAL || H5Pget_external_count(plan.get()) > 0)
            return "keeps its data in other files";
        const int filters = H5Pget_nfilters(plan.get());
        for (int i = 0; i < filters; ++i) {
            std::array<char, 64> name{};
            std::size_t parameters = 0;
            unsigned flags = 0;
            unsigned config = 0;
            const H5Z_filter_t filter = H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags,
                &parameters, nullptr, name.size() - 1, name.data(), &config);
            if (filter < 0 || H5Zfilter_avail(filter) <= 0)
                return fmt::format("needs the filter {} ({}), which is not available here",
                    escapedForTerminal(name.data()), filter);
        }
        if (H5Sget_simple_extent_npoints(space) > 0 && H5Dget_storage_size(dataset) == 0)
            return "was never written";
        return {};
    }

    void lookAtDataset(
        const std::string& path, const std::string& leaf, std::vector<Source>& columns)
    {
        const Hdf5Handle dataset(H5Dopen2(m_file, path.c_str(), H5P_DEFAULT), H5Dclose);
        const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
        const Hdf5Handle type(dataset ? H5Dget_type(dataset.get()) : -1, H5Tclose);
        if (!space || !type) {
            say(Hdf5Message::Skipped, fmt::format("Dataset {} can not be opened.", shown(path)));
            return;
        }
        const H5T_class_t kind = H5Tget_class(type.get());
        if (kind != H5T_FLOAT && kind != H5T_INTEGER && kind != H5T_COMPOUND) {
            ++m_left["datasets of texts or other things that are no numbers"];
            return;
        }
        hsize_t rows = 0;
        if (H5Sget_simple_extent_ndims(space.get()) != 1
            || H5Sget_simple_extent_dims(space.get(), &rows, nullptr) != 1) {
            ++m_left["datasets that are not 1-D"];
            return;
        }
        if (rows > kMaxRows) {
            say(Hdf5Message::Skipped,
                fmt::format("Dataset {} has {} rows, more than the {} that are read.", shown(path),
                    rows, kMaxRows));
            return;
        }
        if (const std::string reason = obstacle(dataset.get(), space.get()); !reason.empty()) {
            say(Hdf5Message::Skipped, fmt::format("Dataset {} {}.", shown(path), reason));
            return;
        }
        if (kind == H5T_COMPOUND)
            sendCompound(path, type.get(), rows);
        else
            columns.push_back({path.substr(1), leaf, path, {}, rows, kind == H5T_INTEGER});
    }

    void sendCompound(const std::string& path, hid_t type, hsize_t rows)
    {
        std::vector<Source> columns;
        const int members = std::min(H5Tget_nmembers(type), 4096);
        for (int i = 0; i < members; ++i) {
            char* const name = H5Tget_member_name(type, static_cast<unsigned>(i));
            const H5T_class_t kind = H5Tget_member_class(type, static_cast<unsigned>(i));
            if (name != nullptr && (kind == H5T_FLOAT || kind == H5T_INTEGER)) {
                columns.push_back(
                    {path.substr(1) + '/' + name, name, path, name, rows, kind == H5T_INTEGER});
            } else {
                ++m_left["members of tables that are no numbers"];
            }
            H5free_memory(name);
        }
        sendTable(columns);
    }

    template <class Names>
    static const Source* findByName(
        const std::vector<Source>& columns, const Names& names, bool mustBeInteger)
    {
        for (const std::string_view name : names) {
            for (const Source& column : columns) {
                if (equalsIgnoringCase(column.leaf, name) && (column.isInteger || !mustBeInteger))
                    return &column;
            }
        }
        return nullptr;
    }

    /// The columns of one group or one compound: steps and times serve those of their length.
    void sendTable(const std::vector<Source>& columns)
    {
        const Source* steps = findByName(columns, m_stepNames, true);
        const Source* times = findByName(columns, kTimeNames, false);
        for (const Source& column : columns) {
            if (&column == steps || (&column == times && columns.size() > 1))
                continue;
            sendColumn(column, steps != nullptr && steps->rows == column.rows ? steps : nullptr,
                times != nullptr && times->rows == column.rows ? times : nullptr);
        }
    }

    void sendColumn(const Source& column, const Source* steps, const Source* times)
    {
        ++m_columns;
        m_points += column.rows;
        if (m_points > kMaxPoints) {
            say(Hdf5Message::Skipped,
                fmt::format("{} is beyond the {} points read of one file.", shown(column.name),
                    kMaxPoints));
            return;
        }
        say(Hdf5Message::Column, toValidUtf8(column.name).substr(0, 4096));
        std::vector<double> values(kSlice);
        std::vector<double> clock(kSlice);
        std::vector<std::int64_t> counts(kSlice);
        for (hsize_t from = 0; from < column.rows; from += kSlice) {
            const hsize_t count = std::min(kSlice, column.rows - from);
            bool read = readSlice(column, from, count, H5T_NATIVE_DOUBLE, values.data());
            if (steps != nullptr)
                read = read && readSlice(*steps, from, count, H5T_NATIVE_INT64, counts.data());
            if (times != nullptr)
                read = read && readSlice(*times, from, count, H5T_NATIVE_DOUBLE, clock.data());
            if (!read) {
                say(Hdf5Message::Skipped,
                    fmt::format("Rows of {} from {} on can not be read: {}.", shown(column.name),
                        from, hdf5Reason()));
                return;
            }
            sendRows(from, count, values, steps != nullptr ? counts.data() : nullptr,
                times != nullptr ? clock.data() : nullptr);
        }
    }

    bool readSlice(const Source& column, hsize_t from, hsize_t count, hid_t type, void* out) const
    {
        const Hdf5Handle dataset(H5Dopen2(m_file, column.path.c_str(), H5P_DEFAULT), H5Dclose);
        const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
        const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
        if (!dataset || !space || !memory
            || H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &from, nullptr, &count, nullptr)
                < 0)
            return false;
        if (column.member.empty()) {
            return H5Dread(dataset.get(), type, memory.get(), space.get(), H5P_DEFAULT, out) >= 0;
        }
        const Hdf5Handle member(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose);
        return member && H5Tinsert(member.get(), column.member.c_str(), 0, type) >= 0
            && H5Dread(dataset.get(), member.get(), memory.get(), space.get(), H5P_DEFAULT, out)
            >= 0;
    }

    void sendRows(hsize_t from, hsize_t count, const std::vector<double>& values,
        const std::int64_t* steps, const double* times) const
    {
        std::vector<Hdf5Row> rows;
        rows.reserve(kRowsPerMessage);
        for (hsize_t i = 0; i < count; ++i) {
            rows.push_back({steps != nullptr ? steps[i] : static_cast<std::int64_t>(from + i),
                values[i], times != nullptr ? times[i] : kNan});
            if (rows.size() < kRowsPerMessage && i + 1 < count)
                continue;
            writeHdf5Message(m_descriptor, Hdf5Message::Points,
                {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Hdf5Row)});
            rows.clear();
        }
    }

    static std::string shown(const std::string& path)
    {
        return escapedForTerminal(path.substr(0, 400));
    }

    hid_t m_file;
    std::vector<std::string> m_stepNames;
    int m_descriptor;
    std::set<haddr_t> m_seen;
    std::map<std::string, std::uint64_t> m_left;  // what was left out on purpose, by kind
    std::uint64_t m_columns = 0;
    std::uint64_t m_points = 0;
};

}  // namespace

void sendHdf5Tables(
    const std::string& path, const std::vector<std::string>& stepNames, int descriptor) noexcept
try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // a file must not choose code to load
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (file)
        TableSender(file.get(), stepNames, descriptor).send();
    else
        writeHdf5Message(descriptor, Hdf5Message::Broken, hdf5Reason());
    writeHdf5Message(descriptor, Hdf5Message::End, {});
} catch (const std::exception& failure) {
    writeHdf5Message(descriptor, Hdf5Message::Skipped, failure.what());
    writeHdf5Message(descriptor, Hdf5Message::End, {});
}

}  // namespace firstbad::core
