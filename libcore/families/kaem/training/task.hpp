// How a KAEM is trained: the phases of its way of training, fits of its grids, and what an
// evaluation measures.   [kaem/README 6 to 8]
#pragma once

#include "libcore/families/kaem/sample_scores.hpp"
#include "libcore/families/kaem/training/grid_moves.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/task.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx::kaem {

class KaemTask final : public TrainingTask {
 public:
  // Refers to model and data; a data error when a row is outside of the likelihood's support.
  KaemTask(KaemModel& model, const FitOptions& options, TaskData data);
  ~KaemTask() override;

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return training_->phases(); }
  [[nodiscard]] std::vector<ParamGroup> groups() const override {
    return {{.prefix = "prior", .rate = options_.prior_rate}};
  }
  [[nodiscard]] std::vector<TensorRef> state() override;
  [[nodiscard]] std::int64_t data_bytes() const override;
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  // For principal axes: all rows as doubles, and again about their mean; a matrix, its vectors, and
  // two more of that size to find them.
  [[nodiscard]] std::int64_t preparation_bytes() const override;
  [[nodiscard]] bool follows_length() const override;
  void compute_by(const Numerics& numerics) override;
  void updated(const StepPlace& place, Optimizer* optimizer) override;
  // log_evidence_valid with its standard error where there are validation rows, else
  // log_evidence_train; with an encoder its bound in their place. Then metrics of the way of
  // training, and facts of grids and latents.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  // Warnings of the way of training, and of data where no mean of x can lie.
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  struct Evidence {
    double mean = 0, std_error = 0, ess = 0;
  };
  [[nodiscard]] Evidence evidence(const SampleScores& scores, const TaskRows& examples,
                                  const EvaluationMachine& machine) const;
  [[nodiscard]] Metrics evidence_metrics(std::span<const float> weights, std::span<const float> s,
                                         const EvaluationMachine& machine) const;
  // What to say of data where no mean of x can lie, and what helps.
  struct Reach {
    std::string text, remedy;
  };
  [[nodiscard]] std::optional<Reach> out_of_reach() const;
  // s of prior samples under these weights, [n,Q].
  [[nodiscard]] std::vector<float> draw_sums(std::span<const float> weights, std::int64_t samples,
                                             Workers& workers) const;

  KaemModel& model_;
  FitOptions options_;
  TaskData data_;
  TrainingRows rows_;
  std::unique_ptr<WayOfTraining> training_;
  Numerics numerics_;
  GridMoves grids_;
};

// (tr C)^2 / tr C^2 of the covariance of rows [n,dims]: how many dimensions they use.
[[nodiscard]] double used_dims(std::span<const float> rows, std::int64_t dims);

}  // namespace logpx::kaem
