#include "tools/sessions/evaluation_report.hpp"

#include "formats/file/output.hpp"
#include "formats/file/suffix.hpp"
#include "formats/json/fields_json.hpp"
#include "formats/measure.hpp"
#include "formats/report.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/power_posterior.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"
#include "libcore/math/vector_math.hpp"
#include "libcore/model/measured_as.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace logpx {
namespace {

constexpr double few_samples = 5;  // of effective importance samples

Json plain(double value) { return std::isfinite(value) ? Json(value) : Json(); }

// Bits, if kind and data allow them: for a probability, or a density of dequantised levels.
std::optional<double> level_bits(const EvaluationSession& session, Bound kind) {
  const ModelInfo& info = session.model();
  if (kind == Bound::surrogate) return std::nullopt;
  if (info.measure == Measure::counting) return 0;
  return info.level_bits;
}

// Bits of an example, divided by its observed dims.
struct DividedBits {
  Estimate per_dim;
  std::int64_t observed = 0;  // dims of all examples
  bool whole = true;          // they are those of whole rows
};

DividedBits divided_bits(const Summary& summary, const EvaluationSession& session,
                         double level_bits_each) {
  const Estimate& nats = summary.log_likelihood;
  const std::int64_t dims = session.data().dims(), all = dims * nats.n.value_or(0);
  if (!summary.observed || summary.observed->dims == all)
    return {bits_per_dim(nats, dims, level_bits_each), all};
  return {bits_per_dim(summary.observed->nats, 1, level_bits_each), summary.observed->dims, false};
}

void report_bits(Json& result, const Summary& summary, const EvaluationSession& session) {
  const auto correction = level_bits(session, summary.log_likelihood.kind);
  if (!correction) return;
  auto [per_dim, observed, whole] = divided_bits(summary, session, *correction);
  if (session.data().is_text()) per_dim.unit = "bits/char";
  Json quantity = to_json(per_dim);
  quantity.set("dims", session.data().dims());
  if (!whole) quantity.set("dims_observed", observed);
  quantity.set("dequantisation", session.model().level_bits ? "uniform" : "none");
  result.set(session.data().is_text() ? "bits_per_char" : "bits_per_dim", std::move(quantity));
  result.set("total_bits", to_json(per_dim.scaled(static_cast<double>(observed), "bits")));
}

// Terms called "group.name" go into a group of that name, beside the others.
void report_terms(Json& result, const Summary& summary) {
  Json terms = Json::object();
  std::map<std::string, Json> groups;
  for (const auto& [name, estimate] : summary.terms) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      terms.set(name, to_json(estimate));
      continue;
    }
    Json& group = groups.try_emplace(name.substr(0, dot), Json::object()).first->second;
    group.set(name.substr(dot + 1), to_json(estimate));
  }
  result.set("terms", std::move(terms));
  for (auto& [name, group] : groups) result.set(name, std::move(group));
}

std::string numerics_text() {
  const std::string onednn = onednn_version();
  return blas_name() + ' ' + blas_kernel() + ", " + vec::backend() +
         (onednn.empty() ? "" : ", oneDNN " + onednn);
}

// "lower bound of a density", "exact probability"
std::string kind_and_measure(Bound kind, const ModelInfo& info) {
  std::string text = word_of(kind);
  std::ranges::replace(text, '_', ' ');
  if (kind == Bound::surrogate) return text;
  return text + (kind == Bound::exact ? " " : " of a ") + measured_as(info).word;
}

std::string people_line(const Summary& summary, const EvaluationFacts& facts) {
  const Estimate& nats = summary.log_likelihood;
  std::string text = four_digits(nats.value);
  if (nats.std_error) text += " ± " + four_digits(*nats.std_error);
  const ModelInfo& info = facts.session.model();
  const std::string& space = info.space;
  text += space.empty() ? " nats (" : " nats of " + space + " (";
  if (const auto bits = level_bits(facts.session, nats.kind); bits && std::isfinite(nats.value))
    text += four_digits(divided_bits(summary, facts.session, *bits).per_dim.value) +
            (facts.session.data().is_text() ? " bits/char, " : " bits/dim, ");
  return text + kind_and_measure(nats.kind, info) + ", " + std::to_string(nats.n.value_or(0)) +
         " examples, " + human_seconds(facts.seconds) + ')';
}

Json reals(const std::vector<double>& values) { return Json::array_of(values); }

// The means over all rows.
std::vector<double> points_of(const FactCurve& curve, const Scored& scored) {
  std::vector<double> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    points.push_back(mean_of_fact(scored, curve.column(i)));
  return points;
}

std::set<std::string> columns_of(const std::vector<FactCurve>& curves) {
  std::set<std::string> names;
  for (const FactCurve& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) names.insert(curve.column(i));
  return names;
}

}  // namespace

