#include "formats/import/import_json.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/number_text.hpp"

namespace logpx {
namespace fs = std::filesystem;

namespace {

Json sources_json(const ImportRecord& record) {
  Json sources = Json::array();
  for (const SourceFile& source : record.sources) {
    const std::string name =
        reproducible_build() ? fs::path(source.name).filename().string() : source.name;
    Json entry = Json::object();
    entry.set("name", name).set("bytes", source.bytes).set("sha256", source.sha256);
    entry.set("sha256_uncompressed", source.sha256_uncompressed);
    if (source.files != 1) entry.set("files", source.files);
    sources.push(std::move(entry));
  }
  return sources;
}

}  // namespace

Json with_sources(Json provenance, const ImportRecord& record) {
  provenance.set("sources", sources_json(record));
  if (record.facts.is_object()) provenance.set("molecules", record.facts);
  return provenance;
}

Json summary_json(const DatasetInfo& info, const ImportRecord& record) {
  Json splits = Json::object();
  for (const Split& split : info.splits)
    splits.set(split.name, Json::array({split.begin, split.end}));
  Json json = Json::object();
  json.set("name", info.name).set("n", info.n).set("content", word_of(info.content));
  json.set("shape", Json::array_of(info.shape)).set("dims", info.dims());
  json.set("levels", info.levels).set("labels", info.has_labels);
  json.set("splits", std::move(splits));
  if (record.facts.is_object()) json.set("molecules", record.facts);
  return json;
}

std::string shape_words(const DatasetInfo& info) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : info.shape) sizes.push_back(std::to_string(size));
  return join_text(sizes, "x") + ' ' + word_of(info.element) + " (" + word_of(info.content) + ')';
}

std::vector<std::string> column_lines(const ImportRecord& record, ShownColumns shown) {
  constexpr std::size_t most_shown = 100;
  std::vector<std::string> lines = record.columns;
  if (shown == ShownColumns::all || lines.size() <= most_shown) return lines;
  lines.resize(most_shown);
  lines.push_back("... and " + counted(record.columns.size() - most_shown, "column") +
                  " more: -v lists them");
  return lines;
}

fs::path spool_folder_beside(const std::string& output) {
  if (output == "-" || (fs::exists(output) && !fs::is_regular_file(output))) return spool_folder();
  const fs::path folder = fs::path(output).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace logpx
