#include "libcore/families/pc/task.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

namespace logpx::pc {
namespace {

// In training each row has one style, which its values choose.
std::optional<StyleChoice> style_choice(const PcModel& model, std::span<const float> theta) {
  if (model.circuit().styles == 1) return std::nullopt;
  return StyleChoice(model.plan(), theta);
}

class CountPhase final : public Phase {
 public:
  struct Parts {
    PcModel& model;
    const Learning& learning;
    Examples rows;
    Ascent* ascent;
    std::span<float> statistics;
    RowPriors priors;
    LeafTargets targets;
    JointTargets joints;
    double pooled = 0;
    PassSettings pass;
  };
  explicit CountPhase(Parts parts)
      : Phase({.name = "count", .terms = {"nll", "impossible"}, .update = Update::own}),
        parts_(std::move(parts)),
        portions_(portions_of(parts_.model.param_set(), parts_.priors)),
        passes_(std::in_place, parts_.model.plan(), parts_.pass) {}

  void set_pass(const PassSettings& pass) {
    parts_.pass = pass;
    passes_.emplace(parts_.model.plan(), pass);
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy numerics(numerics_);
    for (const BlockRange& range : sums.written)
      std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
    const SymbolRows& reader = parts_.model.rows();
    const RowNoise noise = training_noise(reader.rules(), Rng(shard.place.seed),
                                          static_cast<std::uint32_t>(shard.place.epoch));
    const Passes::Loan loan = passes_->lend();
    std::vector<double> nats(at(parts_.pass.columns));
    const std::optional<StyleChoice> styles = style_choice(parts_.model, theta);
    const auto of_step = static_cast<double>(shard.step_count);
    for (std::span<const std::int64_t> left = shard.rows; !left.empty();) {
      const auto now = left.first(std::min(left.size(), nats.size()));
      left = left.subspan(now.size());
      reader.take(parts_.rows, now, noise, loan.columns());
      if (styles) styles->choose(loan.columns());
      loan.pass().add_slopes(theta, loan.columns(), nats, sums.gradient);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (std::isfinite(nats[i])) sums.terms[0] -= nats[i] / of_step;
        else sums.terms[1] += 1 / of_step;
      }
    }
  }

  void update(const StepPlace& place, const PhaseSums& sums, Workers& workers) override {
    const std::span<float> theta = parts_.model.param_set().block();
    const auto each_portion = [&](const auto& work) {
      workers.run(std::ssize(portions_), [&](std::int64_t i) { work(portions_[at(i)]); });
    };
    // Slopes become expected counts.
    each_portion([&](const RowPortion& portion) {
      for (auto i = at(portion.rows.begin); i < at(portion.rows.end); ++i)
        sums.gradient[i] *= theta[i];
    });
    if (parts_.ascent != nullptr)
      return parts_.ascent->run({.rate = place.rate, .rows = place.rows}, sums.gradient, theta,
                                workers);
    const EmRule rule = parts_.learning.rule(parts_.model.config(), parts_.rows.info);
    const double share =
        static_cast<double>(place.rows) / static_cast<double>(parts_.rows.rows.count);
    const MaximiseStep step{.rule = rule,
                            .rate = rule == EmRule::full ? 1 : place.rate,
                            .pseudocount = parts_.learning.pseudocount * share,
                            .pooled = parts_.pooled * share,
                            .floor = parts_.learning.em_floor,
                            .share = share,
                            .step = place.step};
    const RowNumbers<float> numbers{sums.gradient, parts_.statistics, theta};
    each_portion([&](const RowPortion& portion) { maximise(portion, step, numbers); });
    maximise_leaves<float>(parts_.model.plan(), step, parts_.targets, sums.gradient,
                           parts_.statistics, theta);
    maximise_joints<float>(parts_.model.plan(), step, parts_.joints, sums.gradient,
                           parts_.statistics, theta);
  }

