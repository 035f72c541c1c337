// An evaluation from the command line: a model and the rows for it, opened and checked to fit each
// other; one process or several.
#pragma once

#include "libcore/base/field.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "libcore/train/ranks.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/model_rows.hpp"
#include "tools/sessions/seen_rows.hpp"
#include "tools/store/job_options.hpp"
#include "tools/store/model_store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// The options of elbo-eval, and which of them each kind of run reads.

class Fields;

enum class Study { none, gradient_variance };

struct EvaluationOptions {
  std::string model, data;
  RowChoice rows;
  Weights weights = Weights::best;
  std::optional<std::string> binarise;
  std::string per_example;
  std::vector<std::string> compare;

  std::string method = "auto";
  bool det = false, gap = false;
  JobOptions knobs{Job::score, Job::code};  // for the method, or with --det for the coder
  GapSettings gaps;

  bool doctor = false;
  Study study = Study::none;
  ToyStudy toy;

  void describe(Fields& fields);

  // The kind of run: a study, a comparison, or the evaluation of a model.
  [[nodiscard]] bool compares() const { return !compare.empty(); }
  [[nodiscard]] bool studies_toy() const { return study != Study::none && model.empty(); }
  // Usage errors for operands that are missing, and for options that such a run does not read.
  void check_operands() const;
  void check_options(const Fields& fields);

 private:
  // The parts of the tool, each with the options that it alone reads.
  void describe_operands(Fields& fields);
  void describe_rows(Fields& fields);
  void describe_per_example(Fields& fields);
  void describe_others(Fields& fields);
  void describe_method(Fields& fields);
  void describe_gap(Fields& fields);
  void describe_study(Fields& fields);
  void describe_toy(Fields& fields);
  void describe_repeats(Fields& fields);
  using Part = void (EvaluationOptions::*)(Fields&);
  void refuse(const Fields& fields, Part part, const std::string& why) const;
};

// How a model is scored: the method, and its plan with the options given.
struct ChosenScoring {
  std::string method;
  std::unique_ptr<ScoringPlan> plan;
};
[[nodiscard]] ChosenScoring choose_scoring(const Abilities& can, EvaluationOptions& options);

class EvaluationSession {
 public:
  // Opens both files, notes them in the report, and checks that they fit: shape and levels are
  // data errors, rows that the model was trained on are a warning.
  EvaluationSession(App& app, const EvaluationOptions& options);
  ~EvaluationSession();

  [[nodiscard]] const Abilities& can() const { return loaded_.can; }
  [[nodiscard]] const ModelInfo& model() const { return can().info(); }
  [[nodiscard]] const char* weights_word() const;  // of those used
  [[nodiscard]] const DatasetInfo& data() const { return data_.source->info(); }
  [[nodiscard]] const std::string& model_hash() const { return file_.content_hash(); }
  [[nodiscard]] const std::string& data_hash() const { return data_.content_hash; }
  // How the model reads grey values: "static" ...; empty if not recorded.
  [[nodiscard]] const std::string& reading() const { return reading_; }
  [[nodiscard]] std::int64_t count() const { return data_.chosen.end - data_.chosen.begin; }
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
  RowsInput input_;
  LoadedModel loaded_;
  ModelRows data_;
  FittingRows rows_;
  SeenRows::Answer seen_ = SeenRows::Answer::unknown;
  std::string reading_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace logpx
