#include "tests/support/contract.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/eval/methods.hpp"
#include "tests/support/categorical_mixture.hpp"
#include "tests/support/gauss_model.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/letters_model.hpp"
#include "tests/support/mixture_model.hpp"
#include "tests/support/thread_ranks.hpp"
#include "tests/support/training.hpp"
#include "tests/support/tree_model.hpp"
#include "tests/support/trials.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace logpx::testing {
namespace {

constexpr std::int64_t few_steps = 6;
constexpr std::uint64_t seed = 3;

template <typename T>
std::string bytes_in(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <typename T>
std::string bytes_in(const std::vector<T>& values) {
  return bytes_in(std::span(values));
}

// Whole blocks and a part of one.
std::int64_t rows_for(const Family& family) {
  const HeldRows few = family.tiny_rows(16);
  const Trainee trainee = family.trainee("tiny", {.train = few.examples()}, Rng(1));
  return std::min<std::int64_t>(512, 5 * trainee.model->info().block / 2);
}

TrainOptions short_training(const Trial& trial, std::int64_t steps) {
  TrainOptions options = trial.trainee.options;
  options.batch = 16;
  options.shards = 4;
  options.steps = steps;
  options.eval_every = {3, Interval::Unit::steps};
  return options;
}

// Trains to the end, or until it is stopped; then the sink holds what the next one goes on from.
void train_once(Trial& trial, const TrialRun& run, Ranks& ranks, MemorySink& sink, bool resumes) {
  Workers workers(run.threads);
  const std::int64_t stop = resumes ? 0 : run.stops_after;
  TrainOptions options = short_training(trial, few_steps);
  options.numerics_choice = run.numerics;
  TrainingLoop loop(*trial.trainee.task, options, {workers, ranks},
                    {.seed = seed, .sink = &sink, .stop_asked = [stop](std::int64_t step) {
                       return step == stop ? SIGINT : 0;
                     }});
  if (resumes) loop.restore(sink.saved());
  try {
    loop.run();
  } catch (const Interrupted&) {
  }
}

std::string bytes_of_history(const MemorySink& sink) {
  std::string bytes;
  for (const HistoryLine& line : sink.lines())
    for (const auto& [name, value] : line.values)
      bytes += std::to_string(line.step) + name + to_text(value);
  return bytes;
}

// The losses of all rows, as one shard of one step, and what the phases give as their gradient.
class LossOfRows {
 public:
  explicit LossOfRows(TrainingTask& task)
      : task_(task), gradient_(at(task.params().block_size())), rows_(at(task.rows())) {
    std::iota(rows_.begin(), rows_.end(), std::int64_t{0});
    state_.take(task.state());
  }
  // With the gradient, once it has run.
  double at_parameters(std::span<const float> theta) {
    const det::FpEnvironment plain;
    std::ranges::fill(gradient_, 0.0F);
    state_.put_back();
    double loss = 0;
    for (Phase* phase : task_.phases()) loss += run(*phase, theta);
    return loss;
  }
  [[nodiscard]] const std::vector<float>& gradient() const { return gradient_; }

 private:
  double run(Phase& phase, std::span<const float> theta) {
    const PhaseSettings& settings = phase.settings();
    const bool of_rows = settings.items == 0;
    const std::int64_t n = task_.rows(), count = of_rows ? n : settings.items;
    const StepPlace place{.seed = seed, .rows = n};
    std::vector<std::int64_t> places(at(count));
    std::iota(places.begin(), places.end(), std::int64_t{0});
    Shard shard{.place = place, .count = count, .step_count = count, .rows = {}, .places = places};
    if (of_rows) shard.rows = rows_;
    for (const std::int64_t row : rows_) shard.extent = std::max(shard.extent, task_.extent(row));
    std::vector<double> sums(settings.terms.size() + at(settings.extra_sums) +
                             at(settings.sums_per_row * n));
    std::vector<float> block(gradient_.size());
    const ParamSet& params = task_.params();
    const auto written = params.ranges(params.under(settings.writes));
    phase.begin({.place = place, .rows = rows_, .places = rows_});
    phase.run(shard, theta,
              {settings.gradient ? std::span(block) : std::span<float>(), sums, written});
    phase.finish(place, {block, sums});
    for (const BlockRange& range : written)
      for (std::int64_t i = range.begin; i < range.end; ++i) gradient_[at(i)] += block[at(i)];
    const auto term = std::ranges::find(settings.terms, "loss");
    return term == settings.terms.end() ? 0 : sums[at(term - settings.terms.begin())];
  }

  TrainingTask& task_;
  std::vector<float> gradient_;
  std::vector<std::int64_t> rows_;
  Snapshot state_;
};

bool follows_a_loss(TrainingTask& task) {
  return std::ranges::any_of(task.phases(), [](const Phase* phase) {
    const std::vector<std::string>& terms = phase->settings().terms;
    return std::ranges::find(terms, "loss") != terms.end();
  });
}

// Parameters at which no symmetry holds.
std::vector<float> moved_parameters(const ParamSet& params) {
  std::vector<float> theta(params.block().begin(), params.block().end());
  const Substream draws = Rng(8).stream(Stream::test);
  for (std::size_t i = 0; i < theta.size(); ++i)
    theta[i] += static_cast<float>(0.05 * normal_at(draws, i));
  return theta;
}

// A direction of length one: half that of the gradient, half a random one.
std::vector<double> direction(std::span<const float> gradient) {
  const Substream draws = Rng(9).stream(Stream::test);
  const auto unit = [](std::vector<double> v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    for (double& x : v) x /= std::sqrt(sum);
    return v;
  };
  std::vector<double> drawn;
  for (std::size_t i = 0; i < gradient.size(); ++i) drawn.push_back(normal_at(draws, i));
  const std::vector<double> ours = unit({gradient.begin(), gradient.end()}), other = unit(drawn);
  if (ours.size() == 1) return ours;  // the other one may be its opposite
  std::vector<double> sum;
  for (std::size_t i = 0; i < ours.size(); ++i) sum.push_back(ours[i] + other[i]);
  return unit(sum);
}

std::string wrong_slope(LossOfRows& loss, const ParamInfo& tensor, std::vector<float> theta) {
  const auto first = at(tensor.offset), count = at(tensor.shape.elements());
  const double start = loss.at_parameters(theta);
  const std::vector<float> whole = loss.gradient();
  const std::span<const float> gradient = std::span(whole).subspan(first, count);
  if (std::ranges::all_of(gradient, [](float g) { return g == 0; }))
    return layer_check::is_without_slope(tensor.name)
               ? ""
               : tensor.name + ": the gradient is zero everywhere";
  const std::vector<double> way = direction(gradient);
  const std::vector<float> here = theta;
  constexpr double h = 3e-3;
  const auto moved_by = [&](double far) {
    for (std::size_t i = 0; i < count; ++i)
      theta[first + i] = static_cast<float>(static_cast<double>(here[first + i]) + far * way[i]);
    return loss.at_parameters(theta);
  };
  const double slope = (moved_by(h) - moved_by(-h)) / (2 * h);
  double expected = 0;
  for (std::size_t i = 0; i < count; ++i) expected += static_cast<double>(gradient[i]) * way[i];
  if (std::abs(slope - expected) <= 0.02 * std::abs(expected) + 1e-4 * std::abs(start)) return "";
  return tensor.name + ": the loss has slope " + to_text(slope) + ", the gradient says " +
         to_text(expected);
}

// Calls part(b) for every block, and joins what they give in order of the blocks.
std::string joined(std::int64_t blocks, Order order,
                   const std::function<std::string(std::int64_t)>& part) {
  std::vector<std::string> parts(at(blocks));
  const auto make = [&](std::int64_t b) { parts[at(b)] = part(b); };
  if (order == Order::together) {
    Workers workers(4);
    workers.run(blocks, make);
  } else {
    for (std::int64_t i = 0; i < blocks; ++i) make(order == Order::forwards ? i : blocks - 1 - i);
  }
  return std::accumulate(parts.begin(), parts.end(), std::string());
}

std::string bytes_of_scores(const Scores& scores) {
  std::string bytes = bytes_in(scores.nats) + bytes_in(scores.mc_std_error);
  for (const auto& columns : {scores.terms, scores.facts})
    for (const auto& [name, values] : columns) bytes += name + bytes_in(values);
  return bytes;
}

std::string bytes_of_samples(const SampleChunk& chunk) {
  std::string bytes = bytes_in(chunk.rows.x) + bytes_in(chunk.rows.y) + bytes_in(chunk.rows.length);
  for (const SampleCode& code : chunk.codes) bytes += code.name + bytes_in(code.bytes);
  return bytes;
}

std::string latents_seen(const ModelLatents& latents, const HeldRows& data) {
  if (!latents.has_posterior()) return "";
  const Posterior q = latents.encode(data.examples());
  return bytes_in(q.mean) + bytes_in(q.log_var) +
         bytes_in(latents.reconstruct(q.mean, data.examples()));
}

}  // namespace

std::vector<Family> families_under_contract() {
  register_mixture();
  register_categorical_mixture();
  register_letters();
  register_tree();
  static const bool once = (register_family(gauss::family()), true);
  static_cast<void>(once);
  std::vector<Family> held;
  for (const Family& family : families())
    if (family.trainee) std::ranges::move(trials_of(family), std::back_inserter(held));
  return held;
}

Trial::Trial(const Family& family)
    : data(family.tiny_rows(rows_for(family))),
      trainee(family.trainee("tiny", {.train = data.examples()}, Rng(1))) {}

std::unique_ptr<Trial> trained(const Family& family, const TrialRun& run) {
  auto trial = std::make_unique<Trial>(family);
  MemorySink sink;
  const auto alone = join_ranks();
  if (trial->trains()) train_once(*trial, run, *alone, sink, false);
  return trial;
}

std::unique_ptr<Trial> well_trained(const Family& family) {
  auto trial = std::make_unique<Trial>(family);
  if (!trial->trains()) return trial;
  TrainOptions options = short_training(*trial, 150);
  if (options.reads.rate) options.lr = 0.02;
  Workers workers(1);
  const auto alone = join_ranks();
  TrainingLoop(*trial->trainee.task, options, {workers, *alone}, {.seed = seed}).run();
  return trial;
}

std::string training_bytes(const Family& family, const TrialRun& run) {
  MemorySink sink;
  const auto of_rank = [&](Ranks& ranks, MemorySink& kept) {
    for (const bool resumes : {false, true}) {
      if (resumes && run.stops_after == 0) break;
      Trial trial(family);
      train_once(trial, run, ranks, kept, resumes);
    }
  };
  if (run.two_ranks) {
    MemorySink other_sink;  // that nothing is written to
    RankThreads(2).run([&](Ranks& ranks) { of_rank(ranks, ranks.first() ? sink : other_sink); });
  } else {
    of_rank(*join_ranks(), sink);
  }
  return bytes_of(sink.saved()) + bytes_of_history(sink);
}

std::string gradient_trouble(const Family& family) {
  Trial trial(family);
  if (!trial.trains() || !follows_a_loss(*trial.trainee.task)) return "";
  TrainingTask& task = *trial.trainee.task;
  LossOfRows loss(task);
  const std::vector<float> theta = moved_parameters(task.params());
  std::set<int> trained;
  for (const Phase* phase : task.phases())
    if (phase->settings().gradient)
      for (const int tensor : task.params().under(phase->settings().writes)) trained.insert(tensor);
  for (const int tensor : trained) {
    std::string found = wrong_slope(loss, task.params().infos()[at(tensor)], theta);
    if (!found.empty()) return found;
  }
  return "";
}

std::string scored(const Model& model, const std::string& method, const HeldRows& data,
                   Order order) {
  const Abilities can = abilities(model);
  const auto plan = method == "det" ? coder_scoring(can.code) : scoring_plan(can, method);
  lighten(*plan, model.info().family);
  plan->settle();
  const std::int64_t block = model.info().block, n = data.rows.count;
  return joined((n + block - 1) / block, order, [&](std::int64_t b) {
    const Rows rows = slice_rows(data.rows, b * block, std::min(n, (b + 1) * block));
    return bytes_of_scores(plan->score({data.info, rows, b * block}, Rng(5)));
  });
}

std::string sampled(const Model& model, std::int64_t items, Order order) {
  const auto plan = abilities(model).sampling();
  lighten(*plan, model.info().family);
  plan->settle();
  const std::int64_t block = model.info().block;
  return joined((items + block - 1) / block, order, [&](std::int64_t b) {
    return bytes_of_samples(plan->make(b * block, std::min(items, (b + 1) * block), Rng(6)));
  });
}

bool codes(const Model& model) {
  const auto codec = abilities(model).code;
  if (codec == nullptr) return false;
  try {
    static_cast<void>(codec->plan());
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return false;
  }
}

std::string digest_of_codes(const Model& model, const HeldRows& data) {
  const auto codec = abilities(model).code;
  Workers workers(1);
  const auto plan = codec->plan();
  lighten(*plan, model.info().family);
  plan->settle({}, workers);
  const auto scheme = plan->scheme(workers);
  codec::Message message(2);
  codec::Costs costs;
  scheme->encode(message, codec->items(data.examples()), 0, costs);
  const std::string scores = scored(model, "det", data, Order::forwards);
  return sha256_hex(message.serialise()) + ' ' + probe_of(*scheme, codec->item(), 4) + ' ' +
         sha256_hex(std::as_bytes(std::span(scores)));
}

Sight sight_of(const Model& model, const HeldRows& data) {
  const Abilities can = abilities(model);
  Sight sight;
  for (const std::string& method : can.methods())
    sight[method] = scored(model, method, data, Order::forwards);
  sight["samples"] = sampled(model, 40, Order::forwards);
  if (can.latents) sight["latents"] = latents_seen(*can.latents, data);
  if (codes(model)) sight["codes"] = digest_of_codes(model, data);
  return sight;
}

}  // namespace logpx::testing
