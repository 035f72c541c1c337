// A bell curve for every dimension, over whole numbers: the smallest family that trains, scores,
// samples and codes, with all parts that one of libcore/families has.
//   log p(x) = sum_d log P(x_d; mean_d, scale_d)
// P is `logistic256` of libcore/model/likelihood: a logistic, which is nearly Gaussian, over the
// cells of 0 .. levels - 1 on [-1, 1], whose outer ones take the tails.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/model/repeatable_net.hpp"
#include "libcore/nn/init.hpp"
#include "libcore/train/presets.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::gauss {

struct Config {
  double start_scale = 0.5;
  void describe(Fields& fields);
};

struct Settings {
  Config model;
  TrainOptions training;
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

struct ScoringSettings {
  double widen = 1;  // factor on every scale
  void describe(Fields& fields);
};
struct SamplingSettings {
  double temperature = 1;  // factor on every scale
  void describe(Fields& fields);
};

class GaussModel final : public Model, public ModelCodec {
 public:
  // A usage error for data without levels.
  GaussModel(const Config& config, const DatasetInfo& data);
  void initialise(Rng rng) { initialisers_.run(params_, rng); }

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  [[nodiscard]] std::unique_ptr<ScoringPlan> scoring(const std::string& method) const override;
  [[nodiscard]] std::unique_ptr<SamplingPlan> sampling() const override;
  [[nodiscard]] const ModelCodec* codec() const override { return this; }
  [[nodiscard]] const CodedItem& item() const override { return item_; }
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override;

  [[nodiscard]] ParamSet& param_set() { return params_; }
  [[nodiscard]] const Likelihood& likelihood() const { return *likelihood_; }
  // Inputs x [rows,D] and log_widen []; output loss [rows], nats.
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const;
  // Rows of those by number, as x [rows,D].
  void take_rows(const Examples& examples, std::span<const std::int64_t> which,
                 std::span<float> x) const;
  // log p(x) of examples by an executor of that graph.
  [[nodiscard]] std::vector<double> log_p(ExecutorPool& passes, std::span<const float> theta,
                                          const Examples& examples, double widen) const;
  [[nodiscard]] Likelihood::ItemHeads heads() const;  // as numbers, the same everywhere

 private:
  [[nodiscard]] Likelihood::Heads heads(Graph& graph) const;
  friend class BellScoring;

  Config config_;
  ModelInfo info_;
  CodedItem item_;
  std::unique_ptr<const Likelihood> likelihood_;
  ParamSet params_;
  Initialisers initialisers_;
  RepeatableNet head_values_;
  mutable ExecutorPool passes_;
};

[[nodiscard]] Family family();
void register_gauss();  // once is enough
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng);

}  // namespace logpx::gauss