  [[nodiscard]] std::int64_t arena_bytes(GraphSize size) const override {
    const std::int64_t steps = std::max<std::int64_t>(size.extent, parts_.model.steps());
    PassSettings settings = parts_.pass;
    settings.columns = std::min(settings.columns, size.rows);
    const auto symbols = std::ssize(parts_.model.circuit().variables) * steps;
    return Pass<float>::bytes(parts_.model.plan(), settings, steps) +
           settings.columns * symbols * static_cast<std::int64_t>(sizeof(std::int32_t));
  }
  [[nodiscard]] std::vector<ModuleMemory> modules(GraphSize size) const override {
    return {{"messages", arena_bytes(size)}};
  }
  void compute_by(const Numerics& numerics) override { numerics_ = numerics; }

 private:
  Parts parts_;
  std::vector<RowPortion> portions_;
  std::optional<Passes> passes_;
  Numerics numerics_;
};

// Held-out rows have said what the parts of a table's circuit are worth.
void keep_root(const PcModel& model, RowPriors& priors) {
  priors.push_back({.rows = model.plan().range(model.circuit().root, 0),
                    .group = RowGroup{.moves = RowGroup::Moves::never}});
  std::ranges::sort(priors, {}, [](const RowPrior& prior) { return prior.rows.begin; });
}

// Variables of the largest joint leaf.
std::int64_t most_joined(const Circuit& circuit) {
  std::int64_t most = 0;
  for (const Block& block : circuit.blocks) most = std::max(most, std::ssize(block.variables));
  return most;
}

// Throws a data error for the first row that cannot be read, or if nothing is observed.
void check_rows(const PcModel& model, const Examples& examples) {
  Columns columns;
  bool observed = false;
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    if (!examples.rows.length.empty() && examples.rows.length[at(row)] < 1)
      fail(ErrorKind::data, examples.info.name,
           "row " + std::to_string(examples.first + row) + " has no symbols");
    model.rows().take(examples, std::span(&row, 1), evaluation_noise(model.rows().rules()),
                      columns);
    observed = observed || std::ranges::any_of(columns.x, [](std::int32_t x) { return x >= 0; });
  }
  if (!observed) fail(ErrorKind::data, examples.info.name, "holds only missing values");
}

}  // namespace

PcTask::PcTask(PcModel& model, const Settings& settings, const TaskData& data, Start start)
    : model_(model),
      learning_(settings.learning),
      data_(data),
      first_(std::move(start.first)),
      draw_greys_again_(std::move(start.greys.draw_again)),
      evaluations_(model.plan(), {.arithmetic = learning_.arithmetic}) {
  check_rows(model, data_.train.held());
  if (data_.valid) check_rows(model, data_.valid->held());
  if (learning_.algorithm == PcAlgorithm::gradient)
    ascent_ = std::make_unique<Ascent>(model.param_set(), settings.training);
  RowPriors priors = std::move(start.greys.rules);
  std::int64_t categories = 0;
  for (const Variable& variable : model.circuit().variables)
    categories = std::max(categories, variable.categories);
  const bool marginal = learning_.marginal_prior(model.config(), categories);
  if (marginal && priors.empty()) priors = marginal_priors(model, first_.frequencies());
  const bool alone = model.config().structure == "table";
  if (alone) keep_root(model, priors);
  LeafTargets targets =
      leaf_targets(model.plan(), first_.frequencies(), marginal ? Spread::as_data : Spread::evenly);
  std::span<float> statistics;
  if (ascent_ == nullptr && (keeps_statistics(learning_.rule(model.config(), data_.train.info)) ||
                             keeps_statistics(priors))) {
    statistics_ = Tensor<float>({model.param_set().block_size()});
    statistics = statistics_.span();
  }
  std::int64_t longest = model.steps();
  for (std::int64_t row = 0; row < rows(); ++row) longest = std::max(longest, extent(row));
  PassSettings pass = learning_.pass(longest);
  if (alone) pass.parts = Parts::alone;
  phase_ = std::make_unique<CountPhase>(
      CountPhase::Parts{.model = model_,
                        .learning = learning_,
                        .rows = data_.train.held(),
                        .ascent = ascent_.get(),
                        .statistics = statistics,
                        .priors = std::move(priors),
                        .targets = std::move(targets),
                        .joints = joint_targets(model.plan(), first_.frequencies()),
                        .pooled = learning_.pooled(most_joined(model.circuit())),
                        .pass = pass});
}

PcTask::~PcTask() = default;

