// Evaluates a model on a dataset: log p(x) or bounds of it, with kinds and errors, for any family;
// compares two such evaluations; studies the noise of gradient estimators.
// [AEVB sections 2 and 5.3, appendix D; eval/README]
#include "formats/measure.hpp"
#include "formats/scores_file.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/doctor.hpp"
#include "tools/sessions/evaluation_report.hpp"

using namespace logpx;

namespace {

const ToolSpec spec = {
    .name = "elbo-eval",
    .purpose = "measure log p(x) of a dataset under a model, or bounds of it",
    .usage = {"MODEL DATASET[:SPLIT]|TABLE.csv [options]", "--compare A.h5,B.h5",
              "--study gradient-variance [MODEL DATASET]"},
    .examples = {{"elbo-eval vae.h5 digits.h5", "the bound on the test split, in nats and bits"},
                 {"elbo-eval vae.h5 digits.h5 --method iwae --samples 1000 --limit 500",
                  "a tighter bound on fewer examples"},
                 {"elbo-eval vae.h5 digits.h5:valid --per-example a.h5",
                  "keep the value of every example"},
                 {"elbo-eval --compare a.h5,b.h5", "which of two models is better, and how surely"},
                 {"elbo-eval vae.h5 digits.h5 --gap --limit 100", "where the bound loses nats"}},
    .kind = ToolKind::answer,
    .compute_facts = compute_facts};

void compare(App& app, const EvaluationOptions& o) {
  std::vector<Scored> sides;
  std::vector<ScoresFile> files;
  for (const std::string& path : o.compare) {
    const ScoresContents& scores = files.emplace_back(path).contents();
    app.add_input({.role = "scores",
                   .path = path,
                   .kind = "scores",
                   .content_hash = files.back().content_hash()});
    sides.push_back({.kind = parse_bound(scores.likelihood_kind), .nats = scores.nats});
  }
  require_comparable(files[0], files[1]);
  for (const ScoresFile& file : files)
    if (!file.contents().measured.known())
      app.warn(file.name() + " does not say whether log p is a probability or a density");
  const Estimate difference = paired_difference(sides[0], sides[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const ScoresContents& scores = files[i].contents();
    Json side = Json::object();
    side.set("family", scores.family).set("method", scores.method);
    add_measure(side, scores.measured);
    side.set("log_likelihood", to_json(mean_of(sides[i].nats, sides[i].kind)));
    app.result().set(i == 0 ? "a" : "b", std::move(side));
  }
  app.result().set("difference", to_json(difference));
  app.say(o.compare[0] + " minus " + o.compare[1] + ": " + difference.text());
}

void study_toy(App& app, const EvaluationOptions& o) {
  if (app.dry_run()) return app.say("would take " + std::to_string(o.toy.repeats) + " draws");
  const std::vector<ToyEstimator> estimators = study_toy(o.toy, app.rng());
  report_toy(app.result(), o.toy, estimators);
  add_toy_series(app, estimators);
  app.say("variance of the gradient by mu: pathwise " + four_digits(estimators[0].variance) +
          ", score " + four_digits(estimators[2].variance));
}

void study_model(App& app, const EvaluationOptions& o, EvaluationSession& session) {
  const ModelGradients* const gradients = session.can().gradients.get();
  if (gradients == nullptr)
    fail(ErrorKind::usage, "--study",
         "this " + session.model().family + " offers no gradient estimators");
  if (app.dry_run()) return app.say("would take " + std::to_string(o.toy.repeats) + " draws");
  EvalRows rows = session.rows("draw");
  const std::int64_t end = o.rows.limit ? rows.end : std::min(rows.end, rows.begin + 100);
  const Rows minibatch = rows.data.read(rows.begin, end);
  report_gradients(app.result(),
                   study_gradients(*gradients, {session.data(), minibatch, rows.begin},
                                   o.toy.repeats, app.rng(), app.workers()));
  app.result().set("minibatch", end - rows.begin).set("repeats", o.toy.repeats);
}

void add_tighter_bound(App& app, EvaluationSession& session) {
  const Method* const method = latent_method(session.can(), Method::Use::beside_auto);
  if (method == nullptr || session.can().score.empty()) return;
  const std::unique_ptr<ScoringPlan> plan = method->plan(session.can());
  plan->settle();
  const Scored tighter = session.score(method->name, *plan);
  const Summary summary = summarise(tighter);
  report_method(app.result(), tighter, method->name, *plan);
  report_asides(app.result(), method->name, {{"log_likelihood", summary.log_likelihood}});
  check_against_truth(app, session, summary);
}

// Adds a tighter bound if that is cheap for `auto`, facts about the latents, and the parts of the
// gap.
void add_latents(App& app, const EvaluationOptions& o, EvaluationSession& session,
                 const Scored& scored) {
  const ModelLatents* const latents = session.can().latents.get();
  if (latents == nullptr) return;
  const Rng rng = app.rng();
  if (latents->has_posterior()) {
    if (o.method == "auto" && !o.gap) add_tighter_bound(app, session);
    const Posterior q = encode_rows(session.rows("posterior"), app.workers(), *latents);
    if (latents->standard_normal_prior()) {
      const LatentFacts facts = latent_facts(q, rng);
      report_latents(app.result(), facts);
      if (facts.collapsed) app.warn("the posterior has collapsed: every KL_j is below 0.01 nats");
    }
  }
  if (o.gap)
    report_gap(
        app.result(),
        measure_gap(session.rows("gap example"), app.workers(), session.can(), scored, o.gaps, rng),
        o.gaps);
}

void run(App& app, EvaluationOptions& o) {
  if (o.doctor) return examine_machine(app, spec);
  o.check_operands();
  o.check_options(app.fields());
  if (o.compares()) return compare(app, o);
  if (o.studies_toy()) return study_toy(app, o);
  EvaluationSession session(app, o);
  if (o.study != Study::none) return study_model(app, o, session);
  const ChosenScoring scoring = choose_scoring(session.can(), o);
  ScoringPlan& plan = *scoring.plan;
  if (app.dry_run())
    return app.say("would score " + std::to_string(session.count()) + " examples by " +
                   scoring.method);
  const double start = wall_seconds();
  const Scored scored = session.score(scoring.method, plan);
  const Summary summary = summarise(scored);
  check_against_truth(app, session, summary);
  const EvaluationFacts facts{session, scoring, o.det, wall_seconds() - start};
  const std::string line = report_evaluation(app.result(), summary, facts);
  report_method(app.result(), scored, scoring.method, plan);
  add_curves(app, scored, plan);
  warn_of(app, scored, summary, plan);
  if (!o.det) add_latents(app, o, session, scored);
  report_asides(app.result(), scoring.method,
                plan.asides(session.count(), app.rng(), app.workers()));
  session.end_other_ranks();
  if (!o.per_example.empty()) write_per_example(app, o.per_example, scores_of(facts, scored));
  app.say(line);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<EvaluationOptions>(argc, argv, spec, run); }
