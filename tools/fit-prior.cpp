// Fits a Kolmogorov-Arnold energy model: a prior of univariate energies that is sampled exactly by
// inverse transform, and the generator behind it.   [KAEM]
#include "libcore/families/kaem/family.hpp"
#include "tools/common/compute_facts.hpp"
#include "tools/common/prior_parts.hpp"
#include "tools/common/trainer_options.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<kaem::Settings> {
  StartFiles start;

  void describe(Fields& f) {
    TrainerOptions::describe(f);
    start.describe(f);
  }
};

const ToolSpec spec = {.name = "fit-prior",
                       .purpose = "fit an energy-based prior and its generator to a dataset",
                       .usage = {"DATASET -o MODEL.h5 [options]"},
                       .examples = {{"fit-prior digits.h5 -o k.h5 --preset tiny", "a first model"}},
                       .compute_facts = compute_facts};

void run(App& app, Options& o) {
  const StartModels start = o.start.load(app, o.settings.model);
  const TrainingData data = o.load(app);
  o.train(app, kaem::make_trainee(o.settings, data.rows(), app.rng(), start.parts()), data.hash);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
