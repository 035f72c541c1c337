#include "tools/views/path_view.hpp"

#include "formats/draw/molecule_path.hpp"
#include "formats/report.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/data/order_entropy.hpp"
#include "libcore/data/order_templates.hpp"
#include "tools/views/kept_orders.hpp"
#include "tools/views/picture_output.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::size_t most_points = 2000;  // of a scatter plot

void require_whole_policies(bool there, const char* option, const std::string& rows) {
  if (there) return;
  fail(ErrorKind::usage, option, "needs " + rows + " with the whole policy of every step",
       "sample-model --order-trace all writes such");
}

// Every so many-th, so that all steps are there.
Series thinned_points(const PolicyByEntropy& told) {
  Series points{.name = "policy_by_entropy",
                .x_label = "entropy of the value / nats",
                .y_label = "policy / an even choice",
                .x = {},
                .y = {}};
  const std::size_t count = told.policy.size(), shown = std::min(count, most_points);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t point = i * count / shown;
    points.x.push_back(told.entropies[point]);
    points.y.push_back(told.policy[point]);
  }
  return points;
}

}  // namespace

void draw_path(App& app, const OpenRows& source, const RowSelection& selection,
               const std::vector<std::int64_t>& steps, const std::string& output) {
  const DatasetInfo& info = source.rows->info();
  const bool molecules = info.content == Content::molecules;
  const KeptOrders kept = molecules ? kept_orders(source, selection) : KeptOrders{};
  const AtomTypes types = molecules ? atom_types_of(info) : AtomTypes{};
  require_whole_policies(!kept.orders.order.empty() && !kept.orders.policy.empty() &&
                             !kept.entropies.empty() && !kept.value_probs.empty() &&
                             kept.levels >= std::max(types.size(), bond_kinds),
                         path_option, "molecules");
  if (selection.end - selection.begin != 1)
    fail(ErrorKind::usage, path_option, "draws one molecule at a time", "--rows 3:4");
  const Rows rows = source.rows->read(selection.begin, selection.end);
  const std::int64_t dims = info.dims();
  const std::int64_t all = std::ssize(kinds_of_steps(info, rows, kept.orders, 0));
  draw::MoleculePath path{.molecule = molecule_of_row(info, rows, 0),
                          .types = types,
                          .order = kept.orders.order.first(at(all)),
                          .steps = {}};
  for (const std::int64_t step : steps_within(app, path_option, {steps, all})) {
    const auto part = [&](std::span<const float> whole, std::int64_t each) {
      return whole.subspan(at((step - 1) * each), at(each));
    };
    path.steps.push_back({.number = step,
                          .policy = part(kept.orders.policy, dims),
                          .entropies = part(kept.entropies, dims),
                          .values = part(kept.value_probs, kept.levels)});
  }
  const draw::DrawnSheet drawn = draw::path_of_molecule(path);
  write_svg(app, output, drawn.svg, {1, drawn.width, drawn.height});
}

void show_policy_by_entropy(App& app, const OpenRows& source, const RowSelection& selection) {
  const KeptOrders kept = kept_orders(source, selection);
  require_whole_policies(
      !kept.orders.order.empty() && !kept.orders.policy.empty() && !kept.entropies.empty(),
      entropy_option, "samples");
  const PolicyByEntropy told =
      policy_by_entropy(source.rows->info().dims(), kept.orders, kept.entropies);
  std::string text = "figure,value\n";
  const auto add = [&](const char* name, double value) {
    text.append(name).append(std::isnan(value) ? "," : ',' + to_text(value)).append("\n");
    app.result().set(name, value);
  };
  app.result().set("rows", kept.orders.count);
  add("steps", static_cast<double>(told.steps));
  add("spearman", told.rho);
  add("std_error", told.std_error);
  add("spearman_pooled", told.pooled);
  app.print(text);
  if (!told.policy.empty()) app.add_series(to_json(thinned_points(told)).set("style", "points"));
}

}  // namespace logpx
