#include "tools/sessions/judgement.hpp"

#include "formats/number_table.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/sessions/judge_input.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

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

namespace {

constexpr std::int64_t most_neighbour_rows = 10'000;
constexpr std::uint32_t real_choice = 0xffffffff, fake_choice = 0xfffffffe;  // of Stream::subsets

FeatureView features_of(const FeatureSet& set) { return {set.rows, set.info.n, set.info.d}; }

// A random choice of at most so many rows, stored together.
struct ChosenFeatures {
  std::vector<double> values;
  std::int64_t n = 0, d = 0;
  [[nodiscard]] FeatureView view() const { return {values, n, d}; }
};

ChosenFeatures at_most(const FeatureSet& set, std::int64_t count, Substream substream) {
  const RowList rows = chosen_rows(set.info.n, count, substream);
  ChosenFeatures chosen{.values = {}, .n = std::ssize(rows), .d = set.info.d};
  for (const std::uint32_t row : rows) {
    const double* const first = features_of(set).row(row);
    chosen.values.insert(chosen.values.end(), first, first + set.info.d);
  }
  return chosen;
}

Moments moments_of_set(const FeatureSet& set, Workers& workers) {
  if (set.has_rows()) return moments_of(features_of(set), workers);
  return {.n = set.info.n, .mean = set.mean, .covariance = set.covariance};
}

}  // namespace

const Extrapolation* Judgement::find(const std::string& metric) const {
  const auto line = std::ranges::find(lines, metric, &Line::metric);
  return line == lines.end() ? nullptr : &line->told;
}

Judge::Judge(App& app, const JudgeOptions& options, const FeatureSet& real)
    : app_(app), options_(options), real_(real) {
  const bool asked = is_given(app.fields(), "--metrics");
  for (const char* metric : {"kid", "prdc"}) {
    if (real.has_rows() || !options_.asks(metric)) continue;
    if (asked)
      fail(ErrorKind::usage, "--metrics",
           std::string(metric) + " needs the rows of REAL, and " + real.name +
               " holds only their mean and covariance");
    std::erase(options_.metrics, metric);
  }
  if (options_.symmetric && !real.has_rows())
    fail(ErrorKind::usage, "--symmetric",
         "needs the rows of REAL, and " + real.name + " holds only their mean and covariance");
}

SubsetPlan Judge::plan(const FeatureSet& fake) const {
  const bool by_real = options_.symmetric && real_.info.n < fake.info.n;
  const FeatureSet& fewer = by_real ? real_ : fake;
  return options_.plan({.who = fewer.name, .n = fewer.info.n, .d = fewer.info.d});
}

void Judge::check(const FeatureSet& fake) const {
  require_same_extractor(real_.info, real_.name, fake.info, fake.name);
  if (!fake.has_rows())
    fail(ErrorKind::usage, "",
         fake.name +
             " holds only a mean and a covariance, and scores of subsets need the rows of "
             "the samples");
  if (options_.asks("is") && fake.info.classes == 0)
    fail(ErrorKind::usage, "--metrics",
         "is needs logits, and " + fake.name + " has none; --extractor classifier:D gives them");
  const std::int64_t smaller = std::min(real_.info.n, fake.info.n);
  if (options_.asks("prdc") && options_.neighbours >= smaller)
    fail(ErrorKind::usage, "--neighbours",
         std::to_string(options_.neighbours) +
             " neighbours need more rows than that, and there are " + std::to_string(smaller));
  if (options_.metrics == std::vector<std::string>{"prdc"}) return;
  const SubsetPlan sizes = plan(fake);
  if (options_.asks("kid") && options_.kid_mode == KidMode::subsets &&
      options_.kid_subsets.size > real_.info.n)
    fail(ErrorKind::usage, "--kid-subset-size",
         std::to_string(options_.kid_subsets.size) + " is more than the rows of " + real_.name +
             ", " + std::to_string(real_.info.n));
  if (options_.asks("fid") && sizes.sizes.front() <= fake.info.d)
    app_.warn("subsets of " + std::to_string(sizes.sizes.front()) +
              " rows have covariances of less "
              "than full rank: there are " +
              std::to_string(fake.info.d) + " features");
}

