#include "libcore/families/arm/training/objective.hpp"

#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_order.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"

namespace logpx::arm {
namespace {

// Of one state, [B] each.
struct Terms {
  Var recon, kl, q_entropy;
};

class LearnedObjective {
 public:
  LearnedObjective(Graph& graph, const ArmModel& model, const LearnOptions& options,
                   std::int64_t rows)
      : graph_(graph),
        model_(model),
        options_(options),
        rows_(rows),
        x_(graph.index_input("x", {rows, model.dims()})),
        exists_(graph.input("exists", {rows, model.dims()})),
        learns_(graph.input("learns", {rows, 1})),
        counts_(graph.index_input("counts", {rows})),
        g_(model.choice_net().choose(model.param_set(), {x_, exists_, exists_}) * learns_) {
    if (!options.kl_weight.empty()) kl_weight_ = graph.input("kl_weight", {rows});
    if (!options.q_entropy.empty()) entropy_weight_ = graph.input("entropy_weight", {rows});
  }

  void name() const {
    const Var scores1 = scores("noise1"), scores2 = scores("noise2");
    const Terms one = terms(scores1), two = terms(scores2);
    const Var half = graph_.input("length", {rows_}) / 2;
    const Var f1 = weighed(one), f2 = weighed(two);
    Var difference = stop_gradient(f1 - f2);
    if (options_.score_clip > 0)
      difference = clamp(difference, -options_.score_clip, options_.score_clip);
    const Var log_ratio = plackett_luce_prefix(g_, scores1, counts_, exists_) -
                          plackett_luce_prefix(g_, scores2, counts_, exists_);
    graph_.output("loss", -(half * (log_ratio * difference + f1 + f2)));
    const Var recon = half * (one.recon + two.recon), kl = half * (one.kl + two.kl);
    graph_.output("nll_bound", kl - recon);
    graph_.output("recon", recon);
    graph_.output("kl_order", kl);
    graph_.output("f_gap", abs(one.recon - one.kl - two.recon + two.kl));
    const Var first = masked_log_softmax(g_, exists_);
    graph_.output("q_entropy", -sum(exp(first) * first * exists_, 1));
  }

 private:
  [[nodiscard]] Var scores(const char* noise) const {
    return stop_gradient(g_) + graph_.input(noise, {rows_, model_.dims()});
  }

  [[nodiscard]] Terms terms(Var order) const {
    const Var seen = prefix_mask(order, counts_, exists_);
    const Var left = exists_ - seen;
    const NetHeads heads = model_.net().look(model_.param_set(), {x_, seen, exists_});
    const Var logits =
        (heads.policy ? *heads.policy : -(model_.beta(graph_) * softmax_entropy(heads.values))) *
        learns_;
    const Var log_p = masked_log_softmax(logits, left), log_q = masked_log_softmax(g_, left);
    const Var q = exp(log_q) * left;
    return {.recon = sum(q * categorical_log_prob(heads.values, x_), 1),
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
  Var x_, exists_, learns_, counts_, g_;
  std::optional<Var> kl_weight_, entropy_weight_;
};

void name_given(Graph& graph, const ArmModel& model, std::int64_t rows) {
  const NetInputs in = net_inputs(graph, rows, model.dims());
  const Var next = graph.input("next", {rows, model.dims()});
  const NetHeads heads = model.net().look(model.param_set(), in);
  const Var mean_log_p = sum(next * categorical_log_prob(heads.values, in.x), 1) / sum(next, 1);
  const Var recon = graph.input("length", {rows}) * mean_log_p;
  graph.output("loss", -recon);
  graph.output("nll_bound", -recon);
}

}  // namespace

void name_objective(Graph& graph, const ArmModel& model, const LearnOptions& options,
                    std::int64_t rows) {
  if (model.rule().learned()) LearnedObjective(graph, model, options, rows).name();
  else name_given(graph, model, rows);
}

std::vector<std::string> objective_terms(const ArmModel& model) {
  if (!model.rule().learned()) return {"nll_bound"};
  return {"nll_bound", "recon", "kl_order", "f_gap", "q_entropy"};
}

}  // namespace logpx::arm
