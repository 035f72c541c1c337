#include "libcore/eval/likelihood.hpp"

#include "libcore/base/error.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/model/common_errors.hpp"
#include "tests/support/latent_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

namespace logpx::likelihood_test {
namespace {

MemoryRows numbered_rows(std::int64_t n) {
  DatasetInfo info;
  info.content = Content::vector;
  info.measure = Measure::lebesgue;
  info.element = Element::f32;
  info.shape = {1};
  info.n = n;
  Rows rows;
  rows.count = n;
  rows.x.resize(static_cast<std::size_t>(n) * sizeof(float));
  for (std::int64_t i = 0; i < n; ++i)
    rows.values<float>()[static_cast<std::size_t>(i)] = static_cast<float>(i);
  return {info, rows};
}

Scored with_scores(Bound kind, std::vector<double> nats) {
  return {.kind = kind, .begin = 100, .nats = std::move(nats)};
}

}  // namespace

TEST_CASE("score_rows: blocks are those of the dataset whatever rows are asked for") {
  MemoryRows data = numbered_rows(1000);
  Workers workers(2);
  std::mutex mutex;
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  const EvalRows rows{.data = data, .begin = 10, .end = 700, .block = 64};
  const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
    const std::lock_guard lock(mutex);
    seen.emplace(examples.first, examples.rows.count);
    Scores scores{.kind = Bound::lower_bound};
    for (const float x : examples.rows.values<float>())
      scores.nats.push_back(static_cast<double>(x));
    scores.terms = {{"twice", scores.nats}};
    return scores;
  });
  CHECK(seen.size() == 11);
  CHECK(seen.contains({10, 54}));
  CHECK(seen.contains({64, 64}));
  CHECK(seen.contains({640, 60}));
  REQUIRE(scored.nats.size() == 690);
  for (std::size_t i = 0; i < 690; ++i) CHECK(scored.nats[i] == static_cast<double>(i + 10));
  CHECK(scored.terms[0].second == scored.nats);
  CHECK(scored.kind == Bound::lower_bound);
}

TEST_CASE("score_rows: shares of several processes add up to the whole") {
  MemoryRows data = numbered_rows(300);
  Workers workers(1);
  const auto score = [](const Examples& examples) {
    Scores scores;
    for (const float x : examples.rows.values<float>())
      scores.nats.push_back(std::sin(static_cast<double>(x)));
    return scores;
  };
  const EvalRows whole{.data = data, .begin = 0, .end = 300, .block = 64};
  std::vector<double> sum(300);
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    EvalRows part = whole;
    part.share = {.index = rank, .of = 4, .sum = [](std::span<double>) {}};
    const Scored scored = score_rows(part, workers, score);
    for (std::size_t i = 0; i < 300; ++i) sum[i] += scored.nats[i];
  }
  CHECK(sum == score_rows(whole, workers, score).nats);
  EvalRows many = whole;
  many.share = {.index = 0, .of = 8};
  CHECK_THROWS_WITH_AS(static_cast<void>(score_rows(many, workers, score)),
                       "8 processes for 5 blocks of examples", Error);
}

TEST_CASE("score_rows: observed dims stand beside the scores and add up over processes") {
  DatasetInfo info = numbered_rows(1).info();
  info.shape = {3};
  info.n = 200;
  info.has_missing = true;
  Rows rows;
  rows.count = 200;
  std::vector<float> values(600, 1);
  for (std::size_t i = 0; i < 200; ++i)
    if (i % 3 == 0) values[3 * i + i % 2] = std::numeric_limits<float>::quiet_NaN();
  const auto bytes = std::as_bytes(std::span(values));
  rows.x.assign(bytes.begin(), bytes.end());
  MemoryRows data(info, rows);
  Workers workers(1);
  const auto score = [](const Examples& examples) {
    return Scores{.kind = Bound::exact,
                  .nats = std::vector<double>(static_cast<std::size_t>(examples.rows.count), -6)};
  };
  const EvalRows whole{.data = data, .begin = 10, .end = 200, .block = 64};
  const Scored scored = score_rows(whole, workers, score);
  REQUIRE(scored.dims.size() == 190);
  for (std::size_t i = 0; i < 190; ++i) CHECK(scored.dims[i] == ((i + 10) % 3 == 0 ? 2 : 3));
  std::vector<double> sum(190);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    EvalRows part = whole;
    part.share = {.index = rank, .of = 2, .sum = [](std::span<double>) {}};
    const Scored own = score_rows(part, workers, score);
    for (std::size_t i = 0; i < 190; ++i) sum[i] += own.dims[i];
  }
  CHECK(sum == scored.dims);
  const Summary summary = summarise(scored);
  REQUIRE(summary.observed);
  CHECK(summary.observed->dims == 507);
  CHECK(summary.observed->nats.value == doctest::Approx(-6.0 * 190 / 507));
}

