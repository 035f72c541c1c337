#include "tools/sessions/evaluation.hpp"

#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"

#include <algorithm>
#include <cstdlib>

namespace logpx {
namespace {

// All words of --method, of any model.
std::vector<Choice> method_choices() {
  std::vector<Choice> choices = {{"auto", "the first that the model has"}};
  const auto add = [&](const std::string& word, const std::string& says) {
    if (std::ranges::find(choices, word, &Choice::word) == choices.end())
      choices.push_back({word, says});
  };
  for (const Family& family : families())
    for (const WayOfScoring& way : family.score) add(way.word, way.says);
  for (const Method& method : latent_methods()) add(method.name, method.summary);
  return choices;
}

// "--method iwae, ais or quadrature"
std::string words_of_latent_methods(const Abilities& can) {
  std::vector<std::string> words;
  for (const std::string& word : methods_of(can))
    if (!is_own_method(can, word)) words.push_back(word);
  if (words.empty()) return "";
  if (words.size() == 1) return "--method " + words.front();
  const std::string last = words.back();
  words.pop_back();
  return "--method " + join_text(words, ", ") + " or " + last;
}

std::unique_ptr<ScoringPlan> coder_plan(const Abilities& can, const std::string& file) {
  if (!can.code)
    fail(ErrorKind::usage, "--det", "this " + can.info().family + " does not code",
         "families that do: " + families_with(&Family::code));
  try {
    return coder_scoring(can.code);
  } catch (const Error& error) {
    throw error.within(file);
  }
}

}  // namespace

void EvaluationOptions::describe(Fields& f) {
  describe_operands(f);
  describe_rows(f);
  describe_per_example(f);
  describe_others(f);
  describe_method(f);
  describe_gap(f);
  knobs.describe(f);
  describe_study(f);
  describe_toy(f);
  describe_repeats(f);
}

void EvaluationOptions::describe_operands(Fields& f) {
  f.add("model", model, "a model, made by a training tool (logpx-model(5))")
      .positional()
      .metavar("MODEL")
      .files("*.h5 of model");
  f.add("data", data, "a dataset (logpx-dataset(5)), its split test unless named, or a .csv")
      .positional()
      .metavar("DATASET[:SPLIT]")
      .files("*.h5 of dataset");
}

void EvaluationOptions::describe_others(Fields& f) {
  f.group("output");
  f.add("compare", compare, "the difference of two files of --per-example")
      .about(
          "Rows that are hard for one model are hard for the other, so the error of the mean "
          "difference is far smaller than those of the two means: it tells whether one model is "
          "better by more than chance.")
      .metavar("A.h5,B.h5")
      .files("*.h5 of scores")
      .external();
  f.add("doctor", doctor,
        "say whether this machine has what the tools need, and stop (logpx doctor)")
      .rank(Rank::manual)
      .external()
      .stands_alone();
}

void EvaluationOptions::describe_rows(Fields& f) {
  f.group("data");
  rows.describe(f, "score");
  describe_weights(f, weights);
  describe_reading(f, binarise);
}

void EvaluationOptions::describe_per_example(Fields& f) {
  f.group("output");
  f.add("per-example", per_example, "write log p(x) of every example: .h5, .csv, .jsonl; - is CSV")
      .about(
          "A mean hides which rows a model finds odd. Two files of the same rows can be given to "
          "--compare, or joined to the source by the number of the row.")
      .metavar("PATH")
      .output()
      .writes({"csv", "h5", "jsonl"});
}

void EvaluationOptions::describe_method(Fields& f) {
  f.group("method");
  f.add_word("method", method, method_choices(), "how log p(x) is found")
      .about(
          "The report says of each number whether it is log p(x) itself, a bound of it or an "
          "estimate, and with what error.");
  f.add("det", det,
        "score with the numbers that files are coded with, and the settings of bits-back-encode")
      .rank(Rank::manual);
  f.add("gap", gap, "split the gap to the evidence (by ais, unless --method)")
      .about(
          "The gap between bound and evidence is split into what a better q of the same form would "
          "win for each example, and what no q of that form reaches.");
}

void EvaluationOptions::describe_gap(Fields& f) {
  f.group("method");
  const Condition split{[this] { return gap; }, "--gap"};
  f.add("gap-draws", gaps.draws, "noise draws for the bounds")
      .at_least(1)
      .when(split)
      .rank(Rank::manual);
  f.add("refine", gaps.refine.steps, "Adam steps on each example's q")
      .at_least(1)
      .when(split)
      .rank(Rank::manual);
  f.add("refine-draws", gaps.refine.draws, "noise draws per step of --refine")
      .at_least(1)
      .when(split)
      .rank(Rank::manual);
  f.add("refine-rate", gaps.refine.rate, "learning rate of these steps")
      .range(0, 1)
      .when(split)
      .rank(Rank::manual);
}

void EvaluationOptions::describe_study(Fields& f) {
  f.group("study");
  f.add("study", study,
        {{"none", Study::none, "score the data"},
         {"gradient-variance", Study::gradient_variance,
          "measure the noise of gradient estimators"}},
        "noise of gradient estimators: of (z - a)^2 + offset, or of MODEL on DATASET")
      .rank(Rank::manual);
}

void EvaluationOptions::describe_toy(Fields& f) {
  f.group("study");
  const Condition alone{[this] { return studies_toy(); }, "--study and no MODEL"};
  f.add("mu", toy.mu, "mean of z ~ N(mu, sigma^2)").range(-1e6, 1e6).when(alone).rank(Rank::manual);
  f.add("sigma", toy.sigma, "standard deviation of z")
      .range(1e-6, 1e6)
      .when(alone)
      .rank(Rank::manual);
  f.add("a", toy.a, "where f has its minimum").range(-1e6, 1e6).when(alone).rank(Rank::manual);
  f.add("offset", toy.offset, "constant added to f")
      .range(-1e6, 1e6)
      .when(alone)
      .rank(Rank::manual);
  f.add("num", toy.num, "single estimates and running means to report")
      .at_least(1)
      .when(alone)
      .rank(Rank::manual);
}

void EvaluationOptions::describe_repeats(Fields& f) {
  f.group("study");
  f.add("repeats", toy.repeats, "draws that variances are taken over")
      .at_least(2)
      .when({[this] { return study != Study::none; }, "--study"})
      .rank(Rank::manual);
}

void EvaluationOptions::check_operands() const {
  if (compares() && !(model.empty() && study == Study::none))
    fail(ErrorKind::usage, "--compare", "takes two files of --per-example and nothing else");
  if (compares() && compare.size() != 2)
    fail(ErrorKind::usage, "--compare",
         "takes two files, A.h5,B.h5, not " + std::to_string(compare.size()));
  if (compares() || studies_toy()) return;
  if (model.empty()) fail(ErrorKind::usage, "", "missing MODEL", "elbo-eval MODEL DATASET");
  if (data.empty()) {
    static_cast<void>(ModelFile(model));  // a table in the place of the model is said first
    fail(ErrorKind::usage, "", "missing DATASET", "elbo-eval " + shell_word(model) + " DATASET");
  }
}

void EvaluationOptions::refuse(const Fields& fields, Part part, const std::string& why) const {
  EvaluationOptions other;
  Fields own;
  (other.*part)(own);
  refuse_given(fields, own, why);
}

void EvaluationOptions::check_options(const Fields& fields) {
  const bool evaluates = !compares() && study == Study::none;
  const std::string nothing = "does nothing here";
  if (!evaluates) {
    refuse(fields, &EvaluationOptions::describe_per_example, nothing);
    refuse(fields, &EvaluationOptions::describe_method, nothing);
    knobs.refuse(nothing);
  }
  if (compares() || studies_toy()) refuse(fields, &EvaluationOptions::describe_rows, nothing);
  refuse_unread(fields, fields);
  if (det && gap) fail(ErrorKind::usage, "--gap", "does nothing with --det");
}

ChosenScoring choose_scoring(const Abilities& can, EvaluationOptions& o) {
  std::string word = o.method;
  const Method* const evidence = latent_method(can, Method::Use::evidence);
  if (o.gap && word == "auto" && evidence != nullptr) word = evidence->name;
  ChosenScoring chosen{.method = method_for(can, word), .plan = nullptr};
  if (o.det) chosen.plan = coder_plan(can, o.model);
  if (o.gap && is_own_method(can, chosen.method))
    fail(ErrorKind::usage, "--gap", "needs an evidence method, not the bound itself",
         words_of_latent_methods(can));
  if (o.det && chosen.method != methods_of(can).front())
    fail(ErrorKind::usage, "--det", "does nothing with --method " + chosen.method);
  if (!o.det) chosen.plan = scoring_plan(can, chosen.method);
  const std::string doing = o.det ? "coding" : "scoring by " + chosen.method;
  o.knobs.prepare(*chosen.plan, {can.info().family, doing});
  return chosen;
}

namespace {

std::optional<OtherReading> reading_of(const EvaluationOptions& options, const RowsInput& input) {
  if (!options.binarise) return std::nullopt;
  if (input.dataset() == nullptr)
    fail(ErrorKind::usage, "--binarise", "is for pictures, and " + options.data + " is a table");
  return OtherReading{*options.binarise, input.dataset()->info()};
}

}  // namespace

EvaluationSession::EvaluationSession(App& app, const EvaluationOptions& options)
    : app_(app),
      options_(options),
      ranks_(join_ranks()),
      file_(options.model),
      input_(options.data),
      loaded_(load_model(file_, options.weights, reading_of(options, input_))),
      data_(input_.open(loaded_.model->info().data,
                        {.role = "dataset", .split = "test", .rows = options.rows})),
      rows_(*data_.source, loaded_.model->info(), options.data) {
  app.add_input({.role = "model",
                 .path = options.model,
                 .kind = "model",
                 .content_hash = file_.content_hash(),
                 .provenance = file_.provenance()});
  app.add_input(data_.record);
  if (count() == 0) fail(ErrorKind::data, options.data, "has no rows to score");
  if (const Json* rule = config_of(*loaded_.model).find("binarise")) reading_ = rule->string();
  check_fit();
  check_training_rows();
}

EvaluationSession::~EvaluationSession() = default;

const char* EvaluationSession::weights_word() const {
  return loaded_.weights == Weights::ema ? "ema" : "raw";
}

void EvaluationSession::check_fit() const {
  require_fit(model(), data(), options_.data);
  require_known(data_, can());
  if (ranks_->size() == 1) return;
  ranks_->require_same("model", model_hash());
  ranks_->require_same("dataset", data_hash());
}

void EvaluationSession::check_training_rows() {
  const SeenRows seen =
      rows_seen({file_.provenance(), data_.provenance, data_hash()}, data_.chosen);
  seen_ = seen.answer;
  if (seen.count == 0 || !ranks_->first()) return;
  const bool all = seen_ == SeenRows::Answer::all;
  app_.warn(options_.model + " was trained on " +
            (all ? "all the" : std::to_string(seen.count) + " of the " + std::to_string(count())) +
            " rows that are scored here");
}

EvalRows EvaluationSession::rows(const std::string& what) {
  progress_ = app_.progress(what, static_cast<double>(count()) / ranks_->size());
  EvalRows rows{
      .data = rows_, .begin = data_.chosen.begin, .end = data_.chosen.end, .block = model().block};
  rows.share = {.index = ranks_->rank(),
                .of = ranks_->size(),
                .sum = [this](std::span<double> values) { ranks_->sum(values); }};
  rows.progress = [this](std::int64_t done) { progress_->update(static_cast<double>(done)); };
  return rows;
}

Scored EvaluationSession::score(const std::string& method, const ScoringPlan& plan) {
  const Rng rng = app_.rng();
  EvalRows asked = rows(method + " example");
  const std::int64_t joined = plan.joined_rows(count());
  if (joined > 0) asked.block = joined, asked.origin = asked.begin;
  Scored scored = score_rows(asked, app_.workers(),
                             [&](const Examples& examples) { return plan.score(examples, rng); });
  progress_.reset();
  if (!knows_truth() || joined > 0) scored.true_logp.clear();
  return scored;
}

bool EvaluationSession::knows_truth() const {
  const ModelInfo& info = model();
  const bool as_stored = reading_.empty() || reading_ == "none";
  return data().has_true_logp && as_stored && !info.level_bits && info.space.empty() &&
         info.measure == data().measure;
}

void EvaluationSession::end_other_ranks() {
  progress_.reset();
  const bool first = ranks_->first();
  ranks_ = nullptr;
  if (!first) std::_Exit(0);
}

}  // namespace logpx
