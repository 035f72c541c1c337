#include "libcore/model/context_heads.hpp"

#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr float narrow_log_scale = -2.5F;  // a twelfth of half the range

}  // namespace

ContextHeads::ContextHeads(const Site& site, const Form& form, const Extents& extents,
                           const Likelihood& likelihood)
    : likelihood_(likelihood),
      table_(context_table(form.neighbours, extents, likelihood)),
      maker_(site, likelihood.heads()) {
  std::int64_t units = width();
  LinearOptions options = form.layers;
  options.activation = Activation::silu;
  for (std::size_t i = 0; i < form.hidden.size(); ++i) {
    hidden_.emplace_back(site / ("hidden" + std::to_string(i)), units, form.hidden[i], options);
    units = form.hidden[i];
  }
  options.activation = Activation::none;
  std::vector<JoinedLinear::Part> parts;
  for (const HeadForm& head : maker_.own()) parts.push_back({head.name, head.per_dim});
  last_.emplace(site, units, parts, options);
}

// Components that start alike take epochs to part, and wide ones as many to become narrow.
void ContextHeads::start(ParamSet& params, double mean) const {
  const auto location = likelihood_.location(mean);
  if (!location) return;
  const std::span<const HeadForm> forms = maker_.own();
  const auto components = static_cast<double>(forms[location->head].per_dim);
  for (std::size_t h = 0; h < forms.size(); ++h) {
    const std::span<float> bias = params.view(last_->bias(h)).span();
    if (forms[h].name == "log_scale" && components > 1) std::ranges::fill(bias, narrow_log_scale);
    if (h != location->head) continue;
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const double apart = static_cast<double>(likelihood_.levels() - 1) * static_cast<double>(i) /
                           std::max(components - 1, 1.0);
      bias[i] = static_cast<float>(likelihood_.location(components > 1 ? apart : mean)->bias);
    }
  }
}

Likelihood::Heads ContextHeads::heads(const ParamSet& params, Var rows) const {
  const Graph::Scope scope(rows.graph(), "context");
  for (const Linear& layer : hidden_) rows = layer(params, rows);
  return maker_(params, (*last_)(params, rows));
}

Var ContextHeads::log_prob(const ParamSet& params, const Likelihood::Target& target, Var features,
                           const std::optional<Chosen>& chosen) const {
  const Var rows = chosen ? with_context(features, target.x, table_, chosen->dims)
                          : with_context(features, target.x, table_);
  const std::int64_t copies = rows.shape()[0], count = rows.shape()[1], taken = rows.shape()[2];
  const Var x = chosen ? take_along(target.x, chosen->dims) : target.x;
  Likelihood::Target one_each{x.reshape({count * taken, 1})};
  if (const auto& index = chosen ? chosen->index : target.index; index)
    one_each.index = index->reshape({copies, count * taken, 1});
  const Likelihood::Heads all = heads(params, rows.reshape({copies, count * taken, width()}));
  Var each = likelihood_.log_prob(one_each, all).reshape({copies, count, taken});
  if (chosen) each = each * chosen->weights;
  return sum(each, 2);
}

}  // namespace logpx
