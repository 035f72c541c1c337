#include "tools/common/evaluation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/progress.hpp"

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
      loaded_(load_model(file_, options.weights, reading_of(options, dataset_))) {
  const DatasetName name = parse_dataset_name(options.data);
  app.add_input({.role = "model",
                 .path = options.model,
                 .kind = "model",
                 .content_hash = file_.content_hash(),
                 .provenance = file_.provenance()});
  app.add_input({.role = "dataset",
                 .path = name.path,
                 .kind = "dataset",
                 .content_hash = dataset_.content_hash(),
                 .provenance = dataset_.provenance()});
  selection_ = select_rows(dataset_.info(), name, "test", options.rows, options.limit);
  if (count() == 0) fail(ErrorKind::data, options.data, "has no rows to score");
  if (const Json* rule = config_of(*loaded_.model).find("binarise")) reading_ = rule->string();
  check_fit();
  check_training_data(file_.provenance());
}

EvaluationSession::~EvaluationSession() = default;

const char* EvaluationSession::weights_word() const {
  return loaded_.weights == Weights::ema ? "ema" : "raw";
}

void EvaluationSession::check_fit() const {
  require_fit(model().info(), dataset_.info(), options_.data);
  if (ranks_->size() == 1) return;
  ranks_->require_same("model", model_hash());
  ranks_->require_same("dataset", data_hash());
}

void EvaluationSession::check_training_data(const Json& provenance) {
  const Json* inputs = provenance.find("inputs");
  if (inputs == nullptr || !inputs->is_array()) return;
  bool any = false;
  for (const Json& input : inputs->items()) {
    const Json* role = input.find("role");
    const Json* hash = input.find("content_hash");
    if (role == nullptr || hash == nullptr || !hash->is_string()) continue;
    if (*role != Json("dataset") && *role != Json("validation")) continue;
    if (hash->string() == data_hash()) return;
    any = true;
  }
  if (any && ranks_->first())
    app_.warn(options_.data + " is not the dataset that " + options_.model + " was trained on");
}

EvalRows EvaluationSession::rows(const std::string& what) {
  progress_ = app_.progress(what, static_cast<double>(count()) / ranks_->size());
  EvalRows rows{.data = dataset_,
                .begin = selection_.begin,
                .end = selection_.end,
                .block = model().info().block};
  rows.share = {.index = ranks_->rank(),
                .of = ranks_->size(),
                .sum = [this](std::span<double> values) { ranks_->sum(values); }};
  rows.progress = [this](std::int64_t done) { progress_->update(static_cast<double>(done)); };
  return rows;
}

Scored EvaluationSession::score(const Evaluator& evaluator) {
  Scored scored = score_rows(rows(evaluator.method() + " example"), app_.workers(),
                             [&](const Examples& examples) { return evaluator.score(examples); });
  progress_.reset();
  if (!knows_truth()) scored.true_logp.clear();
  return scored;
}

bool EvaluationSession::knows_truth() const {
  const ModelInfo& info = model().info();
  const bool as_stored = reading_.empty() || reading_ == "none";
  return dataset_.info().has_true_logp && as_stored && !info.level_bits &&
         info.measure == dataset_.info().measure;
}

void EvaluationSession::end_other_ranks() {
  progress_.reset();
  const bool first = ranks_->first();
  ranks_ = nullptr;
  if (!first) std::_Exit(0);
}

}  // namespace logpx
