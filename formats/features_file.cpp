#include "formats/features_file.hpp"

#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

void write_info(ArtifactWriter& writer, const FeaturesInfo& info) {
  writer.attribute("extractor", h5::Value::text(info.extractor));
  writer.attribute("params", h5::Value::text(info.params.dump(-1)));
  writer.attribute("source_hash", h5::Value::text(info.source_hash));
  writer.attribute("n", h5::Value::scalar(info.n));
  writer.attribute("d", h5::Value::scalar(info.d));
}

void require_shape(const ArtifactFile& file, const std::string& path, h5::ValueType type,
                   const h5::Shape& shape) {
  const h5::Description what = h5::describe(file.file(), path);
  if (what.type != type || what.shape != shape)
    fail(ErrorKind::data, file.file().subject(path),
         std::string("is ") + h5::word_of(what.type) + ' ' + h5::shape_text(what.shape) +
             ", expected " + h5::word_of(type) + ' ' + h5::shape_text(shape));
}

template <typename T>
std::vector<T> read_rows(const h5::File& file, const char* path, std::int64_t begin,
                         std::int64_t end, std::int64_t width) {
  std::vector<T> values(static_cast<std::size_t>((end - begin) * width));
  h5::Dataset(file, path).read_rows(begin, end, std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace

FeaturesWriter::FeaturesWriter(OutputFile& out, const FeaturesInfo& info)
    : artifact_(out, ArtifactKind::features), info_(info) {
  const auto column = [&](const char* path, std::int64_t width) {
    // Features barely shrink, and deflate would take longer than most extractors.
    return &artifact_.column(path, {.type = h5::ValueType::f32,
                                    .row_shape = {width},
                                    .chunk_bytes = 256 << 10,
                                    .filter = h5::Filter::none});
  };
  features_ = column("/features", info.d);
  if (info.classes > 0) logits_ = column("/logits", info.classes);
  info_.n = 0;
}

void FeaturesWriter::append(const FeatureRows& rows) {
  LOGPX_ASSERT(rows.features.size() == static_cast<std::size_t>(rows.count * info_.d));
  LOGPX_ASSERT(rows.logits.size() == static_cast<std::size_t>(rows.count * info_.classes));
  LOGPX_ASSERT(rows.labels.size() == static_cast<std::size_t>(info_.has_labels ? rows.count : 0));
  features_->append(std::as_bytes(std::span(rows.features)));
  features_->flush(nullptr);
  if (logits_ != nullptr) {
    logits_->append(std::as_bytes(std::span(rows.logits)));
    logits_->flush(nullptr);
  }
  labels_.insert(labels_.end(), rows.labels.begin(), rows.labels.end());
  info_.n += rows.count;
}

std::string FeaturesWriter::finish(const Json& provenance) {
  write_info(artifact_, info_);
  if (info_.has_labels)
    artifact_.dataset("/labels", h5::Value::of<std::int32_t>(labels_, {info_.n}));
  return artifact_.finish(provenance);
}

std::string write_feature_statistics(OutputFile& out, const FeaturesInfo& info,
                                     std::span<const double> mean,
                                     std::span<const double> covariance, const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::features);
  write_info(writer, info);
  writer.dataset("/mean", h5::ValueType::f64, {info.d}, std::as_bytes(mean));
  writer.dataset("/cov", h5::ValueType::f64, {info.d, info.d}, std::as_bytes(covariance));
  return writer.finish(provenance);
}

FeaturesFile::FeaturesFile(const std::string& source)
    : FeaturesFile(ArtifactFile(source, ArtifactKind::features)) {}

FeaturesFile::FeaturesFile(ArtifactFile artifact) : artifact_(std::move(artifact)) {
  artifact_.check();
  info_.extractor = artifact_.text("extractor");
  info_.params = artifact_.json("params");
  info_.source_hash = artifact_.text("source_hash");
  info_.n = artifact_.integer("n");
  info_.d = artifact_.integer("d");
  if (!has_rows()) {
    require_shape(artifact_, "/mean", h5::ValueType::f64, {info_.d});
    require_shape(artifact_, "/cov", h5::ValueType::f64, {info_.d, info_.d});
    return;
  }
  require_shape(artifact_, "/features", h5::ValueType::f32, {info_.n, info_.d});
  info_.has_labels = artifact_.has("/labels");
  if (info_.has_labels) require_shape(artifact_, "/labels", h5::ValueType::i32, {info_.n});
  if (!artifact_.has("/logits")) return;
  const h5::Description logits = h5::describe(artifact_.file(), "/logits");
  if (logits.shape.size() == 2) info_.classes = logits.shape[1];
  require_shape(artifact_, "/logits", h5::ValueType::f32, {info_.n, info_.classes});
}

FeatureRows FeaturesFile::read(std::int64_t begin, std::int64_t end) const {
  LOGPX_ASSERT(has_rows() && 0 <= begin && begin <= end && end <= info_.n);
  const h5::File& file = artifact_.file();
  FeatureRows rows;
  rows.count = end - begin;
  rows.features = read_rows<float>(file, "/features", begin, end, info_.d);
  const auto bad = std::find_if_not(rows.features.begin(), rows.features.end(),
                                    [](float value) { return std::isfinite(value); });
  if (bad != rows.features.end())
    fail(ErrorKind::data, file.subject("/features"),
         "row " + std::to_string(begin + (bad - rows.features.begin()) / info_.d) +
             " holds a value that is not finite");
  if (info_.classes > 0) rows.logits = read_rows<float>(file, "/logits", begin, end, info_.classes);
  if (info_.has_labels) rows.labels = read_rows<std::int32_t>(file, "/labels", begin, end, 1);
  return rows;
}

std::vector<double> FeaturesFile::statistic(const std::string& path, const h5::Shape& shape) const {
  const h5::Value value = artifact_.read(path, h5::ValueType::f64);
  if (value.shape != shape)
    fail(ErrorKind::data, artifact_.file().subject(path),
         "has shape " + h5::shape_text(value.shape) + ", expected " + h5::shape_text(shape));
  const auto numbers = value.as<double>();
  return {numbers.begin(), numbers.end()};
}

}  // namespace logpx
