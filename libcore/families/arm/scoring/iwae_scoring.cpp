#include "libcore/families/arm/scoring/iwae_scoring.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>

namespace logpx::arm {

std::vector<double> order_weights(const ScoredRows& rows, std::span<const WeighedOrder> orders) {
  struct Place {
    std::size_t order;
    std::size_t length;  // of the prefix
  };
  std::vector<Place> places;
  for (std::size_t n = 0; n < orders.size(); ++n)
    for (std::size_t i = 0; i < orders[n].order.size(); ++i) places.push_back({n, i});
  std::vector<double> log_weights(orders.size());
  rows.look(
      std::ssize(places),
      [&](std::int64_t i) {
        const auto& [order, length] = places[at(i)];
        return ScoredRows::State{orders[order].row, std::span(orders[order].order).first(length)};
      },
      [&](std::int64_t i, const ScoredRows::State&, const ScoredRows::Terms& terms) {
        const auto& [order, length] = places[at(i)];
        const std::size_t next = at(orders[order].order[length]);
        log_weights[order] += terms.log_p[next] + terms.log_x[next] - terms.log_q[next];
      });
  return log_weights;
}

namespace {

constexpr std::int64_t orders_at_a_time = 64;

class IwaeScoring final : public ScoringPlan {
 public:
  explicit IwaeScoring(const OrderModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;

 private:
  const OrderModel& model_;
  IwaeSettings settings_;
};

Scores IwaeScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  const ScoredRows rows(model_, examples);
  const std::int64_t copies = settings_.samples, all = rows.count() * copies;
  std::vector<double> log_weights;
  std::vector<WeighedOrder> orders;
  for (std::int64_t first = 0; first < all; first += orders_at_a_time) {
    orders.clear();
    for (std::int64_t n = first; n < std::min(first + orders_at_a_time, all); ++n)
      orders.push_back({n / copies, rows.order(n / copies, n % copies, rng)});
    const std::vector<double> some = order_weights(rows, orders);
    log_weights.insert(log_weights.end(), some.begin(), some.end());
  }
  Scores scores{.kind = Bound::stochastic_lower_bound};
  scores.facts = {{"ess", {}}};
  std::vector<double> weights(at(copies));
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    const auto own = std::span(log_weights).subspan(at(row * copies), at(copies));
    scores.nats.push_back(importance_weights(own, weights));
    if (copies > 1) scores.mc_std_error.push_back(error_by_halves(own));
    scores.facts[0].second.push_back(effective_size(weights));
  }
  add_atom_counts(rows, scores);
  return scores;
}

}  // namespace

void IwaeSettings::describe(Fields& fields) { add_samples(fields, samples); }

std::unique_ptr<ScoringPlan> make_iwae_scoring(const OrderModel& model) {
  return std::make_unique<IwaeScoring>(model);
}

}  // namespace logpx::arm
