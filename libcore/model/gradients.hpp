// Single draws of stochastic gradients by the name of their estimator: what a study of their
// variance asks for. An ability.   [eval/README 6.2]
#pragma once

#include "libcore/model/model.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class ModelGradients {
 public:
  struct Part {  // one parameter tensor
    std::string name;
    std::int64_t elements = 0;
  };
  virtual ~ModelGradients() = default;
  [[nodiscard]] virtual std::vector<std::string> estimators() const = 0;  // "sgvb-a", "dreg" ...
  [[nodiscard]] virtual std::vector<Part> parts() const = 0;

  // The gradient of the minibatch's mean objective, to be ascended, with the noise of this repeat:
  // `out` takes all parts, one after the other. It may be called from several threads at once.
  virtual void draw(const Examples& minibatch, const std::string& estimator, std::uint32_t repeat,
                    Rng rng, std::span<float> out) const = 0;
};

}  // namespace logpx
