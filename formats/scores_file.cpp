#include "formats/scores_file.hpp"

#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/named_tensors.hpp"
#include "libcore/base/error.hpp"

#include <cmath>
#include <utility>

namespace logpx {

std::string write_scores(OutputFile& out, const ScoresContents& scores, const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::scores);
  const auto text = [&](const char* name, const std::string& value) {
    writer.attribute(name, h5::Value::text(value));
  };
  text("family", scores.family);
  text("method", scores.method);
  text("likelihood_kind", scores.likelihood_kind);
  text("model_hash", scores.model_hash);
  text("data_hash", scores.data_hash);
  text("reading", scores.reading);
  const std::int64_t n = std::ssize(scores.nats);
  writer.attribute("n", h5::Value::scalar(n));
  writer.attribute("first_row", h5::Value::scalar(scores.first_row));
  const auto column = [&](const std::string& path, const std::vector<double>& values) {
    LOGPX_ASSERT(std::ssize(values) == n);
    writer.dataset(path, h5::Value::of<double>(values, {n}));
  };
  column("/log_likelihood", scores.nats);
  if (!scores.mc_std_error.empty()) column("/mc_std_error", scores.mc_std_error);
  for (const auto& [name, values] : scores.terms) column("/terms/" + name, values);
  for (const auto& [name, values] : scores.facts) column("/facts/" + name, values);
  return writer.finish(provenance);
}

ScoresFile::ScoresFile(ArtifactFile artifact) : artifact_(std::move(artifact)) {
  contents_ = {.family = artifact_.text("family"),
               .method = artifact_.text("method"),
               .likelihood_kind = artifact_.text("likelihood_kind"),
               .model_hash = artifact_.text("model_hash"),
               .data_hash = artifact_.text("data_hash"),
               .reading = artifact_.text("reading"),
               .first_row = artifact_.integer("first_row"),
               .nats = column("/log_likelihood")};
  for (std::size_t i = 0; i < contents_.nats.size(); ++i)
    if (std::isnan(contents_.nats[i]) || contents_.nats[i] == HUGE_VAL)
      fail(ErrorKind::data, artifact_.file().subject("/log_likelihood"),
           "element " + std::to_string(i) + " is no log-probability");
  if (artifact_.has("/mc_std_error")) contents_.mc_std_error = column("/mc_std_error");
  contents_.terms = columns("/terms");
  contents_.facts = columns("/facts");
}

std::vector<double> ScoresFile::column(const std::string& path) const {
  const h5::Value value = artifact_.read(path, h5::ValueType::f64);
  const std::int64_t n = artifact_.integer("n");
  if (value.shape != h5::Shape{n})
    fail(ErrorKind::data, artifact_.file().subject(path),
         "has shape " + h5::shape_text(value.shape) + ", expected [" + std::to_string(n) + ']');
  const auto elements = value.as<double>();
  return {elements.begin(), elements.end()};
}

ScoresContents::Columns ScoresFile::columns(const std::string& group) const {
  ScoresContents::Columns all;
  for (const NamedTensor& tensor : read_tensors(artifact_, group))
    all.emplace_back(tensor.name, column(group + '/' + tensor.name));
  return all;
}

void require_comparable(const ScoresFile& a, const ScoresFile& b) {
  const ScoresContents &first = a.contents(), &second = b.contents();
  const auto rows = [](const ScoresContents& scores) {
    return std::to_string(scores.first_row) + ':' +
           std::to_string(scores.first_row + std::ssize(scores.nats));
  };
  if (first.data_hash != second.data_hash)
    fail(ErrorKind::data, b.name(), "is of other data than " + a.name());
  if (rows(first) != rows(second))
    fail(ErrorKind::data, b.name(),
         "is of rows " + rows(second) + ", but " + a.name() + " of rows " + rows(first));
  if (first.reading != second.reading)
    fail(ErrorKind::data, b.name(),
         "was made with --binarise " + second.reading + ", but " + a.name() + " with " +
             first.reading,
         "results of different binarisations cannot be compared");
}

}  // namespace logpx
