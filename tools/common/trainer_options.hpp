// What the page of every training tool has besides its settings: data, output, presets, files of
// the session. A trainer is then its settings, its rules, and the making of model and task:
//
//   using Options = TrainerOptions<vae::Settings>;
//   void run(App& app, Options& o) {
//     const TrainingData data = o.load(app);
//     vae::VaeModel model(o.settings.model, data.train.info);
//     model.initialise(app.rng());
//     vae::VaeTask task(model, o.settings.objective, data.rows(), app.rng());
//     o.train(app, {.task = task, .model = model, .data_hash = data.hash});
//   }
//
// Settings describe themselves, hold the options of training, and list their presets:
//   void describe(Fields& fields);
//   TrainOptions training;
//   static const Presets<Settings>& presets();
#pragma once

#include "tools/common/train_session.hpp"
#include "tools/common/training_data.hpp"

#include <string>
#include <vector>

namespace logpx {

// What does not depend on the settings.
struct TrainerFrame {
  DataChoice data;
  std::string output, preset;
  TrainFiles files;

 protected:
  void describe_frame(Fields& fields, const std::vector<std::string>& presets);
  // Trains and writes the model; the next command is elbo-eval on the same data.
  void run_session(App& app, const TrainOptions& training, TrainingParts parts) const;
};

template <typename Settings>
struct TrainerOptions : TrainerFrame {
  Settings settings;

  void describe(Fields& f) {
    describe_frame(f, Settings::presets().names());
    settings.describe(f);
    files.describe(f);
  }
  void apply_preset(const std::string& name) { Settings::presets().apply(name, settings); }

  [[nodiscard]] TrainingData load(App& app) const {
    return load_training_data(app, data, settings.training);
  }
  void train(App& app, const TrainingParts& parts) const {
    run_session(app, settings.training, parts);
  }
};

}  // namespace logpx
