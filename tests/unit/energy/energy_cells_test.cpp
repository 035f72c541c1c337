// What archives of a KAEM hang on: the same bits of these masses on every machine, which is why
// they are stored here. scripts/check-arm64 asks another one.
#include "libcore/energy/energy_cells.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/energy/energy_density.hpp"
#include "libcore/math/cell_quantiles.hpp"
#include "libcore/math/panel_cdf.hpp"
#include "tests/support/energy_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace logpx::energy_cells_test {
namespace {

struct Form {
  const char* name;
  BaseMeasure base;
  CurveBasis basis;
  Activation activation;
  double low, high;
  std::string hash;
};

const std::vector<Form> forms = {
    {"gaussian", BaseMeasure::gaussian, CurveBasis::rbf, Activation::silu, -1.5, 1.5,
     "eb17ffdefd46a81b"},
    {"none", BaseMeasure::none, CurveBasis::bspline, Activation::relu, -1.2, 1.2,
     "099c72220fe361bd"},
    {"uniform", BaseMeasure::uniform, CurveBasis::rswaf, Activation::tanh, -0.5, 1.5,
     "765f78b1c13f27ff"},
    {"lognormal", BaseMeasure::lognormal, CurveBasis::fourier, Activation::elu, 0, 4,
     "6ff1ffb5dada80c5"},
    {"learnable", BaseMeasure::learnable_gaussian, CurveBasis::chebyshev, Activation::none, -1, 1,
     "aaeaf900cdf38e39"}};

// Two features of three curves, whose numbers are the same everywhere.
EnergyValues values_of(const Form& form) {
  EnergyForm energies;
  energies.features = 2;
  energies.curves_each = 3;
  energies.curves = {.basis = form.basis, .intervals = 8, .degree = 3};
  energies.activation = form.activation;
  energies.base = form.base;
  energies.low = form.low;
  energies.high = form.high;
  EnergyValues values(energies);
  DrawCursor draws(Rng(4).stream(Stream::test));
  const auto redraw = [&](std::vector<double>& numbers, double size) {
    for (double& number : numbers) number = size * draws.normal();
  };
  redraw(values.coef, 1);
  redraw(values.w_base, 0.5);
  redraw(values.base_mean, 0.2);
  redraw(values.base_log_sd, 0.2);
  values.rho = 0.25;
  const std::size_t points = values.grid.size() / 2;
  const double knots = form.basis == CurveBasis::bspline ? 3 : 0;
  for (std::size_t j = 0; j < values.grid.size(); ++j)
    values.grid[j] =
        form.low + (form.high - form.low) * (static_cast<double>(j % points) - knots) / 8;
  return values;
}

}  // namespace

TEST_CASE("energy cells: the mass of each is that of the density, for every base and basis") {
  for (const Form& form : forms) {
    CAPTURE(form.name);
    const EnergyValues values = values_of(form);
    const EnergyCells cells = energy_cells(values, 1, 512);
    const std::size_t size = cells.edges.size() - 1;
    REQUIRE(cells.masses.size() == 3 * size);
    for (std::int64_t c = 0; c < 3; ++c) {
      const PanelCdf target(energy_density(values, 1, c));
      double below = 0, worst = 0;
      for (std::size_t j = 0; j < size; ++j) {
        worst = std::max(worst, std::abs(below - target.cdf(cells.edges[j])));
        below += cells.masses[at(c) * size + j];
      }
      CHECK(worst < 1e-6);
      CHECK(below == doctest::Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("energy cells: the same bits on every machine") {
  for (const Form& form : forms) {
    CAPTURE(form.name);
    const EnergyCells cells = energy_cells(values_of(form), 0, 64);
    const CellQuantiles quantiles(cells.edges, cells.masses);
    std::vector<double> z;
    for (std::size_t c = 0; c < 3; ++c)
      for (double u = 0.125; u < 1; u += 0.125) z.push_back(quantiles(c, u));
    CHECK(sha256_hex(std::as_bytes(std::span<const double>(z))).substr(0, 16) == form.hash);
  }
}

TEST_CASE("energy cells: an energy above 1e5 is a numeric error that names the density") {
  EnergyValues values = values_of(forms[0]);
  std::ranges::fill(values.coef, 1e6);
  CHECK_THROWS_WITH_AS((void)energy_cells(values, 1, 64), doctest::Contains("energy rises"), Error);
}

TEST_CASE("normalisers: a tau that is not a number is a numeric error that names the density") {
  EnergyValues values = values_of(forms[0]);
  values.rho = std::numeric_limits<double>::quiet_NaN();
  Workers workers(1);
  CHECK_THROWS_WITH_AS((void)log_normalisers(values, workers),
                       doctest::Contains("density 0 of feature"), Error);
}

}  // namespace logpx::energy_cells_test
