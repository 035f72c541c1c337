// Trains a variational auto-encoder: auto-encoding variational Bayes with its objectives, and the
// comparison systems of the paper, wake-sleep and Monte Carlo EM.
// [AEVB: Kingma and Welling, Auto-Encoding Variational Bayes, arXiv:1312.6114]
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/prior_fit.hpp"
#include "libcore/model/fitting_likelihood.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/trainer_options.hpp"
#include "tools/store/model_store.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<vae::Settings> {
  std::string init_model, fit_prior;

  Options() { settings.model.likelihood = automatic_likelihood; }
  void describe(Fields& f) {
    TrainerOptions::describe(f);
    f.group("prior");
    f.add("fit-prior", fit_prior, "fit so many gaussians to the codes of --init-model, as its p(z)")
        .metavar("mixture:K[,diag]")
        .about(
            "Codes of a trained encoder do not follow N(0, I), and what they follow instead makes "
            "rows more probable and their codes shorter. Encoder and decoder keep every byte.")
        .external()
        .rank(Rank::manual);
    f.add("init-model", init_model, "the model that --fit-prior goes on from")
        .metavar("MODEL")
        .files("*.h5")
        .external()
        .rank(Rank::manual);
  }
};

const ToolSpec spec = {
    .name = "train-vae",
    .purpose = "fit a variational auto-encoder to a dataset",
    .usage = {"DATASET -o MODEL.h5 [options]"},
    .examples = {{"train-vae digits.h5 -o vae.h5 --binarise static --preset small",
                  "a first model"},
                 {"train-vae digits.h5 -o vae.h5 --config vae.h5 --force -s 2", "another seed"},
                 {"train-vae digits.h5 -o raw.h5 --preset bits-back", "to compress files with"}},
    .compute_facts = compute_facts};

void fit_prior(App& app, Options& o) {
  if (o.init_model.empty()) fail(ErrorKind::usage, "--fit-prior", "needs --init-model MODEL.h5");
  const TrainingData data = o.load(app);
  const ModelFile file(o.init_model);
  const LoadedModel frozen = load_model(file);
  app.add_input({.role = "model",
                 .path = o.init_model,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  try {
    vae::adopt_model(o.settings, o.fit_prior, *frozen.model, app.fields());
  } catch (const Error& error) {
    throw error.kind() == ErrorKind::usage ? error : error.within(file.name());
  }
  require_fit(frozen.model->info(), data.info(), data.info().name);
  Trainee trainee = vae::make_prior_trainee(o.settings, *frozen.model, data.rows(), app.rng());
  trainee.given_hash = file.content_hash();
  o.train(app, trainee, data);
}

void run(App& app, Options& o) {
  if (!o.fit_prior.empty()) return fit_prior(app, o);
  if (!o.init_model.empty()) fail(ErrorKind::usage, "--init-model", "goes with --fit-prior");
  if (o.settings.objective.algorithm == vae::Algorithm::mcem && o.settings.training.valid)
    fail(ErrorKind::usage, "--valid",
         "does nothing with --algorithm mcem: without an encoder there is no bound",
         "elbo-eval MODEL DATA --method ais, once it is trained");
  if (o.settings.objective.algorithm == vae::Algorithm::mcem)
    o.data.needs_all = "--algorithm mcem keeps a chain for each of them";
  const TrainingData data = o.load(app);
  const std::string choice = o.settings.model.settle(data.info());
  vae::settle_estimator(o.settings, app.fields());
  Trainee trainee = vae::make_trainee(o.settings, data.rows(), app.rng());
  refuse_unread(app.fields(), app.fields());
  trainee.say_first(choice);
  o.train(app, trainee, data);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
