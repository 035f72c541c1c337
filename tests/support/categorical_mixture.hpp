// A mixture of products of categoricals, fitted by expectation maximisation: the fixture for
// training without a gradient of a loss, without a rate and without an optimiser.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/model.hpp"
#include "libcore/train/task.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

struct CategoricalConfig {
  std::int64_t components = 4, dims = 6, levels = 5;
  void describe(Fields& fields);
};

// p(x) = sum_c weight_c prod_d probability_c,d(x_d)
class CategoricalMixture final : public Model {
 public:
  explicit CategoricalMixture(const CategoricalConfig& config);
  void initialise(Rng rng);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  [[nodiscard]] Scores score(const Examples& batch) const;
  void sample(Rows& out, std::int64_t first, Rng rng) const;

  [[nodiscard]] const CategoricalConfig& config() const { return config_; }
  [[nodiscard]] ParamSet& param_set() { return params_; }
  // log p(x) under these parameters, with p(c|x) to `posterior`.
  double log_prob(std::span<const float> theta, std::span<const std::uint8_t> x,
                  std::span<double> posterior) const;
  [[nodiscard]] View<float> weights(std::span<float> block) const;        // [C]
  [[nodiscard]] View<float> probabilities(std::span<float> block) const;  // [C,D,K]

 private:
  CategoricalConfig config_;
  ModelInfo info_;
  ParamSet params_;
  int weights_, probabilities_;
};

struct CountingOptions {
  double pseudocount = 0;  // added to every count
  std::int64_t gradients_in_flight = 0;
};

// One phase: "count" (its gradient block holds expected counts) and an update of its own, which
// makes probabilities of the counts.
class CountingTask final : public TrainingTask {
 public:
  CountingTask(CategoricalMixture& model, std::vector<std::uint8_t> rows,
               const CountingOptions& options);
  ~CountingTask() override;

  // What the tool that trains this model reads.
  [[nodiscard]] static TrainReads what_it_reads();

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override;
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }
  [[nodiscard]] TrainReads reads() const override { return what_it_reads(); }
  [[nodiscard]] std::int64_t data_bytes() const override { return std::ssize(rows_); }
  // The mean of log p(x) over all rows.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }

 private:
  CategoricalMixture& model_;
  std::vector<std::uint8_t> rows_;
  std::unique_ptr<Phase> phase_;
};

void register_categorical_mixture();  // as family "categorical-mixture"; once is enough

// Rows [rows, dims] of symbols that come in three kinds.
[[nodiscard]] std::vector<std::uint8_t> three_kinds(std::int64_t rows,
                                                    const CategoricalConfig& config, Rng rng);

}  // namespace logpx
