// Gradients of what a prior learns from, against central differences.   [kaem/README 5]
#include "libcore/families/kaem/prior/prior_density.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/kaem/prior/prior_signals.hpp"
#include "tests/support/prior_kinds.hpp"

#include <doctest/doctest.h>

namespace logpx::prior_gradient_test {

using namespace logpx::kaem;

namespace {

struct OwnPoints {
  std::vector<std::vector<double>> z;  // [F]: [C,n], of a mixture [n]
  std::vector<double> weights;
};
OwnPoints some_points(const PriorValues& values, std::size_t n, std::uint32_t sub) {
  DrawCursor draws(Rng(6).stream(Stream::test, sub));
  const EnergyForm& form = values.form.energies;
  OwnPoints points;
  for (std::int64_t i = 0; i < form.features; ++i) {
    std::vector<double> z(values.form.is_mixture() ? n : n * at(form.curves_each));
    const bool unit = form.base == BaseMeasure::uniform;
    for (double& x : z)
      x = unit ? draws.uniform() : draws.uniform(std::max(form.low, 0.01), form.high);
    points.z.push_back(std::move(z));
  }
  for (std::size_t j = 0; j < n; ++j) points.weights.push_back(draws.uniform(0.1, 1));
  return points;
}

// log Z [F,C] by the quadrature of training
std::vector<double> trained_log_z(const PriorValues& values) {
  std::vector<double> log_z;
  for (std::int64_t i = 0; i < values.form.features(); ++i) {
    EnergyMomentsOf<double> moments(values.energies, i);
    moments.rebuild();
    log_z.insert(log_z.end(), moments.log_z().begin(), moments.log_z().end());
  }
  return log_z;
}

// sum_j w_j log p(z_j)
double weighted_log_density(const PriorValues& values, const OwnPoints& points) {
  const PriorForm& form = values.form;
  const std::size_t n = points.weights.size(), dims = at(form.z_dims());
  std::vector<double> z(n * dims), log_p(n), slopes(n * dims);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < points.z.size(); ++i)
      for (std::size_t c = 0; c < points.z[i].size() / n; ++c)
        z[j * dims + (form.is_mixture() ? i : c * at(form.n_p) + i)] = points.z[i][c * n + j];
  const std::vector<double> log_z = trained_log_z(values);
  PriorDensity density(values, log_z);
  density(z, log_p, slopes);
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += points.weights[j] * log_p[j];
  return sum;
}

template <typename Add>
PriorGradient gradient_of(const PriorValues& values, Add add) {
  PriorGradient gradient(values.form);
  for (std::int64_t i = 0; i < values.form.features(); ++i) {
    EnergyMomentsOf<double> moments(values.energies, i);
    moments.rebuild();
    add(i, moments, gradient);
  }
  return gradient;
}

}  // namespace

TEST_CASE("kaem: the score of weighted points is the gradient of their log density") {
  for_each_kind([](PriorValues& values) {
    const OwnPoints points = some_points(values, 3, 1);
    SignalSpaceOf<double> space;
    const PriorGradient gradient = gradient_of(
        values, [&](std::int64_t i, EnergyMomentsOf<double>& moments, PriorGradient& g) {
          add_score_gradient(values, moments, {points.z[at(i)], points.weights}, g, space);
        });
    check_prior_gradient(values, gradient, 1e-6,
                         [&] { return weighted_log_density(values, points); });
  });
}

TEST_CASE("kaem: contrastive divergence puts the mean over prior samples for the expectation") {
  PriorValues values = small_prior(
      {PriorKind::univariate, {.intervals = 5}, Activation::silu, BaseMeasure::learnable_gaussian});
  const OwnPoints points = some_points(values, 3, 1), samples = some_points(values, 4, 2);
  SignalSpaceOf<double> space;
  const PriorGradient gradient =
      gradient_of(values, [&](std::int64_t i, EnergyMomentsOf<double>& moments, PriorGradient& g) {
        add_contrast_gradient(values, moments, {points.z[at(i)], points.weights}, samples.z[at(i)],
                              g, space);
      });
  check_prior_gradient(values, gradient, 1e-6, [&] {
    double total = 0;
    for (const double w : points.weights) total += w;
    OwnPoints less = samples;
    less.weights.assign(4, total / 4);
    return weighted_log_density(values, points) - weighted_log_density(values, less);
  });
}

