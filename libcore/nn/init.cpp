#include "libcore/nn/init.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

double variance_of(const Init& init, const Fans& fans) {
  const auto in = static_cast<double>(fans.in), out = static_cast<double>(fans.out);
  switch (init.rule) {
    case Init::Rule::constant: return 0;
    case Init::Rule::normal: return init.value * init.value;
    case Init::Rule::glorot_uniform:
    case Init::Rule::glorot_normal: return 2 / (in + out);
    case Init::Rule::he_uniform:
    case Init::Rule::he_normal: return 2 / in;
    case Init::Rule::lecun_normal: break;
  }
  return 1 / in;
}

}  // namespace

void fill(std::span<float> tensor, const Init& init, const Fans& fans, const Substream& stream) {
  LOGPX_ASSERT(fans.in > 0 && fans.out > 0);
  const double deviation = std::sqrt(variance_of(init, fans));
  switch (init.rule) {
    case Init::Rule::constant:
      std::fill(tensor.begin(), tensor.end(), static_cast<float>(init.value));
      return;
    case Init::Rule::glorot_uniform:
    case Init::Rule::he_uniform: {
      const double bound = std::sqrt(3.0) * deviation;
      for (std::size_t e = 0; e < tensor.size(); ++e)
        tensor[e] = static_cast<float>(bound * (2 * stream.uniform(e) - 1));
      return;
    }
    case Init::Rule::normal:
    case Init::Rule::glorot_normal:
    case Init::Rule::he_normal:
    case Init::Rule::lecun_normal: break;
  }
  fill_normals(stream, 0, tensor);
  for (float& value : tensor) value = static_cast<float>(deviation * static_cast<double>(value));
}

void Initialisers::add(int tensor, Init init, Fans fans) {
  add(tensor, [init, fans](std::span<float> values, const Substream& stream) {
    fill(values, init, fans, stream);
  });
}

void Initialisers::run(ParamSet& params, const Rng& rng) const {
  for (const Entry& entry : list_)
    entry.filling(params.view(entry.tensor).span(),
                  rng.stream(Stream::init, static_cast<std::uint32_t>(entry.tensor)));
}

}  // namespace logpx
