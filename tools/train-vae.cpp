// Trains a variational auto-encoder: auto-encoding variational Bayes with its objectives, and the
// comparison systems of the paper, wake-sleep and Monte Carlo EM.
// [AEVB: Kingma and Welling, Auto-Encoding Variational Bayes, arXiv:1312.6114]
#include "libcore/base/error.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/families/vae/presets.hpp"
#include "libcore/families/vae/task.hpp"
#include "tools/common/compute_facts.hpp"
#include "tools/common/train_session.hpp"
#include "tools/common/training_data.hpp"

using namespace logpx;

namespace {

constexpr std::int64_t curve_rows = 5000;  // that the curves are measured on

struct Options {
  DataChoice data;
  std::string output, preset;
  vae::Settings settings;
  TrainFiles files;

  Options() { settings.training.lr_candidates = {0.01, 0.02, 0.1}; }
  void describe(Fields& f) {
    data.describe(f);
    f.group("output");
    f.add("output", output, "where to write the model")
        .short_name('o')
        .metavar("PATH")
        .output()
        .required()
        .writes({"h5"});
    f.group("settings");
    f.add_word("preset", preset, vae::preset_names(), "settings by name")
        .metavar("NAME")
        .shows_default("modern")
        .external();
    settings.model.describe(f);
    settings.objective.describe(f);
    settings.training.describe(f);
    files.describe(f);
  }
  void apply_preset(const std::string& name) { vae::apply_preset(name, settings); }
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
  vae::Config config = o.settings.model;
  const bool chains = o.settings.objective.algorithm == vae::Algorithm::mcem;
  if (chains) config.inference = vae::Inference::none;
  if (chains && o.settings.training.valid)
    fail(ErrorKind::usage, "--valid", "has no use with --algorithm mcem: no encoder, no bound",
         "elbo-eval MODEL DATA --method ais, once it is trained");
  const TrainingData data = load_training_data(app, o.data, o.settings.training, curve_rows);
  vae::VaeModel model(config, data.train.info);
  model.initialise(app.rng());
  vae::TaskData rows{.train = data.train.examples(), .valid = {}, .curve_rows = curve_rows};
  if (data.valid) rows.valid.emplace(data.valid->examples());
  vae::VaeTask task(model, o.settings.objective, std::move(rows), app.rng());
  TrainSession session(app, o.settings.training, o.files, o.output);
  session.run(
      {.task = task,
       .model = model,
       .data_hash = data.hash,
       .next = "elbo-eval " + shell_word(o.output) + ' ' + App::again(o.data.data, "DATASET.h5")});
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