TEST_CASE("kaem: the penalty of energies is lambda times the expectation of their squares") {
  for_each_kind([](PriorValues& values) {
    if (values.form.is_mixture()) std::ranges::fill(values.alpha_logits, 0);
    SignalSpaceOf<double> space;
    double penalty = 0;
    const auto add = [&](std::int64_t, EnergyMomentsOf<double>& moments, PriorGradient& g) {
      penalty += add_energy_penalty(moments, 0.3, g, space);
    };
    const PriorGradient gradient = gradient_of(values, add);
    for (ParameterClass& item : parameter_classes(values, gradient)) {
      if (item.name == "alpha_logits") continue;
      double& x = *item.numbers[0];
      const double before = x;
      const auto at_step = [&](double step) {
        x = before + step;
        penalty = 0;
        static_cast<void>(gradient_of(values, add));
        x = before;
        return penalty;
      };
      const double slope =
          -(8 * (at_step(1e-3) - at_step(-1e-3)) - (at_step(2e-3) - at_step(-2e-3))) / 12e-3;
      CAPTURE(item.name);
      CHECK(std::fabs(slope - item.gradient[0]) <= 1e-6 * (std::fabs(slope) + 0.01));
    }
  });
}

TEST_CASE("kaem: penalties of weights and of edges have the gradients of what they return") {
  PriorValues values =
      small_prior({PriorKind::mixture, {.intervals = 5}, Activation::silu, BaseMeasure::gaussian});
  for (const WeightPenalty penalty : {WeightPenalty::entropy, WeightPenalty::l1_logits}) {
    PriorGradient gradient(values.form);
    const auto total = [&](PriorGradient& g) {
      double sum = 0;
      for (std::int64_t q = 0; q < values.form.n_q; ++q)
        sum += add_weight_penalty(values, q, penalty, 0.7, g);
      return sum;
    };
    total(gradient);
    for (std::size_t i = 0; i < values.alpha_logits.size(); ++i) {
      const auto at_step = [&](double step) {
        PriorValues moved = values;
        moved.alpha_logits[i] += step;
        PriorGradient ignored(values.form);
        double sum = 0;
        for (std::int64_t q = 0; q < values.form.n_q; ++q)
          sum += add_weight_penalty(moved, q, penalty, 0.7, ignored);
        return sum;
      };
      const double slope = (at_step(1e-5) - at_step(-1e-5)) / 2e-5;
      CHECK(std::fabs(slope + gradient.alpha_logits[i]) <= 1e-8);
    }
  }
  const OwnPoints points = some_points(values, 5, 3);
  SignalSpaceOf<double> space;
  const std::vector<double> coefficients = {0.4, -0.2};
  const auto scores = [&](PriorGradient* gradient) {
    double sum = 0;
    for (std::int64_t i = 0; i < values.form.features(); ++i) {
      FeatureCurves<double> curves(values.energies, i);
      std::vector<double> each(2);
      edge_scores(curves, {points.z[at(i)], points.weights}, each, space);
      for (std::size_t c = 0; c < 2; ++c) sum += coefficients[c] * each[c];
      if (gradient)
        add_edge_gradient(curves, {points.z[at(i)], points.weights}, coefficients,
                          gradient->energies, space);
    }
    return -sum;
  };
  PriorGradient gradient(values.form);
  scores(&gradient);
  std::ranges::fill(gradient.alpha_logits, 1);  // nothing to do with this gradient
  PriorForm fixed = values.form;
  for (const ParameterClass& item : parameter_classes(values, gradient)) {
    if (item.name == "alpha_logits") continue;
    CAPTURE(item.name);
    double& x = *item.numbers[0];
    const double before = x;
    x = before + 1e-5;
    double slope = scores(nullptr);
    x = before - 1e-5;
    slope = (slope - scores(nullptr)) / 2e-5;
    x = before;
    CHECK(std::fabs(slope - item.gradient[0]) <= 1e-8);
  }
}