Json to_json(const Estimate& estimate) {
  Quantity quantity{.value = estimate.value,
                    .unit = estimate.unit,
                    .kind = word_of(estimate.kind),
                    .std_error = estimate.std_error,
                    .n = estimate.n};
  if (std::isfinite(estimate.value)) return to_json(quantity);
  quantity.value = 0;
  Json json = to_json(quantity);
  return json.set("value", Json());
}

std::string report_evaluation(Json& result, const Summary& summary, const EvaluationFacts& facts) {
  Json likelihood = to_json(summary.log_likelihood);
  if (summary.mc_std_error) likelihood.set("mc_std_error", *summary.mc_std_error);
  result.set("family", facts.session.model().family)
      .set("method", facts.scoring.method)
      .set("log_likelihood", std::move(likelihood));
  add_measure(result, measured_as(facts.session.model()));
  report_bits(result, summary, facts.session);
  report_terms(result, summary);
  if (summary.gap_to_truth) result.set("gap_to_truth", to_json(*summary.gap_to_truth));
  const Spread& spread = summary.per_example;
  result.set("per_example", Json::object()
                                .set("min", plain(spread.min))
                                .set("p1", plain(spread.p1))
                                .set("median", plain(spread.median))
                                .set("p99", plain(spread.p99))
                                .set("max", plain(spread.max))
                                .set("argmin", spread.argmin));
  if (const std::int64_t draws = facts.scoring.plan->draws(); draws > 0)
    result.set("samples", draws);
  result.set("weights", facts.session.weights_word());
  if (!facts.session.reading().empty()) result.set("binarise", facts.session.reading());
  result.set("rows_seen_in_training", word_of(facts.session.seen_in_training()));
  result.set("num_impossible", summary.num_impossible);
  if (summary.num_impossible > 0) result.set("first_impossible", summary.first_impossible);
  if (!reproducible_build())
    result.set("examples_per_second",
               static_cast<double>(facts.session.count()) / std::max(facts.seconds, 1e-9));
  if (facts.by_coder) result.set("numerics", "det");
  else if (!reproducible_build()) result.set("numerics", numerics_text());
  return people_line(summary, facts);
}

void report_method(Json& result, const Scored& scored, const std::string& method,
                   ScoringPlan& plan) {
  Fields knobs;
  plan.describe(knobs);
  const Json settings = settings_json(knobs);
  Json facts = Json::object();
  for (const auto& [word, key] : plan.reported()) facts.set(word, settings.at(key));
  for (const FactCurve& curve : plan.curves())
    facts.set(curve.x_name, reals(curve.x)).set(curve.name, reals(points_of(curve, scored)));
  for (const auto& [name, yes] : plan.verdicts(scored.facts)) facts.set(name, yes);
  const std::set<std::string> on_curves = columns_of(plan.curves());
  for (const auto& [name, values] : scored.facts) {
    if (on_curves.contains(name)) continue;
    facts.set(name == "accept" ? name : name + "_mean", mean_of_fact(scored, name));
    if (name == "ess")
      facts.set("ess_below_5", static_cast<double>(std::ranges::count_if(
                                   values, [](double ess) { return ess < few_samples; })) /
                                   static_cast<double>(values.size()));
    if (name == "change" || name == r_hat_fact) facts.set(name + "_max", std::ranges::max(values));
  }
  if (facts.size() > 0) result.set(method, std::move(facts));
}

void add_curves(App& app, const Scored& scored, const ScoringPlan& plan) {
  for (const FactCurve& curve : plan.curves())
    if (!curve.title.empty())
      app.add_series(to_json(
          Series{curve.title, curve.x_label, curve.y_label, curve.x, points_of(curve, scored)}));
  if (scored.tallies.empty()) return;
  for (const DrawnCurve& curve : plan.drawn(scored.tallies))
    app.add_series(to_json(Series{curve.name, curve.x_label, curve.y_label, curve.x, curve.y}));
}

void report_asides(Json& result, const std::string& method, const ScoringPlan::Asides& asides) {
  if (asides.empty()) return;
  if (result.find(method) == nullptr) result.set(method, Json::object());
  for (const auto& [name, estimate] : asides) result.find(method)->set(name, to_json(estimate));
}

void report_latents(Json& result, const LatentFacts& facts) {
  result.set("kl_per_latent", reals(facts.kl))
      .set("active_units", facts.active)
      .set("latent_activity", reals(facts.activity))
      .set("aggregate_mean", reals(facts.mean))
      .set("aggregate_variance", reals(facts.variance))
      .set("mutual_information",
           to_json(Estimate{.value = facts.mutual_information, .kind = Bound::estimate}));
}