Extrapolation Judge::told(SubsetScore& score, const FeatureSet& fake,
                          const std::string& metric) const {
  ExtrapolationSettings settings = options_.settings(fake.info.d);
  if (metric == "kid" && options_.kid_mode == KidMode::subsets) settings.bootstrap = 0;
  const auto progress =
      app_.progress(metric + " resample", static_cast<double>(settings.bootstrap));
  settings.resampled = [&](std::int64_t done) { progress->update(static_cast<double>(done)); };
  return extrapolate(score, plan(fake), {{real_.info.n, fake.info.n}, app_.rng()}, settings,
                     app_.workers());
}

Judgement Judge::of(const FeatureSet& fake) {
  Judgement judgement{.n = fake.info.n, .d = fake.info.d};
  for (const std::string& metric : options_.metrics) {
    if (metric == "fid") add_fid(judgement, fake);
    if (metric == "kid") add_kid(judgement, fake);
    if (metric == "prdc") add_neighbours(judgement, fake);
    if (metric == "is") {
      const auto score = inception_score({fake.logits, fake.info.n, fake.info.classes});
      judgement.lines.push_back({metric, told(*score, fake, metric)});
    }
  }
  return judgement;
}

void Judge::add_fid(Judgement& judgement, const FeatureSet& fake) {
  Workers& workers = app_.workers();
  if (!frechet_) try {
      frechet_.emplace(moments_of_set(real_, workers));
    } catch (const Error& error) {
      throw error.within(real_.name);
    }
  const auto score = frechet_score({*frechet_, features_of(real_), features_of(fake)}, workers);
  judgement.lines.push_back({"fid", told(*score, fake, "fid")});
  judgement.clipped = score->clipped();
  if (judgement.lines.back().told.line.intercept < 0)
    app_.warn(fake.name +
              ": the extrapolated fid is below 0: so near are both, or so few the rows");
}

void Judge::add_kid(Judgement& judgement, const FeatureSet& fake) const {
  Workers& workers = app_.workers();
  const KernelSets sets{options_.kernel(fake.info.d), features_of(real_), features_of(fake)};
  if (options_.kid_mode == KidMode::subsets) {
    const auto score = kernel_score(sets, options_.kid_subsets, app_.rng());
    judgement.lines.push_back({"kid", told(*score, fake, "kid")});
    judgement.kid_subsets =
        kernel_subset_distances(sets, options_.kid_subsets, app_.rng(), workers);
    return;
  }
  const KernelReference reference(sets, workers);
  judgement.kid_full = reference.distance(workers);
  const auto score = kernel_score(sets, reference);
  judgement.lines.push_back({"kid", told(*score, fake, "kid")});
}

void Judge::add_neighbours(Judgement& judgement, const FeatureSet& fake) const {
  const auto stream = [&](std::uint32_t choice) {
    return app_.rng().stream(Stream::subsets, choice);
  };
  const ChosenFeatures x = at_most(real_, most_neighbour_rows, stream(real_choice));
  const ChosenFeatures y = at_most(fake, most_neighbour_rows, stream(fake_choice));
  judgement.neighbours = neighbour_scores(x.view(), y.view(), options_.neighbours, app_.workers());
  judgement.neighbour_rows = {.real = x.n, .fake = y.n};
}

std::vector<ScorePoint> read_score_points(App& app, const std::string& path) {
  const NumberTable table = read_number_table(path);
  app.add_input({.role = "scores",
                 .path = path,
                 .kind = "table",
                 .bytes = table.source.bytes,
                 .content_hash = table.source.sha256});
  if (table.columns != 2)
    fail(ErrorKind::data, table.name,
         "has " + std::to_string(table.columns) + " columns, expected N and score");
  std::vector<ScorePoint> points;
  std::set<std::int64_t> sizes;
  for (std::int64_t i = 0; i < table.rows; ++i) {
    const double n = table.at(i, 0), score = table.at(i, 1);
    constexpr double most = 1e15;
    if (!(n >= 1 && n <= most) || n != std::floor(n))
      fail(ErrorKind::data, table.place(i), four_digits(n) + " is no number of samples");
    if (!std::isfinite(score)) fail(ErrorKind::data, table.place(i), "the score is not finite");
    points.push_back({static_cast<std::int64_t>(n), 0, score});
    sizes.insert(points.back().n);
  }
  if (sizes.size() < 3)
    fail(ErrorKind::data, table.name,
         "has scores of " + std::to_string(sizes.size()) +
             " different N, and a line with an error needs three or more");
  return points;
}

}  // namespace logpx
