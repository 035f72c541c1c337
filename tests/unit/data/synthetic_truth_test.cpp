// What the generators claim to know exactly, against enumeration, quadrature and sample means.
#include "libcore/data/synthetic.hpp"

#include "libcore/base/number_text.hpp"
#include "tests/support/synthetic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>

namespace logpx::synthetic_truth_test {
namespace {

struct Totals {
  double probability = 0, entropy = 0;
};

// Over all rows of `levels`^`dims`.
Totals enumerate(const SyntheticRows& source) {
  const auto dims = static_cast<std::size_t>(source.info().dims());
  const auto levels = static_cast<std::uint8_t>(source.info().levels - 1);
  std::vector<std::uint8_t> x(dims, 0);
  Totals totals;
  for (bool more = true; more;) {
    const double log_p = source.log_p(std::as_bytes(std::span(x)));
    if (std::isfinite(log_p)) {
      totals.probability += std::exp(log_p);
      totals.entropy -= std::exp(log_p) * log_p;
    }
    more = false;
    for (std::size_t j = 0; j < dims && !more; ++j) {
      more = x[j] < levels;
      x[j] = more ? static_cast<std::uint8_t>(x[j] + 1) : std::uint8_t{0};
    }
  }
  return totals;
}

// How often each row occurs among n, against its probability: Pearson's statistic over the rows
// whose expected count is at least 5, and its degrees of freedom.
struct Pearson {
  double statistic = 0;
  int freedom = -1;
};

Pearson pearson(SyntheticRows& source) {
  const std::int64_t n = source.info().n;
  const auto dims = static_cast<std::size_t>(source.info().dims());
  const Rows rows = source.read(0, n);
  std::map<std::vector<std::uint8_t>, double> seen;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const auto x = rows.values<std::uint8_t>().subspan(i * dims, dims);
    ++seen[std::vector(x.begin(), x.end())];
  }
  Pearson result;
  for (const auto& [x, count] : seen) {
    const double expected =
        static_cast<double>(n) * std::exp(source.log_p(std::as_bytes(std::span(x))));
    if (expected < 5) continue;
    result.statistic += (count - expected) * (count - expected) / expected;
    ++result.freedom;
  }
  return result;
}

double entropy_of(const SyntheticCase& wanted) {
  Workers workers(2);
  return make_synthetic(request_of(wanted, 1), workers)->info().entropy_nats.value();
}

}  // namespace

TEST_CASE("synthetic: probabilities of all rows sum to one and give the stated entropy") {
  Workers workers(2);
  const std::vector<SyntheticCase> cases = {{"bars", {"size=3"}},
                                            {"bars", {"size=1"}},
                                            {"parity", {"dim=5", "noise=0.2"}},
                                            {"parity", {"dim=6"}},
                                            {"bernoulli-mix", {"dim=10"}},
                                            {"tree", {"dim=8", "alphabet=2"}},
                                            {"tree", {"dim=6", "alphabet=4", "strength=1"}},
                                            {"even", {}},
                                            {"hub", {}},
                                            {"markov-text", {"length=3", "order=2"}},
                                            {"markov-text", {"length=3", "order=1"}},
                                            {"markov-text", {"length=3", "order=0"}},
                                            {"markov-text", {"length=5", "order=3", "alphabet=4"}},
                                            {"markov-text", {"length=3", "words=true"}},
                                            {"hmm-text", {"length=4", "alphabet=6"}},
                                            {"shapes2d", {"shape=ring8", "bits=8"}},
                                            {"shapes2d", {"shape=spiral", "bits=8"}},
                                            {"shapes2d", {"shape=pinwheel", "bits=8", "sigma=0.5"}},
                                            {"shapes2d", {"shape=checkerboard", "bits=8"}}};
  for (const SyntheticCase& wanted : cases) {
    CAPTURE(wanted.name);
    CAPTURE(join_text(wanted.settings, " "));
    const auto source = make_synthetic(request_of(wanted, 1), workers);
    const Totals totals = enumerate(*source);
    CHECK(std::fabs(totals.probability - 1) < 1e-10);
    if (source->info().entropy_nats)
      CHECK(*source->info().entropy_nats == doctest::Approx(totals.entropy).epsilon(1e-9));
  }
}

