#include "tools/sessions/evaluation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/progress.hpp"

#include <algorithm>
#include <cstdlib>

namespace logpx {
namespace {

std::optional<OtherReading> reading_of(const EvaluationOptions& options, const DatasetFile& data) {
  if (!options.binarise) return std::nullopt;
  return OtherReading{*options.binarise, data.info()};
}

}  // namespace

EvaluationSession::EvaluationSession(App& app, const EvaluationOptions& options)
    : app_(app),
      options_(options),
      ranks_(join_ranks()),
      file_(options.model),
      dataset_(parse_dataset_name(options.data).path),
      loaded_(load_model(file_, options.weights, reading_of(options, dataset_))),
      rows_(dataset_, loaded_.model->info(), options.data) {
  const DatasetName name = parse_dataset_name(options.data);
  selection_ = select_rows(dataset_.info(), name, "test", options.rows);
  app.add_input({.role = "model",
                 .path = options.model,
                 .kind = "model",
                 .content_hash = file_.content_hash(),
                 .provenance = file_.provenance()});
  app.add_input({.role = "dataset",
                 .path = name.path,
                 .kind = "dataset",
                 .content_hash = dataset_.content_hash(),
                 .provenance = dataset_.provenance(),
                 .rows = std::pair(selection_.begin, selection_.end)});
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
  require_fit(model(), dataset_.info(), options_.data);
  if (ranks_->size() == 1) return;
  ranks_->require_same("model", model_hash());
  ranks_->require_same("dataset", data_hash());
}

void EvaluationSession::check_training_rows() {
  const SeenRows seen =
      rows_seen({file_.provenance(), dataset_.provenance(), data_hash()}, selection_);
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
      .data = rows_, .begin = selection_.begin, .end = selection_.end, .block = model().block};
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
  return dataset_.info().has_true_logp && as_stored && !info.level_bits && info.space.empty() &&
         info.measure == dataset_.info().measure;
}

void EvaluationSession::end_other_ranks() {
  progress_.reset();
  const bool first = ranks_->first();
  ranks_ = nullptr;
  if (!first) std::_Exit(0);
}

}  // namespace logpx
