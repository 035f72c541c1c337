// train-fixture: a training tool around the tests' mixture model, so that the whole way of a
// training run can be tested on the command line without any family.
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/mixture_model.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/train_session.hpp"

#include <chrono>
#include <thread>

using namespace logpx;

namespace {

struct Options {
  std::string output;
  std::int64_t rows = 400;
  double nap_ms = 0;  // before each evaluation of a shard's input: makes a short run long
  MixtureConfig model;
  TrainOptions training;
  TrainFiles files;
  MixtureTaskOptions task = {.jitter = 0.05, .two_phases = true, .chains = true};

  Options() { training.lr_candidates = {0.001, 0.01, 0.1}; }
  void describe(Fields& f) {
    f.add("points", rows, "points on a ring to train on").positional().setting();
    describe_output(f, output, "where to write the model", {{"h5"}}).required();
    f.add("nap-ms", nap_ms, "idle time per step").external();
    f.add("evaluates", task.validates, "measure the loss on the same points");
    model.describe(f);
    training.describe(f);
    files.describe(f);
  }
};

const ToolSpec spec = {.name = "train-fixture",
                       .purpose = "fit the tests' mixture to points on a ring",
                       .usage = {"POINTS -o MODEL.h5 [options]"},
                       .examples = {{"train-fixture 400 -o m.h5", "a model in no time"}},
                       .compute_facts = compute_facts};

class SlowTask final : public TrainingTask {
 public:
  SlowTask(MixtureTask& task, double nap_ms) : task_(task), nap_ms_(nap_ms) {}
  [[nodiscard]] ParamSet& params() override { return task_.params(); }
  [[nodiscard]] std::int64_t rows() const override { return task_.rows(); }
  [[nodiscard]] std::vector<Phase*> phases() override { return task_.phases(); }
  [[nodiscard]] std::vector<TensorRef> state() override { return task_.state(); }
  void updated(const StepPlace&, Optimizer*) override {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(nap_ms_));
  }
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override {
    return task_.evaluate(weights, workers, ranks);
  }

 private:
  MixtureTask& task_;
  double nap_ms_;
};

void run(App& app, Options& options) {
  const std::vector<float> points = ring_points(options.rows, 5, app.rng());
  MixtureModel model(options.model);
  model.initialise(app.rng());
  MixtureTask task(model, points, options.task);
  SlowTask slow(task, options.nap_ms);
  TrainSession session(app, options.training, options.files, options.output);
  session.run(
      {.task = slow, .model = model, .data_hash = sha256_hex(std::as_bytes(std::span(points)))});
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
