// Fits a probabilistic circuit: a hidden Markov model, a tree of hidden states, a mixture or a
// circuit from a file, with dense or Monarch sums, by expectation maximisation.
// [Monarch: Scaling probabilistic circuits via Monarch matrices, sections 3 to 5]
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/start.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/factor_models.hpp"
#include "tools/sessions/trainer_options.hpp"
#include "tools/store/model_store.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<pc::Settings> {
  std::string init_model;

  Options() { data.needs_all = "circuits learn from all of them at once"; }
  void describe(Fields& f) {
    TrainerOptions::describe(f);
    f.group("settings");
    f.add("init-model", init_model, "a circuit to go on from, in place of a new one")
        .metavar("MODEL")
        .files("*.h5")
        .external()
        .rank(Rank::manual);
  }

  void train_with(App& app, const TrainingData& loaded, const pc::TraineeParts& parts) {
    pc::choose_by_rows(settings, loaded.rows(), app.rng(), parts);
    const Trainee trainee = pc::make_trainee(settings, loaded.rows(), app.rng(), parts);
    settings.take_length(trainee.options);
    train(app, trainee, loaded);
  }
};

const ToolSpec spec = {
    .name = "train-pc",
    .purpose = "fit a probabilistic circuit to a dataset",
    .usage = {"DATASET -o MODEL.h5 [options]"},
    .examples = {{"train-pc text.h5 -o m.h5 --preset tiny", "a hidden Markov model of text"},
                 {"train-pc text.h5 -o d.h5 --hidden 16", "a dense one of 16 states"},
                 {"train-pc table.h5 -o x.h5 --structure hclt", "a tree of hidden states"}},
    .compute_facts = compute_facts};

void run(App& app, Options& o) {
  const TrainingData data = o.load(app);
  pc::TraineeParts parts{.workers = app.workers(), .given = &app.fields()};
  parts.memory = static_cast<std::int64_t>(app.memory());
  parts.say = [&app](const std::string& text) { app.say(text); };
  constexpr std::string_view of_file = "file:";
  if (const std::string& structure = o.settings.model.structure; structure.starts_with(of_file)) {
    parts.file = structure.substr(of_file.size());
    parts.text = read_text_file(parts.file);
    app.add_input({.role = "structure", .path = parts.file, .kind = "structure"});
  }
  parts.leaves.word = o.settings.model.leaf;
  if (parts.leaves.word.ends_with(".json")) {
    parts.leaves.file = parts.leaves.word;
    parts.leaves.text = read_text_file(parts.leaves.file);
    app.add_input({.role = "leaves", .path = parts.leaves.file, .kind = "structure"});
  }
  if (const std::string& init = o.settings.learning.init;
      pc::starts_from_product(init) && o.init_model.empty()) {
    const LoadedFactors loaded = load_factors(app, pc::product_names(init));
    for (const pc::FactorModel& factor : loaded.factors)
      require_fit(factor.model->info(), data.info(), data.info().name);
    parts.factors = loaded.factors;
    return o.train_with(app, data, parts);
  }
  if (o.init_model.empty()) return o.train_with(app, data, parts);
  const ModelFile file(o.init_model);
  if (file.family() != "pc")
    fail(ErrorKind::data, file.name(), "is a model of family " + file.family() + ", expected pc");
  const LoadedModel start = load_model(file);
  app.add_input({.role = "model",
                 .path = o.init_model,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  require_fit(start.model->info(), data.info(), data.info().name);
  parts.start = start.model.get();
  parts.start_hash = file.content_hash();
  o.train_with(app, data, parts);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
