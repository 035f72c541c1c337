// p(x|z) as numbers: a network's heads for many z, and what ModelLatents makes of them, the mean of
// x and draws of it.
//
//   const LatentDecoder decoder(build, {.likelihood = l, .samples = samples, .rules = rules});
//   const std::vector<float> means = decoder.mean({.theta = theta, .z = z, .dims = 2});
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/axis_reading.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// Names the heads of a likelihood as outputs of a graph; reads them after a run.
void name_heads(Graph& graph, const Likelihood::Heads& heads);
[[nodiscard]] std::string output_of_head(std::size_t head);
class DecodedHeads {
 public:
  DecodedHeads(const Likelihood& likelihood, const Executor<float>& run);
  [[nodiscard]] Likelihood::HeadValues row(std::int64_t i) const;

 private:
  std::vector<View<const float>> heads_;
};

class LatentDecoder {
 public:
  struct Parts {
    const Likelihood& likelihood;
    const DatasetInfo& samples;  // what the model makes
    const RowRules& rules;
    // Fills inputs other than z, which stay the same.
    std::function<void(GraphInputs&)> bind = {};
    Numerics numerics = {};
    const AxisReading* axes = nullptr;  // if set, heads describe scores on these axes, not x
  };
  // Builds graphs with input "z" [rows,J] and outputs by name_heads. Keeps references to the parts.
  LatentDecoder(BuildGraph build, Parts parts);

  // z [n,dims], under these weights.
  struct Latents {
    std::span<const float> theta, z;
    std::int64_t dims = 0;
    [[nodiscard]] std::int64_t count() const { return std::ssize(z) / dims; }
  };
  // Called as use(number, heads) for each z, in order.
  using Use = std::function<void(std::int64_t number, const Likelihood::HeadValues& heads)>;
  void for_each(const Latents& latents, const Use& use) const;
  // As ModelLatents::mean and sample.
  [[nodiscard]] std::vector<float> mean(const Latents& latents) const;
  void sample(const Latents& latents, std::int64_t first, Rng rng, Rows& out) const;
  [[nodiscard]] const Likelihood& likelihood() const { return parts_.likelihood; }
  void compute_by(const Numerics& numerics) {
    graphs_.clear();
    graphs_.request().numerics = numerics;
  }

 private:
  // x [dims] from number(d), which is asked for each dimension of p(x|z).
  template <typename Number>
  void fill(Number number, std::span<float> x) const;
  Parts parts_;
  mutable ExecutorPool graphs_;
};

}  // namespace logpx
