// Features of several operands as one table.
//
//   FeatureJoin all(source, {"a.h5", "b.h5"});
//   all.read([&](const FeatureRows& rows) { writer.append(rows); });
#pragma once

#include "tools/sessions/feature_source.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

class FeatureJoin {
 public:
  FeatureJoin(FeatureSource& source, const std::vector<std::string>& operands);

  // About all rows together: with logits and labels only if every operand has them.
  [[nodiscard]] const FeaturesInfo& info() const { return info_; }
  [[nodiscard]] const std::string& name() const { return streams_.front()->name(); }
  // Reads all rows, once, in stretches; then info() has n and source_hash.
  void read(const std::function<void(const FeatureRows&)>& take);

 private:
  [[nodiscard]] std::string source_hash() const;
  std::vector<std::unique_ptr<FeatureStream>> streams_;
  FeaturesInfo info_;
};

}  // namespace logpx
