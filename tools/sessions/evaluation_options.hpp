// The options of elbo-eval, and which of them each kind of run reads.
#pragma once

#include "libcore/base/field.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/eval/methods.hpp"
#include "tools/store/job_options.hpp"
#include "tools/store/model_store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

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

}  // namespace logpx
