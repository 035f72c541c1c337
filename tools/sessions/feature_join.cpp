#include "tools/sessions/feature_join.hpp"

#include "libcore/base/hash.hpp"

namespace logpx {

FeatureJoin::FeatureJoin(FeatureSource& source, const std::vector<std::string>& operands) {
  for (const std::string& operand : operands) streams_.push_back(source.open(operand, "data"));
  info_ = streams_.front()->info();
  for (const auto& stream : streams_) {
    const FeaturesInfo& part = stream->info();
    if (info_.extractor.empty()) {
      info_.extractor = part.extractor;
      info_.params = part.params;
    }
    if (part.classes != info_.classes) info_.classes = 0;
    info_.has_labels = info_.has_labels && part.has_labels;
  }
}

void FeatureJoin::read(const std::function<void(const FeatureRows&)>& take) {
  info_.n = 0;
  for (const auto& stream : streams_)
    for (FeatureRows rows; stream->next(rows);) {
      if (info_.classes == 0) rows.logits.clear();
      if (!info_.has_labels) rows.labels.clear();
      take(rows);
      info_.n += rows.count;
    }
  info_.source_hash = source_hash();
}

std::string FeatureJoin::source_hash() const {
  if (streams_.size() == 1) return streams_.front()->info().source_hash;
  Sha256 all;
  for (const auto& stream : streams_) all.update(stream->info().source_hash + '\n');
  return all.hex();
}

}  // namespace logpx
