#include "libcore/families/arm/scoring/order_weights.hpp"

#include "libcore/base/index.hpp"

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

}  // namespace logpx::arm
