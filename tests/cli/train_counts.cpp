// train-counts: a training tool around the tests' mixture of categoricals, which is fitted by
// expectation maximisation: it offers no rate, no optimiser and no averages.
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/categorical_mixture.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/train_session.hpp"

using namespace logpx;

namespace {

struct Options {
  std::string output;
  std::int64_t rows = 400;
  CategoricalConfig model;
  CountingOptions counting = {.pseudocount = 0.01};
  TrainOptions training;
  TrainFiles files;

  Options() { training.reads = CountingTask::what_it_reads(); }
  void describe(Fields& f) {
    f.add("rows-made", rows, "rows of symbols to train on").positional().setting();
    f.add("output", output, "where to write the model").short_name('o').output().required();
    f.add("in-flight", counting.gradients_in_flight, "shards that count at once; 0 is all");
    model.describe(f);
    training.describe(f);
    files.describe(f);
  }
};

const ToolSpec spec = {.name = "train-counts",
                       .purpose = "fit the tests' mixture of categoricals to symbols",
                       .usage = {"ROWS -o MODEL.h5 [options]"},
                       .examples = {{"train-counts 400 -o m.h5", "a model in no time"}},
                       .compute_facts = compute_facts};

void run(App& app, Options& options) {
  const std::vector<std::uint8_t> rows = three_kinds(options.rows, options.model, app.rng());
  CategoricalMixture model(options.model);
  model.initialise(app.rng());
  CountingTask task(model, rows, options.counting);
  TrainSession session(app, options.training, options.files, options.output);
  session.run(
      {.task = task, .model = model, .data_hash = sha256_hex(std::as_bytes(std::span(rows)))});
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
