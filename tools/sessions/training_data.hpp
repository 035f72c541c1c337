// The rows that a training tool works on: DATA[:SPLIT], and those held out for validation.
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
  bool reads_molecules = false;  // set by a tool whose models do
  void describe(Fields& fields);
};

struct TrainingData {
  HeldRows train;
  std::optional<HeldRows> valid;
  std::string hash;                     // content hash of the training file
  [[nodiscard]] TaskData rows() const;  // refer to this
};

// Split `train` where there is one and none is named, else all rows. Validation: --valid, else the
// dataset's split `valid`, of which the first `curve_rows` are read; never `test` unasked.
[[nodiscard]] TrainingData load_training_data(App& app, const DataChoice& choice,
                                              const TrainOptions& training);

}  // namespace logpx
