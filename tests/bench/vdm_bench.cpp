// One training step of diffusion models of pictures, which the peers' script makes, too: 64 rows,
// both passes, clipped gradients, AdamW and a running average; and one evaluation of the network
// with the bits that a decoder must repeat, beside a fast one.
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vdm/family.hpp"
#include "libcore/families/vdm/model.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

#include <memory>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t batch = 64;

struct Size {
  const char* preset;
  std::int64_t side;
  int rounds;
};

Trainee trainee_of(const Size& size, const HeldRows& rows) {
  return vdm::make_trainee(vdm::Settings::presets().make(size.preset),
                           {.train = rows.examples(), .valid = std::nullopt}, Rng(1));
}

// Without those of the schedule: the peer's network has as many.
double network_parameters(const Trainee& trainee) {
  double count = 0;
  for (const ParamInfo& info : trainee.task->params().infos())
    if (!info.name.starts_with("schedule")) count += static_cast<double>(info.shape.elements());
  return count;
}

void bench_steps(Bench& bench, const Size& size) {
  const HeldRows rows = noise_pictures(size.side, 256, 16 * batch);
  bench.add({.name = std::string("parameters of ") + size.preset,
             .value = network_parameters(trainee_of(size, rows)),
             .unit = ""});
  for (const int threads : {1, 2}) {
    const Trainee trainee = trainee_of(size, rows);
    const StepTimes times = step_times(*trainee.task, trainee.options, threads, size.rounds);
    const std::string name = std::string("vdm step of ") + size.preset + ", " +
                             std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    bench.add({.name = name + ", median", .value = 1e3 * times.median, .unit = "ms"});
    bench.add({.name = name + ", fastest", .value = 1e3 * times.least, .unit = "ms"});
  }
}

// One evaluation for one picture, as coding needs at every level.
void bench_evaluation(Bench& bench, const Size& size) {
  const HeldRows rows = noise_pictures(size.side, 256, 16 * batch);
  const Trainee trainee = trainee_of(size, rows);
  const auto& model = dynamic_cast<const vdm::VdmModel&>(*trainee.model);
  std::vector<float> drawn(at(size.side * size.side));
  fill_normals(Rng(1).stream(Stream::test, 1), 0, drawn);
  const std::vector<double> z(drawn.begin(), drawn.end());
  std::vector<double> noise(z.size());
  const double gamma = -2;
  const vdm::NoisyRows one{.z = z, .gamma = {&gamma, 1}};
  const std::unique_ptr<const vdm::NoisePredictor> repeatable = model.repeatable_predictor();
  bench.add_repeatable(
      std::string("vdm ") + size.preset + ", one picture, repeatable",
      [&] { model.predictor().predict(one, noise); }, [&] { repeatable->predict(one, noise); });
}

}  // namespace

void bench_vdm(Bench& bench) {
  for (const Size& size : {Size{"small8", 8, 40}, Size{"small28", 28, 15}}) {
    bench_evaluation(bench, size);
    bench_steps(bench, size);
  }
}

}  // namespace logpx::bench
