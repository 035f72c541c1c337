#include "tools/sessions/prior_report.hpp"

#include "formats/report.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/registry.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

std::string place_text(const ComponentFacts& facts) {
  return '(' + std::to_string(facts.q) + ',' + std::to_string(facts.p) + ')';
}

std::vector<double> exponentials(const std::vector<double>& logs) {
  std::vector<double> values;
  for (const double value : logs) values.push_back(std::exp(value));
  return values;
}

std::vector<Json> cells_of(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

Json fit_json(const SymbolicFit& fit) {
  const Formula& formula = fit.formula;
  const SymbolicFunction& function =
      symbolic_functions()[static_cast<std::size_t>(formula.function)];
  return Json::object()
      .set("function", function.name)
      .set("a", formula.a)
      .set("b", formula.b)
      .set("c", formula.c)
      .set("d", formula.d)
      .set("r2", fit.r2)
      .set("complexity", function.complexity)
      .set("formula", formula_text(formula));
}

// The numbers that a list names, or all below `count`.
std::vector<std::int64_t> numbers_of(const std::vector<std::int64_t>& list, std::int64_t count,
                                     const std::string& option) {
  std::vector<std::int64_t> all = list;
  if (list.empty()) {
    all.resize(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
  }
  for (const std::int64_t number : all)
    if (number < 0 || number >= count)
      fail(ErrorKind::usage, option,
           "there is no " + std::to_string(number) + "; this prior has 0 to " +
               std::to_string(count - 1));
  return all;
}

Json kinds_json(std::int64_t before, std::size_t gone) {
  return Json::object().set("before", before).set("gone", static_cast<std::int64_t>(gone));
}

}  // namespace

const ModelPrior& prior_of(const Abilities& can) {
  if (!can.prior)
    fail(ErrorKind::data, "",
         "this " + can.info().family + " has no prior that is made of energies",
         "families that have: " + families_with(&Family::prior));
  return *can.prior;
}

void PriorChoice::describe(Fields& f) {
  f.add("q", q, "only these latents q, counted from 0").shows_default("all");
  f.add("p", p, "only these parts p of them, counted from 0").shows_default("all");
}

std::vector<PriorPlace> chosen_places(const PriorShape& shape, const PriorChoice& choice) {
  std::vector<PriorPlace> places;
  const std::vector<std::int64_t> parts = numbers_of(choice.p, shape.parts, "--p");
  for (const std::int64_t q : numbers_of(choice.q, shape.latents, "--q"))
    for (const std::int64_t p : parts) places.push_back({q, p});
  return places;
}

Json to_json(const ComponentFacts& facts) {
  Json candidates = Json::array();
  for (const SymbolicFit& fit : facts.symbolic.candidates)
    candidates.push(fit_json(fit).set("score", fit.score));
  Json symbolic = fit_json(facts.symbolic.best());
  symbolic.set("kl", facts.kl_to_symbolic);
  if (facts.symbolic.poor) symbolic.set("poor_fit", true);
  return Json::object()
      .set("q", facts.q)
      .set("p", facts.p)
      .set("weight", facts.weight)
      .set("domain", Json::array_of(std::vector<double>{facts.low, facts.high}))
      .set("log_Z", facts.log_z)
      .set("mean", facts.mean)
      .set("variance", facts.variance)
      .set("modes", Json::array_of(facts.modes))
      .set("entropy_nats", facts.entropy)
      .set("kl_to_base", facts.kl_to_base)
      .set("symbolic", std::move(symbolic))
      .set("candidates", std::move(candidates));
}

void add_density_series(App& app, const ComponentFacts& facts) {
  const std::string where = ' ' + place_text(facts);
  const ComponentCurves& curves = facts.curves;
  const auto add = [&](const std::string& name, const std::vector<double>& logs) {
    app.add_series(
        to_json(Series{name + where, "z", "density, per unit of z", curves.z, exponentials(logs)}));
  };
  add("prior", curves.log_density);
  add("base", curves.log_base);
  add("formula", curves.log_symbolic);
}

TextTable table_of(const ComponentFacts& facts) {
  const ComponentCurves& curves = facts.curves;
  TextTable table;
  table.add("z", cells_of(curves.z));
  table.add("energy", cells_of(curves.energy));
  table.add("log_density", cells_of(curves.log_density));
  table.add("base_density", cells_of(exponentials(curves.log_base)));
  table.add("symbolic_density", cells_of(exponentials(curves.log_symbolic)));
  return table;
}

PriorChanges formulas_of(const std::vector<ToldComponent>& components) {
  PriorChanges changes;
  for (const ToldComponent& told : components)
    changes.energies.push_back({told.facts.q, told.facts.p, told.facts.symbolic.best().formula});
  return changes;
}

Json to_json(const Pruning& pruning) {
  Json layers = Json::array();
  for (const Pruning::Layer& layer : pruning.layers)
    layers.push(Json::object()
                    .set("layer", layer.name)
                    .set("edges", layer.edges)
                    .set("edges_gone", layer.gone)
                    .set("nodes", layer.nodes)
                    .set("nodes_gone", layer.nodes_gone));
  Json energies = Json::array(), components = Json::array();
  for (const PriorChanges::Energy& energy : pruning.changes.energies)
    energies.push(Json::object().set("q", energy.q).set("p", energy.p));
  for (const PriorChanges::Removal& removal : pruning.changes.removals)
    components.push(Json::object().set("q", removal.q).set("p", removal.p));
  return Json::object()
      .set("energies", kinds_json(pruning.energies, pruning.changes.energies.size())
                           .set("list", std::move(energies)))
      .set("components", kinds_json(pruning.components, pruning.changes.removals.size())
                             .set("list", std::move(components)))
      .set("layers", std::move(layers));
}

}  // namespace logpx