TEST_CASE("synthetic: all 27^4 sequences of the default hidden chain sum to one") {
  Workers workers(2);
  const auto source =
      make_synthetic(request_of({"hmm-text", {"length=4", "states=3"}}, 1), workers);
  CHECK(std::fabs(enumerate(*source).probability - 1) < 1e-10);
}

// Limit: mean + 6 standard deviations of chi-square, about one false alarm in a million.
TEST_CASE("synthetic: rows are drawn as often as their true_logp says") {
  Workers workers(2);
  const std::vector<SyntheticCase> cases = {{"bars", {"size=3"}},
                                            {"parity", {"dim=5", "noise=0.2"}},
                                            {"bernoulli-mix", {"dim=6"}},
                                            {"tree", {"dim=4", "alphabet=3"}},
                                            {"hub", {}},
                                            {"markov-text", {"length=3", "alphabet=4"}},
                                            {"markov-text", {"length=2", "words=true"}},
                                            {"hmm-text", {"length=3", "alphabet=4"}}};
  for (const SyntheticCase& wanted : cases) {
    CAPTURE(wanted.name);
    CAPTURE(join_text(wanted.settings, " "));
    const auto source = make_synthetic(request_of(wanted, 40'000), workers);
    const Pearson result = pearson(*source);
    REQUIRE(result.freedom > 5);
    CHECK(result.statistic < result.freedom + 6 * std::sqrt(2.0 * result.freedom));
  }
}

TEST_CASE("synthetic: the stored table of bernoulli-mix is the whole distribution") {
  Workers workers(2);
  SyntheticRequest request = request_of({"bernoulli-mix", {"dim=8", "enumerate=true"}}, 256);
  request.n.reset();
  const auto source = make_synthetic(request, workers);
  CHECK(source->info().n == 256);
  const Rows rows = source->read(0, 256);
  double sum = 0;
  for (const double log_p : rows.true_logp) sum += std::exp(log_p);
  CHECK(std::fabs(sum - 1) < 1e-12);
  for (std::size_t i = 0; i < 256; ++i) {
    std::size_t number = 0;
    for (std::size_t j = 0; j < 8; ++j)
      number = 2 * number + rows.values<std::uint8_t>()[8 * i + j];
    CHECK(number == i);
  }
}

TEST_CASE("synthetic: entropy lies within 4 standard errors of the mean of -true_logp") {
  Workers workers(2);
  const std::int64_t n = 20'000;
  for (const SyntheticCase& wanted : synthetic_cases()) {
    if (!wanted.settings.empty() && wanted.settings.back() == "enumerate=true") continue;
    if (wanted.name == "molecules") continue;  // a table, too
    SyntheticCase short_rows = wanted;
    const bool has_length = wanted.name == "markov-text" || wanted.name == "hmm-text";
    if (has_length) short_rows.settings.push_back("length=32");
    const auto source = make_synthetic(request_of(short_rows, n), workers);
    if (!source->info().entropy_nats || !source->info().has_true_logp) continue;
    CAPTURE(wanted.name);
    CAPTURE(join_text(wanted.settings, " "));
    double sum = 0, squares = 0;
    for (const double log_p : source->read(0, n).true_logp) {
      const double excess = -log_p - *source->info().entropy_nats;
      sum += excess;
      squares += excess * excess;
    }
    const double mean = sum / n;
    const double error = std::sqrt(std::fmax(squares / n - mean * mean, 0) / n);
    CHECK(std::fabs(mean) <= 4 * error + 1e-9);
  }
}

TEST_CASE("synthetic: shapes2d entropies are those of quadrature") {
  const double ring = entropy_of({"shapes2d", {"shape=ring8"}});
  CHECK(std::fabs(ring - 1.698061) < 1e-6);
  CHECK(std::fabs(entropy_of({"shapes2d", {"shape=ring8", "sigma=0.5"}}) - 3.215327) < 1e-6);
  CHECK(std::fabs(entropy_of({"shapes2d", {"shape=grid25"}}) - 2.262513) < 1e-6);
  CHECK(std::fabs(entropy_of({"shapes2d", {"shape=checkerboard"}}) - std::log(8.0)) < 1e-12);
  // If the eight normals did not overlap, it would be ln 8 + ln(2 pi e sigma^2): they are not.
  const double apart = std::log(8.0) + std::log(2 * std::acos(-1.0) * std::exp(1.0) * 0.04);
  CHECK(std::fabs(apart - 1.698443) < 1e-6);
  CHECK(std::fabs(ring - apart) > 3e-4);
}

TEST_CASE("synthetic: densities in the plane integrate to one") {
  Workers workers(2);
  const std::vector<SyntheticCase> cases = {
      {"shapes2d", {"shape=ring8", "sigma=0.3"}},    {"shapes2d", {"shape=two-moons", "sigma=0.3"}},
      {"shapes2d", {"shape=pinwheel", "sigma=0.3"}}, {"shapes2d", {"shape=spiral", "sigma=0.3"}},
      {"mixture", {"sep=1", "sigma=0.5"}},           {"gauss", {"dim=2", "cov=toeplitz:-0.8"}},
      {"gauss", {"dim=2", "cov=lowrank:1,0.5"}},     {"gauss", {"dim=2", "cov=lowrank:3,0.5"}}};
  for (const SyntheticCase& wanted : cases) {
    CAPTURE(wanted.name);
    CAPTURE(join_text(wanted.settings, " "));
    const auto source = make_synthetic(request_of(wanted, 1), workers);
    const double step = 0.1;
    double mass = 0;
    for (int i = -80; i <= 80; ++i)
      for (int j = -80; j <= 80; ++j) {
        const std::vector<float> x = {static_cast<float>(step * i), static_cast<float>(step * j)};
        mass += std::exp(source->log_p(std::as_bytes(std::span(x)))) * step * step;
      }
    CHECK(std::fabs(mass - 1) < 1e-6);
  }
}

TEST_CASE("synthetic: the entropies of bars and parity are the closed forms") {
  CHECK(std::fabs(entropy_of({"bars", {}}) - 3.379093) < 1e-6);
  CHECK(entropy_of({"parity", {"dim=9"}}) == doctest::Approx(8 * std::log(2.0)).epsilon(1e-14));
  CHECK(entropy_of({"even", {}}) == doctest::Approx(14 * std::log(2.0)).epsilon(1e-14));
}

TEST_CASE("synthetic: tree rows depend along the stated edges more than across") {
  Workers workers(2);
  const auto source = make_synthetic(request_of({"tree", {"alphabet=2"}}, 20'000), workers);
  const Rows rows = source->read(0, 20'000);
  const auto x = rows.values<std::uint8_t>();
  const auto agreement = [&](std::size_t a, std::size_t b) {
    double equal = 0;
    for (std::size_t i = 0; i < 20'000; ++i) equal += x[8 * i + a] == x[8 * i + b];
    return std::fabs(equal / 20'000 - 0.5);
  };
  const std::string edges = source->info().notes.at(0).second;
  REQUIRE(source->info().notes.at(0).first == "tree_edges");
  CHECK(split_text(edges, ',').size() == 7);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b) {
      const std::string edge = std::to_string(a) + "-" + std::to_string(b);
      const std::vector<std::string> all = split_text(edges, ',');
      const bool linked = std::find(all.begin(), all.end(), edge) != all.end();
      CAPTURE(edge);
      // An edge keeps .35 of agreement beyond chance; a path of two at most .7 of that.
      CHECK((agreement(a, b) > 0.3) == linked);
    }
}

TEST_CASE("synthetic: digits are evenly spread over classes and latents have the stated means") {
  Workers workers(2);
  const std::int64_t n = 20'000;
  const auto source = make_synthetic(request_of({"digits", {"size=8"}}, n), workers);
  const Rows rows = source->read(0, n);
  std::vector<double> count(10, 0.0);
  for (const std::int32_t label : rows.y) ++count[static_cast<std::size_t>(label)];
  double chi2 = 0;
  for (const double c : count) chi2 += (c - n / 10.0) * (c - n / 10.0) / (n / 10.0);
  CHECK(chi2 < 45);  // 9 degrees of freedom: one false alarm in a million
  // Mean and standard deviation of each latent, in the order of the draws.
  const std::vector<std::pair<double, double>> laws = {{0, 7},
                                                       {0.13, 0.5 / std::sqrt(12.0)},
                                                       {14.13, 5.94 / std::sqrt(12.0)},
                                                       {19.3, 3.4 / std::sqrt(12.0)},
                                                       {0, 3 / std::sqrt(12.0)},
                                                       {0, 3 / std::sqrt(12.0)},
                                                       {1.225, 0.95 / std::sqrt(12.0)},
                                                       {0.925, 0.15 / std::sqrt(12.0)},
                                                       {0, 0.035},
                                                       {0, 0.02},
                                                       {0, 0.02},
                                                       {0, 0.012},
                                                       {0, 0.035},
                                                       {0, 0.02},
                                                       {0, 0.02},
                                                       {0, 0.012}};
  for (std::size_t k = 0; k < 16; ++k) {
    CAPTURE(k);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const double z = rows.latent[16 * i + k] - laws[k].first;
      sum += z;
      squares += z * z;
    }
    CHECK(std::fabs(sum / n) < 5 * laws[k].second / std::sqrt(static_cast<double>(n)));
    CHECK(std::sqrt(squares / n) == doctest::Approx(laws[k].second).epsilon(0.03));
  }
}

TEST_CASE("synthetic: digits have the ink of handwriting") {
  Workers workers(2);
  const auto source = make_synthetic(request_of({"digits", {}}, 2000), workers);
  const Rows rows = source->read(0, 2000);
  double sum = 0, bright = 0;
  for (const std::uint8_t value : rows.values<std::uint8_t>()) {
    sum += value;
    bright += value >= 128;
  }
  const auto pixels = static_cast<double>(rows.x.size());
  CHECK(sum / pixels / 255 == doctest::Approx(0.119).epsilon(0.02));
  CHECK(bright / pixels == doctest::Approx(0.124).epsilon(0.02));
}

TEST_CASE("synthetic: faces follow each other within a block of 64 frames") {
  Workers workers(2);
  const auto source = make_synthetic(request_of({"faces28", {}}, 640), workers);
  const Rows rows = source->read(0, 640);
  double within = 0, across = 0;
  for (std::size_t i = 1; i < 640; ++i)
    for (std::size_t k = 0; k < 8; ++k) {
      const double jump = rows.latent[8 * i + k] - rows.latent[8 * (i - 1) + k];
      (i % 64 == 0 ? across : within) += jump * jump;
    }
  CHECK(within / (630 - 1) < 0.2 * across / 9);
}

// Each column alone, and one more beside what is there already: job, grade, rooms, visits, since,
// height, weight, batch.
TEST_CASE("synthetic: probabilities of a table's cells sum to one, given any others") {
  Workers workers(2);
  const auto source = make_synthetic(request_of({"table", {"components=2"}}, 1), workers);
  struct Range {
    double first, last, step;
  };
  const std::vector<Range> ranges = {{0, 3, 1},        {0, 3, 1},      {1, 6, 1},
                                     {-100, 450, 1},   {8e3, 28e3, 1}, {80, 260, 0.125},
                                     {-40, 200, 0.125}};
  const std::vector<float> there = {2, 1, 4, 150, 17'500, 171.5F, 64.25F, 12};
  const auto p_of = [&](const std::vector<float>& x) {
    return std::exp(source->log_p(std::as_bytes(std::span(x))));
  };
  for (const std::size_t known : {0, 3, 6}) {
    std::vector<float> x(there.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t column = 0; column < known; ++column) x[column] = there[column];
    for (std::size_t column = known; column < ranges.size(); ++column) {
      CAPTURE(known);
      CAPTURE(column);
      const auto [first, last, step] = ranges[column];
      const double others = p_of(x);
      double sum = 0;
      std::vector<float> one = x;
      for (double value = first; value <= last; value += step) {
        one[column] = static_cast<float>(value);
        sum += step * p_of(one);
      }
      CHECK(sum == doctest::Approx(others).epsilon(1e-6));
    }
  }
}

TEST_CASE("synthetic: a table has as many holes as were asked for, and cells in their forms") {
  Workers workers(2);
  const auto source = make_synthetic(request_of({"table", {"holes=0.25"}}, 2000), workers);
  const Rows rows = source->read(0, 2000);
  double holes = 0, halves = 0;
  for (std::size_t i = 0; i < rows.values<float>().size(); ++i) {
    const float x = rows.values<float>()[i];
    holes += std::isnan(x) ? 1 : 0;
    halves += i % 8 < 5 && !std::isnan(x) && x != std::floor(x) ? 1 : 0;
  }
  CHECK(holes / 16'000 == doctest::Approx(0.25).epsilon(0.05));
  CHECK(halves == 0);
  CHECK(source->info().column_forms[4].form == "%Y-%m-%d");
}

}  // namespace logpx::synthetic_truth_test
