// Fits a Kolmogorov-Arnold energy model: a prior of univariate energies that is sampled exactly by
// inverse transform, and the generator behind it; or an encoder for such a model.   [KAEM]
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/families/kaem/encoder/encoder_trainee.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/model/fitting_likelihood.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/prior_parts.hpp"
#include "tools/sessions/trainer_options.hpp"
#include "tools/store/model_store.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<kaem::Settings> {
  StartFiles start;
  std::string encoder_for;

  Options() { settings.model.likelihood = automatic_likelihood; }
  void describe(Fields& f) {
    TrainerOptions::describe(f);
    start.describe(f);
    f.group("encoder");
    f.add("encoder-for", encoder_for, "fit an encoder to this model, which stays as it is")
        .metavar("K.h5")
        .files("*.h5")
        .external()
        .rank(Rank::manual);
  }
};

const ToolSpec spec = {.name = "fit-prior",
                       .purpose = "fit an energy-based prior and its generator to a dataset",
                       .usage = {"DATASET -o MODEL.h5 [options]"},
                       .examples = {{"fit-prior digits.h5 -o k.h5 --preset tiny", "a first model"}},
                       .compute_facts = compute_facts};

constexpr const char* options_of_parts[] = {"--init-prior", "--init-generator"};

void fit_encoder(App& app, Options& o) {
  refuse_given(app.fields(), options_of_parts, kaem::encoder_leaves_the_rest);
  const TrainingData data = o.load(app);
  const ModelFile file(o.encoder_for);
  const LoadedModel frozen = load_model(file);
  app.add_input({.role = "model",
                 .path = o.encoder_for,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  try {
    kaem::adopt_model(o.settings, *frozen.model, app.fields());
  } catch (const Error& error) {
    throw error.kind() == ErrorKind::usage ? error : error.within(file.name());
  }
  require_fit(frozen.model->info(), data.info(), data.info().name);
  Trainee trainee = kaem::make_encoder_trainee(o.settings, *frozen.model, data.rows(), app.rng());
  trainee.given_hash = file.content_hash();
  o.train(app, trainee, data);
}

void run(App& app, Options& o) {
  if (!o.encoder_for.empty()) return fit_encoder(app, o);
  const StartModels start = o.start.load(app, o.settings.model);
  const TrainingData data = o.load(app);
  std::string choice;
  if (start.parts().generator.model == nullptr)
    choice = o.settings.model.settle(data.info(), app.fields());
  o.settings.fit.settle(o.settings.model, app.fields());
  Trainee trainee = kaem::make_trainee(o.settings, data.rows(), app.rng(), start.parts());
  trainee.say_first(choice);
  refuse_unread(app.fields(), app.fields());
  trainee.given_hash = start.given_hash;
  o.train(app, trainee, data);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
