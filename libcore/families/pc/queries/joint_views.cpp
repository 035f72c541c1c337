#include "libcore/families/pc/queries/joint_views.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/normal_region.hpp"

#include <cmath>
#include <numbers>

namespace logpx::pc {
namespace {

double log_normal(double x, const SeenGaussian::Normal& given) {
  const double off = in_deviations(x, given);
  return -off * off / 2 - std::log(given.deviation) - std::log(2 * std::numbers::pi) / 2;
}

// The first hidden variable in deviations from what the seen ones expect.
SeenGaussian::Normal first_in_region(const SeenGaussian& node, const SeenPlaces& places,
                                     std::span<const double> z) {
  if (places.region == nullptr) return {};
  const SeenGaussian::Normal own = node.first_hidden(z),
                             inside = hidden_region(node, places, z).inside();
  return {.mean = in_deviations(inside.mean, own), .deviation = inside.deviation / own.deviation};
}

}  // namespace

JointViews::JointViews(std::int64_t variables, std::span<const double> q, const SeenPlaces& places)
    : variables_(variables), places_(places) {
  if (places.region != nullptr)
    for (std::size_t i = 0; i < places.seen.size(); ++i) {
      SeenPlaces& without = places_without_.emplace_back(places);
      without.seen.erase(without.seen.begin() + static_cast<std::ptrdiff_t>(i));
      without.hidden.push_back(places.seen[i]);
    }
  const std::size_t each = at(JointForm{variables}.parameters());
  for (std::size_t from = 0; from < q.size(); from += each) {
    Node& node = nodes_.emplace_back(SeenGaussian(variables, q.subspan(from, each), places));
    for (const SeenPlaces& without : places_without_)
      node.without.emplace_back(variables, q.subspan(from, each), without);
  }
}

void JointViews::of_row(std::span<const double> x, std::span<JointView> views) const {
  std::vector<double> z(at(variables_));
  std::vector<SeenGaussian::Normal> given(at(variables_));
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    const Node& node = nodes_[j];
    static_cast<void>(node.whole.log_p(x, z));
    node.whole.given_rest(x, z, given, first_in_region(node.whole, places_, z));
    const auto view_of = [&](std::int64_t v) -> JointView& {
      return views[at(v) * nodes_.size() + j];
    };
    for (std::int64_t v = 0; v < variables_; ++v) view_of(v) = {.given = given[at(v)]};
    const double region =
        places_.region == nullptr ? 0 : hidden_region(node.whole, places_, z).log_mass();
    for (std::size_t i = 0; i < places_.seen.size(); ++i) {
      const std::int64_t v = places_.seen[i];
      view_of(v).nats = region + log_normal(x[at(v)], given[at(v)]);
      if (places_.region != nullptr) view_without(node, i, x, view_of(v));
    }
  }
}

// p(x_v | others, region) = p(x_v | others) p(region | all) / p(region | others).
void JointViews::view_without(const Node& node, std::size_t seen, std::span<const double> x,
                              JointView& view) const {
  const SeenGaussian& without = node.without[seen];
  const SeenPlaces& places = places_without_[seen];
  std::vector<double> z(at(variables_));
  std::vector<SeenGaussian::Normal> given(at(variables_));
  static_cast<void>(without.log_p(x, z));
  without.given_rest(x, z, given, first_in_region(without, places, z));
  view.nats -= hidden_region(without, places, z).log_mass();
  view.given = given[at(places_.seen[seen])];
}

}  // namespace logpx::pc
