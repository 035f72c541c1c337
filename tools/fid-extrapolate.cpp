// Judges samples by features, in ways that do not depend on how many there are: FID, KID and the
// inception score at infinity with intervals, precision and recall, and which of two is better.
// [eval/README 10]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/judge_input.hpp"
#include "tools/sessions/judge_report.hpp"
#include "tools/sessions/judgement.hpp"

using namespace logpx;

namespace {

struct Options {
  std::string real, scores;
  std::vector<std::string> samples;
  FeatureOptions features;
  JudgeOptions judge;

  void describe(Fields& f) {
    f.add("real", real,
          "features of real data, or their mean and covariance; or what --extractor reads")
        .metavar("REAL")
        .positional()
        .files("*/");
    f.add("fake", samples, "samples in the same forms; of two, the better one is named")
        .metavar("FAKE")
        .positional()
        .files("*/");
    f.group("input");
    f.add("scores", scores, "a table of N and score: extrapolate these")
        .metavar("FILE.csv")
        .external()
        .hidden_default()
        .files("*.csv");
    judge.describe(f);
    features.describe(f);
    // Others are shown by extract-features; here they are secondary.
    for (Field& field : f.all())
      if (field.group() == "features" && field.name() != "extractor" && field.name() != "fit-on")
        field.rank(Rank::manual);
  }
  void check(const App& app) const;
};

const ToolSpec spec = {
    .name = "fid-extrapolate",
    .purpose = "judge samples by scores that do not depend on their number",
    .usage = {"REAL FAKE [options]", "REAL A B [options]", "--scores FILE.csv [options]"},
    .examples = {{"fid-extrapolate real.h5 fake.h5", "FID and KID at infinity, with intervals"},
                 {"fid-extrapolate real.npz a.npy b.npy", "which of two is better"},
                 {"fid-extrapolate photos/ fakes/ --extractor random-conv:1:64", "of pictures"},
                 {"fid-extrapolate --scores scores.csv", "from scores measured elsewhere"}},
    .kind = ToolKind::answer,
    .compute_facts = compute_facts};

void Options::check(const App& app) const {
  judge.check(app.fields());
  if (!scores.empty()) {
    if (!real.empty()) fail(ErrorKind::usage, "--scores", "stands alone: no REAL and FAKE with it");
    for (const Field& field : app.fields().all())
      if (field.given() &&
          (field.group() == "scores" || field.group() == "extrapolation" ||
           field.group() == "features") &&
          field.name() != "level" && field.name() != "weighted")
        fail(ErrorKind::usage, field.option(), "does nothing with --scores");
    return;
  }
  if (real.empty()) fail(ErrorKind::usage, "", "missing REAL", "fid-extrapolate REAL FAKE");
  if (samples.empty())
    fail(ErrorKind::usage, "", "missing FAKE: samples to compare with " + real,
         "fid-extrapolate " + real + " FAKE");
  if (samples.size() > 2)
    fail(ErrorKind::usage, "",
         std::to_string(samples.size()) + " sets of samples, and two at most can be compared");
}

void run_scores(App& app, const Options& o) {
  const std::vector<ScorePoint> points = read_score_points(app, o.scores);
  if (app.dry_run())
    return app.say("would extrapolate " + std::to_string(points.size()) + " scores");
  const ExtrapolationSettings settings = {
      .weights = o.judge.weighted ? PointWeights::size : PointWeights::equal,
      .level = o.judge.level};
  const Extrapolation told = extrapolate(points, settings);
  app.result().set("metrics", Json::object().set("score", to_json(told, "score", o.judge.level)));
  add_line_series(app, told, "score");
  app.say(summary_of(Judgement{.lines = {{"score", told}}}));
}

Json side_json(const FeatureSet& set) {
  Json json = Json::object();
  return json.set("n", set.info.n > 0 ? Json(set.info.n) : Json()).set("d", set.info.d);
}

struct Judged {
  std::string role;  // "fake", "A", "B"
  FeatureSet set;
  Judgement judgement;
};

void report(App& app, const Options& o, const FeatureSet& real, const std::vector<Judged>& all) {
  const double level = o.judge.level;
  Json& result = app.result();
  result.set("extractor", real.info.extractor.empty() ? Json() : Json(real.info.extractor))
      .set("subset", app.fields().find_option("--subset")->text())
      .set("qmc", qmc_of(all.front().set))
      .set("real", side_json(real));
  std::int64_t clipped = 0;
  for (const auto& [role, set, judgement] : all) {
    Json side = side_json(set);
    if (all.size() > 1) side.set("metrics", metrics_json(judgement, level));
    result.set(role, std::move(side));
    for (const auto& [metric, told] : judgement.lines)
      add_line_series(app, told, metric, all.size() > 1 ? ' ' + role : "");
    clipped += judgement.clipped;
    app.say((all.size() > 1 ? role + ": " : "") + summary_of(judgement));
  }
  if (all.size() == 1) result.set("metrics", metrics_json(all.front().judgement, level));
  if (all.size() > 1) {
    Json comparison = comparison_json(all[0].judgement, all[1].judgement, level);
    app.say(summary_of(comparison));
    result.set("comparison", std::move(comparison));
  }
  result.set("clipped_eigenvalues", clipped);
}

void run(App& app, Options& o) {
  o.check(app);
  if (!o.scores.empty()) return run_scores(app, o);
  JudgeInput input(app, o.features);
  const FeatureSet real = input.open(o.real, "real");
  std::vector<Judged> all;
  for (const std::string& path : o.samples) {
    const std::string role = o.samples.size() == 1 ? "fake" : all.empty() ? "A" : "B";
    all.push_back({role, input.open(path, role), {}});
  }
  if (app.dry_run() && o.features.extracts())
    return app.say("would extract features by " + real.info.extractor);
  Judge judge(app, o.judge, real);
  for (const Judged& one : all) judge.check(one.set);
  if (app.dry_run())
    return app.say("would judge " + std::to_string(all.front().set.info.n) + " samples by " +
                   join_text(judge.metrics(), ", "));
  for (Judged& one : all) one.judgement = judge.of(one.set);
  report(app, o, real, all);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
