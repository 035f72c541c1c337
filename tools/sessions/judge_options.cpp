#include "tools/sessions/judge_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace logpx {
namespace {

const std::vector<std::string> metric_words = {"fid", "kid", "is", "prdc"};
constexpr std::int64_t usual_bootstrap = 100, most_features_for_bootstrap = 256;

// "1000,2000,3000" or "1000:3000:11"
std::vector<std::int64_t> read_sizes(const std::string& text) {
  const auto wrong = [&] {
    fail(ErrorKind::usage, "--sizes", '\'' + text + "' is neither a list nor MIN:MAX:COUNT",
         "--sizes 1000:3000:11");
  };
  std::vector<std::int64_t> sizes;
  if (const std::vector<std::string> parts = split_text(text, ':'); parts.size() > 1) {
    const auto count = parse_integer(parts.back());
    const auto least = parse_real(parts[0]), most = parse_real(parts[1]);
    constexpr std::int64_t most_sizes = 10'000;
    if (parts.size() != 3 || !count || !least || !most || *count < 1 || *count > most_sizes ||
        *least > *most || *least < 0 || *most > 1e15)
      wrong();
    return even_sizes(*least, *most, *count);
  }
  for (const std::string& part : split_text(text, ',')) {
    const auto size = parse_integer(part);
    if (!size) wrong();
    sizes.push_back(*size);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace

void JudgeOptions::describe(Fields& f) {
  const Condition kid{[this] { return asks("kid"); }, "--metrics kid"},
      prdc{[this] { return asks("prdc"); }, "--metrics prdc"},
      subsets{[this] { return kid_mode == KidMode::subsets; }, "--kid-mode subsets"};
  f.group("scores");
  f.add("metrics", metrics, "of fid, kid, is (of the samples' logits), prdc").metavar("LIST");
  f.add("level", level, "of all intervals").range(0.5, 0.9999);
  f.add("neighbours", neighbours, "balls reach to the K-th nearest neighbour")
      .metavar("K")
      .range(1, 1000)
      .when(prdc)
      .rank(Rank::manual);
  f.add("kid-mode", kid_mode,
        {{"full", KidMode::full, "of all rows"},
         {"subsets", KidMode::subsets, "the mean over random subsets, as papers do it"}},
        "of all rows, or the mean over random subsets")
      .when(kid)
      .rank(Rank::manual);
  f.add("kid-subsets", kid_subsets.count, "how many subsets")
      .range(2, 100'000)
      .when(kid)
      .when(subsets)
      .rank(Rank::manual);
  f.add("kid-subset-size", kid_subsets.size, "rows of each subset, of either side")
      .at_least(2)
      .when(kid)
      .when(subsets)
      .rank(Rank::manual);
  f.add("kid-degree", kid_degree, "of the kernel (gamma x.y + coef0)^degree")
      .range(1, 10)
      .when(kid)
      .rank(Rank::manual);
  f.add("kid-gamma", kid_gamma, "of the kernel; 1/d when not given")
      .range(1e-12, 1e12)
      .when(kid)
      .rank(Rank::manual);
  f.add("kid-coef0", kid_coef0, "of the kernel").range(-1e6, 1e6).when(kid).rank(Rank::manual);
  f.group("extrapolation");
  f.add("sizes", sizes, "sizes of subsets of the samples: a list, or MIN:MAX:COUNT")
      .metavar("SIZES")
      .shows_default("1000 to 3000 by 200, or 11 from N/3 to N");
  f.add("subset", subset,
        {{"prefix", SubsetKind::prefix, "the first N rows"},
         {"shuffle", SubsetKind::shuffle, "N rows of a permutation, another for each size"},
         {"disjoint", SubsetKind::disjoint, "pieces of one permutation that share no row"}},
        "the first N rows, a permutation of its own for each size, or pieces of one permutation")
      .rank(Rank::manual);
  f.add("repeats", repeats, "subsets of each size, whose mean counts")
      .range(1, 10'000)
      .rank(Rank::manual);
  f.add("symmetric", symmetric, "as many real rows as samples, instead of all of them")
      .rank(Rank::manual);
  f.add("weighted", weighted, "weight N in the least squares").rank(Rank::manual);
  f.add("bootstrap", bootstrap, "resamples for intervals; 0: intervals of the regression alone")
      .range(0, 100'000)
      .shows_default("100 up to 256 features, else 0");
}

bool JudgeOptions::asks(const std::string& metric) const {
  return std::ranges::find(metrics, metric) != metrics.end();
}

void JudgeOptions::check(const Fields& fields) const {
  if (metrics.empty()) fail(ErrorKind::usage, "--metrics", "names no metric");
  for (const std::string& metric : metrics)
    if (std::ranges::find(metric_words, metric) == metric_words.end())
      fail(ErrorKind::usage, "--metrics",
           '\'' + metric + "' is not one of: " + join_text(metric_words, ", ") +
               did_you_mean(metric, metric_words));
  refuse_unread(fields, fields);
  if (bootstrap == 1)
    fail(ErrorKind::usage, "--bootstrap", "one resample says nothing of an interval; 0 or 2");
  if (subset == SubsetKind::prefix && repeats > 1)
    fail(ErrorKind::usage, "--repeats",
         "prefixes of one size are all the same; try: --subset shuffle");
}

SubsetPlan JudgeOptions::plan(const Rows& rows) const {
  SubsetPlan plan{.sizes = sizes.empty() ? default_sizes(rows.n, rows.d) : read_sizes(sizes),
                  .kind = subset,
                  .repeats = repeats,
                  .sides = symmetric ? SizedSides::both : SizedSides::fake};
  const std::string of_rows = rows.who + " has " + std::to_string(rows.n) + " rows";
  if (plan.sizes.back() > rows.n)
    fail(ErrorKind::usage, "--sizes",
         std::to_string(plan.sizes.back()) + " is more than there are: " + of_rows);
  if (plan.sizes.front() < 2)
    fail(ErrorKind::usage, "--sizes",
         std::to_string(plan.sizes.front()) + " is too few rows for a covariance, which needs two");
  if (plan.sizes.size() < 3)
    fail(ErrorKind::usage, "--sizes",
         std::to_string(plan.sizes.size()) +
             " different sizes, and a line with an error needs three or more" +
             (sizes.empty() ? ": " + of_rows : ""));
  const std::int64_t taken =
      std::accumulate(plan.sizes.begin(), plan.sizes.end(), std::int64_t{0}) * repeats;
  if (subset == SubsetKind::disjoint && taken > rows.n)
    fail(ErrorKind::usage, "--subset",
         "disjoint subsets of these sizes take " + std::to_string(taken) + " rows, and " + of_rows);
  if (asks("kid") && kid_mode == KidMode::subsets && kid_subsets.size > plan.sizes.front())
    fail(ErrorKind::usage, "--kid-subset-size",
         std::to_string(kid_subsets.size) + " is more than the smallest of the sizes, " +
             std::to_string(plan.sizes.front()));
  return plan;
}

ExtrapolationSettings JudgeOptions::settings(std::int64_t d) const {
  const std::int64_t usual = d <= most_features_for_bootstrap ? usual_bootstrap : 0;
  return {.weights = weighted ? PointWeights::size : PointWeights::equal,
          .bootstrap = bootstrap.value_or(usual),
          .level = level};
}

PolynomialKernel JudgeOptions::kernel(std::int64_t d) const {
  return {.degree = kid_degree,
          .gamma = kid_gamma.value_or(1 / static_cast<double>(d)),
          .coef0 = kid_coef0};
}

}  // namespace logpx
