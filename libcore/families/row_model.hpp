// A model whose log p(x), or a bound of it without noise, follows from the row alone. Its family
// writes that as nodes; scoring and training use them.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/model/parameters.hpp"
#include "libcore/model/plain_rows.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/nn/site.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

// The base of models that are made of a config and trained tensors. A model that also has constants
// overrides params(): visit_parameters (libcore/model/parameters.hpp), then its constants.
template <typename Config>
class ParamModel : public Model {
 public:
  void initialise(Rng rng) { initialisers_.run(params_, rng); }
  [[nodiscard]] ParamSet& param_set() { return params_; }

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override { visit_parameters(params_, visit); }

 protected:
  explicit ParamModel(Config config) : config_(std::move(config)) {}
  [[nodiscard]] Site site() { return {params_, initialisers_}; }  // where layers put tensors

  Config config_;
  ModelInfo info_;  // for the constructor to fill
  ParamSet params_;

 private:
  Initialisers initialisers_;
};

// Training on a loss that follows from each row alone, -log p(x) or a bound without noise: one
// phase, evaluated as its mean over training and validation rows. A family overrides what it does
// differently.
//
//   RowLossTask task(params, data, [&](Var x) { return log_likelihood(x); });
class RowLossTask : public TrainingTask {
 public:
  // Refers to the data.
  RowLossTask(ParamSet& params, const TaskData& data, const RowLogP& log_p);

  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::int64_t data_bytes() const override { return data_.bytes(); }
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  void compute_by(const Numerics& numerics) override;
  // log_p_valid where there are such rows, log_p_train: nats per row.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }

 private:
  [[nodiscard]] double mean_log_p(std::span<const float> weights, const TaskRows& examples,
                                  const EvaluationMachine& machine) const;
  ParamSet& params_;
  TaskData data_;
  GraphPhase phase_;
  RowLosses losses_;
  Numerics numerics_;
};

template <typename Config>
class RowModel : public ParamModel<Config> {
 public:
  // log p of rows x [rows, dims], in nats [rows].
  [[nodiscard]] virtual Var log_p(Var x) const = 0;

 protected:
  RowModel(Config config, std::int64_t dims)
      : ParamModel<Config>(std::move(config)), losses_(dims, [this](Var x) { return log_p(x); }) {}
  // The same as numbers, under parameters that need not be the model's own.
  [[nodiscard]] std::vector<double> nats(std::span<const float> theta,
                                         const Examples& examples) const {
    return losses_.log_p(theta, examples);
  }

 private:
  RowLosses losses_;
};

// `settings` has the members model and training. Refers to the data.
template <typename M, typename Settings>
[[nodiscard]] Trainee train_rows(const Settings& settings, const TaskData& data, Rng rng) {
  auto model = std::make_unique<M>(settings.model, data.train.info);
  model->initialise(rng);
  auto task = std::make_unique<RowLossTask>(model->param_set(), data,
                                            [&model = *model](Var x) { return model.log_p(x); });
  return {std::move(model), std::move(task), settings.training};
}

}  // namespace logpx
