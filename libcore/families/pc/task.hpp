// Training by expectation maximisation: one phase, "count", whose gradient block holds slopes and
// whose update, the M-step, turns them into expected counts.   [pc/README 6]
#pragma once

#include "libcore/families/pc/maximisation/ascent.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/presets.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/styles/dictionary_start.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/task.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace logpx::pc {

class PcTask final : public TrainingTask {
 public:
  // The model already has the first parameters of run 0. `greys` has rules for some rows, which
  // take precedence over those of the settings.
  struct Start {
    FirstParameters first;
    GreyRows greys = {};
  };
  // Refers to model and data. Throws a data error when a row holds a value that the circuit does
  // not know, or when nothing is observed.
  PcTask(PcModel& model, const Settings& settings, const TaskData& data, Start start);
  ~PcTask() override;

  // Keeps few messages of each sequence: the same counts in less memory and more time. To be called
  // before the first step.
  void save_memory();

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override;
  [[nodiscard]] std::int64_t extent(std::int64_t row) const override;
  [[nodiscard]] TrainReads reads() const override { return reads_of(learning_.algorithm); }
  [[nodiscard]] bool drops_short_steps() const override { return true; }
  [[nodiscard]] std::vector<TensorRef> state() override;
  [[nodiscard]] std::int64_t state_bytes() override;
  [[nodiscard]] std::int64_t runs() const override { return learning_.restarts; }
  void begin_run(std::int64_t run) override;
  // Restarts need to know where one run ends.
  [[nodiscard]] bool follows_length() const override { return runs() > 1; }
  [[nodiscard]] std::int64_t data_bytes() const override { return data_.bytes(); }
  void compute_by(const Numerics& numerics) override;
  // log_p_valid (if there are validation rows), log_p_train: nats per row. bits_valid, bits_train:
  // per observed value. num_impossible: rows of probability 0, left out of these means.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  struct Means {
    double nats = 0, bits = 0, impossible = 0;
  };
  [[nodiscard]] Means means_of(std::span<const float> weights, const TaskRows& examples,
                               const EvaluationMachine& machine);

  PcModel& model_;
  Learning learning_;
  TaskData data_;
  FirstParameters first_;
  std::function<void(const Rng&)> draw_greys_again_;
  std::unique_ptr<Ascent> ascent_;  // for gradients; else null
  Numerics numerics_;
  Tensor<float> statistics_;  // F of rules that keep it
  Passes evaluations_;
  std::unique_ptr<Phase> phase_;
};

}  // namespace logpx::pc
