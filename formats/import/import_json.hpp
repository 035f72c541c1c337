// What pack-data reports and stores about where rows came from.
#pragma once

#include "formats/import/importer.hpp"
#include "formats/json/value.hpp"

#include <filesystem>
#include <string>

namespace logpx {

// /provenance with `sources`: name, bytes, sha256, sha256_uncompressed; `files` for a folder; and
// what else is known of the rows.
[[nodiscard]] Json with_sources(Json provenance, const ImportRecord& record);
// `result` of the report: n, content, shape, levels, splits, labels, and the same.
[[nodiscard]] Json summary_json(const DatasetInfo& info, const ImportRecord& record);
// "28x28x1 u8 (image)"
[[nodiscard]] std::string shape_words(const DatasetInfo& info);
// The folder of an output, where spooled rows have room; that of temporaries when it has none.
[[nodiscard]] std::filesystem::path spool_folder_beside(const std::string& output);

// A line about each column of a table; of wide ones the first, unless all are asked for.
enum class ShownColumns { first, all };
[[nodiscard]] std::vector<std::string> column_lines(const ImportRecord& record, ShownColumns shown);

}  // namespace logpx
