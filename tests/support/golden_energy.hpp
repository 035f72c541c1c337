// The energies of tests/golden/kaem.json as densities: Gaussian bases, an activation, a base
// measure, in plain double.   [kaem/README 2.1, 2.2]
#pragma once

#include "formats/json/value.hpp"
#include "libcore/math/interval_density.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace logpx {

struct GoldenEnergy {
  std::vector<double> grid, coef;
  double h = 1, tau = 1, w_base = 0, w_spline = 1, zmin = 0, zmax = 1;
  std::string activation, base;

  explicit GoldenEnergy(const Json& json)
      : grid(golden_layer::tensor(json.at("grid")).data),
        coef(golden_layer::tensor(json.at("coef")).data),
        h(golden::real(json.at("h"))),
        tau(golden::real(json.at("tau"))),
        w_base(golden::real(json.at("w_base"))),
        w_spline(golden::real(json.at("w_spline"))),
        zmin(golden::real(json.at("zmin"))),
        zmax(golden::real(json.at("zmax"))),
        activation(json.at("activation").string()),
        base(json.at("base").string()) {}

  [[nodiscard]] double basis(std::size_t j, double z) const {
    const double x = (z - grid[j]) / (h * tau);
    return std::exp(-x * x / 2);
  }
  [[nodiscard]] double activated(double z) const {
    if (activation == "relu") return std::max(z, 0.0);
    if (activation == "leakyrelu") return z > 0 ? z : 0.2 * z;
    if (activation == "silu") return z / (1 + std::exp(-z));
    if (activation == "gelu") return z * std::erfc(-z / std::numbers::sqrt2) / 2;
    if (activation == "tanh") return std::tanh(z);
    if (activation == "sigmoid") return 1 / (1 + std::exp(-z));
    if (activation == "elu") return z > 0 ? z : std::expm1(z);
    REQUIRE(activation == "none");
    return 0;
  }
  [[nodiscard]] double energy(double z) const {
    double sum = 0;
    for (std::size_t j = 0; j < grid.size(); ++j) sum += coef[j] * basis(j, z);
    return w_base * activated(z) + w_spline * sum;
  }
  [[nodiscard]] double log_base(double z) const {
    constexpr double nowhere = -std::numeric_limits<double>::infinity();
    const double half_log = std::log(2 * std::numbers::pi) / 2;
    if (base == "uniform") return z >= 0 && z <= 1 ? 0 : nowhere;
    if (base == "gaussian") return -z * z / 2 - half_log;
    if (base == "lognormal")
      return z > 0 ? -std::log(z) * std::log(z) / 2 - std::log(z) - half_log : nowhere;
    return 0;
  }
  [[nodiscard]] std::vector<double> breaks() const {
    std::vector<double> inner = {zmin};
    if (base == "lognormal")
      for (int k = 40; k > 0; --k) inner.push_back(zmax * std::exp2(-k));
    else
      for (const double x : {0.0, 1.0})
        if (x > zmin && x < zmax) inner.push_back(x);
    inner.push_back(zmax);
    return inner;
  }
  // `lift` is added to the energy.
  [[nodiscard]] IntervalDensity density(double lift = 0) const {
    return {[self = *this, lift](std::span<const double> z, std::span<double> log_g) {
              for (std::size_t i = 0; i < z.size(); ++i)
                log_g[i] = self.energy(z[i]) + self.log_base(z[i]) + lift;
            },
            breaks()};
  }
};

}  // namespace logpx
