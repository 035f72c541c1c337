// A fixture for text whose rows end early: each letter depends on the one before,
//   log p(x_1 .. x_n) = log p(x_1) + sum log p(x_t | x_{t-1}),  given n,
// and drawn rows are as long as those that it was fitted to. It codes runs of any length.
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx::testing {

class LettersModel final : public Model, public codec::SequenceCoding {
 public:
  explicit LettersModel(const DatasetInfo& data);
  void fit(const Rows& rows);  // of its own width: counts of letters, neighbours and lengths

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields&) override {}
  void params(const TensorVisitor& visit) override;
  void filled() override;
  [[nodiscard]] Scores score(const Examples& batch) const;
  void sample(Rows& out, std::int64_t first, Rng rng) const;

  [[nodiscard]] const CodedItem& item() const { return item_; }
  [[nodiscard]] std::size_t item_size() const override {
    return static_cast<std::size_t>(item_.width);
  }
  [[nodiscard]] bool carries() const override { return true; }
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;

 private:
  [[nodiscard]] std::size_t levels() const { return static_cast<std::size_t>(item_.levels); }
  // Weights of the letter after `before`, or of the first one: row 0.
  [[nodiscard]] std::span<const double> weights(std::size_t row) const;
  friend class LettersState;

  CodedItem item_;
  ModelInfo info_;
  Tensor<float> next_;      // [1 + levels, levels]: first letters, then by the one before
  Tensor<double> lengths_;  // [1 + width], a constant: how many rows had each length
  std::vector<double> table_, length_sums_;
};

void register_letters();  // as family "letters-fixture"; once is enough

// n rows of 3 to `width` letters, blank or a to z, in which a vowel follows a consonant.
struct LetterRows {
  DatasetInfo info;
  Rows rows;
};
[[nodiscard]] LetterRows letter_rows(std::int64_t n, std::int64_t width, Rng rng);

}  // namespace logpx::testing
