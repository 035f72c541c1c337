// Removes from a model what its prior hardly uses: components of mixtures, flat energies, edges
// and nodes of the layers behind them.   [KAEM section 2.3; eval/README 8.2]
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/prior_report.hpp"
#include "tools/sessions/prior_samples.hpp"

using namespace logpx;

namespace {

struct Options {
  PriorInput input;
  std::string output;
  PruningOptions pruning;

  void describe(Fields& f) {
    input.describe_model(f).required();
    describe_output(f, output, "where to write the smaller model", {{"h5"}}).required();
    input.describe_weights(f);
    f.group("what goes");
    pruning.describe(f);
  }
};

const ToolSpec spec = {
    .name = "prune-prior",
    .purpose = "leave out of a model what its prior hardly uses",
    .usage = {"MODEL -o OUT.h5 [options]"},
    .examples = {{"prune-prior k.h5 -o p.h5", "a smaller model, and how far it is from the first"},
                 {"prune-prior k.h5 -o p.h5 --edge-threshold 0.1 --force", "a bolder cut"},
                 {"prune-prior k.h5 -o p.h5 --dry-run", "what would go"}},
    .compute_facts = compute_facts};

// "12 of 40 energies, 3 of 12 components, 80 of 200 edges"
std::string said(const Pruning& pruning) {
  std::int64_t edges = 0, gone = 0;
  for (const Pruning::Layer& layer : pruning.layers) {
    edges += layer.edges;
    gone += layer.gone;
  }
  return std::to_string(pruning.changes.energies.size()) + " of " +
         std::to_string(pruning.energies) + " energies, " +
         std::to_string(pruning.changes.removals.size()) + " of " +
         std::to_string(pruning.components) + " components, " + std::to_string(gone) + " of " +
         std::to_string(edges) + " edges";
}

void run(App& app, Options& o) {
  const OpenPrior open = o.input.open(app);
  const ModelPrior& prior = open.prior();
  const Pruning pruning = plan_pruning(prior, o.pruning, app.rng());
  if (app.dry_run()) return app.say("would leave out " + said(pruning));
  const AbleModel smaller = with_abilities(prior.changed(pruning.changes));
  const ModelPrior& after = prior_of(smaller.can);
  const PriorDivergence moved = divergence(prior, after);
  app.result()
      .set("family", open.family)
      .set("pruned", to_json(pruning))
      .set("kl", moved.total)
      .set("kl_largest", moved.largest)
      .set("mean_change", decoded_change(prior, after, o.pruning.samples, app.rng()));
  OutputFile out(o.output, app.overwrite());
  const std::string hash = save_model(out, *smaller.model, {}, app.provenance());
  out.commit();
  app.add_output({.role = "model",
                  .path = o.output,
                  .kind = "model",
                  .bytes = out.bytes(),
                  .content_hash = hash});
  if (pruning.is_empty()) app.warn("nothing is below the thresholds: the model is as it was");
  app.say(said(pruning) + " left out, KL " + four_digits(moved.total) + " nats -> " +
          out.shown_name());
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