void PcTask::save_memory() {
  Learning saving = learning_;
  saving.time_checkpoint = "sqrt";
  std::int64_t longest = model_.steps();
  for (std::int64_t row = 0; row < rows(); ++row) longest = std::max(longest, extent(row));
  static_cast<CountPhase&>(*phase_).set_pass(saving.pass(longest));
}

std::vector<Phase*> PcTask::phases() { return {phase_.get()}; }

std::int64_t PcTask::extent(std::int64_t row) const {
  const Examples rows = data_.train.held();
  if (!model_.circuit().chained() || rows.rows.length.empty()) return 0;
  return model_.rows().steps_of(rows, row);
}

void PcTask::begin_run(std::int64_t run) {
  first_.set(model_, run);
  if (draw_greys_again_) draw_greys_again_(first_.rng_of(run));
  std::ranges::fill(statistics_.span(), 0.0F);
  if (ascent_ != nullptr) ascent_->reset();
}

std::vector<TensorRef> PcTask::state() {
  if (ascent_ != nullptr) return ascent_->state();
  if (statistics_.size() == 0) return {};
  return {TensorRef::of("statistics", statistics_)};
}

std::int64_t PcTask::state_bytes() {
  const auto logits = model_.param_set().block_size() * static_cast<std::int64_t>(sizeof(float));
  return TrainingTask::state_bytes() + (ascent_ != nullptr ? logits : 0);
}

void PcTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  TrainingTask::compute_by(numerics);
}

PcTask::Means PcTask::means_of(std::span<const float> weights, const TaskRows& examples,
                               const EvaluationMachine& machine) {
  enum Column { nats, dims, impossible, columns };
  const std::int64_t rows = std::min(curve_rows, examples.count);
  const std::optional<StyleChoice> styles = style_choice(model_, weights);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    const ComputedBy numerics(machine.numerics);
    single_threaded_kernels();
    const Rows held = examples.read(block.first, block.first + block.count);
    const Examples part{examples.info, held, examples.first + block.first};
    const Passes::Loan loan = evaluations_.lend();
    loan.columns() = model_.rows().take_all(part);
    if (styles) styles->choose(loan.columns());
    std::vector<double> log_p(at(block.count));
    loan.pass().log_p(weights, loan.columns(), log_p);
    model_.rows().to_rows(loan.columns(), log_p);
    const std::vector<std::int64_t> observed = example_dims(part.info, held);
    for (std::size_t i = 0; i < log_p.size(); ++i) {
      if (!std::isfinite(log_p[i])) {
        sums[impossible] += 1;
        continue;
      }
      sums[nats] += log_p[i];
      sums[dims] += static_cast<double>(observed.empty() ? part.info.dims() : observed[i]);
    }
  };
  const std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = columns}, add);
  const double possible = std::max(1.0, static_cast<double>(rows) - sums[impossible]);
  return {.nats = sums[nats] / possible,
          .bits = -sums[nats] / std::numbers::ln2 / std::max(1.0, sums[dims]),
          .impossible = sums[impossible]};
}

Metrics PcTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  const Means train = means_of(weights, data_.train, machine);
  if (!data_.valid)
    return {{"log_p_train", train.nats},
            {"bits_train", train.bits},
            {"num_impossible", train.impossible}};
  const Means valid = means_of(weights, *data_.valid, machine);
  return {{"log_p_valid", valid.nats},
          {"log_p_train", train.nats},
          {"bits_valid", valid.bits},
          {"bits_train", train.bits},
          {"num_impossible", valid.impossible + train.impossible}};
}

std::vector<std::string> PcTask::concerns(std::span<const float> weights, Workers& workers,
                                          Ranks& ranks) {
  std::vector<std::string> concerns;
  if (ascent_ == nullptr && learning_.pseudocount == 0 && learning_.em_floor == 0)
    concerns.emplace_back(
        "with --pseudocount 0 and --em-floor 0 what the training data lack is impossible");
  const Metrics metrics = evaluate(weights, workers, ranks);
  if (const double impossible = metrics.back().second; impossible > 0)
    concerns.push_back(std::to_string(static_cast<std::int64_t>(impossible)) +
                       " rows have probability 0; --pseudocount 0.1 would allow them");
  return concerns;
}

}  // namespace logpx::pc
