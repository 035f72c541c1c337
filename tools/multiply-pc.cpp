// Multiplies circuits of one form: p(x) = p_A(x) p_B(x) .. / Z, as a circuit with a Monarch factor
// for each.   [Monarch section 3; pc/README 4.6]
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/factor_models.hpp"

#include <utility>

using namespace logpx;

namespace {

struct Options {
  std::vector<std::string> models;
  std::string output;
  pc::ProductOptions product;

  void describe(Fields& f) {
    f.add("models", models,
          "two or more circuits of one form, made by train-pc; one may come twice")
        .positional()
        .required()
        .metavar("MODEL")
        .files("*.h5 of model");
    describe_output(f, output, "where to write the product", {{"h5"}}).required();
    f.group("product");
    product.describe(f);
  }
};

const ToolSpec spec = {
    .name = "multiply-pc",
    .purpose = "multiply probabilistic circuits into one",
    .usage = {"MODEL MODEL... -o OUT.h5 [options]"},
    .examples = {{"multiply-pc a.h5 b.h5 -o ab.h5", "p(x) = p_a(x) p_b(x) / Z, or nearly so"},
                 {"multiply-pc a.h5 a.h5 -o aa.h5 --normalize local --perturb 0.1",
                  "a start of training with two factors"},
                 {"multiply-pc a.h5 b.h5 c.h5 -o abc.h5 --dry-run", "what it would be"}},
    .compute_facts = compute_facts};

Json sizes_of(const LoadedFactors& loaded) {
  Json sizes = Json::array();
  for (const pc::FactorModel& factor : loaded.factors)
    sizes.push(dynamic_cast<const pc::PcModel&>(*factor.model).config().hidden);
  return sizes;
}

Json edges_of(const LoadedFactors& loaded) {
  Json edges = Json::array();
  for (const pc::FactorModel& factor : loaded.factors)
    edges.push(dynamic_cast<const pc::PcModel&>(*factor.model).plan().step_edges());
  return edges;
}

void report(App& app, const LoadedFactors& loaded, const pc::ModelProduct& product) {
  Json ln_z = Json::object();
  ln_z.set("value", product.ln_z).set("unit", "nats").set("kind", "exact");
  ln_z.set("steps", product.steps);
  app.result()
      .set("family", "pc")
      .set("normalize", pc::word_of(product.options.normalize))
      .set("sizes", sizes_of(loaded))
      .set("hidden", product.config.hidden)
      .set("factors", product.config.factors)
      .set("ln_z", ln_z);
}

void report_size(App& app, const LoadedFactors& loaded, const pc::PcModel& model) {
  app.result()
      .set("edges",
           Json::object().set("before", edges_of(loaded)).set("after", model.plan().step_edges()))
      .set("parameters", model.param_set().elements());
}

void run(App& app, Options& o) {
  refuse_unread(app.fields(), app.fields());
  if (o.models.size() < 2)
    fail(ErrorKind::usage, "", "one model is named, and a product has two or more",
         "multiply-pc " + shell_word(o.models[0]) + ' ' + shell_word(o.models[0]) + " -o OUT.h5");
  const LoadedFactors loaded = load_factors(app, o.models);
  pc::ModelProduct product =
      pc::multiply_models(loaded.factors, o.product, pc::ProductUse::distribution,
                          static_cast<std::int64_t>(app.memory()));
  const std::string says = std::to_string(product.config.hidden) + " hidden states" +
                           (product.config.factors.empty() ? "" : ", " + product.config.factors) +
                           ", normalized by " + pc::word_of(product.options.normalize) + ", ln Z " +
                           four_digits(product.ln_z);
  if (app.dry_run()) return app.say("would have " + says);
  report(app, loaded, product);
  const std::unique_ptr<pc::PcModel> model = pc::model_of(std::move(product), app.rng());
  report_size(app, loaded, *model);
  OutputFile out(o.output, app.overwrite());
  const std::string hash = save_model(out, *model, {}, app.provenance());
  out.commit();
  app.add_output({.role = "model",
                  .path = o.output,
                  .kind = "model",
                  .bytes = out.bytes(),
                  .content_hash = hash});
  app.say(says + " -> " + out.shown_name());
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
