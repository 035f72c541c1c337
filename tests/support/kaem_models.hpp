// Small models of the family kaem, with energies of a size that matters, for tests.
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/synthetic_rows.hpp"

#include <functional>
#include <memory>

namespace logpx::kaem {

inline Config small_config() {
  Config config;
  config.latent = {2, 3};
  config.coupling = CouplingChoice::independent;
  config.curves.intervals = 6;
  config.hidden = "4";
  return config;
}

inline Config mixture_config() {
  Config config = small_config();
  config.prior = PriorKind::mixture;
  config.latent = {4, 3};
  config.alpha = MixtureWeights::learned;
  return config;
}

// Energies of a size that matters.
inline std::unique_ptr<KaemModel> drawn_model(const Config& config) {
  static const HeldRows rows = synthetic_rows({.name = "bars", .n = 4});
  auto model = std::make_unique<KaemModel>(config, rows.info);
  model->initialise(Rng(3));
  ParamSet& params = model->param_set();
  DrawCursor draws(Rng(8).stream(Stream::test));
  for (int i = 0; i < params.count(); ++i) {
    const std::string& name = params.infos()[at(i)].name;
    if (!name.starts_with("prior/") || name.ends_with("/rho")) continue;
    for (float& value : params.view(i).span()) value = static_cast<float>(0.7 * draws.normal());
  }
  model->renew();
  return model;
}

inline void for_each_component(const PriorShape& shape,
                               const std::function<void(std::int64_t q, std::int64_t p)>& use) {
  for (std::int64_t q = 0; q < shape.latents; ++q)
    for (std::int64_t p = 0; p < shape.parts; ++p) use(q, p);
}

}  // namespace logpx::kaem
