// Densities on an interval and their inverses against tests/golden/kaem.json.
#include "libcore/base/rng.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "tests/support/golden_energy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::kaem_inverse_test {
namespace {

void close_to(double computed, const Json& expected) {
  const double wanted = golden::real(expected);
  CAPTURE(computed);
  CAPTURE(wanted);
  CHECK(std::fabs(computed - wanted) <= 1e-9 * (1 + std::fabs(wanted)));
}

std::vector<double> numbers(const Json& json) { return golden_layer::tensor(json).data; }

template <typename Check>
void for_each_energy(Check check) {
  const Json* energies = golden::field("kaem", "energies");
  if (!energies) return;
  int number = 0;
  for (const Json& item : energies->items()) {
    CAPTURE(number);
    check(item, GoldenEnergy(item));
    ++number;
  }
}

// Where p is small, F(z) = u is a sharper test than z.
bool in_a_tail(double u) { return u <= 1e-6 || u >= 1 - 1e-6; }
// An error of 1e-11 in u is one of z that grows where p is small.
void close_quantile(const PanelCdf& target, double computed, const Json& expected) {
  const double wanted = golden::real(expected);
  CHECK(std::fabs(computed - wanted) <=
        1e-9 * (1 + std::fabs(wanted)) + 1e-11 * std::exp(-target.log_density(wanted)));
}

}  // namespace

TEST_CASE("golden/kaem/energies: integrals, moments and distribution functions") {
  for_each_energy([](const Json& item, const GoldenEnergy& energy) {
    const PanelCdf target(energy.density());
    close_to(target.log_total(), item.at("log_Z"));
    const auto mean_of = [&](auto h) {
      return target.expectation([&](std::span<const double> z, std::span<double> y) {
        std::transform(z.begin(), z.end(), y.begin(), h);
      });
    };
    const double mean = mean_of([](double z) { return z; });
    close_to(mean, item.at("mean"));
    close_to(mean_of([&](double z) { return (z - mean) * (z - mean); }), item.at("variance"));
    if (!item.at("entropy_nats").is_null())
      close_to(-mean_of([&](double z) { return target.log_density(z); }), item.at("entropy_nats"));
    close_to(mean_of([&](double z) { return energy.activated(z); }), item.at("E_activation"));
    for (std::size_t j = 0; j < energy.grid.size(); ++j)
      close_to(mean_of([&](double z) { return energy.basis(j, z); }), item.at("E_basis").at(j));
    const std::vector<double> z = numbers(item.at("z"));
    for (std::size_t i = 0; i < z.size(); ++i) {
      close_to(energy.energy(z[i]), item.at("f").at(i));
      close_to(target.log_density(z[i]), item.at("log_density").at(i));
      close_to(target.cdf(z[i]), item.at("cdf").at(i));
    }
  });
}

TEST_CASE("golden/kaem/energies: quantiles of exact, cells and nodes") {
  for_each_energy([](const Json& item, const GoldenEnergy& energy) {
    const PanelCdf target(energy.density());
    const InverseCdf exact(target);
    const InverseCdf cells(energy.density(), {.method = Inversion::cells});
    const InverseCdf nodes(energy.density(), {.method = Inversion::nodes});
    close_to(cells.log_total(), item.at("gl200_log_Z"));
    const std::vector<double> u = numbers(item.at("u"));
    for (std::size_t i = 0; i < u.size(); ++i) {
      CAPTURE(u[i]);
      if (in_a_tail(u[i])) CHECK(std::fabs(target.cdf(exact.quantile(u[i])) - u[i]) <= 1e-10);
      else close_quantile(target, exact.quantile(u[i]), item.at("quantile_exact").at(i));
      close_to(cells.quantile(u[i]), item.at("quantile_cells_200").at(i));
      close_to(nodes.quantile(u[i]), item.at("quantile_nodes_200").at(i));
    }
  });
}

namespace {

// The largest mass of one of 200 Gauss cells: where p jumps, F may be off by a whole cell.
double largest_step(const GoldenEnergy& energy, const PanelCdf& target) {
  const bool jumps = energy.base == "uniform" && (energy.zmin < 0 || energy.zmax > 1);
  double density = 0;
  for (int i = 0; jumps && i <= 1000; ++i)
    density = std::max(density, std::exp(target.log_density(i / 1000.0)));
  return density * (energy.zmax - energy.zmin) * std::numbers::pi / 400;
}

}  // namespace

