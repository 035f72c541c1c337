// train-gauss: a training tool around the tests' bell curves, as one of a family is.
#include "tests/support/gauss_model.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/trainer_options.hpp"

using namespace logpx;

namespace {

using Options = TrainerOptions<gauss::Settings>;

const ToolSpec spec = {.name = "train-gauss",
                       .purpose = "fit a bell curve to every dimension of a dataset",
                       .usage = {"DATASET -o MODEL.h5 [options]"},
                       .examples = {{"train-gauss digits.h5 -o m.h5", "a model in no time"}},
                       .compute_facts = compute_facts};

void run(App& app, Options& o) {
  const TrainingData data = o.load(app);
  o.train(app, gauss::make_trainee(o.settings, data.rows(), app.rng()), data);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
