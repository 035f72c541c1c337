#include "libcore/families/pc/tables/table_search.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/length/folds.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/tables/part_weights.hpp"
#include "libcore/families/pc/tables/planned_work.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace logpx::pc {
namespace {

constexpr std::size_t parts_of_rows = 8;   // one is held back
constexpr std::size_t enough_rows = 1000;  // with fewer, several are held back in turn
constexpr std::size_t most_rows = 8000;    // that are looked at
constexpr std::size_t fewest_rows = 16;
constexpr double most_of_one = 1e10;    // multiply-adds of one trial
constexpr double most_at_first = 2e9;   // of one that follows a miss
constexpr double most_of_all = 1.2e11;  // of the training that follows; some 30 s
constexpr double least_gain = 0.005;    // nats a row
constexpr double least_gain_of_time = 0.02;
constexpr double least_weight = 0.02;

constexpr std::int64_t most_tree_states = 64, most_block_states = 32;
constexpr double rows_of_a_state = 8;  // of blocks, at least

class Choosing {
 public:
  Choosing(const TableOpen& open, std::vector<Fold> folds, const TaskData& data,
           const TableSearch& search)
      : open_(open), folds_(std::move(folds)), data_(data), search_(search) {
    for (const Fold& fold : folds_) trials_.push_back(fold.data());
  }

  TableChoice run(TableChoice choice) {
    const TableForm all = choice.form;
    if (all.trees > 0) {
      TableChoice one = choice;
      one.form = {.trees = 1, .tree_states = all.tree_states};
      choose_tree(one);
      choice.form.tree_states = one.form.tree_states;
      choice.pseudocount = one.pseudocount;
      choice.epochs = one.epochs;
    }
    if (all.blocks > 0) {
      TableChoice one = choice;
      one.form = {.blocks = 1, .block_states = all.block_states};
      choose_block(one, all.trees == 0);
      choice.form.block_states = one.form.block_states;
      choice.pooled = one.pooled;
      choice.epochs = one.epochs;
    }
    shrink(choice);
    weigh(choice);
    return choice;
  }

 private:
  // The mean log p of held-out rows; nothing where the trial would take too long.
  std::optional<double> judge(const TableChoice& choice) {
    double sum = 0;
    for (const TaskData& rows : trials_) {
      const Trainee trainee = search_.make(choice, rows);
      work_ = work_of_row(dynamic_cast<const PcModel&>(*trainee.model)).of(choice.form) *
              choice.epochs * static_cast<double>(rows.train.count) *
              static_cast<double>(trials_.size());
      if (work_ > most_of_one) return std::nullopt;
      sum += train(trainee);
    }
    return sum / static_cast<double>(trials_.size());
  }

  double train(const Trainee& trainee) const {
    TrainOptions options = trainee.options;
    options.eval_every.amount = 0;
    options.patience = 0;
    options.keep_best = false;
    const auto alone = one_rank();
    TrainingLoop loop(*trainee.task, options, {search_.workers, *alone},
                      {.seed = search_.rng.seed(), .checkpoint_every = {}});
    return loop.run().metrics.front().second;
  }

  // Tries a value in the place of another; whether held-out rows gain by it.
  bool improves(TableChoice& best, const TableChoice& other) {
    if (!judged_) best_ = judge(best);
    judged_ = true;
    if (!best_) return false;
    const std::optional<double> now = judge(other);
    const double gain = other.epochs > best.epochs ? least_gain_of_time : least_gain;
    if (!now || !(*now > *best_ + gain)) return false;
    best_ = now;
    best = other;
    return true;
  }

  // Doubles a number while that helps; one miss is forgiven where the next trial is soon done.
  void grow(TableChoice& best, std::int64_t TableForm::*states, std::int64_t most) {
    TableChoice next = best;
    for (int misses = 0; misses < 2;) {
      next.form.*states *= 2;
      if (next.form.*states > most || (misses > 0 && work_ > most_at_first)) return;
      misses = improves(best, next) ? 0 : misses + 1;
    }
  }

  template <typename Number>
  void try_each(TableChoice& best, Number TableChoice::*of, std::initializer_list<Number> values) {
    for (const Number value : values) {
      if (best.*of == value) continue;
      TableChoice next = best;
      next.*of = value;
      improves(best, next);
    }
  }

  void choose_tree(TableChoice& one) {
    judged_ = false;
    if (open_.pseudocount) one.pseudocount = 0.3;
    if (open_.tree_states) one.form.tree_states = 4;
    if (open_.tree_states) grow(one, &TableForm::tree_states, most_tree_states);
    if (open_.pseudocount) try_each(one, &TableChoice::pseudocount, {0.1, 1.0});
    if (open_.epochs) try_each(one, &TableChoice::epochs, {60.0, 7.0});
  }

