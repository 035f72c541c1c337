#include "libcore/families/pc/styles/dictionary_start.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"

#include <algorithm>
#include <memory>
#include <cmath>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

constexpr double leaf_noise = 0.87, broad_noise = 0.4;  // deviations of logarithms
constexpr double even_share = 1e-5;                     // mixed into shares that follow the data
// Multiples of the pseudocounts of transitions.
constexpr double leaf_pseudocounts = 60, element_pseudocounts = 200;

void normalise_numbers(std::span<double> numbers) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  for (double& number : numbers) number /= sum;
}

// Values above 0 that elements cover: peaks cover the crowded range, broad elements and tents all
// below it.
struct Elements {
  std::int64_t count = 0, values = 0, crowded = 0;
  std::int64_t peaks = 0, broad = 0;

  Elements(const Config& config, std::int64_t levels, std::int64_t crowded_from)
      : count(*config.dictionary - 1), values(levels), crowded(crowded_from) {
    peaks = std::min(config.peak_elements, values - crowded);
    if (peaks == 0) crowded = values;
    broad = config.broad_elements;
  }

  // Weight of a value in an element if all values were equally frequent; 0 outside its support.
  [[nodiscard]] double weight(std::int64_t element, std::int64_t value) const {
    if (value == 0) return 0;
    if (element < peaks) return value >= crowded ? 1 : 0;
    if (value >= crowded) return 0;
    if (element < peaks + broad) return 1;
    const std::int64_t tents = count - peaks - broad;
    const auto last = static_cast<double>(crowded - 1), x = static_cast<double>(value);
    if (tents == 1) return 1;
    const double step = std::max(1.0, (last - 1) / static_cast<double>(tents - 1));
    const double centre = std::min(last, 1 + static_cast<double>(element - peaks - broad) * step);
    return std::max(0.0, 1 - std::abs(x - centre) / step);
  }
  // A peak starts with most of its mass at one of the crowded values.
  [[nodiscard]] double peaked(std::int64_t element, std::int64_t value, double p) const {
    if (element >= peaks) return p;
    const std::int64_t own = crowded + element * (values - crowded) / peaks;
    return value == own ? 4 * p + 0.05 : 0.5 * p;
  }
};

class GreyStarter {
 public:
  GreyStarter(PcModel& model, const GreyStart& start)
      : model_(model), circuit_(model.circuit()), frequencies_(start.frequencies), rng_(start.rng) {
    values_.assign(at(circuit_.variables[0].categories), 0.0);
    for (const std::vector<double>& of_variable : start.frequencies)
      for (std::size_t k = 0; k < values_.size(); ++k) values_[k] += of_variable[k];
    const ParamSet& params = std::as_const(model).param_set();
    table_ = start.styles;
    if (table_.prior.empty())
      table_ = learn_styles({model.rows(), start.rows, values_}, circuit_.styles,
                            stream(params.count() - 1), start.workers);
  }

  RowPriors run(const Rng& rng) {
    rng_ = rng;
    priors_.clear();
    if (circuit_.styles > 1) {
      put(model_.plan().style_prior(), table_.prior);
      put(model_.plan().style_values(), table_.values);
    }
    if (model_.config().dictionary.value_or(0) > 0) {
      const Elements elements(model_.config(), std::ssize(values_), crowded_from(values_));
      for (int b = 0; b < static_cast<int>(circuit_.blocks.size()); ++b) {
        if (circuit_.blocks[at(b)].tied_to >= 0) continue;
        if (is_leaf_sum(b)) start_leaf(b, elements);
        if (circuit_.blocks[at(b)].kind == BlockKind::leaf) start_elements(b, elements);
      }
    }
    std::ranges::sort(priors_, {}, [](const RowPrior& prior) { return prior.rows.begin; });
    return std::move(priors_);
  }

 private:
  // Draws for a tensor; learn_styles takes those of the styles, which are not drawn otherwise.
  [[nodiscard]] Substream stream(int tensor) const {
    return rng_.stream(Stream::init, static_cast<std::uint32_t>(tensor));
  }
  [[nodiscard]] std::span<float> values_of(const BlockRange& range) const {
    return model_.param_set().block().subspan(at(range.begin), at(range.end - range.begin));
  }
  void put(const BlockRange& range, std::span<const double> values) {
    std::ranges::transform(values, values_of(range).begin(),
                           [](double value) { return static_cast<float>(value); });
    priors_.push_back({.rows = range, .group = RowGroup{.moves = RowGroup::Moves::never}});
  }
  [[nodiscard]] bool is_leaf_sum(int b) const {
    const Block& block = circuit_.blocks[at(b)];
    return block.kind == BlockKind::sum &&
           circuit_.blocks[at(block.children[0])].kind == BlockKind::indicator;
  }

