// The evidence lower bound of rows under given weights: the pass that training, scoring and the
// evaluations of training share.   [vae/README 2]
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/item_encoder.hpp"
#include "libcore/model/latents.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// One draw of all noise, as nodes that every objective is built from.
struct Pass {
  Likelihood::Target target;
  EncodedGaussian q;
  Var noise, z;  // [L,M,J]; "noise" is an input of the graph
  Var recon;     // log p(x|z) [L,M]
};
[[nodiscard]] Pass make_pass(const EncodedModel& model, Graph& graph, std::int64_t rows,
                             std::int64_t copies);
// The same with an estimate of log p(x|z) in its place.
using LogLikelihood = std::function<Var(const Likelihood::Target& target, Var z)>;
[[nodiscard]] Pass make_pass(const EncodedModel& model, Graph& graph, std::int64_t rows,
                             std::int64_t copies, const LogLikelihood& log_likelihood);
// KL(q(z|x) || p(z)) [M], in closed form
[[nodiscard]] Var analytic_kl(const EncodedGaussian& q);
// Mean over the draws, [L,M] to [M].
[[nodiscard]] Var over_draws(Var x);

// Inputs of a pass: the rows of a shard of training, and "noise" [L,M,J], which is addressed by
// their places in the step.
void bind_target(const EncodedModel& model, const TrainingRows& rows, const Shard& shard,
                 GraphInputs& inputs);
void bind_noise(const Shard& shard, std::int64_t latent, GraphInputs& inputs);
// x as the indices that a categorical likelihood takes, repeated for every copy.
void fill_index(std::span<const float> x, std::span<std::int32_t> index);

// Graphs of a pass, by rows and draws; the model must outlive them.
[[nodiscard]] ExecutorPool bound_passes(const EncodedModel& model, const Numerics& numerics);

class BoundPass {
 public:
  struct Size {
    std::int64_t rows = 0, copies = 1;
  };
  BoundPass(const EncodedModel& model, ExecutorPool& passes, Size size);

  // Where the caller puts the rows, [rows,D].
  [[nodiscard]] std::span<float> x() { return loan_.inputs().values("x"); }
  // Noise of row i, draw c: elements (c J + j) of the substream of the row's number in the dataset.
  struct Numbers {
    std::int64_t row = 0, draw = 0;  // of the first
  };
  void run(std::span<const float> theta, const Rng& rng, Numbers numbers);

  [[nodiscard]] double recon(std::int64_t draw, std::int64_t row) const;
  [[nodiscard]] double kl(std::int64_t row) const;  // from N(0, I), in closed form
  // log q(z|x) - log p(z) of every draw under another prior, [copies, rows].
  [[nodiscard]] std::vector<double> drawn_kl(const GaussianMixture& prior) const;
  [[nodiscard]] std::span<const float> mean() const { return output("mean"); }
  [[nodiscard]] std::span<const float> log_var() const { return output("log_var"); }

 private:
  [[nodiscard]] std::span<const float> output(const char* name) const {
    return loan_.executor().output(name).span();
  }
  const EncodedModel& model_;
  std::int64_t rows_, copies_;
  ExecutorPool::Loan loan_;
};

// q(z|x) as the outputs "mean" and "log_var" of a graph.
void name_posterior(Graph& graph, const EncodedGaussian& q);
// What gives q(z|x) of items to a coder; x is a symbol divided by `unit`.
[[nodiscard]] ItemEncoder item_encoder(const EncodedModel& model, const ChannelsFirst& places,
                                       double unit = 1);
// Executors of the encoder alone, and q(z|x) of rows by them.
[[nodiscard]] ExecutorPool encoder_executors(const EncodedModel& model);
[[nodiscard]] Posterior encode_rows(const EncodedModel& model, ExecutorPool& encoders,
                                    const Examples& examples);

}  // namespace logpx
