// What a family of models says about itself, and the table of what its models can do; registry.hpp
// lists the families.
//
//   const Trainee trainee = find_family("vae").trainee("tiny", {.train = examples}, Rng(1));
//   TrainingLoop loop(*trainee.task, trainee.options, {workers, ranks}, {.seed = 1});
#pragma once

#include "libcore/model/abilities.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/task.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Fields;

// A config that becomes a model once its fields are set.
class ModelDraft {
 public:
  virtual ~ModelDraft() = default;
  virtual void describe(Fields& fields) = 0;
  // Called before build() with the constants that are stored with a model; its parameters may be
  // among them. A draft looks up by name those that shapes follow from. Anyone may have written
  // them (libcore/model/stored_tensors.hpp): a data error where they make no sense.
  virtual void take(std::span<const TensorRef> stored) { static_cast<void>(stored); }
  // A usage error when the config contradicts itself or the data. Tensors are zero.
  [[nodiscard]] virtual std::unique_ptr<Model> build(const DatasetInfo& data) const = 0;
};

// For a family whose models are built from a config and their data alone.
template <typename Config, typename BuiltModel>
class DraftOf final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<BuiltModel>(config_, data);
  }

 private:
  Config config_;
};

// The knobs of the plans of one job, listed by their settings.
using KnobList = std::vector<std::unique_ptr<Knobs>>;
template <typename... Settings>
[[nodiscard]] KnobList list_knobs() {
  KnobList all;
  (all.push_back(std::make_unique<KnobsOf<Settings>>()), ...);
  return all;
}

struct JobKnobs {  // those of scoring stand with each way
  KnobList (*sample)() = list_knobs<>;
  KnobList (*code)() = list_knobs<>;
};

// A model with the task that trains it, as the training tool and the contract test run it.
struct Trainee {
  std::unique_ptr<Model> model;        // initialised
  std::unique_ptr<TrainingTask> task;  // moves the model's parameters, reads the data it was given
  TrainOptions options = {};
  // Content hash of the model that training was given, if any; where there may be several, with
  // what each was given for: "prior HASH generator HASH".
  std::string given_hash = {};
  // For people: what was chosen by the data where the settings left it open.
  std::vector<std::string> notes = {};

  // Adds one before the others, unless it is empty.
  void say_first(const std::string& note) {
    if (!note.empty()) notes.insert(notes.begin(), note);
  }
};

using MakeTrainee =
    std::function<Trainee(const std::string& preset, const TaskData& data, Rng rng)>;
// For a family whose settings, with their list of presets, are all that a trainee needs.
template <typename Settings>
[[nodiscard]] MakeTrainee by_preset(Trainee (*make)(const Settings&, const TaskData&, Rng)) {
  return [make](const std::string& preset, const TaskData& data, Rng rng) {
    return make(Settings::presets().make(preset), data, rng);
  };
}
// The same where tools give more, which may be left out.
template <typename Settings, typename Parts>
[[nodiscard]] MakeTrainee by_preset(Trainee (*make)(const Settings&, const TaskData&, Rng,
                                                    const Parts&)) {
  return [make](const std::string& preset, const TaskData& data, Rng rng) {
    return make(Settings::presets().make(preset), data, rng, Parts());
  };
}

// How an ability is made for one model, which outlives it. Empty, or giving null: it lacks that.
template <typename Made>
using Making = std::function<std::unique_ptr<Made>(const Model&)>;

// A function of the family's own model as one of any model: from_model(make_codec)
template <typename Own, typename Result>
[[nodiscard]] auto from_model(Result (*make)(const Own&)) {
  return [make](const Model& model) { return make(dynamic_cast<const Own&>(model)); };
}

struct WayOfScoring {
  std::string word, says;  // of --method; families that share a word say the same
  Making<ScoringPlan> make;
  KnobList (*knobs)() = list_knobs<>;
  std::function<bool(const Model&)> serves = {};  // empty: every model of the family
};

struct Family {
  std::string name;     // "vae", as in files
  std::string summary;  // "variational auto-encoder"
  std::string trainer;  // "train-vae"
  std::function<std::unique_ptr<ModelDraft>()> draft;
  // What its models can do, each as abilities() asks for it once tensors are filled. The first way
  // of scoring that serves a model is its `auto`. Models with latents need neither `sample`, which
  // is LatentSampling then, nor `codes`, which are those of the latents.
  std::vector<WayOfScoring> score = {};
  Making<SamplingPlan> sample = {};
  Making<ModelCodec> code = {};
  Making<ModelQueries> queries = {};
  Making<ModelLatents> latents = {};
  Making<RowCodes> codes = {};
  Making<ModelGradients> gradients = {};
  Making<ModelPrior> prior = {};
  JobKnobs knobs = {};
  // Model and task by the name of a preset; both refer to the data. Empty: no tool trains it.
  MakeTrainee trainee = {};
  // Makes so many rows, 512 at most, that the preset `tiny` learns from in a moment.
  std::function<HeldRows(std::int64_t rows)> tiny_rows = {};

  // For help, manual and completions, before any model is read: the knobs of its plans.
  [[nodiscard]] KnobList knobs_of(Job job) const {
    if (job != Job::score) return job == Job::sample ? knobs.sample() : knobs.code();
    KnobList all;
    for (const WayOfScoring& way : score) std::ranges::move(way.knobs(), std::back_inserter(all));
    return all;
  }
};

}  // namespace logpx
