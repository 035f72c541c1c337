// The rows of a training tool: DATA[:SPLIT], and those held out for validation.
//
//   const TrainingData data = load_training_data(app, choice, training);
#pragma once

#include "libcore/data/row_choice.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {

class App;
class Fields;

struct DataChoice {
  std::string data;  // FILE.h5[:SPLIT]
  RowChoice rows;
  bool reads_molecules = false;  // set by a tool whose models read them
  void describe(Fields& fields);
};

struct TrainingData {
  HeldRows train;
  std::optional<HeldRows> valid;
  std::string hash;                     // content hash of the training file
  [[nodiscard]] TaskData rows() const;  // they refer to this object
};

// If no split is named, split `train` if there is one, else all rows. Validation: --valid, else the
// first `curve_rows` of split `valid`; `test` only if asked for.
[[nodiscard]] TrainingData load_training_data(App& app, const DataChoice& choice,
                                              const TrainOptions& training);

}  // namespace logpx
