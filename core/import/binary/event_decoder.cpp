// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/event_decoder.h"

#include <protozero/pbf_reader.hpp>

namespace firstbad::core {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto kFixed32 = pbf_wire_type::fixed32;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kBytes = pbf_wire_type::length_delimited;

std::string_view viewOf(pbf_reader& reader)
{
    const auto view = reader.get_view();
    return {view.data(), view.size()};
}

std::string_view pluginName(pbf_reader plugin)
{
    std::string_view name;
    while (plugin.next()) {
        if (plugin.tag_and_type() == tag_and_type(1, kBytes))
            name = viewOf(plugin);
        else
            plugin.skip();
    }
    return name;
}

void decodeMetadata(pbf_reader metadata, SummaryValue& value)
{
    value.hasMetadata = true;
    while (metadata.next()) {
        switch (metadata.tag_and_type()) {
        case tag_and_type(1, kBytes):
            value.plugin = pluginName(metadata.get_message());
            break;
        case tag_and_type(4, kVarint):
            value.dataClass = metadata.get_uint64();
            break;
        default:
            metadata.skip();
        }
    }
}

void decodeTensor(std::string_view bytes, SummaryValue& value)
{
    const TensorScalar scalar = readTensorScalar(bytes);
    value.value = scalar.value;
    switch (scalar.form) {
    case TensorForm::Scalar:
        value.form = ValueForm::Tensor;
        break;
    case TensorForm::NotRankZero:
        value.form = ValueForm::TensorOfRank;
        break;
    case TensorForm::NotNumeric:
        value.form = ValueForm::TensorOther;
        break;
    }
}

void skipAs(pbf_reader& reader, SummaryValue& value, ValueForm form)
{
    value.form = form;
    reader.skip();
}

SummaryValue decodeValue(pbf_reader reader)
{
    SummaryValue value;
    std::string_view nodeName;
    while (reader.next()) {
        switch (reader.tag_and_type()) {
        case tag_and_type(1, kBytes):
            value.tag = viewOf(reader);
            break;
        case tag_and_type(2, kFixed32):
            value.form = ValueForm::Simple;
            value.value = static_cast<double>(reader.get_float());
            break;
        case tag_and_type(3, kBytes):
        case tag_and_type(5, kBytes):
            skipAs(reader, value, ValueForm::Histogram);
            break;
        case tag_and_type(4, kBytes):
            skipAs(reader, value, ValueForm::Image);
            break;
        case tag_and_type(6, kBytes):
            skipAs(reader, value, ValueForm::Audio);
            break;
        case tag_and_type(7, kBytes):
            nodeName = viewOf(reader);
            break;
        case tag_and_type(8, kBytes):
            decodeTensor(viewOf(reader), value);
            break;
        case tag_and_type(9, kBytes):
            decodeMetadata(reader.get_message(), value);
            break;
        default:
            reader.skip();
        }
    }
    if (value.tag.empty())
        value.tag = nodeName;
    return value;
}

void decodeSession(pbf_reader reader, EventMessage& event)
{
    while (reader.next()) {
        switch (reader.tag_and_type()) {
        case tag_and_type(1, kVarint): {
            const std::uint64_t status = reader.get_uint64();
            event.session = status <= 3 ? static_cast<SessionMark>(status) : SessionMark::None;
            break;
        }
        case tag_and_type(2, kBytes):
        case tag_and_type(3, kBytes):
            event.sessionPath = viewOf(reader);
            break;
        default:
            reader.skip();
        }
    }
}

void decodeField(pbf_reader& reader, EventMessage& event)
{
    switch (reader.tag_and_type()) {
    case tag_and_type(1, kFixed64):
        event.wallTime = reader.get_double();
        break;
    case tag_and_type(2, kVarint):
        event.step = reader.get_int64();
        break;
    case tag_and_type(3, kBytes):
        event.fileVersion = viewOf(reader);
        break;
    case tag_and_type(5, kBytes): {
        pbf_reader summary = reader.get_message();
        while (summary.next()) {
            if (summary.tag_and_type() == tag_and_type(1, kBytes))
                event.values.push_back(decodeValue(summary.get_message()));
            else
                summary.skip();
        }
        break;
    }
    case tag_and_type(7, kBytes):
        decodeSession(reader.get_message(), event);
        break;
    case tag_and_type(4, kBytes):
    case tag_and_type(6, kBytes):
    case tag_and_type(8, kBytes):
    case tag_and_type(9, kBytes):
        event.isOther = true;
        reader.skip();
        break;
    default:
        reader.skip();
    }
}

}  // namespace

bool decodeEvent(std::string_view bytes, EventMessage& event)
try {
    event.wallTime.reset();
    event.step = 0;
    event.fileVersion = {};
    event.session = SessionMark::None;
    event.sessionPath = {};
    event.isOther = false;
    event.values.clear();
    pbf_reader reader(bytes.data(), bytes.size());
    while (reader.next())
        decodeField(reader, event);
    return true;
} catch (const protozero::exception&) {
    return false;
}

std::optional<std::int64_t> stepOfTornEvent(std::string_view bytes)
{
    std::optional<std::int64_t> step;
    try {
        pbf_reader reader(bytes.data(), bytes.size());
        while (reader.next()) {
            if (reader.tag_and_type() == tag_and_type(2, kVarint))
                step = reader.get_int64();
            else
                reader.skip();
        }
    } catch (const protozero::exception&) {
        return step;  // the cut was reached
    }
    return step;
}

}  // namespace firstbad::core
