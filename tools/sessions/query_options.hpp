// The options of a question.   [pc/README 9]
#pragma once

#include "libcore/eval/best_filling.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class Fields;

// How `complete` and `impute` fill: by a draw, the most probable explanation, or expectations.
enum class FillWith { draws, explanation, means };

struct QuestionOptions {
  std::string query = "loglik", symbol, calibrate;
  FillWith how = FillWith::draws;
  std::int64_t draws = 1, files = 1, length = 0;
  double temperature = 1;
  std::vector<std::string> vars;
  FillingSearch search;

  void describe(Fields& fields);
};

}  // namespace logpx
