// A training run from the command line: the loop of libcore/train with a checkpoint file, a history
// file, signals, progress, several processes, and the model at the end.
//
//   TrainSession session(app, training, files, "vae.h5");
//   session.run({.task = task, .model = model, .data_hash = data.hash,
//                .next = "elbo-eval vae.h5 digits.h5"});
#pragma once

#include "libcore/model/model.hpp"
#include "libcore/train/loop.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/history_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class CheckpointFile;

struct TrainFiles {
  std::string checkpoint, log;  // empty: next to the output
  Interval checkpoint_every{600, Interval::Unit::seconds};
  bool resume = false, force_resume = false;
  void describe(Fields& fields);
};

struct TrainingParts {
  TrainingTask& task;
  Model& model;                 // the task changes its parameters
  std::string data_hash;        // content hash of the training data
  std::string given_hash = {};  // as in Trainee
  std::string next = {};        // the suggested next command, unless training made things worse
  std::vector<std::string> notes = {};  // printed before the first step
};

class TrainSession final : public TrainingSink {
 public:
  // `output` is the model's path; checkpoint and history take their names from it.
  TrainSession(App& app, const TrainOptions& options, const TrainFiles& files, std::string output);
  ~TrainSession() override;

  // Trains, resumes, or with --dry-run only says what would be done; writes the model and fills the
  // report's result. Under mpirun only rank 0 returns.
  void run(const TrainingParts& parts);
  [[nodiscard]] Ranks& ranks() { return *ranks_; }

  void save(const Checkpoint& checkpoint) override;
  void append(const HistoryLine& line) override;
  void show(const TrainingProgress& now) override;
  [[nodiscard]] std::string last_checkpoint() const override;

 private:
  void run_here(const TrainingParts& parts);
  void check_ranks(const TrainingParts& parts);
  [[nodiscard]] LoopSettings loop_settings();
  void say_forecast(const TrainingForecast& ahead);
  void say_plan(TrainingLoop& loop, const TrainingParts& parts);
  void restore(TrainingLoop& loop, const CheckpointFile& file, const TrainingParts& parts);
  void refuse_changes(const CheckpointFile& file, const TrainingParts& parts);
  void open_history(std::int64_t bytes);
  void write_output(TrainingLoop& loop, const TrainingParts& parts);
  void report(const TrainingResult& result, const TrainingLoop& loop, const TrainingParts& parts);
  void judge(const TrainingResult& result, const std::vector<std::string>& concerns,
             const TrainingParts& parts);
  [[noreturn]] void end_other_rank();

  App& app_;
  const TrainOptions& options_;
  TrainFiles files_;
  std::string output_;
  std::unique_ptr<Ranks> ranks_;
  const TrainingParts* parts_ = nullptr;
  std::optional<HistoryFile> history_;
  std::unique_ptr<Progress> progress_;
  std::int64_t saved_step_ = -1;
};

}  // namespace logpx
