// A bell curve for every dimension, over whole numbers: the smallest family that trains, scores,
// samples and codes, with all the parts that one of libcore/families has.
//   log p(x) = sum_d log P(x_d; mean_d, scale_d)
// P is `logistic256` of libcore/model/likelihood.hpp: a logistic, which is nearly Gaussian, over
// the cells of 0 .. levels - 1 on [-1, 1]; the outer ones take the tails.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::gauss {

struct Config {
  double start_scale = 0.5;
  void describe(Fields& f) {
    f.group("model");
    f.add("start-scale", start_scale, "scale of every dimension before training").range(0.01, 100);
  }
};

struct ScoringSettings {
  double widen = 1;
  void describe(Fields& f) {
    f.add("widen", widen, "factor on the scale of every dimension").range(0.001, 1000);
  }
};
struct SamplingSettings {
  double temperature = 1;
  void describe(Fields& f) {
    f.add("temperature", temperature, "factor on the scale of every dimension").range(0, 1e6);
  }
};

struct Settings {
  Config model;
  TrainOptions training;
  Settings() { training.lr = 0.02; }
  void describe(Fields& f) { model.describe(f), training.describe(f); }
  [[nodiscard]] static const Presets<Settings>& presets() {
    static const Presets<Settings> all = {
        {"plain", [](Settings&) {}, "the defaults"},
        {"tiny", [](Settings& s) { s.training.epochs = 2; }, "two epochs"}};
    return all;
  }
};

[[nodiscard]] Family family();
// A usage error for data without levels. Refers to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng);

}  // namespace logpx::gauss
