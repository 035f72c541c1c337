// Gradients along draws of a prior at fixed uniforms, by differences.   [kaem/README 5]
#include "libcore/families/kaem/prior/mixture_path.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/kaem/prior/prior_signals.hpp"
#include "tests/support/prior_kinds.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

namespace logpx::path_gradient_test {

using namespace logpx::kaem;

TEST_CASE("kaem: the pathwise gradient is that of the samples at fixed uniforms") {
  for_each_kind([](PriorValues& values) {
    if (values.form.is_mixture()) return;
    randomise(values, 0.2);
    const std::size_t n = 7, count = at(values.form.energies.curves_each);
    const std::vector<double> u = {0.03, 0.2, 0.41, 0.5, 0.77, 0.9, 0.999};
    std::vector<double> dz(n * count), z(n * count), slopes(n * count);
    DrawCursor draws(Rng(6).stream(Stream::test, 9));
    for (double& x : dz) x = draws.normal();
    const auto draw = [&](EnergyTablesOf<double>& tables) {
      tables.rebuild();
      double sum = 0;
      for (std::size_t c = 0; c < count; ++c)
        tables.draw(static_cast<std::int64_t>(c), u, std::span(z).subspan(c * n, n),
                    std::span(slopes).subspan(c * n, n));
      for (std::size_t k = 0; k < z.size(); ++k) sum += dz[k] * z[k];
      return sum;
    };
    PriorGradient gradient(values.form);
    for (std::int64_t i = 0; i < values.form.features(); ++i) {
      EnergyTablesOf<double> tables(values.energies, i, Inversion::hermite);
      draw(tables);
      tables.add_pathwise_gradient(u, z, slopes, dz, gradient.energies);
    }
    check_prior_gradient(values, gradient, 1e-5, [&] {
      double sum = 0;
      for (std::int64_t i = 0; i < values.form.features(); ++i) {
        EnergyTablesOf<double> tables(values.energies, i, Inversion::hermite);
        sum += draw(tables);
      }
      return sum;
    });
  });
}

TEST_CASE("kaem: the pathwise gradient of a mixture is that of its quantiles at fixed uniforms" *
          testing::of_numbers) {
  for_each_kind([](PriorValues& values) {
    if (!values.form.is_mixture()) return;
    values.form.weights = MixtureWeights::learned;
    randomise(values, 0.2);
    const EnergyForm& form = values.form.energies;
    const std::vector<double> u = {0.03, 0.2, 0.41, 0.5, 0.77, 0.9};
    const std::vector<double> dz = {0.4, -1.1, 0.7, 0.3, -0.5, 1.2};
    const std::size_t n = u.size(), parts = at(values.form.n_p);
    // F_q at these z.
    const auto below = [&](EnergyTablesOf<double>& tables, std::span<const double> z) {
      std::vector<double> alpha(parts), own(n), sum(n);
      values.weights(tables.curves().feature(), alpha);
      tables.rebuild();
      for (std::size_t p = 0; p < parts; ++p) {
        tables.masses_below(static_cast<std::int64_t>(p), z, own);
        for (std::size_t i = 0; i < n; ++i) sum[i] += alpha[p] * own[i];
      }
      return sum;
    };
    const auto quantiles = [&](EnergyTablesOf<double>& tables) {
      std::vector<double> low(n, form.low), high(n, form.high), middle(n);
      for (int step = 0; step < 45; ++step) {
        for (std::size_t i = 0; i < n; ++i) middle[i] = low[i] / 2 + high[i] / 2;
        const std::vector<double> found = below(tables, middle);
        for (std::size_t i = 0; i < n; ++i) (found[i] < u[i] ? low : high)[i] = middle[i];
      }
      return middle;
    };
    PriorGradient gradient(values.form);
    MixturePathSpace space;
    for (std::int64_t q = 0; q < values.form.features(); ++q) {
      EnergyTablesOf<double> tables(values.energies, q, Inversion::hermite);
      const std::vector<double> z = quantiles(tables);
      std::vector<double> up = z, down = z, slopes(n);
      constexpr double h = 1e-6;
      for (std::size_t i = 0; i < n; ++i) {
        up[i] += h;
        down[i] -= h;
      }
      const std::vector<double> above = below(tables, up), under = below(tables, down);
      for (std::size_t i = 0; i < n; ++i) slopes[i] = 2 * h / (above[i] - under[i]);
      add_mixture_path(values, tables, {z, slopes, dz}, gradient, space);
    }
    check_prior_gradient(values, gradient, 1e-5, [&] {
      double sum = 0;
      for (std::int64_t q = 0; q < values.form.features(); ++q) {
        EnergyTablesOf<double> tables(values.energies, q, Inversion::hermite);
        const std::vector<double> z = quantiles(tables);
        for (std::size_t i = 0; i < n; ++i) sum += dz[i] * z[i];
      }
      return sum;
    });
  });
}

}  // namespace logpx::path_gradient_test
