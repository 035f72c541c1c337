#include "libcore/families/pc/sampling/sample.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/model/plans_by.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx::pc {
namespace {

// Draws have no options.
struct NoKnobs {
  void describe(Fields&) {}
};

class Descent {
 public:
  Descent(const PcModel& model, DrawCursor& draws, std::span<float> x)
      : plan_(model.plan()),
        circuit_(model.circuit()),
        theta_(model.param_set().block()),
        steps_(model.steps()),
        draws_(draws),
        x_(x) {}

  void run() {
    if (circuit_.styles > 1)
      style_ = choose(theta_.data() + plan_.style_prior().begin, circuit_.styles);
    push(circuit_.root, 0, 0);
    while (!path_.empty()) {
      const Place place = path_.back();
      path_.pop_back();
      follow(place);
    }
  }

 private:
  struct Place {
    int block;
    std::int64_t node, step;
  };

  void push(int block, std::int64_t node, std::int64_t step) {
    if (plan_.is_later(block) && step + 1 == steps_) return;  // nothing comes after the last step
    path_.push_back({block, node, step});
  }

  std::int64_t choose(const float* weights, std::int64_t count) {
    sums_.clear();
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
      sums_.push_back(sum += static_cast<double>(weights[i]));
    return static_cast<std::int64_t>(draws_.categorical(sums_));
  }

  // A category that has a value; new values have none that could be drawn.
  std::int64_t choose_known(const float* weights, const Variable& variable) {
    const auto all = std::span(weights, at(variable.known()));
    const bool possible = std::ranges::any_of(all, [](float w) { return w > 0; });
    return possible ? choose(weights, variable.known()) : 0;
  }

  void follow(const Place& place) {
    const Block& block = plan_.block(place.block);
    switch (block.kind) {
      case BlockKind::leaf: return draw_value(place, block);
      case BlockKind::joint: return draw_values(place, block);
      case BlockKind::indicator: return set_value(place, static_cast<float>(block.value));
      case BlockKind::carry: return push(circuit_.carried, place.node, place.step + 1);
      case BlockKind::sum: return choose_input(place, block);
      case BlockKind::product: return follow_all(place, block);
      case BlockKind::mixing: break;
    }
    const auto parts = std::ssize(block.children);
    const float* const w = plan_.values(place.block, 0, theta_) + place.node * parts;
    push(block.children[at(choose(w, parts))], place.node, place.step);
  }

  void draw_value(const Place& place, const Block& block) {
    const std::int64_t categories = circuit_.variables[at(block.variable)].categories;
    const Leaf* const leaf = plan_.leaf(place.block);
    const std::int64_t each = leaf == nullptr ? categories : leaf->parameters();
    const std::int64_t node = block.styled ? style_ * block.size + place.node : place.node;
    const float* const p = plan_.values(place.block, 0, theta_) + node * each;
    const Variable& variable = circuit_.variables[at(block.variable)];
    if (leaf == nullptr) {
      const std::int64_t category = choose_known(p, variable);
      return set_value(place, variable.values.empty()
                                  ? static_cast<float>(category)
                                  : static_cast<float>(variable.values[at(category)]));
    }
    const std::vector<double> q(p, p + each);
    if (categories == 0)
      return set_value(place, static_cast<float>(leaf->value_at(q, draws_.normal())));
    std::vector<double> table(at(categories));
    fill_table(*leaf, q, table);
    const std::vector<float> weights(table.begin(), table.end());
    set_value(place, static_cast<float>(choose(weights.data(), categories)));
  }

  void draw_values(const Place& place, const Block& block) {
    const JointForm& form = *plan_.joint(place.block);
    const float* const p = plan_.values(place.block, 0, theta_) + place.node * form.parameters();
    SeenPlaces places;
    std::vector<double> x(block.variables.size()), z;
    for (std::int64_t v = 0; v < form.variables; ++v) places.hidden.push_back(v);
    for (std::size_t v = 0; v < x.size(); ++v) z.push_back(draws_.normal());
    SeenGaussian(form.variables, std::vector<double>(p, p + form.parameters()), places).fill(z, x);
    for (std::size_t v = 0; v < x.size(); ++v) {
      const auto variable = at(block.variables[v]);
      if (circuit_.variables[variable].whole) x[v] = std::nearbyint(x[v]);
      x_[at(place.step * std::ssize(circuit_.variables)) + variable] = static_cast<float>(x[v]);
    }
  }

  void set_value(const Place& place, float value) {
    x_[at(place.step * std::ssize(circuit_.variables) + plan_.block(place.block).variable)] = value;
  }

  // Goes through the layers backwards: a row of a layer's blocks holds the weights of its output.
  void choose_input(const Place& place, const Block& block) {
    const std::vector<MonarchLayer>& layers = plan_.form(place.block).layers();
    std::int64_t row = place.node;
    for (std::size_t t = layers.size(); t-- > 0;) {
      const MonarchLayer& layer = layers[t];
      const MonarchLayer::State state = layer.output(row);
      const float* const weights =
          plan_.values(place.block, t, theta_) + (state.block * layer.m + state.index) * layer.n;
      row = layer.in_row(state.block, choose(weights, layer.n));
    }
    for (const int child : block.children) {
      if (row < plan_.block(child).size) return push(child, row, place.step);
      row -= plan_.block(child).size;
    }
    LOGPX_ASSERT(false);
  }

  void follow_all(const Place& place, const Block& block) {
    std::int64_t node = place.node;
    for (std::size_t i = block.children.size(); i-- > 0;) {
      const std::int64_t size = plan_.block(block.children[i]).size;
      const bool kronecker = block.product == ProductKind::kronecker;
      push(block.children[i], kronecker ? node % size : node, place.step);
      if (kronecker) node /= size;
    }
  }

  const PassPlan& plan_;
  const Circuit& circuit_;
  std::span<const float> theta_;
  std::int64_t steps_, style_ = 0;
  DrawCursor& draws_;
  std::span<float> x_;
  std::vector<Place> path_;
  std::vector<double> sums_;
};

SampleChunk draw_samples(const PcModel& model, ItemRange items, const Rng& rng) {
  const auto draw = [&](DrawCursor& draws, std::span<float> x) { Descent(model, draws, x).run(); };
  return draw_rows(model.info().samples, items, rng, draw, model.rows().rules());
}

}  // namespace

std::unique_ptr<SamplingPlan> make_sampling(const PcModel& model) {
  if (const std::string why = only_scores(model.circuit()); !why.empty())
    fail(ErrorKind::usage, "", why);
  return sampling_by<NoKnobs>(model.info().samples,
                              [&model](ItemRange items, Rng rng, const NoKnobs&) {
                                return draw_samples(model, items, rng);
                              });
}

}  // namespace logpx::pc
