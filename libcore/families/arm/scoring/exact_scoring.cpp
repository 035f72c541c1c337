#include "libcore/families/arm/scoring/exact_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/scoring/molecule_scores.hpp"
#include "libcore/families/arm/scoring/order_weights.hpp"
#include "libcore/families/arm/scoring/subset_sums.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <vector>

namespace logpx::arm {
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
