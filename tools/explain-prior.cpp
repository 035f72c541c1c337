// Describes the prior of a model: moments, modes, entropy and divergences of each of its densities,
// and the formula closest to its energy; as a report, tables, source code, or a
// model of formulas.   [KAEM sections 2.3, 4; eval/README 8.1]
#include "libcore/base/stop.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/prior_report.hpp"
#include "tools/sessions/prior_samples.hpp"

#include <algorithm>
#include <filesystem>

using namespace logpx;

namespace {

// How many densities are series of the report: among chosen components, among all.
constexpr std::size_t drawn_of_chosen = 8, drawn_of_all = 2;
constexpr std::int64_t dims_samples = 1000;

enum class Printed { report, c, python };

struct Options {
  PriorInput input;
  std::string csv, apply;
  PriorChoice choice;
  ComponentOptions component;
  Printed printed = Printed::report;

  void describe(Fields& f) {
    input.describe_model(f).required();
    input.describe_weights(f);
    f.group("which components");
    choice.describe(f);
    f.group("formulas");
    f.add("weight", component.weight,
          {{"density", FitWeight::density, "where the prior is dense"},
           {"uniform", FitWeight::uniform, "everywhere alike"}},
          "where a formula must be close: where the prior is dense, or everywhere alike");
    f.add("simplicity", component.symbolic.simplicity,
          "what complexity counts, next to how close the formula is")
        .range(0, 1);
    f.add("min-r2", component.symbolic.min_r2, "a best formula of less R^2 is called a poor fit")
        .range(0, 1);
    f.add("flat-threshold", component.symbolic.flat,
          "energies that vary by less over their domain are the constant 0")
        .at_least(0);
    f.group("output");
    f.add("csv", csv, "a folder for one table of every component, Q_P.csv")
        .metavar("DIR")
        .external();
    f.add("code", printed,
          {{"none", Printed::report, "the report"},
           {"c", Printed::c, "a function in C"},
           {"python", Printed::python, "a function in Python"}},
          "print p(z) and its inverse distribution function in place of the report")
        .external();
    f.add("apply", apply, "also write the model whose energies are the formulas")
        .metavar("MODEL2.h5")
        .output()
        .writes({"h5"});
  }
};

const ToolSpec spec = {
    .name = "explain-prior",
    .purpose = "say what a model's prior looks like, in numbers and formulas",
    .usage = {"MODEL [options]"},
    .examples = {{"explain-prior k.h5 --q 0 --p 0,1 --report prior.json", "moments and formulas"},
                 {"plot-report prior.json -o prior.svg", "the densities beside those of the base"},
                 {"explain-prior k.h5 --q 0 --p 0 --code c > prior.c", "one density as C"},
                 {"explain-prior k.h5 --apply formulas.h5", "a model whose energies are formulas"}},
    .kind = ToolKind::answer,
    .compute_facts = compute_facts};

std::vector<ToldComponent> examine_all(App& app, const ModelPrior& prior, const Options& o) {
  const std::vector<PriorPlace> places = chosen_places(prior.shape(), o.choice);
  std::vector<ToldComponent> all(places.size());
  const auto progress = app.progress("component", static_cast<double>(places.size()));
  const auto batch = static_cast<std::int64_t>(8 * app.workers().threads());
  for (std::int64_t first = 0; first < std::ssize(places); first += batch) {
    stop::check();
    const std::int64_t count = std::min(batch, std::ssize(places) - first);
    app.workers().run(count, [&](std::int64_t i) {
      const auto number = static_cast<std::size_t>(first + i);
      ToldComponent& told = all[number];
      told.component = prior.component(places[number].q, places[number].p);
      if (told.component.weight > 0) told.facts = examine(told.component, o.component);
    });
    progress->update(static_cast<double>(first + count));
  }
  std::erase_if(all, [](const ToldComponent& told) { return told.component.weight == 0; });
  return all;
}

void write_tables(App& app, const std::string& folder, const std::vector<ToldComponent>& all) {
  for (const ToldComponent& told : all) {
    const std::string name =
        std::to_string(told.facts.q) + '_' + std::to_string(told.facts.p) + ".csv";
    OutputFile out((std::filesystem::path(folder) / name).string(), app.overwrite());
    write_text_file(out, table_of(told.facts).text(TableForm::csv));
    out.commit();
    app.add_output(
        {.role = "table", .path = folder + '/' + name, .kind = "csv", .bytes = out.bytes()});
  }
}

void apply_formulas(App& app, const std::string& path, const ModelPrior& prior,
                    const std::vector<ToldComponent>& all) {
  const AbleModel told = with_abilities(prior.changed(formulas_of(all)));
  const PriorDivergence moved = divergence(prior, prior_of(told.can));
  OutputFile out(path, app.overwrite());
  const std::string hash = save_model(out, *told.model, {}, app.provenance());
  out.commit();
  app.result().set("applied_kl", moved.total);
  app.add_output(
      {.role = "model", .path = path, .kind = "model", .bytes = out.bytes(), .content_hash = hash});
}

void run(App& app, Options& o) {
  const OpenPrior open = o.input.open(app);
  const ModelPrior& prior = open.prior();
  const std::size_t count = chosen_places(prior.shape(), o.choice).size();
  if (app.dry_run()) return app.say("would explain " + std::to_string(count) + " components");
  const std::vector<ToldComponent> all = examine_all(app, prior, o);
  Json components = Json::array();
  std::int64_t poor = 0;
  const bool chosen = !o.choice.q.empty() || !o.choice.p.empty();
  const std::size_t drawn = chosen ? drawn_of_chosen : drawn_of_all;
  for (const ToldComponent& told : all) {
    components.push(to_json(told.facts));
    poor += told.facts.symbolic.poor ? 1 : 0;
    if (components.size() <= drawn) add_density_series(app, told.facts);
  }
  app.result()
      .set("family", open.family)
      .set("weights", open.weights())
      .set("components", std::move(components))
      .set("latent_dims", latent_dims(prior, dims_samples, app.rng()));
  if (!o.csv.empty()) write_tables(app, o.csv, all);
  if (!o.apply.empty()) apply_formulas(app, o.apply, prior, all);
  if (o.printed != Printed::report)
    app.print(prior_code(all, o.printed == Printed::c ? CodeLanguage::c : CodeLanguage::python));
  app.say(std::to_string(all.size()) + " components, " + std::to_string(std::ssize(all) - poor) +
          " of them told by a formula");
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
