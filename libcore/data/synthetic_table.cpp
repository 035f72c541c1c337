// Generator 18: table, a mixture over columns of every kind.   [data/README 4.8]
#include "libcore/data/generator.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace logpx {
namespace {

// The columns: words, whole numbers of which few occur, whole numbers and days, two numbers that go
// together, a constant.
struct At {
  enum Column : std::size_t {
    job,
    grade,
    rooms,
    visits,
    since,
    height,
    weight,
    batch,
    all_columns
  };
};

const std::array<std::vector<std::string>, 2> words_of_tables = {
    {{"clerk", "farmer", "nurse", "teacher"}, {"A", "B", "C", "D"}}};
// How many values job, grade and rooms have; rooms are 1 to 6.
constexpr std::array<std::size_t, 3> table_sizes = {4, 4, 6};
constexpr double hundredths = 100, batch_of_all = 12;

struct Normal {
  double mean = 0, deviation = 1;
  [[nodiscard]] double z(double x) const { return (x - mean) / deviation; }
  [[nodiscard]] double log_density(double x) const {
    static const double of_unit = det_log(2 * std::numbers::pi) / 2;
    return -z(x) * z(x) / 2 - of_unit - det_log(deviation);
  }
  // The mass between k - 1/2 and k + 1/2; above the mean it is turned over, for its digits.
  [[nodiscard]] double log_mass(double k) const {
    const double side = k > mean ? -1 : 1, half = 0.5 / deviation;
    return det_log(det_ndtr(side * z(k) + half) - det_ndtr(side * z(k) - half));
  }
};

struct Component {
  double share = 0;
  std::array<std::vector<double>, 3> running = {};  // running sums of job, grade, rooms
  Normal visits = {}, since = {}, height = {}, weight = {};
  double correlation = 0;  // of height and weight

