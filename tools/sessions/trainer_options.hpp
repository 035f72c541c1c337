// Options of every training tool besides its settings: data, output, presets, files of the session.
// A trainer adds its settings and its rules; the family makes model and task:
//
//   using Options = TrainerOptions<vae::Settings>;
//   void run(App& app, Options& o) {
//     const TrainingData data = o.load(app);
//     o.train(app, vae::make_trainee(o.settings, data.rows(), app.rng()), data);
//   }
//
// Settings describe themselves, hold the options of training, and list their presets:
//
//   struct Settings {
//     void describe(Fields& fields);
//     TrainOptions training;
//     static const Presets<Settings>& presets();
//   };
#pragma once

#include "libcore/data/row_choice.hpp"
#include "libcore/data/row_store.hpp"
#include "libcore/families/family.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/options.hpp"
#include "tools/sessions/train_session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// The rows of a training tool: DATA[:SPLIT], and those held out for validation.
//
//   const TrainingData data = load_training_data(app, choice, training);

class App;
class DatasetFile;
class Fields;

struct DataChoice {
  std::string data;  // FILE.h5[:SPLIT]
  RowChoice rows;
  bool reads_molecules = false;  // set by a tool whose models read them
  std::string needs_all;         // set by a tool: why all rows must be in memory, if they must
  void describe(Fields& fields);
};

// Files that are open, of which no row has been read yet.
struct TrainingData {
  std::unique_ptr<DatasetFile> file, valid_file;  // the second one may be the first
  std::unique_ptr<RowStore> train, valid;
  std::string hash;       // content hash of the training file
  std::string note = {};  // for people, where rows are read in chunks

  ~TrainingData();
  TrainingData();
  TrainingData(TrainingData&&) noexcept;
  [[nodiscard]] const DatasetInfo& info() const { return train->span().info; }
  [[nodiscard]] TaskData rows() const;  // they refer to this object
};

// If no split is named, split `train` if there is one, else all rows. Validation: --valid, else the
// first `curve_rows` of split `valid`; `test` only if asked for. Rows beyond a third of --memory
// are read in chunks; it is refused where all are needed at once and do not fit.
[[nodiscard]] TrainingData load_training_data(App& app, const DataChoice& choice,
                                              const TrainOptions& training);

// The part that does not depend on the settings.
struct TrainerFrame {
  DataChoice data;
  std::string output, preset;
  TrainFiles files;

 protected:
  void describe_frame(Fields& fields, const std::vector<Choice>& presets);
  // Trains and writes the model; the next command is elbo-eval on the same data.
  void run_session(App& app, const Trainee& trainee, const TrainingData& of) const;
};

template <typename Settings>
struct TrainerOptions : TrainerFrame {
  Settings settings;

  void describe(Fields& f) {
    describe_frame(f, Settings::presets().choices());
    settings.describe(f);
    files.describe(f);
  }
  void apply_preset(const std::string& name) { Settings::presets().apply(name, settings); }

  [[nodiscard]] TrainingData load(App& app) const {
    return load_training_data(app, data, settings.training);
  }
  void train(App& app, const Trainee& trainee, const TrainingData& of) const {
    run_session(app, trainee, of);
  }
};

}  // namespace logpx
