#include "libcore/families/arm/training/objective.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_order.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"

#include <algorithm>
#include <vector>

namespace logpx::arm {
namespace {

// How many dims of an order are seen.
std::int64_t place_in(const RowDraw& draw, std::int64_t length) {
  return std::min(static_cast<std::int64_t>(draw.time * static_cast<double>(length)), length - 1);
}

std::string noise_name(std::size_t path) { return "noise" + std::to_string(path + 1); }

void bind_noise(const NetLayout& layout, const RowDraw& draw, std::size_t dims,
                GraphInputs& inputs) {
  const std::span<const std::int32_t> own = layout.dims_of_rows();
  std::uint64_t element = draw.element;
  for (std::size_t path = 0; inputs.holds(noise_name(path)); ++path) {
    const std::span<float> values =
        inputs.values(noise_name(path)).subspan(draw.row * own.size(), own.size());
    for (std::size_t k = 0; k < own.size(); ++k)
      values[k] = own[k] == absent ? 0.0F
                                   : static_cast<float>(gumbel_of(draw.orders.uniform(
                                         element + static_cast<std::uint64_t>(own[k]))));
    element += dims;
  }
}

// The state itself, where the order is not learned.
void bind_state(const OrderRule& rule, const NetLayout& layout, const RowDraw& draw,
                std::span<const std::int32_t> x, GraphInputs& inputs) {
  const std::size_t dims = x.size();
  std::vector<double> uniforms(dims);
  for (std::size_t k = 0; k < dims; ++k) uniforms[k] = draw.orders.uniform(draw.element + k);
  const std::vector<std::int32_t> order = drawn_order(rule.groups, uniforms, x);
  std::vector<std::uint8_t> seen(dims), next(dims);
  for (std::size_t i = 0; i < at(place_in(draw, std::ssize(order))); ++i) seen[at(order[i])] = 1;
  rule.candidates({.x = x, .seen = seen, .values = {}, .policy = {}}, next);
  layout.bind(inputs.values("seen"), draw.row, std::span<const std::uint8_t>(seen));
  layout.bind(inputs.values("next"), draw.row, std::span<const std::uint8_t>(next));
}

}  // namespace

void bind_row(const ArmModel& model, const NetLayout& layout, const RowDraw& draw,
              std::span<const std::int32_t> x, GraphInputs& inputs) {
  layout.bind_values(draw.row, x, inputs);
  const std::int64_t length = std::ssize(x) - std::ranges::count(x, absent);
  inputs.values("length")[draw.row] = static_cast<float>(length);
  const OrderRule rule = model.rule();
  if (!rule.learned()) return bind_state(rule, layout, draw, x, inputs);
  inputs.indices("counts")[draw.row] = static_cast<std::int32_t>(place_in(draw, length));
  bind_noise(layout, draw, x.size(), inputs);
}

namespace {

// The terms of one state, [B] each.
struct Terms {
  Var recon, kl, q_entropy;
};

class LearnedObjective {
 public:
  LearnedObjective(Graph& graph, const ArmModel& model, const LearnOptions& options, GraphSize size)
      : graph_(graph),
        model_(model),
        options_(options),
        rows_(size.rows),
        whole_(NetLayout(model.form(), size.extent).whole_rows(graph, rows_)),
        exists_(whole_.exists),
        learns_(graph.input("learns", {rows_, 1})),
        counts_(graph.index_input("counts", {rows_})),
        g_(model.choice_net().choose(model.param_set(), whole_) * learns_) {
    if (!options.kl_weight.empty()) kl_weight_ = graph.input("kl_weight", {rows_});
    if (!options.q_entropy.empty()) entropy_weight_ = graph.input("entropy_weight", {rows_});
  }

  void name() const {
    std::vector<Var> scores;
    for (std::size_t path = 0; path < at(options_.paths); ++path)
      scores.push_back(stop_gradient(g_) + graph_.input(noise_name(path), exists_.shape()));
    std::vector<Terms> paths;
    for (const Var& order : scores) paths.push_back(terms(order));
    const Var share = graph_.input("length", {rows_}) / static_cast<double>(options_.paths);
    graph_.output("loss", -(share * surrogate(scores, paths)));
    const Var recon = share * total(paths, &Terms::recon), kl = share * total(paths, &Terms::kl);
    graph_.output("nll_bound", kl - recon);
    graph_.output("recon", recon);
    graph_.output("kl_order", kl);
    const Terms &one = paths[0], &two = paths[1];
    graph_.output("f_gap", abs(one.recon - one.kl - two.recon + two.kl));
    const Var first = masked_log_softmax(g_, exists_);
    graph_.output("q_entropy", -sum(exp(first) * first * exists_, 1));
  }

