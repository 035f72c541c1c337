// A mixture of round Gaussians over points in the plane: the fixture of tests, which goes the
// whole way of a family: train, checkpoint, resume, sample, score, save, load.
#pragma once

#include "libcore/families/registry.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx {

struct MixtureConfig {
  std::int64_t components = 8;
  void describe(Fields& fields);
};

class MixturePlan;

struct MixtureSampling {
  double temperature = 1;       // factor on the standard deviations
  std::int64_t component = -1;  // the only one that is drawn from; -1: all
  void describe(Fields& fields);
};

class MixtureModel final : public Model {
 public:
  explicit MixtureModel(const MixtureConfig& config);
  void initialise(Rng rng);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  [[nodiscard]] Scores score(const Examples& batch) const;

  [[nodiscard]] ParamSet& param_set() { return params_; }
  // Inputs x [rows, 2] and noise [rows, 2]; output loss [rows], nats.
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const;

 private:
  friend class MixturePlan;
  void sample(Rows& out, std::int64_t first, const MixtureSampling& how, Rng rng) const;

  MixtureConfig config_;
  ModelInfo info_;
  ParamSet params_;
  int logits_, means_, log_scales_;
};

void register_mixture();  // as family "mixture-fixture"; once is enough

struct MixtureTaskOptions {
  double jitter = 0;        // sd of fresh noise on the data: randomness in every step
  bool two_phases = false;  // the means in a second phase with an update of its own
  bool chains = false;      // registered state that moves in every step and enters the loss
  Reuse reuse = Reuse::memory;
  Aim aim = Aim::minimise;  // the first metric: valid_loss, or valid_log_p
  bool validates = true;
};

// Fits the model to points [rows, 2].
class MixtureTask final : public TrainingTask {
 public:
  MixtureTask(MixtureModel& model, std::vector<float> points, const MixtureTaskOptions& options);

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return std::ssize(points_) / 2; }
  [[nodiscard]] std::vector<Phase*> phases() override;
  [[nodiscard]] std::vector<TensorRef> state() override;
  [[nodiscard]] std::int64_t data_bytes() const override { return std::ssize(points_) * 4; }
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return options_.aim; }

  std::vector<float>& points() { return points_; }

 private:
  void bind(const Shard& shard, GraphInputs& inputs) const;
  MixtureModel& model_;
  std::vector<float> points_;
  MixtureTaskOptions options_;
  Tensor<float> chain_{Shape{16}};
  std::vector<std::unique_ptr<Phase>> phases_;
};

// Points around a ring of `modes`, from a seed.
[[nodiscard]] std::vector<float> ring_points(std::int64_t rows, std::int64_t modes, Rng rng);

}  // namespace logpx
