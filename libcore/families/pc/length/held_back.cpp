#include "libcore/families/pc/length/held_back.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/length/folds.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx::pc {
namespace {

constexpr std::size_t parts = 5;           // of the rows; one is held back
constexpr std::size_t enough_rows = 1000;  // with fewer, several parts are held back in turn
constexpr std::size_t fewest_rows = 10;
constexpr std::int64_t most_doublings = 7;
constexpr int most_misses = 2;       // doublings without gain, in a row
constexpr double least_gain = 1e-3;  // nats per row that count as a gain
constexpr double most_work = 5e9;    // parameters times the rows that use them

double log_p_after(std::int64_t steps, const TaskData& data, const LengthSearch& search) {
  const Trainee trainee = search.make(data);
  TrainOptions options = trainee.options;
  options.steps = steps;
  if (!options.keep_best && options.patience == 0) options.eval_every.amount = 0;
  const auto alone = one_rank();
  TrainingLoop loop(*trainee.task, options, {search.workers, *alone},
                    {.seed = search.rng.seed(), .checkpoint_every = {}});
  const TrainingResult result = loop.run();
  return options.keep_best && result.best_step >= 0 ? result.best : result.metrics.front().second;
}

// Folds to hold back in turn; 0 if there are validation rows.
std::size_t folds_for(const TaskData& data, std::size_t rows) {
  return data.valid || rows == 0 ? 0 : std::clamp<std::size_t>(enough_rows / rows, 1, parts);
}

// Most steps to try; `first` if even twice as many cost too much.
std::int64_t most_steps(std::int64_t first, std::int64_t step_rows, const Trainee& trainee,
                        std::size_t folds) {
  const double once = static_cast<double>(step_rows) *
                      static_cast<double>(trainee.task->params().elements()) *
                      static_cast<double>(trainee.task->runs()) *
                      static_cast<double>(std::max<std::size_t>(folds, 1));
  std::int64_t most = first;
  for (std::int64_t i = 0; i < most_doublings; ++i)
    if (2 * static_cast<double>(most) * once <= most_work) most *= 2;
  return most;
}

std::string judges_of(const TaskData& data, std::size_t rows, std::size_t folds) {
  if (data.valid)
    return std::to_string(data.valid->count) + " validation rows show how many steps help";
  const std::string times = std::to_string(folds) + " times, each time others";
  return std::to_string(rows / parts) + " of " + std::to_string(rows) + " rows are held back" +
         (folds > 1 ? ", " + times + ',' : "") +
         " to see how many steps help; then all of them train";
}

}  // namespace

std::optional<std::int64_t> choose_steps(const Trainee& trainee, const TaskData& data,
                                         const LengthSearch& search) {
  const std::int64_t rows = data.train.count;
  const std::int64_t step_rows = std::min(rows, trainee.options.batch * trainee.options.accumulate);
  const auto first = static_cast<std::int64_t>(
      std::ceil(trainee.options.epochs * static_cast<double>(rows / step_rows)));
  const std::vector<std::int64_t> telling = telling_rows(data.train.held());
  const std::size_t count = folds_for(data, telling.size());
  const std::int64_t most = most_steps(first, step_rows, trainee, count);
  if (most == first || (!data.valid && telling.size() < fewest_rows)) return std::nullopt;
  if (search.say) search.say(judges_of(data, telling.size(), count));
  const std::vector<Fold> folds =
      folds_of(data.train.held(), telling, {.parts = parts, .count = count}, search.rng);
  std::int64_t best = first;
  double best_log_p = 0;
  int misses = 0;
  for (std::int64_t steps = first; steps <= most && misses < most_misses; steps *= 2) {
    double log_p = folds.empty() ? log_p_after(steps, data, search) : 0;
    for (const Fold& fold : folds)
      log_p += log_p_after(steps, fold.data(), search) / static_cast<double>(folds.size());
    if (steps > first && !(log_p > best_log_p + least_gain)) {
      ++misses;
      continue;
    }
    misses = 0;
    best = steps;
    best_log_p = log_p;
  }
  return best;
}

}  // namespace logpx::pc