 private:
  [[nodiscard]] static Var total(const std::vector<Terms>& paths, Var Terms::*term) {
    Var sum = paths[0].*term;
    for (std::size_t path = 1; path < paths.size(); ++path) sum = sum + paths[path].*term;
    return sum;
  }

  // sum_k (log q(zk_<i) stop(Fk - mean of the other F) + Fk)
  [[nodiscard]] Var surrogate(const std::vector<Var>& scores,
                              const std::vector<Terms>& paths) const {
    std::vector<Var> f;
    for (const Terms& path : paths) f.push_back(weighed(path));
    std::vector<Var> gains;
    for (std::size_t path = 0; path < f.size(); ++path) gains.push_back(gain(f, path));
    std::optional<Var> sum;
    for (std::size_t path = 0; path < f.size(); ++path) {
      const Var term = plackett_luce_prefix(g_, scores[path], counts_, exists_) * gains[path];
      sum = sum ? *sum + term : term;
    }
    for (const Var& value : f) sum = *sum + value;
    return *sum;
  }

  // How much better an order is than the others.
  [[nodiscard]] Var gain(const std::vector<Var>& f, std::size_t path) const {
    std::optional<Var> others;
    for (std::size_t other = 0; other < f.size(); ++other)
      if (other != path) others = others ? *others + f[other] : f[other];
    if (f.size() > 2) others = *others / static_cast<double>(f.size() - 1);
    const Var more = stop_gradient(f[path] - *others);
    if (options_.score_clip == 0) return more;
    return clamp(more, -options_.score_clip, options_.score_clip);
  }

  [[nodiscard]] Terms terms(Var order) const {
    const Var seen = prefix_mask(order, counts_, exists_);
    const Var left = exists_ - seen;
    NetInputs state = whole_;
    state.seen = seen;
    const NetHeads heads = model_.net().look(model_.param_set(), state);
    const Var logits =
        (heads.policy ? *heads.policy
                      : -(model_.beta(graph_) * entropy_of_values(heads, model_.form()))) *
        learns_;
    const Var log_p = masked_log_softmax(logits, left), log_q = masked_log_softmax(g_, left);
    const Var q = exp(log_q) * left;
    return {.recon = sum(q * log_p_of_values(heads, whole_, model_.form()), 1),
            .kl = sum(q * (log_q - log_p), 1),
            .q_entropy = -sum(q * log_q, 1)};
  }

  // F as it is trained.
  [[nodiscard]] Var weighed(const Terms& terms) const {
    const Var f = terms.recon - (kl_weight_ ? terms.kl * *kl_weight_ : terms.kl);
    return entropy_weight_ ? f + terms.q_entropy * *entropy_weight_ : f;
  }
  Graph& graph_;
  const ArmModel& model_;
  const LearnOptions& options_;
  std::int64_t rows_;
  NetInputs whole_;
  Var exists_, learns_, counts_, g_;
  std::optional<Var> kl_weight_, entropy_weight_;
};

void name_given(Graph& graph, const ArmModel& model, GraphSize size) {
  const NetInputs in = NetLayout(model.form(), size.extent).states(graph, size.rows);
  const Var next = graph.input("next", in.exists.shape());
  const NetHeads heads = model.net().look(model.param_set(), in);
  const Var mean_log_p = sum(next * log_p_of_values(heads, in, model.form()), 1) / sum(next, 1);
  const Var recon = graph.input("length", {size.rows}) * mean_log_p;
  graph.output("loss", -recon);
  graph.output("nll_bound", -recon);
}

}  // namespace

void name_objective(Graph& graph, const ArmModel& model, const LearnOptions& options,
                    GraphSize size) {
  if (model.rule().learned()) LearnedObjective(graph, model, options, size).name();
  else name_given(graph, model, size);
}

std::vector<std::string> objective_terms(const ArmModel& model) {
  if (!model.rule().learned()) return {"nll_bound"};
  return {"nll_bound", "recon", "kl_order", "f_gap", "q_entropy"};
}

}  // namespace logpx::arm
