// Models that read x as its scores on principal axes.   [kaem/README 3.3]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/plan.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace logpx::axes_test {

using namespace logpx::kaem;

namespace {

// Numbers that hardly leave a plane.
std::vector<double> flat_rows(std::int64_t rows, std::int64_t dims) {
  DrawCursor draws(Rng(4).stream(Stream::test));
  std::vector<double> x;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double a = 3 * draws.normal(), b = draws.normal();
    for (std::int64_t d = 0; d < dims; ++d)
      x.push_back(1 + a * std::cos(static_cast<double>(d)) + b * std::sin(static_cast<double>(d)) +
                  1e-3 * draws.normal());
  }
  return x;
}

std::unique_ptr<KaemModel> model_with(const Config& config, const HeldRows& rows) {
  auto model = std::make_unique<KaemModel>(config, rows.info);
  model->initialise(Rng(1));
  model->fit_axes(rows.examples());
  return model;
}

Config config_with_axes() {
  Config config;
  config.latent = {2};
  config.hidden = "7";
  config.mean_activation = Squash::none;
  config.pca = 5;
  return config;
}

}  // namespace

TEST_CASE("axis reading: scores on all axes that matter lead back to x, whitened or not") {
  constexpr std::int64_t dims = 6;
  const std::vector<double> x = flat_rows(300, dims);
  for (const AxisScale scale : {AxisScale::as_they_are, AxisScale::whitened}) {
    AxisReading axes(dims, 2, scale);
    axes.fit(x);
    double squares[2] = {0, 0};
    std::vector<float> row(dims), scores(2), back(dims);
    for (std::size_t i = 0; i < x.size(); i += dims) {
      for (std::size_t d = 0; d < dims; ++d) row[d] = static_cast<float>(x[i + d]);
      axes.scores(row, scores);
      axes.point(scores, back);
      for (std::size_t d = 0; d < dims; ++d)
        CHECK(std::fabs(static_cast<double>(back[d] - row[d])) < 0.02);
      for (std::size_t k = 0; k < 2; ++k)
        squares[k] += static_cast<double>(scores[k]) * static_cast<double>(scores[k]) / 299;
    }
    if (scale == AxisScale::whitened) CHECK(squares[0] == doctest::Approx(1).epsilon(1e-3));
    else CHECK(squares[0] > 4 * squares[1]);
  }
}

TEST_CASE("axis reading: more axes than rows or directions are refused") {
  const std::vector<double> x = flat_rows(4, 6);
  AxisReading many(6, 4, AxisScale::as_they_are);
  CHECK_THROWS_AS(many.fit(x), Error);
  std::vector<double> line;
  for (std::int64_t i = 0; i < 40; ++i) line.push_back(static_cast<double>(i / 2));
  AxisReading flat(2, 2, AxisScale::whitened);
  CHECK_THROWS_AS(flat.fit(line), Error);
}

TEST_CASE("kaem axes: a model reads scores, and makes pictures of them again") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 200});
  const auto model = model_with(config_with_axes(), rows);
  CHECK(model->dims() == 5);
  CHECK(model->info().space == "5 principal axes");
  CHECK(!model->info().level_bits);
  std::vector<float> z(at(abilities(*model).latents->dims()), 0.3F);
  CHECK(abilities(*model).latents->mean(z).size() == 16);
  CHECK(abilities(*model).latents->observed(rows.examples()).size() == 200 * 16);
  // The generator's mean, taken to x by hand.
  const std::vector<double> scores = abilities(*model).prior->draw(0, 1, Rng(1));
  const std::vector<float> x = abilities(*model).prior->decode(scores);
  CHECK(x.size() == 16);
  CHECK_THROWS_WITH_AS((void)abilities(*model).code->plan(),
                       doctest::Contains("scores on 5 principal axes"), Error);
}

TEST_CASE("kaem axes: log p is that of the scores, by importance sampling and by quadrature") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 200});
  Config config = config_with_axes();
  config.obs_std = "1";
  const auto model = model_with(config, rows);
  const auto plan = abilities(*model).scoring("is");
  plan->settle();
  const HeldRows few{.info = rows.info, .rows = slice_rows(rows.rows, 0, 20)};
  const Scores scores = plan->score(few.examples(), Rng(1));
  // The peak of a Gaussian with deviation 1 in five dimensions bounds each row.
  for (const double nats : scores.nats) CHECK(nats < -2.5 * std::log(2 * std::numbers::pi));
}

TEST_CASE("kaem axes: options that do not go with scores are refused") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 30});
  const auto refused = [&](auto change) {
    Config config = config_with_axes();
    change(config);
    CHECK_THROWS_AS(config.validate(rows.info), Error);
  };
  refused([](Config& c) { c.mean_activation = Squash::sigmoid; });
  refused([](Config& c) { c.pca = 17; });
  refused([](Config& c) { c.likelihood = "bernoulli"; });
  refused([](Config& c) { c.generator.kind = GeneratorKind::cnn; });
  refused([](Config& c) {
    c.pca = 0;
    c.whiten = true;
  });
}

TEST_CASE(
    "kaem: a number that is not finite is named by row and dimension, with axes and without") {
  HeldRows rows{.info = real_vectors(3), .rows = {}};
  std::vector<float> x(30, 0.5F);
  x[4] = -std::numeric_limits<float>::infinity();
  rows.rows.count = rows.info.n = 10;
  rows.rows.x.resize(x.size() * sizeof(float));
  std::memcpy(rows.rows.x.data(), x.data(), rows.rows.x.size());
  for (const std::int64_t axes : {0, 2}) {
    Settings settings = Settings::presets().make("tiny");
    settings.model.mean_activation = Squash::none;
    settings.model.pca = axes;
    CHECK_THROWS_WITH_AS((void)make_trainee(settings, {.train = rows.examples()}, Rng(1)),
                         doctest::Contains("row 1, dimension 1 is -inf"), Error);
  }
}

TEST_CASE("kaem: rows of one number have a head of their own for each sample") {
  HeldRows rows{.info = real_vectors(1), .rows = {}};
  Config config;
  config.latent = {1, 1};
  config.mean_activation = Squash::none;
  const auto model = model_with(config, rows);
  const std::vector<float> s = {-1, 0, 1};
  const HeadMatrices heads = decode_all(make_decoder(*model), {model->param_set().block(), s, 1});
  CHECK(heads[0].size() == 3);
}

}  // namespace logpx::axes_test
