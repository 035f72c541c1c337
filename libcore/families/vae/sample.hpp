// Ways through the latent space: z ~ p(z), x ~ p(x|z), q(z|x), and log p(x,z) with its gradient.
#pragma once

#include "libcore/grad/graph.hpp"
#include "libcore/model/context_walk.hpp"
#include "libcore/model/latents.hpp"

#include <cstdint>
#include <memory>

namespace logpx::vae {

class VaeModel;

// The decoder alone, as LatentDecoder takes it.
void build_decoder(const VaeModel& model, Graph& graph, std::int64_t rows);

// What draws and codes x where pixels see others.
[[nodiscard]] std::unique_ptr<const ContextWalk> make_walk(const VaeModel& model);

[[nodiscard]] std::unique_ptr<ModelLatents> make_latents(const VaeModel& model);

}  // namespace logpx::vae
