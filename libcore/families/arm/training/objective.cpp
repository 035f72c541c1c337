#include "libcore/families/arm/training/objective.hpp"

#include "libcore/grad/ops_order.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"

namespace logpx::arm {
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
    return stop_gradient(g_) + graph_.input(noise, exists_.shape());
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