void report_gap(Json& result, const Gap& gap, const GapSettings& settings) {
  result.set("gap_nats", to_json(gap.total))
      .set("amortisation_gap", to_json(gap.amortisation))
      .set("approximation_gap", to_json(gap.approximation))
      .set("elbo", to_json(gap.elbo))
      .set("refined_elbo", to_json(gap.refined_elbo))
      .set("refine_steps", settings.refine.steps);
}

void report_toy(Json& result, const ToyStudy& toy, const std::vector<ToyEstimator>& estimators) {
  Json list = Json::array();
  for (const ToyEstimator& e : estimators)
    list.push(Json::object()
                  .set("estimator", e.estimator)
                  .set("parameter", e.parameter)
                  .set("gradient", e.truth)
                  .set("mean", e.mean)
                  .set("mean_std_error", std::sqrt(e.variance / static_cast<double>(toy.repeats)))
                  .set("variance", e.variance)
                  .set("exact_variance", e.exact_variance));
  result.set("study", "gradient-variance")
      .set("repeats", toy.repeats)
      .set("estimators", std::move(list));
}

void add_toy_series(App& app, const std::vector<ToyEstimator>& estimators) {
  for (const ToyEstimator& e : estimators) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < e.draws.size(); ++i) numbers.push_back(static_cast<double>(i + 1));
    const std::string name = e.estimator + ' ' + e.parameter;
    app.add_series(to_json(Series{name, "draw", "gradient", numbers, e.draws}));
    app.add_series(
        to_json(Series{name + " mean", "draws", "mean gradient", numbers, e.running_mean}));
  }
}

void report_gradients(Json& result, const std::vector<EstimatorVariance>& estimators) {
  Json list = Json::array();
  for (const EstimatorVariance& e : estimators) {
    Json parts = Json::array();
    for (const PartVariance& part : e.parts)
      parts.push(Json::object()
                     .set("tensor", part.name)
                     .set("elements", part.elements)
                     .set("variance", part.variance)
                     .set("mean_square", part.mean_square));
    list.push(Json::object().set("estimator", e.estimator).set("tensors", std::move(parts)));
  }
  result.set("study", "gradient-variance").set("estimators", std::move(list));
}

ScoresContents scores_of(const EvaluationFacts& facts, const Scored& scored) {
  const EvaluationSession& session = facts.session;
  return {.family = session.model().family,
          .method = facts.scoring.method,
          .likelihood_kind = word_of(scored.kind),
          .model_hash = session.model_hash(),
          .data_hash = session.data_hash(),
          .measured = measured_as(session.model()),
          .reading = session.reading(),
          .first_row = scored.begin,
          .rows = {scored.source_rows.begin(), scored.source_rows.end()},
          .labels = {scored.labels.begin(), scored.labels.end()},
          .dims_observed = {scored.dims.begin(), scored.dims.end()},
          .label_names = session.data().label_names,
          .nats = scored.nats,
          .mc_std_error = scored.mc_std_error,
          .terms = scored.terms,
          .facts = scored.facts};
}

void write_per_example(App& app, const std::string& path, const ScoresContents& scores) {
  const Fields& fields = app.fields();
  const std::string format =
      format_for(path, format_choice(fields, *fields.find_option("--per-example")));
  OutputFile out(path, app.overwrite());
  FileRecord record{.role = "scores", .path = path, .kind = format == "h5" ? "scores" : format};
  const auto write_table = [&](TableForm form) {
    write_text_file(out, table_of(scores, 0, std::ssize(scores.nats)).text(form));
  };
  if (format == "h5") record.content_hash = write_scores(out, scores, app.provenance());
  else write_table(format == "csv" ? TableForm::csv : TableForm::json_lines);
  out.commit();
  record.bytes = out.bytes();
  app.add_output(std::move(record));
}

void check_against_truth(App& app, const EvaluationSession& session, const Summary& summary) {
  const std::string text = contradiction_of_truth(summary);
  if (text.empty()) return;
  using Seen = SeenRows::Answer;
  const Seen seen = session.seen_in_training();
  if (seen == Seen::all || seen == Seen::some)
    return app.warn(text + ": the model was trained on these rows");
  if (summary.log_likelihood.kind == Bound::stochastic_lower_bound)
    return app.warn(text + ": by chance, or because the data do not come from that source");
  fail(ErrorKind::numeric, "gap_to_truth", text,
       "do the data of --rows come from that source, as the model reads them?");
}

void warn_of(App& app, const Scored& scored, const Summary& summary, const ScoringPlan& plan) {
  if (summary.num_impossible > 0)
    app.warn(std::to_string(summary.num_impossible) + " of " + std::to_string(scored.nats.size()) +
             " examples are impossible under the model, the first is row " +
             std::to_string(summary.first_impossible) + "; the mean is -inf");
  for (const std::string& doubt : plan.doubts(scored.facts)) app.warn(doubt);
}

}  // namespace logpx