  // How often the variables of a leaf (and those tied to it) use each element.
  [[nodiscard]] std::vector<double> usual_of(int leaf, const Elements& elements) const {
    std::vector<double> usual(at(elements.count + 1));
    for (std::size_t b = 0; b < circuit_.blocks.size(); ++b) {
      if (owner_of(circuit_, static_cast<int>(b)) != leaf) continue;
      const Block& ground = circuit_.blocks[at(circuit_.blocks[b].children[0])];
      const std::vector<double>& times = frequencies_[at(ground.variable)];
      usual[0] += times[0];
      for (std::int64_t k = 1; k < elements.values; ++k) {
        double all = 0;
        for (std::int64_t m = 0; m < elements.count; ++m) all += elements.weight(m, k);
        for (std::int64_t m = 0; m < elements.count; ++m)
          usual[at(m + 1)] += times[at(k)] * elements.weight(m, k) / all;
      }
    }
    normalise_numbers(usual);
    for (double& share : usual)
      share = (1 - even_share) * share + even_share / static_cast<double>(usual.size());
    return usual;
  }

  void start_leaf(int b, const Elements& elements) {
    std::vector<double> usual = usual_of(b, elements), row(usual.size());
    const BlockRange range = model_.plan().range(b, 0);
    const TensorPlace& place = model_.plan().tensors(b)[0];
    const Substream draws = stream(place.tensor);
    const std::span<float> weights = values_of(range);
    for (std::size_t begin = 0; begin < weights.size(); begin += row.size()) {
      for (std::size_t m = 0; m < row.size(); ++m)
        row[m] = usual[m] * det_exp(leaf_noise * normal_at(draws, at(place.begin) + begin + m));
      normalise_numbers(row);
      for (std::size_t m = 0; m < row.size(); ++m) weights[begin + m] = static_cast<float>(row[m]);
    }
    priors_.push_back(
        {.rows = range,
         .shares = std::move(usual),
         .group = RowGroup{.pseudocounts = leaf_pseudocounts, .of_pool = 0.5, .even = 0.02}});
  }

  // Adds the same noise in every style.
  void start_elements(int b, const Elements& elements) {
    const BlockRange range = model_.plan().range(b, 0);
    const Substream draws = stream(model_.plan().tensors(b)[0].tensor);
    const std::span<float> all = values_of(range);
    std::vector<double> row(values_.size());
    for (std::size_t begin = 0; begin < all.size(); begin += row.size()) {
      const auto number = static_cast<std::int64_t>(begin / row.size()),
                 m = number % elements.count, style = number / elements.count;
      const bool broad = m >= elements.peaks && m < elements.peaks + elements.broad;
      for (std::int64_t k = 0; k < elements.values; ++k) {
        double p = elements.weight(m, k) * table_.values[at(style * elements.values + k)];
        if (broad) p *= det_exp(broad_noise * normal_at(draws, at(m * elements.values + k)));
        row[at(k)] = p > 0 ? elements.peaked(m, k, p) : 0;
      }
      normalise_numbers(row);
      for (std::size_t k = 0; k < row.size(); ++k) all[begin + k] = static_cast<float>(row[k]);
    }
    priors_.push_back({.rows = range,
                       .group = RowGroup{.moves = RowGroup::Moves::with_average,
                                         .kinds = elements.count,
                                         .pseudocounts = element_pseudocounts,
                                         .of_pool = 1,
                                         .even = even_share}});
  }

  PcModel& model_;
  const Circuit& circuit_;
  Frequencies frequencies_;
  Rng rng_;
  std::vector<double> values_;  // frequencies in all variables together
  StyleTable table_;
  RowPriors priors_;
};

}  // namespace

GreyRows start_greys(PcModel& model, const GreyStart& start) {
  const bool dictionary = model.config().dictionary.value_or(0) > 0;
  if (!dictionary && model.circuit().styles == 1) return {};
  const auto starter = std::make_shared<GreyStarter>(model, start);
  return {.rules = starter->run(start.rng),
          .draw_again = [starter](const Rng& rng) { static_cast<void>(starter->run(rng)); }};
}

}  // namespace logpx::pc
