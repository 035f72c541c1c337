// The options of elbo-eval, and which of them a run reads.
#pragma once

#include "libcore/data/row_choice.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/eval/methods.hpp"
#include "tools/common/model_store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class Fields;

enum class Study { none, gradient_variance };
enum class Centre { best, prior, posterior };

struct EvaluationOptions {
  std::string model, data;
  RowChoice rows;
  Weights weights = Weights::best;
  std::optional<std::string> binarise;
  std::string per_example;
  std::vector<std::string> compare;

  MethodSettings method;
  std::optional<std::int64_t> samples;
  Centre around = Centre::best;
  bool ais_reverse = false, gap = false;
  GapSettings gaps;

  bool doctor = false;
  Study study = Study::none;
  ToyStudy toy;

  void describe(Fields& fields);

  // What the run is: a study, a comparison, or the evaluation of a model.
  [[nodiscard]] bool compares() const { return !compare.empty(); }
  [[nodiscard]] bool studies_toy() const { return study != Study::none && model.empty(); }
  [[nodiscard]] MethodSettings method_settings() const;
  // Usage errors for operands that are missing and for options that would be ignored. `method` is
  // the one that "auto" stands for, or empty when there is no model.
  void check_operands() const;
  void check_options(const Fields& fields, const std::string& method) const;

 private:
  void describe_operands(Fields& fields);
  void describe_methods(Fields& fields);
  void describe_evidence(Fields& fields);
  void describe_study(Fields& fields);
};

}  // namespace logpx
