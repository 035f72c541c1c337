#include "tests/support/tree_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/model/stored_tensors.hpp"
#include "tests/support/plans.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::testing {
namespace {

constexpr std::int64_t most_nodes = 4096;
constexpr std::int32_t most_states = 64;

// Parents before their children; fewer than all nodes where some depend on themselves.
std::vector<std::size_t> order_of(const std::vector<std::int32_t>& parents) {
  std::vector<std::vector<std::size_t>> children(parents.size());
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (parents[v] < 0) order.push_back(v);
    else children[at(parents[v])].push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), children[order[i]].begin(), children[order[i]].end());
  return order;
}

class TreeDraft final : public ModelDraft {
 public:
  void describe(Fields&) override {}
  void take(std::span<const TensorRef> stored) override {
    tree_.parents = stored_values<std::int32_t>(stored, "tree/parents", {.most = most_nodes});
    const std::int64_t nodes = std::ssize(tree_.parents);
    tree_.states =
        stored_values<std::int32_t>(stored, "tree/states", {.most = nodes, .least = nodes});
    check_tree(tree_);
  }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    if (std::ssize(tree_.parents) != data.dims())
      fail(ErrorKind::data, "tree/parents",
           "has " + std::to_string(tree_.parents.size()) + " nodes, expected " +
               std::to_string(data.dims()));
    return std::make_unique<TreeModel>(tree_, data.levels);
  }

 private:
  TreeShape tree_;
};

std::vector<double> running_sums(std::span<const double> p) {
  std::vector<double> sums;
  for (const double one : p) sums.push_back((sums.empty() ? 0 : sums.back()) + one);
  return sums;
}

}  // namespace

void check_tree(const TreeShape& tree) {
  const auto nodes = static_cast<std::int32_t>(tree.parents.size());
  for (std::int32_t v = 0; v < nodes; ++v) {
    const std::int32_t parent = tree.parents[at(v)], states = tree.states[at(v)];
    if (parent < -1 || parent >= nodes)
      fail(ErrorKind::data, "tree/parents",
           "node " + std::to_string(v) + " depends on " + std::to_string(parent) +
               ", which is not a node");
    if (states < 1 || states > most_states)
      fail(ErrorKind::data, "tree/states",
           "node " + std::to_string(v) + " has " + std::to_string(states) +
               " states, expected 1 to " + std::to_string(most_states));
  }
  std::vector<bool> reached(tree.parents.size());
  for (const std::size_t v : order_of(tree.parents)) reached[v] = true;
  if (const auto lost = std::ranges::find(reached, false); lost != reached.end())
    fail(ErrorKind::data, "tree/parents",
         "node " + std::to_string(lost - reached.begin()) + " depends on itself");
}

DatasetInfo tree_data(std::int64_t dims, std::int64_t levels) {
  DatasetInfo info;
  info.name = "table";
  info.content = Content::symbols;
  info.element = Element::i16;
  info.shape = {dims};
  info.levels = levels;
  info.value_max = static_cast<double>(levels - 1);
  return info;
}

TreeModel::TreeModel(const TreeShape& tree, std::int64_t levels)
    : parents_({std::ssize(tree.parents)}, tree.parents),
      states_({std::ssize(tree.states)}, tree.states),
      order_(order_of(tree.parents)) {
  info_ = {.family = "tree-fixture",
           .data = tree_data(std::ssize(tree.parents), levels),
           .samples = tree_data(std::ssize(tree.parents), levels),
           .missing = true};
  info_.data.has_missing = true;
  for (std::size_t v = 0; v < tree.parents.size(); ++v) {
    const std::int64_t above = tree.parents[v] < 0 ? 1 : tree.states[at(tree.parents[v])];
    transitions_.push_back({Tensor<float>({above, tree.states[v]})});
    leaves_.push_back({Tensor<float>({tree.states[v], levels})});
  }
}

void TreeModel::initialise(Rng rng) {
  std::uint32_t tensor = 0;
  for (auto* tables : {&transitions_, &leaves_})
    for (Table& table : *tables) {
      const Substream draws = rng.stream(Stream::init, tensor++);
      const std::int64_t columns = table.stored.shape()[1];
      for (std::int64_t begin = 0; begin < table.stored.size(); begin += columns) {
        double sum = 0;
        for (std::int64_t i = begin; i < begin + columns; ++i) {
          const double weight = 0.05 + draws.uniform(static_cast<std::uint64_t>(i));
          table.stored[i] = static_cast<float>(weight);
          sum += weight;
        }
        for (std::int64_t i = begin; i < begin + columns; ++i)
          table.stored[i] /= static_cast<float>(sum);
      }
    }
  filled();
}

void TreeModel::params(const TensorVisitor& visit) {
  visit(TensorRef::of("tree/parents", parents_), TensorRole::constant);
  visit(TensorRef::of("tree/states", states_), TensorRole::constant);
  for (std::size_t v = 0; v < transitions_.size(); ++v) {
    const std::string node = "node" + std::to_string(v);
    visit(TensorRef::of(node + "/transition", transitions_[v].stored), TensorRole::parameter);
    visit(TensorRef::of(node + "/leaf", leaves_[v].stored), TensorRole::parameter);
  }
}