TEST_CASE("summarise: bits of rows of several lengths have the error of a ratio") {
  // 2 nats for each of d dims: the ratio is known exactly, however much the rows differ.
  Scored scored = with_scores(Bound::exact, {-2, -20, -200, -14});
  scored.dims = {1, 10, 100, 7};
  CHECK(summarise(scored).observed->nats.value == doctest::Approx(-2));
  CHECK(*summarise(scored).observed->nats.std_error == doctest::Approx(0).epsilon(1e-9));
  // Rows of one length: the error of the mean, divided by it.
  scored = with_scores(Bound::exact, {-2, -5, -11});
  scored.dims = {4, 4, 4};
  const Summary alike = summarise(scored);
  CHECK(*alike.observed->nats.std_error ==
        doctest::Approx(*alike.log_likelihood.std_error / 4).epsilon(1e-12));
  scored.nats[1] = -std::numeric_limits<double>::infinity();
  CHECK(summarise(scored).observed->nats.value == -std::numeric_limits<double>::infinity());
  CHECK_FALSE(summarise(scored).observed->nats.std_error);
  scored.dims = {0, 0, 0};
  CHECK_FALSE(summarise(scored).observed);
}

TEST_CASE("score_rows: the same bytes for 1 and 4 threads") {
  const testing::LinearGaussian model({{1, 0.5, -1, 2, 0.3, 0}, {0, 1, 2}, 0.5}, 2);
  JointSamples samples = draw_joint(model, 0, 37, Rng(5));
  DatasetInfo info = model.info().data;
  info.n = 37;
  MemoryRows data(info, samples.rows);
  const EvalRows rows{.data = data, .begin = 0, .end = 37, .block = model.info().block};
  std::vector<std::vector<double>> all;
  for (const int threads : {1, 4}) {
    Workers workers(threads);
    all.push_back(score_rows(rows, workers, [&](const Examples& examples) {
                    return ais({model, examples, Rng(1)}, {.steps = 10, .chains = 3});
                  }).nats);
  }
  CHECK(all[0] == all[1]);
}

TEST_CASE("encode_rows: posteriors of all rows in order") {
  const testing::LinearGaussian model({{1, 0.5, -1}, {0, 1, 2}, 0.5}, 1);
  const JointSamples samples = draw_joint(model, 0, 21, Rng(5));
  DatasetInfo info = model.info().data;
  info.n = 21;
  MemoryRows data(info, samples.rows);
  Workers workers(2);
  const EvalRows rows{.data = data, .begin = 3, .end = 21, .block = 4};
  const Posterior some = encode_rows(rows, workers, model);
  const Posterior all = model.encode({info, samples.rows, 0});
  CHECK(some.count == 18);
  CHECK(std::equal(some.mean.begin(), some.mean.end(), all.mean.begin() + 3));
}

