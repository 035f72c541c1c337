// Fuzz target for KAEMs that anyone may have written. The first byte chooses the form of a small
// model, and the rest overwrites its tensors, behind all checksums. Such a model is refused by a
// data or numeric error, or it has a prior: samples inside the domains that rise with u, and means.
#include "libcore/base/error.hpp"
#include "libcore/eval/prior_source.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/task_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace logpx;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

kaem::Config config_of(std::uint8_t choice) {
  constexpr CurveBasis bases[] = {CurveBasis::rbf, CurveBasis::bspline, CurveBasis::rswaf,
                                  CurveBasis::fourier, CurveBasis::chebyshev};
  constexpr BaseMeasure measures[] = {BaseMeasure::none, BaseMeasure::uniform,
                                      BaseMeasure::gaussian, BaseMeasure::lognormal,
                                      BaseMeasure::learnable_gaussian};
  kaem::Config config;
  config.curves.basis = bases[choice % 5];
  config.base = measures[choice / 5 % 5];
  config.latent = {2, 3};
  config.curves.intervals = 3;
  config.hidden = "2";
  if (choice / 25 % 2 == 1) {
    config.prior = kaem::PriorKind::mixture;
    config.alpha = kaem::MixtureWeights::learned;
  }
  config.coupling = choice / 50 % 2 == 0 || config.prior == kaem::PriorKind::mixture
                        ? kaem::CouplingChoice::independent
                        : kaem::CouplingChoice::shared;
  return config;
}

// Overwrites tensors as far as the bytes go, from the one that the second byte names.
void overwrite(Model& model, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  auto skipped = static_cast<int>(bytes[0]) % 16;
  bytes = bytes.subspan(1);
  model.params([&](const TensorRef& tensor, TensorRole) {
    if (skipped-- > 0) return;
    const std::size_t n = std::min(bytes.size(), tensor.bytes.size());
    if (n > 0) std::memcpy(tensor.bytes.data(), bytes.data(), n);
    bytes = bytes.subspan(n);
  });
}

void draw(const ModelPrior& prior) {
  Workers workers(1);
  const PriorSource source(prior, {.method = Inversion::hermite, .nodes = 8}, workers);
  const auto width = static_cast<std::size_t>(source.uniforms());
  const auto values = static_cast<std::size_t>(prior.shape().values());
  std::vector<double> z(2 * values);
  source.map(std::vector<double>(2 * width, 0.25), z);
  const auto domain = source.domain();
  require(std::ranges::all_of(
      z, [&](double each) { return each >= domain.first && each <= domain.second; }));
  require(std::equal(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(values),
                     z.begin() + static_cast<std::ptrdiff_t>(values)));
  static_cast<void>(prior.decode(z));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const HeldRows rows = synthetic_rows({.name = "bars", .n = 2});
  if (size == 0) return 0;
  try {
    kaem::KaemModel model(config_of(data[0]), rows.info);
    model.initialise(Rng(1));
    overwrite(model, std::as_bytes(std::span(data + 1, size - 1)));
    model.filled();
    draw(*abilities(model).prior);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data || error.kind() == ErrorKind::numeric);
  }
  return 0;
}
