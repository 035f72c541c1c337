// ChemNet from a file of weights, and what it sees in the molecules of a set.
//
//   const ChemNetStore chemnet(app, "chemnet.h5");
//   const std::vector<float> features = chemnet.features(smiles);   // [n, width]
#pragma once

#include "libcore/features/chemnet.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;

class ChemNetStore {
 public:
  // Notes the file as an input. A data error if it holds anything else.
  ChemNetStore(App& app, const std::string& path);

  [[nodiscard]] const std::string& hash() const { return hash_; }  // of the file's content
  [[nodiscard]] std::int64_t width() const { return net_->width(); }
  [[nodiscard]] std::vector<float> features(const std::vector<std::string>& smiles) const;

 private:
  App& app_;
  std::string hash_;
  std::optional<ChemNet> net_;
};

}  // namespace logpx
