#include "libcore/families/arm/scoring/exact_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace logpx::arm {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

void add_log(double& sum, double term) {
  if (term == nothing) return;
  const double larger = std::max(sum, term), smaller = std::min(sum, term);
  sum = larger + std::log1p(std::exp(smaller - larger));
}

// The terms of every set of dims, by [set, place of the dim among those that exist].
struct SetTerms {
  std::size_t length = 0;
  std::vector<double> joint, log_q;  // log p(k|S) p(x_k|x_S), log q(k|S, x)
  std::vector<StepTerms> step;       // [set]
  [[nodiscard]] std::size_t sets() const { return step.size(); }
};

SetTerms terms_of(const ScoredRows& rows, std::int64_t row) {
  std::vector<std::int32_t> dims;
  for (std::int64_t k = 0; k < rows.dims(); ++k)
    if (rows.x(row)[at(k)] != absent) dims.push_back(static_cast<std::int32_t>(k));
  SetTerms terms{.length = dims.size(), .joint = {}, .log_q = {}, .step = {}};
  LOGPX_ASSERT(std::ssize(dims) <= most_subset_dims);
  terms.step.resize(std::size_t{1} << dims.size());
  terms.joint.assign(terms.sets() * dims.size(), nothing);
  terms.log_q = terms.joint;
  // The dims of each set, which states refer to.
  std::vector<std::vector<std::int32_t>> seen(terms.sets());
  const auto state = [&](std::int64_t set) {
    std::vector<std::int32_t>& own = seen[at(set)];
    own.clear();
    for (std::size_t j = 0; j < dims.size(); ++j)
      if ((at(set) >> j & 1) != 0) own.push_back(dims[j]);
    return ScoredRows::State{row, own};
  };
  rows.look(static_cast<std::int64_t>(terms.sets()) - 1, state,
            [&](std::int64_t set, const ScoredRows::State&, const ScoredRows::Terms& said) {
              terms.step[at(set)] = said.step();
              for (std::size_t j = 0; j < dims.size(); ++j) {
                if ((at(set) >> j & 1) != 0) continue;
                const std::size_t k = at(dims[j]), place = at(set) * dims.size() + j;
                terms.joint[place] = said.log_p[k] + said.log_x[k];
                terms.log_q[place] = said.log_q[k];
              }
            });
  return terms;
}

// KL(q||p(z|x)) by the posterior p(z_i = k|S, x) = p(k|S) p(x_k|x_S) b(S + k) / b(S); b is summed
// from all dims down to none.   [arm/README 5.2]
double kl_to_posterior(const SetTerms& terms, const std::vector<double>& log_reached) {
  std::vector<double> rest(terms.sets(), nothing);
  rest.back() = 0;
  for (std::size_t set = terms.sets() - 1; set-- > 0;)
    for (std::size_t j = 0; j < terms.length; ++j)
      if ((set >> j & 1) == 0)
        add_log(rest[set], terms.joint[set * terms.length + j] + rest[set | std::size_t{1} << j]);
  double kl = 0;
  for (std::size_t set = 0; set + 1 < terms.sets(); ++set)
    for (std::size_t j = 0; j < terms.length; ++j) {
      const double log_q = terms.log_q[set * terms.length + j];
      const double reached = std::exp(log_reached[set] + log_q);
      if (log_q == nothing || reached == 0) continue;
      const double log_posterior =
          terms.joint[set * terms.length + j] + rest[set | std::size_t{1} << j] - rest[set];
      kl += reached * (log_q - log_posterior);
    }
  return kl;
}

}  // namespace

SubsetSums subset_sums(const ScoredRows& rows, std::int64_t row) {
  const SetTerms terms = terms_of(rows, row);
  std::vector<double> joint(terms.sets(), nothing), reached(terms.sets(), nothing);
  joint[0] = reached[0] = 0;
  SubsetSums sums;
  for (std::size_t set = 0; set + 1 < terms.sets(); ++set) {
    const double share = std::exp(reached[set]);
    if (share > 0) {
      sums.recon += share * terms.step[set].recon;
      sums.kl += share * terms.step[set].kl;
    }
    for (std::size_t j = 0; j < terms.length; ++j) {
      if ((set >> j & 1) != 0) continue;
      const std::size_t next = set | std::size_t{1} << j, place = set * terms.length + j;
      add_log(joint[next], joint[set] + terms.joint[place]);
      add_log(reached[next], reached[set] + terms.log_q[place]);
    }
  }
  sums.log_p = joint.back();
  sums.elbo = sums.recon - sums.kl;
  sums.kl_to_posterior = kl_to_posterior(terms, reached);
  return sums;
}

namespace {

constexpr double rounding = 1e-9;

class ExactScoring final : public ScoringPlan {
 public:
  explicit ExactScoring(const OrderModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;
  [[nodiscard]] Verdicts verdicts(const Scores::Columns& facts) const override;

 private:
  void require_few(const ScoredRows& rows, std::int64_t row) const;
  const OrderModel& model_;
  ExactSettings settings_;
};

void ExactScoring::require_few(const ScoredRows& rows, std::int64_t row) const {
  const std::int64_t length = rows.length(row);
  if (length <= settings_.most_dims) return;
  const bool can = length <= most_subset_dims;
  fail(ErrorKind::usage, "--method exact",
       "sums over 2^L sets of dims, and row " + std::to_string(rows.number(row)) + " has " +
           std::to_string(length) + "; " +
           (can ? "it takes up to " + std::to_string(settings_.most_dims) + " unless it is told"
                : "it takes up to " + std::to_string(most_subset_dims)),
       can ? "--exact-max-dims " + std::to_string(length) : "--method iwae");
}

Scores ExactScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  const ScoredRows rows(model_, examples);
  Scores scores{.kind = Bound::exact};
  if (model_.rule().is_fixed()) {
    std::vector<WeighedOrder> orders;
    for (std::int64_t row = 0; row < rows.count(); ++row)
      orders.push_back({row, rows.order(row, 0, rng)});
    scores.nats = order_weights(rows, orders);
    add_atom_counts(rows, scores);
    return scores;
  }
  scores.facts = {{"elbo", {}}, {"gap", {}}, {"kl_to_posterior", {}}};
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    require_few(rows, row);
    const SubsetSums sums = subset_sums(rows, row);
    scores.nats.push_back(sums.log_p);
    scores.facts[0].second.push_back(sums.elbo);
    scores.facts[1].second.push_back(sums.log_p - sums.elbo);
    scores.facts[2].second.push_back(sums.kl_to_posterior);
  }
  add_atom_counts(rows, scores);
  return scores;
}

// Passes if no row has a bound above its log p(x).
ScoringPlan::Verdicts ExactScoring::verdicts(const Scores::Columns& facts) const {
  const auto gap = std::ranges::find(facts, "gap", &Scores::Columns::value_type::first);
  if (gap == facts.end()) return {};
  return {{"elbo_below_exact",
           std::ranges::all_of(gap->second, [](double nats) { return nats > -rounding; })}};
}

}  // namespace

void ExactSettings::describe(Fields& fields) {
  fields
      .add("exact-max-dims", most_dims, "rows with more dims have too many sets for --method exact")
      .range(1, most_subset_dims)
      .rank(Rank::manual);
}

std::unique_ptr<ScoringPlan> make_exact_scoring(const OrderModel& model) {
  return std::make_unique<ExactScoring>(model);
}

}  // namespace logpx::arm
