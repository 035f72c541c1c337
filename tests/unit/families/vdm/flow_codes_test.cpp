// Codes of rows by the probability flow of a diffusion model.   [vdm/README 10.2]
#include "libcore/families/vdm/sampling/flow_codes.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/families/vdm/model.hpp"
#include "tests/support/gauss_diffusion.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::flow_codes_test {

using namespace logpx::vdm;
using gauss_diffusion::GaussDiffusion;

namespace {

double largest_distance(std::span<const float> a, std::span<const float> b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::fmax(most, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

Rows rows_of(std::span<const float> x, std::int64_t dims) {
  Rows rows;
  rows.count = std::ssize(x) / dims;
  const auto bytes = std::as_bytes(x);
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

}  // namespace

TEST_CASE("vdm: codes of normal data are those of the exact flow, and lead back") {
  for (const Variance process : {Variance::preserving, Variance::exploding}) {
    const std::vector<double> lambda = {0.9, 4, 0.05};
    const GaussDiffusion model({.lambda = lambda, .variance = process});
    const std::unique_ptr<RowCodes> codes = make_flow_codes(model);
    const std::vector<float> x = {0.5F, -3, 0.1F, -1.2F, 0.7F, -0.3F};
    const Rows rows = rows_of(x, 3);
    const Posterior found = codes->encode({model.model_info().data, rows, 0});
    CHECK(found.log_var.empty());
    // The flow keeps how many deviations of the marginal a component is away from 0.
    const Endpoints ends = model.schedule().ends();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const NoiseLevel first = Process{}.at(ends.first), last = Process{}.at(ends.last);
      const double before = first.alpha2 * lambda[i % 3] + first.sigma2,
                   after = last.alpha2 * lambda[i % 3] + last.sigma2;
      const double z = first.alpha * static_cast<double>(x[i]) * std::sqrt(after / before);
      CHECK(static_cast<double>(found.mean[i]) == doctest::Approx(z).epsilon(1e-4));
    }
    CHECK(largest_distance(codes->mean(found.mean), x) < 1e-4);
  }
}

TEST_CASE("vdm: encoding and back returns z to 1e-4 for a network, too") {
  Config config;
  config.net.kind = NetKind::mlp;
  config.net.size = "tiny";
  config.standardise = false;
  VdmModel model(config, real_vectors(4), StoredShapes{});
  model.initialise(Rng(7));
  // Its last layer starts at 0: weights that are not make a flow that bends.
  model.params([](const TensorRef& tensor, TensorRole) {
    if (tensor.type != NumberType::f32) return;
    const std::span values(reinterpret_cast<float*>(tensor.bytes.data()),
                           tensor.bytes.size() / sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] == 0) values[i] = 0.1F * std::sin(static_cast<float>(i));
  });
  const std::unique_ptr<RowCodes> codes = make_flow_codes(model);
  const std::vector<float> z = {0.3F, -1.5F, 2.0F, 0.1F, -0.2F, 0.9F, -1.1F, 1.7F};
  const std::vector<float> x = codes->mean(z);
  CHECK(largest_distance(x, z) > 0.1);
  const Rows rows = rows_of(x, 4);
  CHECK(largest_distance(codes->encode({model.info().data, rows, 0}).mean, z) < 1e-4);
}

}  // namespace logpx::flow_codes_test