  void choose_block(TableChoice& one, bool alone) {
    judged_ = false;
    const double d = joined(*search_.make(one, trials_[0]).model);
    const auto rows = static_cast<double>(trials_[0].train.count);
    const std::int64_t most =
        std::min(most_block_states + 1, static_cast<std::int64_t>(rows / rows_of_a_state) + 1);
    if (open_.pooled) one.pooled = 2 * d;
    if (open_.block_states) {
      // One more than there are clusters: the broad one.
      TableChoice next = one;
      one.form.block_states = 2;
      int misses = 0;
      for (std::int64_t clusters = 2; clusters < most && misses < 2; clusters *= 2) {
        next = one;
        next.form.block_states = clusters + 1;
        misses = improves(one, next) ? 0 : misses + 1;
      }
    }
    if (open_.pooled) try_each(one, &TableChoice::pooled, {d / 2, 10 * d});
    if (open_.epochs && alone) try_each(one, &TableChoice::epochs, {60.0, 7.0});
  }

  // How many numbers its gaussians join, at least 1.
  [[nodiscard]] static double joined(const Model& model) {
    std::size_t most = 1;
    for (const Block& block : dynamic_cast<const PcModel&>(model).circuit().blocks)
      most = std::max(most, block.variables.size());
    return static_cast<double>(most);
  }

  // First seeds, then epochs give way where training would take long.
  void shrink(TableChoice& choice) {
    const RowWork of_row =
        work_of_row(dynamic_cast<const PcModel&>(*search_.make(choice, trials_[0]).model));
    const auto work = [&] {
      return of_row.of(choice.form) * choice.epochs * static_cast<double>(data_.train.count);
    };
    while (work() > most_of_all && choice.form.trees + choice.form.blocks > 2) {
      if (choice.form.trees > 1) --choice.form.trees;
      if (choice.form.blocks > 1) --choice.form.blocks;
    }
    if (!open_.epochs) return;
    while (work() > most_of_all && choice.epochs > 1) choice.epochs = std::floor(choice.epochs / 2);
  }

  // Trains all parts beside each other, and finds what each is worth on rows that they lack. Those
  // that are worth little are left out.
  void weigh(TableChoice& choice) const {
    const std::int64_t parts = choice.form.trees + choice.form.blocks;
    std::vector<std::vector<double>> nats(at(parts));
    for (const TaskData& rows : trials_) {
      const Trainee trainee = search_.make(choice, rows);
      static_cast<void>(train(trainee));
      auto& model = dynamic_cast<PcModel&>(*trainee.model);
      for (std::int64_t part = 0; part < parts; ++part) {
        const std::vector<double> own = log_p_of_part(model, part, rows.valid->held());
        nats[at(part)].insert(nats[at(part)].end(), own.begin(), own.end());
      }
    }
    const std::vector<double> weights = mixing_weights(nats);
    std::int64_t trees = 0;
    choice.weights.clear();
    for (std::int64_t part = 0; part < parts; ++part) {
      if (weights[at(part)] < least_weight) continue;
      choice.weights.push_back(weights[at(part)]);
      if (part < choice.form.trees) ++trees;
    }
    choice.form.trees = trees;
    choice.form.blocks = std::ssize(choice.weights) - trees;
    const double sum = std::accumulate(choice.weights.begin(), choice.weights.end(), 0.0);
    for (double& weight : choice.weights) weight /= sum;
  }

  TableOpen open_;
  std::vector<Fold> folds_;
  const TaskData& data_;
  const TableSearch& search_;
  std::vector<TaskData> trials_;  // refer to the folds
  bool judged_ = false;           // the best so far
  std::optional<double> best_ = {};
  double work_ = 0;  // of the latest trial
};

// Some of these rows, in their order.
std::vector<std::int64_t> some_of(std::vector<std::int64_t> rows, std::size_t most,
                                  const Rng& rng) {
  if (rows.size() <= most) return rows;
  const std::vector<std::uint32_t> order =
      permutation(static_cast<std::uint32_t>(rows.size()), rng.stream(Stream::subsets, 1));
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(rows[order[i]]);
  std::ranges::sort(some);
  return some;
}

// Validation rows judge if there are any.
std::vector<Fold> folds_for(const TaskData& data, const Rng& rng) {
  const std::vector<std::int64_t> rows = some_of(telling_rows(data.train.held()), most_rows, rng);
  if (data.valid) {
    const std::vector<std::int64_t> judges =
        some_of(telling_rows(data.valid->held()), most_rows / parts_of_rows, rng);
    if (judges.empty() || rows.empty()) return {};
    std::vector<Fold> one(1);
    one[0].train = rows_of(data.train.held(), rows);
    one[0].held = rows_of(data.valid->held(), judges);
    return one;
  }
  if (rows.size() < fewest_rows) return {};
  const std::size_t count =
      std::clamp<std::size_t>(enough_rows / rows.size(), 1, parts_of_rows / 2);
  return folds_of(data.train.held(), rows, {.parts = parts_of_rows, .count = count}, rng);
}

}  // namespace

TableChoice choose_table(const TableChoice& first, const TableOpen& open, const TaskData& data,
                         const TableSearch& search) {
  std::vector<Fold> folds = folds_for(data, search.rng);
  if (!open.any() || folds.empty()) return first;
  if (search.say)
    search.say(data.valid ? "validation rows choose states and pseudocounts"
                          : "an eighth of the rows is held back to choose states and pseudocounts; "
                            "then all of them train");
  return Choosing(open, std::move(folds), data, search).run(first);
}

}  // namespace logpx::pc
