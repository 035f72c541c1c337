#include "formats/scores_file.hpp"

#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/named_tensors.hpp"
#include "libcore/base/error.hpp"
#include "libcore/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {

TextTable table_of(const ScoresContents& scores, std::int64_t begin, std::int64_t end) {
  TextTable table;
  const auto add = [&](const std::string& name, const auto& values) {
    if (values.empty()) return;
    std::vector<Json> cells;
    for (std::int64_t i = begin; i < end; ++i)
      cells.emplace_back(values[static_cast<std::size_t>(i)]);
    table.add(name, std::move(cells));
  };
  std::vector<std::int64_t> rows = scores.rows;
  for (std::int64_t i = 0; scores.rows.empty() && i < std::ssize(scores.nats); ++i)
    rows.push_back(scores.first_row + i);
  add("row", rows);
  add("label", scores.labels);
  std::vector<std::string> classes;
  for (const std::int32_t label : scores.labels)
    classes.push_back(class_name(scores.label_names, label));
  if (!scores.label_names.empty()) add("label_name", classes);
  add("dims_observed", scores.dims_observed);
  add("log_likelihood", scores.nats);
  add("mc_std_error", scores.mc_std_error);
  for (const ScoresContents::Columns* columns : {&scores.terms, &scores.facts}) {
    ScoresContents::Columns by_name = *columns;  // by name, as they are read back
    std::ranges::sort(by_name);
    for (const auto& [name, values] : by_name) add(name, values);
  }
  return table;
}

std::string write_scores(OutputFile& out, const ScoresContents& scores, const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::scores);
  const auto text = [&](const char* name, const std::string& value) {
    writer.attribute(name, h5::Value::text(value));
  };
  text("family", scores.family);
  text("method", scores.method);
  text("likelihood_kind", scores.likelihood_kind);
  if (scores.measured.known()) text("measure", scores.measured.word);
  if (!scores.measured.density_of.empty()) text("density_of", scores.measured.density_of);
  if (!scores.measured.comparable_to_rgb) text("comparable_to_rgb", "no");
  text("model_hash", scores.model_hash);
  text("data_hash", scores.data_hash);
  text("reading", scores.reading);
  const std::int64_t n = std::ssize(scores.nats);
  writer.attribute("n", h5::Value::scalar(n));
  writer.attribute("first_row", h5::Value::scalar(scores.first_row));
  const auto column = [&]<typename T>(const std::string& path, const std::vector<T>& values) {
    LOGPX_ASSERT(std::ssize(values) == n);
    writer.dataset(path, h5::Value::of<T>(values, {n}));
  };
  if (!scores.rows.empty()) column("/row", scores.rows);
  if (!scores.labels.empty()) column("/label", scores.labels);
  if (!scores.dims_observed.empty()) column("/dims_observed", scores.dims_observed);
  if (!scores.label_names.empty())
    writer.dataset("/labels/names",
                   {h5::ValueType::str, {std::ssize(scores.label_names)}, {}, scores.label_names});
  column("/log_likelihood", scores.nats);
  if (!scores.mc_std_error.empty()) column("/mc_std_error", scores.mc_std_error);
  for (const auto& [name, values] : scores.terms) column("/terms/" + name, values);
  for (const auto& [name, values] : scores.facts) column("/facts/" + name, values);
  return writer.finish(provenance);
}

ScoresFile::ScoresFile(ArtifactFile artifact) : artifact_(std::move(artifact)) {
  artifact_.check();
  contents_ = {.family = artifact_.text("family"),
               .method = artifact_.text("method"),
               .likelihood_kind = artifact_.text("likelihood_kind"),
               .model_hash = artifact_.text("model_hash"),
               .data_hash = artifact_.text("data_hash"),
               .reading = artifact_.text("reading"),
               .first_row = artifact_.integer("first_row"),
               .nats = column<double>("/log_likelihood")};
  if (artifact_.find("measure")) contents_.measured.word = artifact_.text("measure");
  if (artifact_.find("density_of")) contents_.measured.density_of = artifact_.text("density_of");
  contents_.measured.comparable_to_rgb = !artifact_.find("comparable_to_rgb");
  for (std::size_t i = 0; i < contents_.nats.size(); ++i)
    if (std::isnan(contents_.nats[i]) || contents_.nats[i] == HUGE_VAL)
      fail(ErrorKind::data, artifact_.file().subject("/log_likelihood"),
           "element " + std::to_string(i) + " is not a log-probability");
  if (artifact_.has("/mc_std_error")) contents_.mc_std_error = column<double>("/mc_std_error");
  if (artifact_.has("/row")) contents_.rows = column<std::int64_t>("/row");
  if (artifact_.has("/label")) contents_.labels = column<std::int32_t>("/label");
  if (artifact_.has("/dims_observed"))
    contents_.dims_observed = column<std::int64_t>("/dims_observed");
  if (artifact_.has("/labels/names"))
    contents_.label_names = artifact_.read("/labels/names", h5::ValueType::str).texts;
  contents_.terms = columns("/terms");
  contents_.facts = columns("/facts");
}

template <typename T>
std::vector<T> ScoresFile::column(const std::string& path) const {
  const h5::Value value = artifact_.read(path, h5::value_type_of<T>());
  const std::int64_t n = artifact_.integer("n");
  if (value.shape != h5::Shape{n})
    fail(ErrorKind::data, artifact_.file().subject(path),
         "has shape " + h5::shape_text(value.shape) + ", expected [" + std::to_string(n) + ']');
  const auto elements = value.as<T>();
  return {elements.begin(), elements.end()};
}

ScoresContents::Columns ScoresFile::columns(const std::string& group) const {
  ScoresContents::Columns all;
  for (const NamedTensor& tensor : read_tensors(artifact_, group))
    all.emplace_back(tensor.name, column<double>(group + '/' + tensor.name));
  return all;
}

void require_comparable(const ScoresFile& a, const ScoresFile& b) {
  const ScoresContents &first = a.contents(), &second = b.contents();
  const auto rows = [](const ScoresContents& scores) {
    return std::to_string(scores.first_row) + ':' +
           std::to_string(scores.first_row + std::ssize(scores.nats));
  };
  if (first.data_hash != second.data_hash)
    fail(ErrorKind::data, b.name(), "scores other data than " + a.name());
  if (rows(first) != rows(second))
    fail(ErrorKind::data, b.name(),
         "scores rows " + rows(second) + ", but " + a.name() + " scores rows " + rows(first));
  if (first.reading != second.reading)
    fail(ErrorKind::data, b.name(),
         "was made with --binarise " + second.reading + ", but " + a.name() + " with " +
             first.reading,
         "results of different binarisations cannot be compared");
  if (differ(first.measured, second.measured))
    fail(ErrorKind::data, b.name(),
         "has the logarithm of a " + second.measured.text() + ", and " + a.name() + " that of a " +
             first.measured.text() + ": they have no common scale");
}

}  // namespace logpx
