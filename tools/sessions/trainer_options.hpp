// Options of every training tool besides its settings: data, output, presets, files of the session.
// A trainer adds its settings and its rules; the family makes model and task:
//
//   using Options = TrainerOptions<vae::Settings>;
//   void run(App& app, Options& o) {
//     const TrainingData data = o.load(app);
//     o.train(app, vae::make_trainee(o.settings, data.rows(), app.rng()), data.hash);
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

#include "libcore/families/family.hpp"
#include "tools/sessions/train_session.hpp"
#include "tools/sessions/training_data.hpp"

#include <string>
#include <vector>

namespace logpx {

// The part that does not depend on the settings.
struct TrainerFrame {
  DataChoice data;
  std::string output, preset;
  TrainFiles files;

 protected:
  void describe_frame(Fields& fields, const std::vector<Choice>& presets);
  // Trains and writes the model; the next command is elbo-eval on the same data.
  void run_session(App& app, const Trainee& trainee, const std::string& data_hash) const;
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
  void train(App& app, const Trainee& trainee, const std::string& data_hash) const {
    run_session(app, trainee, data_hash);
  }
};

}  // namespace logpx
