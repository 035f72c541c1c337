// Small models that code: fixtures that go the whole way of a family's codec, from a model file to
// an archive and back.
//   markov-fixture    p(x_i | x_{i-1}) as a table: exact, no latents
//   toy-vae-resident  a VAE of one layer each way over bits: bits back, seed words, bootstrap. The
//                     archives in tests/fuzz/corpus hold this name, so it stays as it is.
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/codec.hpp"
#include "tests/support/toy_codings.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct MarkovConfig {
  std::int64_t height = 8, width = 8, channels = 1, levels = 256;
  bool run = false;      // items are runs of `width` symbols
  std::string alphabet;  // of a run of text
  void describe(Fields& fields);
};

class MarkovModel : public Model, public codec::SequenceCoding {
 public:
  explicit MarkovModel(const MarkovConfig& config);
  // Counts of neighbours in a file; bytes that the model does not know count as 0.
  void fit(std::span<const std::uint8_t> symbols);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;

  [[nodiscard]] CodedItem item() const;
  [[nodiscard]] std::size_t item_size() const override {
    return static_cast<std::size_t>(item().size());
  }
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;

 private:
  MarkovConfig config_;
  ModelInfo info_;
  std::vector<float> weights_;  // [levels, levels], by the symbol before
};

struct ToyVaeConfig {
  std::int64_t height = 4, width = 4, latents = 3, hidden = 8;
  void describe(Fields& fields);
};

class ToyVaeModel final : public Model, public codec::LatentCoding {
 public:
  explicit ToyVaeModel(const ToyVaeConfig& config);
  void randomise();

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;

  [[nodiscard]] CodedItem item() const {
    return {.height = config_.height, .width = config_.width, .levels = 2};
  }
  [[nodiscard]] std::size_t item_size() const override { return weights.pixels; }
  [[nodiscard]] std::size_t latents() const override { return weights.latents; }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    toy::Vae(weights).posterior(items, mean, log_var);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override {
    return toy::Vae(weights).likelihood(z);
  }

  toy::Vae::Weights weights;

 private:
  ToyVaeConfig config_;
  ModelInfo info_;
};

void register_coding_models();  // once is enough

}  // namespace logpx