TEST_CASE("kaem 14.4: the expected score of the prior is zero, by quadrature and by samples") {
  for (const PriorKind kind : {PriorKind::univariate, PriorKind::mixture}) {
    PriorForm form(kind, kind == PriorKind::mixture ? 3 : 1, 1);
    form.energies.curves.intervals = 6;
    form.energies.base = BaseMeasure::learnable_gaussian;
    PriorValues values(form);
    randomise(values, 0.6);
    EnergyMomentsOf<double> moments(values.energies, 0);
    moments.rebuild();
    SignalSpaceOf<double> space;
    const QuadratureRule rule = on_interval(gauss_legendre(300), -1.5, 1.5);
    PriorDensity density(values, moments.log_z());
    std::vector<double> p(300), slopes(300);
    density(rule.nodes, p, slopes);
    for (std::size_t j = 0; j < p.size(); ++j) p[j] = rule.weights[j] * std::exp(p[j]);
    PriorGradient exact(form);
    add_score_gradient(values, moments, {rule.nodes, p}, exact, space);
    for (const ParameterClass& item : parameter_classes(values, exact))
      for (const double g : item.gradient) CHECK(std::fabs(g) <= 1e-10);

    // 100 batches of 10,000 samples: their mean within 5 standard errors of 0
    EnergyTablesOf<double> tables(values.energies, 0, Inversion::hermite);
    PriorDraws draws;
    DrawSpace memory;
    constexpr std::int64_t each = 10000, batches = 100;
    const std::vector<double> mean(each, 1.0 / each);
    std::vector<double> sums, squares;
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      resize_draws(form, each, draws);
      prior_uniforms(form, Rng(3).stream(Stream::prior_samples), batch * each, draws.u);
      draw_feature(values, tables, draws, memory);
      PriorGradient gradient(form);
      add_score_gradient(values, moments, {draws.z, mean}, gradient, space);
      std::vector<double> all;
      for (const ParameterClass& item : parameter_classes(values, gradient))
        all.insert(all.end(), item.gradient.begin(), item.gradient.end());
      sums.resize(all.size());
      squares.resize(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        sums[i] += all[i] / batches;
        squares[i] += all[i] * all[i] / batches;
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      CHECK(std::fabs(sums[i]) <=
            5 * std::sqrt((squares[i] - sums[i] * sums[i]) / (batches - 1)) + 1e-12);
  }
}

TEST_CASE("kaem: log p(z) has the gradient by z that chains climb") {
  for_each_kind([](PriorValues& values) {
    const std::vector<double> log_z = trained_log_z(values);
    PriorDensity density(values, log_z);
    const std::size_t dims = at(values.form.z_dims());
    std::vector<double> z(2 * dims), log_p(2), gradient(2 * dims), ignored(2 * dims), moved(2);
    DrawCursor draws(Rng(6).stream(Stream::test, 4));
    for (double& x : z) x = draws.uniform(0.1, 0.9);
    density(z, log_p, gradient);
    for (std::size_t k = 0; k < z.size(); ++k) {
      const auto at_step = [&](double step) {
        std::vector<double> there = z;
        there[k] += step;
        density(there, moved, ignored);
        return moved[k / dims];
      };
      const double slope =
          (8 * (at_step(1e-3) - at_step(-1e-3)) - (at_step(2e-3) - at_step(-2e-3))) / 12e-3;
      CHECK(std::fabs(slope - gradient[k]) <= 1e-6 * (1 + std::fabs(slope)));
    }
  });
}

}  // namespace logpx::prior_gradient_test
