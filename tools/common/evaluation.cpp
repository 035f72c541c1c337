#include "tools/common/evaluation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/progress.hpp"

#include <algorithm>
#include <cstdlib>

namespace logpx {
namespace {

std::string what_of(const DatasetInfo& info) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : info.shape) sizes.push_back(std::to_string(size));
  return std::string(word_of(info.element)) + " [" + join_text(sizes, ",") + ']' +
         (info.levels > 0 ? " of " + std::to_string(info.levels) + " levels" : "");
}

}  // namespace

EvaluationSession::EvaluationSession(App& app, const EvaluationOptions& options)
    : app_(app),
      options_(options),
      ranks_(join_ranks()),
      file_(options.model),
      loaded_(load_model(file_, options.weights, options.binarise)),
      dataset_(parse_dataset_name(options.data).path) {
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
  const DatasetInfo &wanted = model().info().data, &here = dataset_.info();
  if (wanted.shape != here.shape || wanted.levels != here.levels || wanted.element != here.element)
    fail(ErrorKind::data, options_.data,
         "has rows " + what_of(here) + ", but the model takes " + what_of(wanted));
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
