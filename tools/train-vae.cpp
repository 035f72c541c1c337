// Trains a variational auto-encoder: auto-encoding variational Bayes with its objectives, and the
// comparison systems of the paper, wake-sleep and Monte Carlo EM.
// [AEVB: Kingma and Welling, Auto-Encoding Variational Bayes, arXiv:1312.6114]
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/model/fitting_likelihood.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/trainer_options.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<vae::Settings> {
  Options() { settings.model.likelihood = automatic_likelihood; }
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

void run(App& app, Options& o) {
  if (o.settings.objective.algorithm == vae::Algorithm::mcem && o.settings.training.valid)
    fail(ErrorKind::usage, "--valid",
         "does nothing with --algorithm mcem: without an encoder there is no bound",
         "elbo-eval MODEL DATA --method ais, once it is trained");
  const TrainingData data = o.load(app);
  const std::string choice = o.settings.model.settle(data.train.info);
  Trainee trainee = vae::make_trainee(o.settings, data.rows(), app.rng());
  refuse_unread(app.fields(), app.fields());
  trainee.say_first(choice);
  o.train(app, trainee, data.hash);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
