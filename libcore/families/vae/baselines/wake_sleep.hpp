// The wake-sleep algorithm: the decoder learns from z ~ q(z|x) of the data, the encoder from dreams
// z ~ p(z), x ~ p(x|z). Both are constants of the gradients, which are taken at the same
// parameters.   [AEVB sec. 5; vae/README 5.1]
//
//   wake    ascend  mean of log p(x|z) + log p(z)   in theta
//   sleep   ascend  mean of log q(z|x)              in phi
#pragma once

#include "libcore/families/vae/model.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::vae {

// Inputs: those of a target, "noise" [1,M,J]. Output: "wake_loss" [1,M].
void build_wake(const VaeModel& model, Graph& graph, std::int64_t rows);
// Inputs: "x" [M,D] and "z" [M,J] of dreams. Output: "sleep_loss" [M].
// Deviation: its gradient passes the limits of q's log-variance as if they were not there. The
// first steps can throw the log-variance far beyond the upper one, where a smooth clamp leaves no
// slope, and nothing else would ever bring it back: unlike the ELBO, this objective has a slope of
// at most 1/2 there.
void build_sleep(const VaeModel& model, Graph& graph, std::int64_t rows);

// Two phases of one update. `take_rows` fills the inputs of a target; the model must outlive them.
[[nodiscard]] std::vector<std::unique_ptr<Phase>> wake_sleep_phases(const VaeModel& model,
                                                                    BindShard take_rows);

}  // namespace logpx::vae
