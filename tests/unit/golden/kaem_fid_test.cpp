// Distances between sets of features and lines through scores, against tests/golden/kaem.json,
// fid.json and loarm.json.
#include "libcore/base/parallel.hpp"
#include "libcore/judge/extrapolation.hpp"
#include "libcore/judge/frechet.hpp"
#include "libcore/judge/kernel_distance.hpp"
#include "libcore/judge/moments.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/judged_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::kaem_fid_test {

using namespace logpx::testing;

namespace {

bool is_close(double value, const Json& wanted, double tolerance = 1e-9) {
  const double want = golden::real(wanted);
  return std::fabs(value - want) <= tolerance * (1 + std::fabs(want));
}

void check_line(const ScoreLine& line, const Json& fit) {
  CHECK(is_close(line.intercept, fit.at("intercept")));
  CHECK(is_close(line.slope, fit.at("slope")));
  CHECK(is_close(line.r2.value(), fit.at("r2")));
  CHECK(is_close(line.residual_std, fit.at("residual_std")));
  CHECK(is_close(line.intercept_std_error, fit.at("intercept_stderr")));
  CHECK(is_close(line.slope_std_error, fit.at("slope_stderr")));
}

RowList rows_in(const Json& list) {
  RowList rows;
  for (const Json& row : list.items()) rows.push_back(static_cast<std::uint32_t>(row.integer()));
  return rows;
}

PolynomialKernel cubic(std::int64_t d) { return {.gamma = 1 / static_cast<double>(d)}; }

}  // namespace

TEST_CASE("golden/kaem/fid_kid") {
  const Json* item = golden::field("kaem", "fid_kid");
  if (!item) return;
  const JudgedRows real = rows_of(item->at("real")), fake = rows_of(item->at("fake"));
  const JudgedRows few = rows_of(item->at("few"));
  Workers workers(2);

  SUBCASE("mean and covariance") {
    const Moments moments = moments_of(real.view(), workers);
    for (std::int64_t i = 0; i < real.d; ++i) {
      CHECK(is_close(moments.mean[at(i)], item->at("mean_real").at(at(i))));
      for (std::int64_t j = 0; j < real.d; ++j)
        CHECK(is_close(moments.covariance[at(i * real.d + j)],
                       item->at("cov_real_ddof1").at(at(i)).at(at(j))));
    }
  }
  SUBCASE("Frechet distance") {
    const FrechetReference reference(moments_of(real.view(), workers));
    const auto to = [&](const JudgedRows& rows) {
      return FrechetRows(reference, rows.view(), workers).distance(list_of(rows.n)).value;
    };
    CHECK(is_close(to(fake), item->at("frechet")));
    CHECK(is_close(to(real), item->at("frechet_self"), 1e-8));
    // The reference took the roots of two eigenvalues of 1e-16 that should be 0.
    CHECK(is_close(to(few), item->at("frechet_real_vs_few_rank_deficient"), 1e-8));
    const double by_moments = reference.to(moments_of(fake.view(), workers)).value;
    CHECK(is_close(by_moments, item->at("frechet")));
  }
  SUBCASE("kernel distance, of all rows and of subsets") {
    const KernelSets sets{cubic(real.d), real.view(), fake.view()};
    const KernelReference reference(sets, workers);
    CHECK(is_close(reference.distance(workers).value, item->at("mmd2_unbiased_full")));
    std::vector<RowList> x, y;
    for (const Json& subset : item->at("subsets").items()) {
      x.push_back(rows_in(subset.at("real_rows")));
      y.push_back(rows_in(subset.at("fake_rows")));
      CHECK(is_close(kernel_distance(sets, x.back(), y.back()), subset.at("mmd2_unbiased")));
    }
    const std::vector<double> together = kernel_distances(sets, x, y, workers);
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(is_close(together[i], item->at("subsets").at(i).at("mmd2_unbiased")));
      mean += together[i] / static_cast<double>(x.size());
    }
    for (const double value : together) squares += (value - mean) * (value - mean);
    CHECK(is_close(mean, item->at("kid_mean")));
    CHECK(is_close(std::sqrt(squares / static_cast<double>(x.size())),
                   item->at("kid_std_population")));
  }
}

TEST_CASE("golden/kaem/fid_kid extrapolation_prefix") {
  const Json* item = golden::field("kaem", "fid_kid");
  if (!item) return;
  const JudgedRows real = rows_of(item->at("real")), fake = rows_of(item->at("fake"));
  Workers workers(2);
  const Json& wanted = item->at("extrapolation_prefix");
  SubsetPlan plan{.sizes = {}, .kind = SubsetKind::prefix};
  for (const Json& size : wanted.at("sizes").items()) plan.sizes.push_back(size.integer());
  const FrechetReference frechet(moments_of(real.view(), workers));
  const KernelSets sets{cubic(real.d), real.view(), fake.view()};
  const KernelReference reference(sets, workers);
  const auto check = [&](SubsetScore& score, const std::string& name) {
    const Extrapolation told = extrapolate(score, plan, {{real.n, fake.n}, Rng(1)}, {}, workers);
    for (std::size_t i = 0; i < told.points.size(); ++i)
      CHECK(is_close(told.points[i].score, wanted.at(name).at(i)));
    check_line(told.line, wanted.at(name + "_fit"));
  };
  check(*frechet_score({frechet, {}, fake.view()}, workers), "fid");
  check(*kernel_score(sets, reference), "kid");
}

TEST_CASE("golden/kaem/extrapolate") {
  const Json* item = golden::field("kaem", "extrapolate");
  if (!item) return;
  for (const Json& one : item->items()) {
    std::vector<ScorePoint> points;
    for (std::size_t i = 0; i < one.at("sizes").size(); ++i)
      points.push_back({one.at("sizes").at(i).integer(), 0, golden::real(one.at("scores").at(i))});
    const Extrapolation told = extrapolate(points, {});
    check_line(told.line, one.at("fit"));
    if (const Json* published = one.find("published_intercept"))
      CHECK(is_close(told.line.intercept, *published));
  }
}

TEST_CASE("golden/fid/frechet") {
  const Json* cases = golden::field("fid", "frechet");
  if (!cases) return;
  Workers workers(1);
  for (const Json& one : cases->items()) {
    const JudgedRows real = rows_of(one.at("real")), fake = rows_of(one.at("fake"));
    const FrechetReference reference(moments_of(real.view(), workers));
    const double by_rows =
        FrechetRows(reference, fake.view(), workers).distance(list_of(fake.n)).value;
    const double by_moments = reference.to(moments_of(fake.view(), workers)).value;
    for (const double value : {by_rows, by_moments}) {
      CHECK(value == doctest::Approx(golden::real(one.at("sqrtm"))).epsilon(1e-6));
      CHECK(value == doctest::Approx(golden::real(one.at("nuclear"))).epsilon(1e-6));
    }
  }
}

TEST_CASE("golden/loarm/frechet") {
  const Json* cases = golden::field("loarm", "frechet");
  if (!cases) return;
  Workers workers(1);
  for (const Json& one : cases->items()) {
    const JudgedRows a = rows_of(one.at("a")), b = rows_of(one.at("b"));
    const FrechetReference reference(moments_of(a.view(), workers));
    CHECK(is_close(reference.to(moments_of(b.view(), workers)).value, one.at("distance"), 1e-6));
    CHECK(is_close(reference.to(moments_of(a.view(), workers)).value, one.at("self"), 1e-6));
    CHECK(is_close(FrechetRows(reference, b.view(), workers).distance(list_of(b.n)).value,
                   one.at("distance"), 1e-6));
  }
}

}  // namespace logpx::kaem_fid_test