  [[nodiscard]] double p(std::size_t table, std::size_t k) const {
    return running[table][k] - (k > 0 ? running[table][k - 1] : 0);
  }
  // The weight where the height is known.
  [[nodiscard]] Normal weight_given(double x) const {
    return {weight.mean + correlation * weight.deviation * height.z(x),
            weight.deviation * std::sqrt(1 - correlation * correlation)};
  }
};

Component drawn_component(DrawCursor& draws) {
  Component one;
  one.share = 0.5 + draws.uniform();
  for (std::size_t t = 0; t < table_sizes.size(); ++t) {
    double sum = 0;
    for (std::size_t k = 0; k < table_sizes[t]; ++k) {
      const double e = exponential_of(draws.uniform());
      one.running[t].push_back(sum += 0.02 + e * e);
    }
    for (double& running : one.running[t]) running /= sum;
    one.running[t].back() = 1;
  }
  one.visits = {draws.uniform(80, 240), draws.uniform(6, 20)};
  one.since = {draws.uniform(16'000, 20'000), draws.uniform(100, 500)};
  one.height = {draws.uniform(155, 190), draws.uniform(4, 9)};
  one.weight = {draws.uniform(50, 100), draws.uniform(5, 12)};
  one.correlation = draws.uniform(-0.8, 0.8);
  return one;
}

class Table final : public Generator {
 public:
  Table(const SyntheticOptions& options, DrawCursor structure) : holes_(*options.holes) {
    double sum = 0;
    for (std::int64_t k = 0; k < *options.components; ++k) {
      components_.push_back(drawn_component(structure));
      running_.push_back(sum += components_.back().share);
    }
    for (double& running : running_) running /= sum;
    running_.back() = 1;
    for (Component& one : components_) one.share /= sum;
    describe_columns();
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const Component& one = components_[draws.categorical(running_)];
    std::array<double, At::all_columns> x = {};
    for (std::size_t t = 0; t < table_sizes.size(); ++t)
      x[t] = static_cast<double>(draws.categorical(one.running[t])) + (t == At::rooms ? 1 : 0);
    const auto drawn = [&](const Normal& from) {
      return from.mean + from.deviation * draws.normal();
    };
    x[At::visits] = std::round(drawn(one.visits));
    x[At::since] = std::round(drawn(one.since));
    x[At::height] = std::round(hundredths * drawn(one.height)) / hundredths;
    x[At::weight] = std::round(hundredths * drawn(one.weight_given(x[At::height]))) / hundredths;
    x[At::batch] = batch_of_all;
    for (std::size_t i = 0; i < At::all_columns; ++i) {
      const bool hole = holes_ > 0 && draws.uniform() < holes_;
      example.reals[i] = hole ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(x[i]);
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::vector<double> nats;
    for (const Component& one : components_)
      nats.push_back(det_log(one.share) + log_p_of(one, example.reals));
    const double largest = *std::max_element(nats.begin(), nats.end());
    if (std::isinf(largest)) return largest;
    double sum = 0;
    for (const double one : nats) sum += det_exp(one - largest);
    return largest + det_log(sum);
  }

 private:
  // Cells that are holes count as 1.
  static double log_p_of(const Component& one, std::span<const float> x) {
    const auto there = [&](std::size_t i) { return !std::isnan(x[i]); };
    const auto value = [&](std::size_t i) { return static_cast<double>(x[i]); };
    double nats = 0;
    for (std::size_t t = 0; t < table_sizes.size(); ++t) {
      const double first = t == At::rooms ? 1 : 0;
      if (there(t)) nats += det_log(one.p(t, static_cast<std::size_t>(value(t) - first)));
    }
    if (there(At::visits)) nats += one.visits.log_mass(value(At::visits));
    if (there(At::since)) nats += one.since.log_mass(value(At::since));
    if (there(At::height)) nats += one.height.log_density(value(At::height));
    if (!there(At::weight)) return nats;
    const Normal given = there(At::height) ? one.weight_given(value(At::height)) : one.weight;
    return nats + given.log_density(value(At::weight));
  }

  void describe_columns() {
    info_ = real_vectors(At::all_columns);
    info_.has_true_logp = true;
    info_.has_missing = holes_ > 0;
    info_.id_columns = {"id"};
    info_.column_names = {"job", "grade", "rooms", "visits", "since", "height", "weight", "batch"};
    info_.column_forms.resize(At::all_columns);
    using enum ColumnKind;
    const std::array kinds = {word, ordered, whole, whole, date, number, number, constant};
    for (std::size_t i = 0; i < At::all_columns; ++i) {
      info_.column_forms[i].kind = kinds[i];
      info_.column_words.add_column(i < words_of_tables.size() ? words_of_tables[i]
                                                               : std::vector<std::string>());
    }
    info_.column_forms[At::since].form = "%Y-%m-%d";
    info_.column_forms[At::height].decimals = info_.column_forms[At::weight].decimals = 2;
    info_.standardisation = {.mean = std::vector<double>(At::all_columns, 0),
                             .deviation = std::vector<double>(At::all_columns, 1)};
    info_.standardisation.mean[At::batch] = batch_of_all;
    set_scale(At::visits, &Component::visits);
    set_scale(At::since, &Component::since);
    set_scale(At::height, &Component::height);
    set_scale(At::weight, &Component::weight);
  }

  void set_scale(std::size_t place, Normal Component::*column) {
    double mean = 0, square = 0;
    for (const Component& one : components_) {
      const Normal& own = one.*column;
      mean += one.share * own.mean;
      square += one.share * (own.mean * own.mean + own.deviation * own.deviation);
    }
    info_.standardisation.mean[place] = mean;
    info_.standardisation.deviation[place] = std::sqrt(square - mean * mean);
  }

  double holes_;
  std::vector<Component> components_;
  std::vector<double> running_;
};

}  // namespace

std::unique_ptr<Generator> make_table(const SyntheticOptions& options, std::uint32_t number) {
  return std::make_unique<Table>(options, structure_draws(options, number));
}

}  // namespace logpx
