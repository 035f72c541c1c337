// Circuits as train-pc trains them: steps of a minibatch with all that belongs to them, leaves,
// counts and update. Trees of hidden states over the pixels of drawn digits, and Markov models of
// text.
#include "libcore/base/clock.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace logpx::bench {
namespace {

struct Case {
  std::string name;
  pc::Settings settings;
  HeldRows rows;
  std::optional<double> floor = {};  // of the share of sgemm
};

Case digits(const std::string& name, std::int64_t dictionary) {
  Case item{.name = "hclt 784 x 64, " + name + ", 1000 rows",
            .settings = {},
            .rows = synthetic_rows({.name = "digits", .n = 1000})};
  item.settings.model.structure = "hclt";
  item.settings.model.hidden = 64;
  item.settings.model.dictionary = dictionary;
  if (dictionary > 0) item.settings.model.styles = 64;
  item.settings.training.batch = item.rows.rows.count;
  return item;
}

Case text(const std::string& factors) {
  SyntheticRequest request{.name = "hmm-text", .n = 256};
  request.options.length = 256;
  Case item{.name = "hmm " + factors + ", 256 windows of 256",
            .settings = {},
            .rows = synthetic_rows(request)};
  item.settings.model.structure = "hmm";
  item.settings.model.factors = factors;
  item.settings.training.batch = item.rows.rows.count;
  return item;
}

class Trained {
 public:
  Trained(const Case& item, int threads)
      : workers_(threads),
        trainee_(pc::make_trainee(settings_of(item), {.train = item.rows.examples(), .valid = {}},
                                  Rng(1), {.workers = workers_})),
        ranks_(join_ranks()),
        loop_(*trainee_.task, trainee_.options, {workers_, *ranks_}, {}) {}
  void step() { static_cast<void>(loop_.time_steps(1)); }
  [[nodiscard]] const pc::PassPlan& plan() const {
    return dynamic_cast<const pc::PcModel&>(*trainee_.model).plan();
  }

 private:
  static pc::Settings settings_of(const Case& item) {
    pc::Settings settings = item.settings;
    settings.training.steps = 1'000'000;
    return settings;
  }
  Workers workers_;
  Trainee trainee_;
  std::unique_ptr<Ranks> ranks_;
  TrainingLoop loop_;
};

// Up, down and the counts of every sum; a chain computes the vectors between the layers of its sum
// a second time.
double step_flops(const Case& item, const pc::PassPlan& plan) {
  const auto rows = static_cast<double>(item.rows.rows.count),
             edges = static_cast<double>(plan.step_edges());
  if (!plan.circuit().chained()) return 6 * rows * edges;
  const MonarchLayer& last = plan.form(plan.later_sum()).layers().back();
  return rows * 255 * (8 * edges - 2 * static_cast<double>(last.edges()));
}

// The least seconds of a step with one thread and with two, which take turns.
void time_threads(Bench& bench, const Case& item, Trained& one) {
  Trained two(item, 2);
  two.step();
  double alone = std::numeric_limits<double>::infinity(), together = alone;
  for (int round = 0; round < 5; ++round)
    for (auto& [trained, least] : {std::pair<Trained&, double&>(one, alone), {two, together}}) {
      const double begin = wall_seconds();
      trained.step();
      least = std::min(least, wall_seconds() - begin);
    }
  bench.add({.name = item.name + ", two threads",
             .value = alone / together,
             .unit = "times",
             .share = alone / together / 1.8,
             .floor = 1,
             .of = "1.8 times"});
}

}  // namespace

void bench_circuit_training(Bench& bench) {
  Case tables = digits("tables of 256", 0);
  tables.floor = 0.17;
  for (const Case& item : {tables, digits("64 styles, dictionary of 48", 48), text("32,32")}) {
    Trained one(item, 1);
    const double seconds = bench.seconds([&] { one.step(); }), flops = step_flops(item, one.plan());
    bench.add({.name = item.name,
               .value = 1e3 * seconds,
               .unit = "ms",
               .share = flops / seconds / bench.peak(),
               .floor = item.floor,
               .of = "sgemm 1024"});
    time_threads(bench, item, one);
  }
}

}  // namespace logpx::bench