TEST_CASE("summarise: quantiles; the worst row; noise of the mean from the examples' own") {
  std::vector<double> nats(101);
  for (std::size_t i = 0; i <= 100; ++i) nats[i] = -static_cast<double>((i * 37) % 101);
  Scored scored = with_scores(Bound::lower_bound, nats);
  scored.mc_std_error.assign(101, 0.5);
  scored.terms = {{"kl", std::vector<double>(101, -2)}};
  const Summary summary = summarise(scored);
  CHECK(summary.per_example.min == -100);
  CHECK(summary.per_example.p1 == -99);
  CHECK(summary.per_example.median == -50);
  CHECK(summary.per_example.p99 == -1);
  CHECK(summary.per_example.max == 0);
  CHECK(nats[static_cast<std::size_t>(summary.per_example.argmin - 100)] == -100);
  CHECK(*summary.mc_std_error == doctest::Approx(0.5 / std::sqrt(101)));
  CHECK(summary.terms[0].second.value == -2);
  CHECK(!summary.gap_to_truth);
}

TEST_CASE("summarise: impossible examples are counted; what is no number is an error by row") {
  const double inf = std::numeric_limits<double>::infinity();
  const Summary summary = summarise(with_scores(Bound::exact, {-1, -inf, -2, -inf}));
  CHECK(summary.num_impossible == 2);
  CHECK(summary.first_impossible == 101);
  CHECK(summary.log_likelihood.value == -inf);
  CHECK(!summary.log_likelihood.std_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(summarise(with_scores(Bound::exact, {-1, std::nan("")}))),
                       "row 101: its log-likelihood is not a number", Error);
}

TEST_CASE("contradiction of truth: a bound may not lie above it; an estimate or a small gap may") {
  const auto summary_of = [](Bound kind, double above) {
    Scored scored = with_scores(kind, {});
    for (int i = 0; i < 100; ++i) {
      scored.true_logp.push_back(-3 + 0.01 * (i % 7));
      scored.nats.push_back(scored.true_logp.back() + above + 0.1 * (i % 2 == 0 ? 1 : -1));
    }
    return summarise(scored);
  };
  CHECK(contradiction_of_truth(summary_of(Bound::lower_bound, -1)) == "");
  CHECK(contradiction_of_truth(summary_of(Bound::lower_bound, 0.02)) == "");  // 2 errors
  CHECK(contradiction_of_truth(summary_of(Bound::estimate, 1)) == "");
  for (const Bound kind : {Bound::exact, Bound::lower_bound, Bound::stochastic_lower_bound}) {
    const std::string text = contradiction_of_truth(summary_of(kind, 0.05));
    CHECK(text.starts_with("log p(x) of the model, -2.92"));  // the number itself is told
    CHECK(text.find("lies 0.05 ± 0.01") != std::string::npos);
  }
  CHECK(summary_of(Bound::lower_bound, -1).gap_to_truth->value == doctest::Approx(1));
}

TEST_CASE("summarise: what rows have in common does not average out of the error of their mean") {
  Scored scored = with_scores(Bound::estimate, std::vector<double>(100, -2));
  scored.mc_std_error.assign(100, 0.5);  // 0.3 of each by itself, 0.4 of all alike
  scored.facts = {{discretisation_fact, std::vector<double>(100, -0.4)}};
  CHECK(*summarise(scored).mc_std_error == doctest::Approx(std::hypot(0.03, 0.4)));
  for (std::size_t i = 0; i < 100; i += 2) scored.facts[0].second[i] = 0.4;
  CHECK(*summarise(scored).mc_std_error == doctest::Approx(0.03));
  // All rows by the same draws: the mean is as noisy as each.
  scored.facts = {{shared_noise_fact, std::vector<double>(100, 100 * 0.25)}};
  CHECK(*summarise(scored).mc_std_error == doctest::Approx(0.5));
}

TEST_CASE("paired_difference: far smaller an error than that of either") {
  Scored a = with_scores(Bound::lower_bound, {}), b = a;
  for (int i = 0; i < 50; ++i) {
    a.nats.push_back(-10.0 * i);
    b.nats.push_back(-10.0 * i - 1 - 0.01 * (i % 3));
  }
  const Estimate difference = paired_difference(a, b);
  CHECK(difference.value == doctest::Approx(1.01).epsilon(0.01));
  CHECK(*difference.std_error < 0.01);
  CHECK(difference.kind == Bound::estimate);
}

}  // namespace logpx::likelihood_test
