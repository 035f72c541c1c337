// Trains a variational diffusion model: a network that tells noise from data, its noise schedule,
// and with both a bound on log p(x).
// [VDM: Kingma, Salimans, Poole, Ho, Variational Diffusion Models, arXiv:2107.00630]
#include "formats/file/input.hpp"
#include "formats/json/value.hpp"
#include "formats/report.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/families/vdm/family.hpp"
#include "libcore/families/vdm/model.hpp"
#include "libcore/families/vdm/scoring/drawn_curves.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/trainer_options.hpp"

using namespace logpx;

namespace {

using Options = TrainerOptions<vdm::Settings>;

const ToolSpec spec = {
    .name = "train-vdm",
    .purpose = "fit a variational diffusion model to a dataset",
    .usage = {"DATASET -o MODEL.h5 [options]"},
    .examples = {{"train-vdm digits.h5 -o vdm.h5 --labels", "digits, and each class of them"},
                 {"train-vdm digits.h5 -o m.h5 --schedule monotone", "learn the schedule"},
                 {"train-vdm digits.h5 -o ten.h5 --timesteps 10", "a model of ten steps"}},
    .compute_facts = compute_facts};

// {"mean": [...], "covariance": [[...], ...]} of x as it is stored.
struct MomentsFile {
  std::string text = {};
  vdm::Moments moments = {};
};
MomentsFile read_moments(App& app, const std::string& path) {
  if (path.empty()) return {};
  MomentsFile file{.text = read_text_file(path)};
  app.add_input({.role = "moments", .path = path, .kind = "moments"});
  const Json json = Json::parse(file.text, path);
  try {
    for (const Json& value : json.at("mean").items()) file.moments.mean.push_back(value.number());
    for (const Json& row : json.at("covariance").items())
      for (const Json& value : row.items()) file.moments.covariance.push_back(value.number());
  } catch (const Error& error) {
    throw error.within(path);
  }
  file.moments.check(path);
  return file;
}

// The curves of a word like "table:knots.json", {"t": [...], "g": [...]}; nothing for other words.
struct CurveFile {
  std::string path = {}, text = {};
  std::vector<double> x = {}, y = {};
};
CurveFile read_curve(App& app, const std::string& word, const char* x, const char* y) {
  constexpr std::string_view of_file = "table:";
  if (!word.starts_with(of_file)) return {};
  CurveFile file{.path = word.substr(of_file.size())};
  file.text = read_text_file(file.path);
  app.add_input({.role = "curve", .path = file.path, .kind = "curve"});
  const Json json = Json::parse(file.text, file.path);
  const auto numbers = [&](const char* key) {
    std::vector<double> values;
    for (const Json& value : json.at(key).items()) values.push_back(value.number());
    return values;
  };
  try {
    file.x = numbers(x);
    file.y = numbers(y);
  } catch (const Error& error) {
    throw error.within(file.path);
  }
  return file;
}

void run(App& app, Options& o) {
  const CurveFile schedule = read_curve(app, o.settings.model.schedule.name, "t", "g"),
                  weight = read_curve(app, o.settings.learning.weight, "gamma", "w");
  vdm::TraineeParts parts{.schedule = {schedule.x, schedule.y}, .weight = {weight.x, weight.y}};
  if (!schedule.path.empty()) parts.schedule.check(schedule.path);
  if (!weight.path.empty()) parts.weight.check(weight.path);
  const MomentsFile moments = read_moments(app, o.settings.learning.moments);
  parts.moments = moments.moments;
  const std::string given = schedule.text + weight.text + moments.text;
  if (!given.empty()) parts.given_hash = sha256_hex(std::as_bytes(std::span(given)));
  const TrainingData data = o.load(app);
  parts.given = &app.fields();
  const Trainee trainee = vdm::make_trainee(o.settings, data.rows(), app.rng(), parts);
  o.train(app, trainee, data);
  if (app.dry_run()) return;
  const auto& model = dynamic_cast<const vdm::VdmModel&>(*trainee.model);
  for (const DrawnCurve& curve : vdm::drawn_curves(model))
    app.add_series(to_json(Series{curve.name, curve.x_label, curve.y_label, curve.x, curve.y}));
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
