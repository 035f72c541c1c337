// Quantiles, grids and lines of latent space against tests/golden/vae.json.
#include "libcore/eval/sample_makers.hpp"
#include "libcore/math/special.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::vae_latent_space_test {
namespace {

constexpr double tolerance = 1e-10;

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (std::size_t i = 0; i < list.size(); ++i) values.push_back(golden::real(list.at(i)));
  return values;
}

void check_close(const std::vector<double>& got, const std::vector<double>& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("element " << i);
    CHECK(got[i] == doctest::Approx(want[i]).epsilon(tolerance));
  }
}

void check_path(const char* field, const char* from, const char* to, Path path) {
  const Json* entry = golden::field("vae", "linear_interpolation");
  if (entry == nullptr) return;
  const Json& points = entry->at(field);
  const std::vector<double> a = numbers(entry->at(from)), b = numbers(entry->at(to));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(points.size() - 1);
    check_close(between(a, b, t, path), numbers(points.at(i)));
  }
}

}  // namespace

TEST_CASE("golden/vae/inverse_gaussian_cdf") {
  const Json* entry = golden::field("vae", "inverse_gaussian_cdf");
  if (entry == nullptr) return;
  std::vector<double> z;
  for (const double u : numbers(entry->at("u"))) z.push_back(normal_quantile(u));
  check_close(z, numbers(entry->at("z")));
  const std::vector<double> axis = numbers(entry->at("manifold_axis_20"));
  check_close(quantile_axis(std::ssize(axis)), axis);
}

TEST_CASE("golden/vae/linear_interpolation") {
  check_path("linear", "z0", "z1", Path::line);
  check_path("slerp", "slerp_z0", "slerp_z1", Path::arc);
}

}  // namespace logpx::vae_latent_space_test
