// logistic256: whole x as the cells of a logistic on [-1, 1], the outer ones with the tails;
// logistic-mix256: the same under a mixture of logistics.
#include "libcore/base/index.hpp"
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/model/likelihood_entry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx {
namespace {

constexpr double least_log_scale = -7, largest_log_scale = 7;
constexpr std::size_t most_components = 64;

struct LogisticOnCells {
  double mean, scale;
  std::int64_t levels;
  [[nodiscard]] double top() const { return static_cast<double>(levels - 1); }

  // E of the cell: the sum over k >= 1 of P(X >= k); edges lie between cells.
  [[nodiscard]] double expected() const {
    double sum = 0;
    for (std::int64_t k = 1; k < levels; ++k) {
      const double edge = (2 * static_cast<double>(k) - 1 - top()) / top();
      sum += det_sigmoid((mean - edge) / scale);
    }
    return sum;
  }
  [[nodiscard]] double draw(DrawCursor& draws) const {
    const double u = draws.uniform53();
    const double x = mean + scale * det_log(u / (1 - u));
    return std::clamp(std::round((x + 1) / 2 * top()), 0.0, top());
  }
};

// Cells of equal width on [-1, 1].
codec::Cells cells_of(double top) {
  return {.lo = -1.0 - 1.0 / top, .h = 2.0 / top, .n = static_cast<std::uint32_t>(top) + 1};
}

codec::Logistic coded_logistic(float mean, float log_scale) {
  return {static_cast<double>(mean), codec::scale_of(static_cast<double>(log_scale))};
}

class LogisticLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    return discretized_logistic_log_prob(target.x, heads[0], heads[1], levels(), 2);
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    return at_dim(heads, dim).expected();
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    return at_dim(heads, dim).draw(draws);
  }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 0, .bias = 2 * mean / top() - 1};
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override {
    return codec::symbols_of(
        [heads = std::move(heads), place, cells = cells_of(top())](std::size_t i, auto) {
          const std::size_t d = place(i);
          return codec::Analytic(cells, coded_logistic(heads[0][d], heads[1][d]), coding_precision);
        });
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "mean"},
            {.name = "log_scale", .low = least_log_scale, .high = largest_log_scale}};
  }

 private:
  [[nodiscard]] LogisticOnCells at_dim(const HeadValues& heads, std::size_t dim) const {
    return {value_at(heads[0], dim), det_exp(value_at(heads[1], dim)), levels()};
  }
};

// Heads: logits of the components' weights, their means, their log-scales.
class LogisticMixtureLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    if (parts() == 1)  // heads without an axis for the components
      return discretized_logistic_log_prob(target.x, heads[1], heads[2], levels(), 2);
    return discretized_logistic_mixture_log_prob(target.x, {heads[0], heads[1], heads[2]}, levels(),
                                                 2);
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    const std::vector<double> weights = running_weights(heads[0].subspan(dim * parts(), parts()));
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double weight = (weights[i] - (i == 0 ? 0 : weights[i - 1])) / weights.back();
      sum += weight * component(heads, dim * parts() + i).expected();
    }
    return sum;
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    const std::vector<double> weights = running_weights(heads[0].subspan(dim * parts(), parts()));
    return component(heads, dim * parts() + draws.categorical(weights)).draw(draws);
  }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 1, .bias = 2 * mean / top() - 1};
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override;

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    const std::int64_t k = options().components;
    return {{.name = "logits", .per_dim = k},
            {.name = "mean", .per_dim = k},
            {.name = "log_scale", .per_dim = k, .low = least_log_scale, .high = largest_log_scale}};
  }

 private:
  [[nodiscard]] std::size_t parts() const { return at(options().components); }
  [[nodiscard]] LogisticOnCells component(const HeadValues& heads, std::size_t part) const {
    return {value_at(heads[1], part), det_exp(value_at(heads[2], part)), levels()};
  }
};

std::unique_ptr<codec::SymbolVector> LogisticMixtureLikelihood::coding(
    ItemHeads heads, const ChannelsFirst& place) const {
  using codec::Logistic;
  struct Pixel {
    std::array<double, most_components> weights;
    std::array<Logistic, most_components> logistics;
  };
  const std::size_t k = parts();
  LOGPX_ASSERT(k <= most_components);
  return codec::symbols_of([heads = std::move(heads), place, cells = cells_of(top()), k,
                            pixel = Pixel()](std::size_t i, auto) mutable {
    const std::size_t first = place(i) * k;
    const auto logits = std::span(heads[0]).subspan(first, k);
    const auto weights = std::span(pixel.weights).first(k);
    std::ranges::copy(logits, weights.begin());
    det::softmax(weights, weights);
    for (std::size_t c = 0; c < k; ++c)
      pixel.logistics[c] = coded_logistic(heads[1][first + c], heads[2][first + c]);
    const codec::Mixture<Logistic> density{weights,
                                           std::span<const Logistic>(pixel.logistics).first(k)};
    return codec::Analytic(cells, density, coding_precision);
  });
}

}  // namespace

namespace likelihoods {

LikelihoodEntry logistic256() {
  return likelihood_entry<LogisticLikelihood>("logistic256", ValuesOfX::levels,
                                              "256 grey values: a logistic over their cells");
}
LikelihoodEntry logistic_mix256() {
  return likelihood_entry<LogisticMixtureLikelihood>("logistic-mix256", ValuesOfX::levels,
                                                     "256 grey values: a mixture of logistics",
                                                     {LikelihoodOption::components});
}

}  // namespace likelihoods
}  // namespace logpx