TEST_CASE("golden/kaem/energies: the errors of each inversion are those that it promises") {
  constexpr std::size_t count = 1201;
  std::vector<double> u(count), z(count);
  for (std::size_t i = 0; i < count; ++i)
    u[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  for_each_energy([&](const Json&, const GoldenEnergy& energy) {
    const PanelCdf target(energy.density());
    const auto error = [&](Inversion method, std::int64_t nodes) {
      InverseCdf(energy.density(), {.method = method, .nodes = nodes}).quantiles(u, z);
      return largest_u_error(target, u, z);
    };
    CHECK(error(Inversion::exact, 0) <= 1e-10);
    const double hermite = error(Inversion::hermite, 200);
    CHECK(hermite <= 1e-4);
    CHECK(error(Inversion::hermite, 400) * 8 <= std::max(hermite, 1e-11));
    const double cells = error(Inversion::cells, 200);
    CHECK(cells <= std::max(2e-3, largest_step(energy, target)));
    if (energy.base == "gaussian" && energy.activation != "relu")
      CHECK(error(Inversion::cells, 100) >= 3.5 * cells);
    CHECK(error(Inversion::nodes, 200) >= 3e-3);
  });
}

namespace {

// Rising: the samples of a rising function of u are then in order, which counts them at once.
std::vector<double> sorted_uniforms(std::size_t samples) {
  std::vector<double> u(samples);
  Cursor words(Rng(1).stream(Stream::prior_samples, 3));
  for (double& value : u) value = words.uniform53();
  std::sort(u.begin(), u.end());
  return u;
}

// Kolmogorov and Smirnov's statistic at 500 points, in units of 1 / sqrt(samples). A true sample
// exceeds 2.2253 with probability 1e-4 (at all points; at 500 with less).
double deviation(const PanelCdf& target, const InverseCdf& inverse, const std::vector<double>& u) {
  constexpr int points = 500;
  std::vector<double> z(u.size());
  inverse.quantiles(u, z);
  REQUIRE(std::is_sorted(z.begin(), z.end()));
  const auto samples = static_cast<double>(u.size());
  double largest = 0;
  for (int i = 0; i < points; ++i) {
    const double edge = inverse.quantile((i + 0.7) / points);
    const auto below = static_cast<double>(std::upper_bound(z.begin(), z.end(), edge) - z.begin());
    largest = std::max(largest, std::fabs(below / samples - target.cdf(edge)));
  }
  return largest * std::sqrt(samples);
}

}  // namespace

TEST_CASE("golden/kaem/energies: a million samples tell nodes from F, but not exact or hermite") {
  const std::vector<double> some = sorted_uniforms(100000), many = sorted_uniforms(1000000);
  for_each_energy([&](const Json&, const GoldenEnergy& energy) {
    const PanelCdf target(energy.density());
    for (const Inversion method : {Inversion::exact, Inversion::hermite}) {
      const InverseCdf inverse(energy.density(), {.method = method});
      CHECK(deviation(target, inverse, some) < 2.2253);
      CHECK(deviation(target, inverse, many) < 2.2253);
    }
    const InverseCdf nodes(energy.density(), {.method = Inversion::nodes});
    CHECK(deviation(target, nodes, many) > 2.2253);
  });
}

TEST_CASE("golden/kaem/energies: panels and composite rules agree, also far from 1") {
  for_each_energy([](const Json&, const GoldenEnergy& energy) {
    const double log_z = PanelCdf(energy.density()).log_total();
    for (const double lift : {1000.0, -1000.0})
      CHECK(std::fabs(PanelCdf(energy.density(lift)).log_total() - lift - log_z) < 1e-12 * 1000);
    if (energy.base == "lognormal") return;  // 41 panels of 4 nodes are too few towards 0
    const QuadratureRule rule = composite_gauss_legendre(energy.breaks(), 200);
    double sum = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      sum +=
          rule.weights[i] * std::exp(energy.energy(rule.nodes[i]) + energy.log_base(rule.nodes[i]));
    CHECK(std::fabs(std::log(sum) - log_z) < 1e-10);
  });
}

TEST_CASE("golden/kaem/pathwise: the slope of a quantile in u") {
  const Json* item = golden::field("kaem", "pathwise");
  if (!item) return;
  const GoldenEnergy energy(*item);
  const PanelCdf target(energy.density());
  const InverseCdf exact(target), hermite(energy.density(), {.method = Inversion::hermite});
  const std::vector<double> u = numbers(item->at("u"));
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double z = exact.quantile(u[i]), wanted = golden::real(item->at("dz_du").at(i));
    close_to(z, item->at("z").at(i));
    close_to(std::exp(-target.log_density(z)), item->at("dz_du").at(i));
    CHECK(exact.slope(u[i]) == doctest::Approx(wanted).epsilon(1e-6));
    CHECK(hermite.slope(u[i]) == doctest::Approx(wanted).epsilon(1e-3));
    // F(z) E[B_j] - E[1{Z <= z} B_j], over p(z)
    for (std::size_t j = 0; j < energy.grid.size(); ++j) {
      const auto basis = [&](std::span<const double> x, std::span<double> y) {
        std::transform(x.begin(), x.end(), y.begin(),
                       [&](double value) { return energy.w_spline * energy.basis(j, value); });
      };
      const AdaptiveIntegral below = adaptive_integral(
          [&](std::span<const double> x, std::span<double> y) {
            basis(x, y);
            for (std::size_t k = 0; k < x.size(); ++k) y[k] *= std::exp(target.log_density(x[k]));
          },
          std::vector<double>{energy.zmin, z}, {});
      close_to((u[i] * target.expectation(basis) - below.value) * std::exp(-target.log_density(z)),
               item->at("dz_dcoef").at(i).at(j));
    }
  }
}

}  // namespace logpx::kaem_inverse_test
