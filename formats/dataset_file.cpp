#include "formats/dataset_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/description.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace logpx {
namespace {

Split named_split(const DatasetInfo& info, const DatasetName& dataset) {
  const std::string& name = dataset.split;
  if (const Split* split = info.find_split(name); split != nullptr) return *split;
  std::vector<std::string> known;
  for (const Split& split : info.splits) known.push_back(split.name);
  const std::string message = "has no split '" + name + "'";
  if (known.empty()) fail(ErrorKind::data, dataset.path, message + "; it has no splits");
  fail(ErrorKind::data, dataset.path,
       message + did_you_mean(name, known) + "; it has " + join_text(known, ", "));
}

constexpr std::size_t most_words_shown = 12;

std::string words_shown(std::span<const std::string> words) {
  if (words.empty()) return "numbers";
  const std::size_t count = std::min(words.size(), most_words_shown);
  return "the words " + join_list({words.begin(), words.begin() + std::ptrdiff_t(count)}) +
         (words.size() > count ? " ... (" + std::to_string(words.size()) + ")" : "");
}

// Equal numbers must be equal words. A table without words fits one that has some.
void require_same_words(const DatasetInfo& data, const DatasetInfo& known,
                        const std::string& name) {
  if (data.column_words.empty() || known.column_words.empty()) return;
  const auto here = data.column_words.by_column(data.dims()),
             there = known.column_words.by_column(known.dims());
  for (std::size_t i = 0; i < here.size(); ++i)
    if (!std::ranges::equal(here[i], there[i]))
      fail(ErrorKind::data, name,
           data.column_name(static_cast<std::int64_t>(i)) + " has " + words_shown(here[i]) +
               ", expected " + words_shown(there[i]),
           "pack both files in one go: pack-data csv A B --split ...");
}

}  // namespace

DatasetWriter::DatasetWriter(OutputFile& out, const DatasetInfo& info, Workers* workers)
    : artifact_(out, ArtifactKind::dataset), table_(artifact_, info, workers), workers_(workers) {
  LOGPX_ASSERT(!info.shape.empty());
}

void DatasetWriter::append(const Rows& rows) { table_.append(rows); }

std::string DatasetWriter::finish(const DatasetInfo& whole, const Json& provenance) {
  table_.finish(whole);
  return artifact_.finish(provenance, workers_);
}

DatasetFile::DatasetFile(ArtifactFile artifact)
    : artifact_(std::move(artifact)), table_(artifact_, {}) {
  if (!table_.has_x()) fail(ErrorKind::data, artifact_.file().subject("/data/x"), "is missing");
}

DatasetName parse_dataset_name(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || std::filesystem::exists(text, ignored))
    return {text, ""};
  const std::string split = text.substr(colon + 1);
  if (split.find('/') != std::string::npos) return {text, ""};
  if (split.empty()) fail(ErrorKind::usage, text, "names no split after the colon");
  return {text.substr(0, colon), split};
}

void require_same_columns(const DatasetInfo& data, const DatasetInfo& known,
                          const std::string& name) {
  const std::vector<std::string>&here = data.column_names, &there = known.column_names;
  if (data.shape != known.shape) return;
  if (!here.empty() && !there.empty() && here != there)
    fail(ErrorKind::data, name, "has columns " + join_list(here) + ", expected " + join_list(there),
         "pack-data csv ... --columns " + join_list(there));
  require_same_words(data, known, name);
  for (std::size_t i = 0; i < std::min(data.column_forms.size(), known.column_forms.size()); ++i) {
    const ColumnForm &form = data.column_forms[i], &other = known.column_forms[i];
    if (!same_storage({&form, 1}, {&other, 1}))
      fail(ErrorKind::data, name,
           data.column_name(static_cast<std::int64_t>(i)) + " is stored from " +
               to_text(form.origin) + " in steps of " + to_text(form.step) + ", expected from " +
               to_text(other.origin) + " in steps of " + to_text(other.step),
           "inspect the other one, and read this file as it: inspect A.h5 > a.json, then pack-data "
           "csv ... --type a.json");
  }
}

RowSelection select_rows(const DatasetInfo& info, const DatasetName& name,
                         const std::string& default_split, const RowChoice& choice) {
  Split part{"", 0, info.n};
  if (!name.split.empty()) part = named_split(info, name);
  else if (const Split* usual = info.find_split(default_split); usual != nullptr) part = *usual;
  const std::int64_t size = part.end - part.begin;
  const std::string where = part.name.empty() ? "the dataset" : "split '" + part.name + "'";
  if (size == 0) fail(ErrorKind::data, name.path, where + " has no rows");

  RowSelection selection{part.begin, part.end};
  if (const std::optional<RowRange>& rows = choice.range) {
    const std::int64_t end = rows->end < 0 ? size : rows->end;
    if (rows->begin < 0 || rows->begin >= end || end > size)
      fail(ErrorKind::usage, "--rows",
           "'" + to_text(*rows) + "' is not inside the " + std::to_string(size) + " rows of " +
               where);
    selection = {part.begin + rows->begin, part.begin + end};
  }
  if (const std::optional<std::int64_t>& limit = choice.limit) {
    if (*limit < 1) fail(ErrorKind::usage, "--limit", "is below 1");
    selection.end = std::min(selection.end, selection.begin + *limit);
  }
  return selection;
}

}  // namespace logpx
