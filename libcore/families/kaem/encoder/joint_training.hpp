// Encoder, generator and prior fitted together: for each row the encoder draws K normal scores,
// whose weights bound log p(x).   [kaem/README 6.4]
//
//   maximise  log (1/K) sum_k p(x|v_k) N(v_k; 0, I) / q(v_k|x),   v_k ~ q(v|x)
//
//   prior    inverses of the distribution functions as they are in this step
//   bound    over rows: the bound, and its gradient by encoder, generator and s
//   retrace  over features: tables of the draws, where a latent has one component
//   edges, curves   with --lambda-reg: penalties/curve_penalties.hpp
//   tilt     over features: gradient of the prior through z = F^-1(Phi(v)); the update of all
#pragma once

#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/families/kaem/way_of_training.hpp"
#include "libcore/model/task_data.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

// What the phases of a step leave for the next ones.
struct JointStep {
  explicit JointStep(const KaemModel& model) : points(model.prior_form()) {}

  PosteriorPoints points;              // K draws of each row of the step
  std::optional<NormalScores> scores;  // of the prior in this step
  std::vector<float> v;                // [draws, score_dims]
};

// z of a mixture's draws, and dz/du, by the scores: no single component has drawn them.
void take_mixture_draws(const PriorForm& form, JointStep& step);

struct JointParts {
  const KaemModel& model;
  const FitOptions& options;
  JointStep& step;
  const TrainingRows& rows;
};
// Outputs: "objective", "recon" and "kl" of rows [M]; "weights" [K,M] and "v" [K,M,E]. The input
// "push" is added to s, so that the gradient by it is that by s.
[[nodiscard]] std::unique_ptr<Graph> joint_graph(const JointParts& parts, std::int64_t rows);
// Encoder and generator.
[[nodiscard]] std::unique_ptr<Phase> joint_phase(const JointParts& parts);

class JointTraining final : public WayOfTraining {
 public:
  // Refers to the model, to the data and to the rows.
  JointTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows,
                const TaskData& data);
  [[nodiscard]] std::vector<Phase*> phases() override;
  void compute_by(const Numerics& numerics) override;
  [[nodiscard]] std::vector<TensorRef> state() override { return {}; }
  // The draws of the last update.
  [[nodiscard]] GridSamples grid_samples() override;
  [[nodiscard]] Metrics metrics() const override { return {}; }
  [[nodiscard]] std::vector<std::string> concerns() const override { return {}; }
  // iwae_valid where there are such rows, iwae_train; recon and kl of the first.
  [[nodiscard]] std::optional<Metrics> bound(std::span<const float> weights,
                                             const EvaluationMachine& machine) override;

 private:
  void set_scores(std::span<const float> weights, Workers& workers);
  // Means of the bound, recon and kl.
  [[nodiscard]] std::vector<double> measured(std::span<const float> weights,
                                             const TaskRows& examples,
                                             const EvaluationMachine& machine);
  KaemModel& model_;
  FitOptions options_, evaluated_;  // without noise
  const TaskData& data_;
  JointStep step_;
  std::vector<EnergyTables> tables_;  // one for each feature
  CurvePenalties penalties_;
  std::vector<std::unique_ptr<Phase>> phases_;
  ExecutorPool passes_;  // for evaluations
};

}  // namespace logpx::kaem
