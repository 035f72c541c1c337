// The tiny VAEs of tests/golden/vae.json as models of ours.
#pragma once

#include "libcore/families/vae/model.hpp"
#include "tests/support/golden_layer.hpp"

#include <map>
#include <string>
#include <vector>

namespace logpx::golden_vae {

struct Decoding {
  std::string likelihood;
  std::int64_t levels;  // of x; 0: real
  std::vector<std::string> heads;
};

// The golden matrices under our names, those that are there; heads that lie side by side are apart.
[[nodiscard]] std::map<std::string, golden_layer::Values> parameters_of(const Json& params,
                                                                        const Decoding& decoding);
// The shapes of these parameters, and no clamps.
[[nodiscard]] vae::Config config_of(const Json& params, const Decoding& decoding);

}  // namespace logpx::golden_vae
