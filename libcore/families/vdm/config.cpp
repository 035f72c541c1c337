#include "libcore/families/vdm/config.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/column_scale.hpp"
#include "libcore/model/missing_values.hpp"

#include <cmath>
#include <vector>

namespace logpx::vdm {
namespace {

constexpr std::int64_t most_levels = 1 << 16, most_timesteps = 1'000'000;

}  // namespace

void Config::describe(Fields& f) {
  net.describe(f);
  f.add("labels", labels, "learn p(x|class) from the labels of the data")
      .about(
          "Some rows lose their label while training (--label-drop), so that the model knows p(x) "
          "without a class as well, which sample-model --guidance needs.");
  f.add("classes", classes, "classes that the network knows; set by the data")
      .range(0, 1 << 16)
      .unset_while([this] { return classes == 0; })
      .rank(Rank::set_only);
  f.add("label-drop", label_drop, "share of rows whose label is left out while training")
      .range(0, 1)
      .when({[this] { return labels; }, "--labels"})
      .rank(Rank::manual);
  f.add("aug-flag", aug_flag, "tell the network whether augmentation has changed x")
      .rank(Rank::manual);
  schedule.describe(f);
  f.add(
       "process", process,
       {{"vp", Variance::preserving, "the signal fades while noise comes in: z keeps its variance"},
        {"ve", Variance::exploding, "noise is added to a signal that stays: z grows"}},
       "whether z keeps its variance or grows")
      .source("VDM sec. 3.1")
      .rank(Rank::manual);
  f.add("timesteps", timesteps, "steps of the model; 0: continuous time")
      .about(
          "A model of continuous time can be scored and sampled with any number of steps later; "
          "one of T steps is trained for those.")
      .range(0, most_timesteps);
  f.group("data");
  f.add("binarise", binarise, "none, threshold[:T], static or dynamic")
      .metavar("RULE")
      .rank(Rank::manual);
  f.add("binarise-seed", binarise_seed, "seed of the draw")
      .at_least(0)
      .when(static_draw(binarise))
      .rank(Rank::manual);
  f.add("standardise", standardise, "read columns of real numbers in their deviations")
      .unless({[this] { return has_levels; }, "data of levels, which stay as they are"})
      .rank(Rank::manual);
}

void Config::settle(const DatasetInfo& data, const CurveTable& table, bool bound) {
  check_data(data);
  has_levels = levels(data) > 0;
  net.settle(data, levels(data));
  schedule.settle(table, levels(data), bound);
  if (levels(data) == 0 && *schedule.learn_endpoints && !schedule.gamma_floor)
    fail(ErrorKind::usage, "--learn-endpoints",
         "of real numbers would take gamma at time 0 to minus infinity", "--gamma-floor -13.3");
  if (aug_flag && net.kind != NetKind::unet)
    fail(ErrorKind::usage, "--aug-flag", "goes with --net unet");
  if (classes > 0 && net.kind == NetKind::linear_gauss)
    fail(ErrorKind::usage, "--labels", "does nothing with --net linear-gauss");
}

void Config::check_data(const DatasetInfo& data) const {
  check_rules(data, rules(data));
  refuse_missing(data, "a diffusion model");
  if (!data.column_words.empty() && !binarises())
    fail(ErrorKind::data, data.name,
         "has columns of words, and a diffusion model takes numbers in their order",
         "train-pc takes words");
  if (levels(data) == 1 || levels(data) > most_levels)
    fail(ErrorKind::data, data.name,
         "has " + std::to_string(data.levels) + " levels, expected 2 to " +
             std::to_string(most_levels) + ", or real numbers");
}

bool Config::binarises() const { return parse_binarisation(binarise).rule != Binarise::none; }

std::int64_t Config::levels(const DatasetInfo& data) const { return binarises() ? 2 : data.levels; }

std::string Config::values_of_x(const DatasetInfo& data) const {
  if (levels(data) == 0) return "gaussian-fixed";
  return levels(data) == 2 ? "bernoulli" : "categorical";
}

RowRules Config::rules(const DatasetInfo& data) const {
  DataReading reading;
  reading.binarise = binarise;
  reading.binarise_seed = binarise_seed;
  return reading.rules({.word = values_of_x(data)}, data);
}

std::unique_ptr<const Likelihood> Config::support(const DatasetInfo& data) const {
  return make_likelihood(values_of_x(data), levels(data), {});
}

DatasetInfo with_standardisation(const Config& config, const TaskRows& rows) {
  DatasetInfo info = rows.info;
  if (config.levels(info) > 0) return info;
  Standardisation& scale = info.standardisation;
  if (!config.standardise) scale = {};
  if (!config.standardise || !scale.empty()) return info;
  ColumnMoments moments(info);
  rows.visit([&](const Examples& part) { moments.add(part.rows); });
  scale = moments.scale();
  for (std::size_t d = 0; d < scale.deviation.size(); ++d) {
    const std::string name = info.column_name(static_cast<std::int64_t>(d));
    if (!std::isfinite(scale.deviation[d]))
      fail(ErrorKind::data, info.name, name + " holds a value that is not finite");
    if (scale.deviation[d] == 0)
      fail(ErrorKind::data, info.name, name + " never changes", "--no-standardise");
  }
  return info;
}

}  // namespace logpx::vdm