void TreeModel::filled() {
  const auto take = [](Table& table, const std::string& name) {
    const std::int64_t columns = table.stored.shape()[1];
    table.p.assign(table.stored.span().begin(), table.stored.span().end());
    for (std::size_t begin = 0; begin < table.p.size(); begin += at(columns)) {
      const std::span<double> row = std::span(table.p).subspan(begin, at(columns));
      double sum = 0;
      for (const double p : row) sum += p < 0 ? static_cast<double>(NAN) : p;
      if (!(std::abs(sum - 1) < 1e-3))
        fail(ErrorKind::data, name,
             "row " + std::to_string(begin / at(columns)) + " holds no probabilities");
      for (double& p : row) p /= sum;
    }
  };
  for (std::size_t v = 0; v < transitions_.size(); ++v) {
    take(transitions_[v], "node" + std::to_string(v) + "/transition");
    take(leaves_[v], "node" + std::to_string(v) + "/leaf");
  }
}

// What a node tells the one above it, of what is known at it and below.
std::vector<double> TreeModel::message(std::size_t node, std::span<const double> below) const {
  const std::vector<double>& p = transitions_[node].p;
  std::vector<double> up(p.size() / below.size());
  for (std::size_t i = 0; i < up.size(); ++i)
    for (std::size_t j = 0; j < below.size(); ++j) up[i] += p[i * below.size() + j] * below[j];
  return up;
}

double TreeModel::log_p(std::span<const std::int16_t> x) const {
  std::vector<std::vector<double>> known(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    const std::size_t levels = leaves_[v].p.size() / states(v);
    for (std::size_t j = 0; j < states(v); ++j)
      known[v].push_back(x[v] < 0 ? 1 : leaves_[v].p[j * levels + at(x[v])]);
  }
  double sum = 0;
  for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
    const std::vector<double> up = message(*v, known[*v]);
    const std::int32_t parent = parents_[static_cast<std::int64_t>(*v)];
    if (parent < 0) sum += std::log(up[0]);
    for (std::size_t j = 0; parent >= 0 && j < up.size(); ++j) known[at(parent)][j] *= up[j];
  }
  return sum;
}

Scores TreeModel::score(const Examples& batch) const {
  const std::size_t dims = transitions_.size();
  LOGPX_ASSERT(!transitions_[0].p.empty());  // filled() was called
  Scores scores;
  for (std::int64_t i = 0; i < batch.rows.count; ++i)
    scores.nats.push_back(log_p(batch.rows.values<std::int16_t>().subspan(at(i) * dims, dims)));
  return scores;
}

void TreeModel::sample(Rows& out, std::int64_t first, Rng rng) const {
  const std::size_t dims = transitions_.size();
  out.x.resize(at(out.count) * dims * sizeof(std::int16_t));
  std::vector<std::size_t> state(dims);
  for (std::int64_t i = 0; i < out.count; ++i) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    const auto draw = [&](const std::vector<double>& p, std::size_t row, std::size_t columns) {
      return draws.categorical(running_sums(std::span(p).subspan(row * columns, columns)));
    };
    for (const std::size_t v : order_) {
      const std::int32_t parent = parents_[static_cast<std::int64_t>(v)];
      state[v] = draw(transitions_[v].p, parent < 0 ? 0 : state[at(parent)], states(v));
      const std::size_t levels = leaves_[v].p.size() / states(v);
      out.values<std::int16_t>()[at(i) * dims + v] =
          static_cast<std::int16_t>(draw(leaves_[v].p, state[v], levels));
    }
  }
}

namespace {

const TreeShape small_tree{{2, 2, -1, 0, 0}, {3, 2, 4, 1, 5}};

Trainee drawn_tree(const std::string&, const TaskData& data, Rng rng) {
  auto model = std::make_unique<TreeModel>(small_tree, data.train.info.levels);
  model->initialise(rng);
  return {std::move(model), nullptr};
}

// Draws of such a tree, of which every seventh value is missing.
HeldRows tree_rows(std::int64_t rows) {
  TreeModel model(small_tree, 3);
  model.initialise(Rng(2));
  HeldRows made{.info = tree_data(5, 3), .rows = sample_rows(abilities(model), 0, rows, Rng(4))};
  made.info.n = rows;
  const auto values = made.rows.values<std::int16_t>();
  for (std::size_t i = 0; i < values.size(); i += 7) values[i] = -1;
  return made;
}

}  // namespace

void register_tree() {
  for (const Family& family : families())
    if (family.name == "tree-fixture") return;
  register_family({.name = "tree-fixture",
                   .summary = "a stored tree of hidden states, for tests",
                   .trainer = "",
                   .draft = [] { return std::make_unique<TreeDraft>(); },
                   .score = {{"exact", "log p(x) itself", from_model(score_by_itself<TreeModel>)}},
                   .sample = from_model(sample_by_itself<TreeModel>),
                   .trainee = drawn_tree,
                   .tiny_rows = tree_rows});
}

}  // namespace logpx::testing
