#include "libcore/families/arm/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/coding/codec.hpp"
#include "libcore/families/arm/sampling/sampling_plan.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/families/arm/training/task.hpp"
#include "libcore/families/synthetic_rows.hpp"

namespace logpx::arm {
namespace {

void small(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.net.size = "tiny";
  s.training.steps = 100;
  s.training.batch = 16;
  s.training.lr = 5e-3;
  s.training.lr_warmup = 0;
}

// For the paper's pictures; it gives no sizes.   [arm/README 4.5]
void mnist(Settings& s) {
  s.model.net.channels = 96;
  s.model.net.multipliers = {1, 2, 2};
  s.training.steps = 100'000;
  s.training.lr = 2e-4;
}

// The paper's molecules, of up to 9 atoms here and up to 38 below: the sizes of [DiGress].
void qm9(Settings& s) {
  NetOptions& net = s.model.net;
  net.layers = 9;
  net.heads = 8;
  net.widths = {256, 64, 64};
  net.ff_widths = net.io_widths = {256, 128, 128};
  s.training.steps = 1'000'000;
  s.training.lr = 1e-5;
}

void zinc250k(Settings& s) {
  qm9(s);
  s.model.net.layers = 12;
  s.model.net.widths = {256, 64, 128};
  s.model.net.ff_widths = s.model.net.io_widths = {256, 128, 256};
  s.training.lr = 1.5e-5;
}

}  // namespace

Settings::Settings() {
  training.optimizer.rule = OptimizerRule::adamw;
  training.optimizer.weight_decay = 1e-12;
  training.lr = 1e-3;
  training.lr_schedule = Curve::cosine;
  training.lr_warmup = 500;
  training.clip_norm = 1;
  training.batch = 128;
  training.steps = 8000;
  training.ema = 0.9999;
  training.ema_warmup = true;
}

void Settings::describe(Fields& f) {
  model.describe(f);
  learning.describe(f, model);
  training.describe(f);
  f.find_option("--epochs")->shows_default("8000 --steps");
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {{"small", small, "the defaults: minutes"},
                                        {"tiny", tiny, "a second, to try things out"},
                                        {"mnist", mnist, "the pictures of the paper"},
                                        {"qm9", qm9, "its molecules of up to nine atoms"},
                                        {"zinc250k", zinc250k, "its molecules of up to 38 atoms"},
                                        {"paper", qm9, "the same as qm9"}};
  return all;
}

namespace {

[[noreturn]] void bad_list(const std::string& option, const std::string& file,
                           const std::string& why) {
  fail(ErrorKind::data, file, why + "; " + option + " takes a whole number for each dim");
}

// Ranks of the dims, from the dims in their order.
std::vector<std::int64_t> ranks_of(const std::vector<std::int64_t>& order, std::int64_t dims,
                                   const std::string& file) {
  if (std::ssize(order) != dims)
    bad_list("--order", file,
             "has " + std::to_string(order.size()) + " numbers, and a row has " +
                 std::to_string(dims) + " dims");
  std::vector<std::int64_t> ranks(order.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t dim = order[i];
    if (dim < 0 || dim >= dims || ranks[at(dim)] >= 0)
      bad_list("--order", file,
               "has " + std::to_string(dim) + " as number " + std::to_string(i + 1) +
                   ", and is no permutation of 0 to " + std::to_string(dims - 1));
    ranks[at(dim)] = static_cast<std::int64_t>(i);
  }
  return ranks;
}

std::vector<std::int64_t> groups_of(const Config& config, const TraineeParts& parts,
                                    const DatasetInfo& data) {
  const std::int64_t dims = data.dims();
  if (config.orders == OrderKind::fixed && config.order != "raster")
    return ranks_of(parts.order, dims, config.order);
  if (config.orders != OrderKind::biased) return {};
  if (config.groups.empty() && data.content == Content::molecules) return {};
  if (config.groups.empty())
    fail(ErrorKind::usage, "--model biased", "needs to know which dims come first",
         "--groups FILE");
  if (std::ssize(parts.groups) != dims)
    bad_list("--groups", config.groups,
             "has " + std::to_string(parts.groups.size()) + " numbers, and a row has " +
                 std::to_string(dims) + " dims");
  return parts.groups;
}

// The number of atoms of each row, where rows are molecules.
std::vector<std::int64_t> atoms_of(const TaskRows& all) {
  std::vector<std::int64_t> atoms;
  if (all.info.content != Content::molecules) return atoms;
  const Examples rows = all.held();
  for (std::int64_t row = 0; row < rows.rows.count; ++row) {
    atoms.push_back(atoms_of_row(rows, row));
    if (atoms.back() == 0)
      fail(ErrorKind::data, rows.info.name,
           "row " + std::to_string(rows.first + row) + " has no atoms, and teaches nothing");
  }
  return atoms;
}

Settings with_model(Settings settings, const Config& settled) {
  settings.model = settled;
  return settings;
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                     const TraineeParts& parts) {
  settings.learning.validate(settings.model);
  const DatasetInfo& info = data.train.info;
  settings.model.check_data(info);
  auto model = std::make_unique<ArmModel>(
      settings.model, info,
      ArmParts{.groups = groups_of(settings.model, parts, info), .atoms = atoms_of(data.train)});
  if (parts.given != nullptr) refuse_unread(*parts.given, with_model(settings, model->config()));
  model->initialise(rng);
  auto task = std::make_unique<ArmTask>(*model, settings.learning, data);
  return {std::move(model), std::move(task), settings.training, parts.given_hash};
}

Family family() {
  return {.name = "arm",
          .summary = "autoregressive model of any order",
          .trainer = "train-arm",
          .draft = [] { return std::make_unique<DraftOf<Config, ArmModel>>(); },
          .score = {{elbo_method, "the bound that training goes by", from_model(make_elbo_scoring),
                     list_knobs<ElboSettings>},
                    {exact_method, "log p(x) itself", from_model(make_exact_scoring),
                     list_knobs<ExactSettings>},
                    {iwae_method, "a tighter bound, by weights on several draws",
                     from_model(make_iwae_scoring), list_knobs<IwaeSettings>}},
          .sample = from_model(make_sampling),
          .code = from_model(make_codec),
          .knobs = {.sample = list_knobs<SamplingSettings>, .code = list_knobs<CodingSettings>},
          .trainee = by_preset(make_trainee),
          .tiny_rows = rows_as_asked({.name = "bars", .options = {.size = 3}})};
}

}  // namespace logpx::arm
