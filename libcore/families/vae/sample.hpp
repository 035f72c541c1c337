// Ways through the latent space: z ~ p(z), x ~ p(x|z), q(z|x), and log p(x,z) with its gradient.
#pragma once

#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/latents.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::vae {

class VaeModel;

// The decoder alone. Input: "z" [M,J]; its heads are outputs, for DecodedHeads to read.
void build_decoder(const VaeModel& model, Graph& graph, std::int64_t rows);

// Executors of the encoder alone. Input: "x" [M,D]; outputs: "mean" and "log_var".
[[nodiscard]] ExecutorPool encoder_executors(const VaeModel& model);

class DecodedHeads {
 public:
  // Refers to what the last run of that graph left.
  DecodedHeads(const VaeModel& model, const Executor<float>& run);
  [[nodiscard]] Likelihood::HeadValues row(std::int64_t i) const;

 private:
  std::vector<View<const float>> heads_;
};

[[nodiscard]] std::unique_ptr<ModelLatents> make_latents(const VaeModel& model);

}  // namespace logpx::vae
