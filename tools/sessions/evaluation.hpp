// An evaluation from the command line: a model and the rows for it, opened and checked to fit each
// other; one process or several.
#pragma once

#include "formats/dataset_file.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "libcore/train/ranks.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/evaluation_options.hpp"
#include "tools/sessions/seen_rows.hpp"
#include "tools/store/model_store.hpp"

#include <memory>
#include <optional>
#include <string>

namespace logpx {

class EvaluationSession {
 public:
  // Opens both files, notes them in the report, and checks that they fit: shape and levels are
  // data errors, rows that the model was trained on are a warning.
  EvaluationSession(App& app, const EvaluationOptions& options);
  ~EvaluationSession();

  [[nodiscard]] const Abilities& can() const { return loaded_.can; }
  [[nodiscard]] const ModelInfo& model() const { return can().info(); }
  [[nodiscard]] const char* weights_word() const;  // of those used
  [[nodiscard]] const DatasetInfo& data() const { return dataset_.info(); }
  [[nodiscard]] const std::string& model_hash() const { return file_.content_hash(); }
  [[nodiscard]] const std::string& data_hash() const { return dataset_.content_hash(); }
  // How the model reads grey values: "static" ...; empty if not recorded.
  [[nodiscard]] const std::string& reading() const { return reading_; }
  [[nodiscard]] std::int64_t count() const { return selection_.end - selection_.begin; }
  [[nodiscard]] SeenRows::Answer seen_in_training() const { return seen_; }

  // The rows, with progress under this name.
  [[nodiscard]] EvalRows rows(const std::string& what);
  [[nodiscard]] Scored score(const std::string& method, const ScoringPlan& plan);
  [[nodiscard]] bool knows_truth() const;  // whether true_logp is about what the model scores

  // Ends processes other than the first; they do not return.
  void end_other_ranks();

 private:
  void check_fit() const;
  void check_training_rows();

  App& app_;
  const EvaluationOptions& options_;
  std::unique_ptr<Ranks> ranks_;
  ModelFile file_;
  DatasetFile dataset_;
  LoadedModel loaded_;
  FittingRows rows_;
  RowSelection selection_;
  SeenRows::Answer seen_ = SeenRows::Answer::unknown;
  std::string reading_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace logpx
