// What the loop promises: the same bytes whatever the threads, interruptions and plans.
#include "libcore/train/loop.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace logpx::loop_test {

TEST_CASE("loop: training lowers the loss, and the history says so") {
  TrainingCase c{.options = small_options()};
  c.options.epochs = 30;
  c.options.lr_warmup = 0;
  const auto outcome = train(c);
  const auto& lines = outcome->sink.lines();
  REQUIRE(lines.size() == 60);
  const auto value = [](const HistoryLine& line, const std::string& name) {
    for (const auto& [key, number] : line.values)
      if (key == name) return number;
    return std::numeric_limits<double>::quiet_NaN();
  };
  CHECK(value(lines.back(), "loss") < value(lines.front(), "loss") - 0.5);
  CHECK(value(lines.back(), "valid_loss") < value(lines.front(), "valid_loss") - 0.5);
  CHECK(value(lines.back(), "grad_norm") > 0);
  CHECK(outcome->result.stopped == "steps");
  CHECK(outcome->result.steps == 120);
  CHECK(lines.back().step == 120);
  CHECK(lines.back().samples == 30 * 203);
  CHECK(outcome->result.best <= value(lines.back(), "valid_loss"));
}

TEST_CASE("loop: the same bytes for 1, 2 and 4 threads") {
  TrainingCase c{.options = small_options()};
  const std::string one = train(c)->bytes;
  for (const int threads : {2, 4}) {
    c.threads = threads;
    CHECK(train(c)->bytes == one);
  }
  c.options.lr = 1.0001 * c.options.lr.value();  // a change does show
  CHECK(train(c)->bytes != one);
}

TEST_CASE("loop: stopped after every step and resumed, the bytes are those of one run") {
  TrainingCase c{.options = small_options()};
  const auto whole = train(c);
  for (std::int64_t k = 1; k <= whole->result.steps; ++k) {
    CAPTURE(k);
    c.stops = {k};
    CHECK(train(c)->bytes == whole->bytes);
  }
  c.stops = {1, 2, 5, 9};
  CHECK(train(c)->bytes == whole->bytes);
}

TEST_CASE("loop: plan reuse and recomputation change no byte") {
  TrainingCase c{.options = small_options()};
  const std::string usual = train(c)->bytes;
  c.task.reuse = Reuse::nothing;
  CHECK(train(c)->bytes == usual);
  c.task.reuse = Reuse::memory;
  c.options.recompute = Recompute::on;
  CHECK(train(c)->bytes == usual);
}

TEST_CASE("loop: accumulating micro-batches equals the big batch, bit for bit on equal shards") {
  TrainingCase c{.options = small_options(), .rows = 256};
  c.options.batch = 128;
  c.options.shards = 8;
  const auto big = train(c);
  c.options.batch = 32;
  c.options.accumulate = 4;
  c.options.shards = 2;
  const auto small = train(c);
  // Every parameter, average and slot; the loss terms of the history are summed in another order.
  const auto learnt = [](const TrainingOutcome& outcome) {
    const Checkpoint& all = outcome.sink.saved();
    return bytes_of({.raw = all.raw, .ema = all.ema, .slots = all.slots});
  };
  CHECK(small->result.steps == big->result.steps);
  CHECK(learnt(*small) == learnt(*big));
}

TEST_CASE("loop: a last batch shorter than the number of shards leaves some of them empty") {
  TrainingCase c{.options = small_options(), .rows = 66};
  const auto outcome = train(c);
  CHECK(outcome->result.steps == 6);
  CHECK(std::isfinite(outcome->result.best));
}

TEST_CASE("loop: patience stops a run that does not get better") {
  TrainingCase c{.options = small_options()};
  c.options.lr = 0;
  c.options.epochs = 100;
  c.options.patience = 3;
  const auto outcome = train(c);
  CHECK(outcome->result.stopped == "patience");
  CHECK(outcome->sink.lines().size() == 4);
  c.stops = {3};
  CHECK(train(c)->result.steps == outcome->result.steps);
}

TEST_CASE("loop: what is better is the task's to say") {
  TrainingCase c{.options = small_options()};
  c.options.epochs = 30;
  c.options.patience = 100;
  const auto falls = train(c);
  c.task.aim = Aim::maximise;
  const auto rises = train(c);
  CHECK(rises->result.best == -falls->result.best);
  CHECK(rises->result.best_step == falls->result.best_step);
  CHECK(rises->result.best_step > 60);
}

TEST_CASE("loop: fractions of epochs are whole steps where they should be") {
  TrainingCase c{.options = small_options(), .rows = 640};
  c.options.epochs = 1.1;
  c.options.eval_every = {0.1, Interval::Unit::epochs};
  const auto outcome = train(c);
  CHECK(outcome->result.steps == 11);
  CHECK(outcome->sink.lines().size() == 11);
}

TEST_CASE("loop: a run that ended and is prolonged has the bytes of one that did not end there") {
  TrainingCase c{.options = small_options()};
  c.options.lr_schedule = Curve::constant;
  c.options.patience = 100;  // counts evaluations: the one at an end must not stay
  c.options.eval_every = {4, Interval::Unit::steps};
  c.options.steps = 12;
  const std::string whole = train(c)->bytes;
  for (const std::int64_t first : {5, 8}) {
    CAPTURE(first);
    c.ends = first;
    CHECK(train(c)->bytes == whole);
  }
}

TEST_CASE("loop: the order of an epoch is the permutation of its address, and rows come once") {
  EpochOrder order(10, 4, EpochOrder::Short::keep, 5);
  CHECK(order.steps_per_epoch() == 3);
  const auto expected = permutation(10, Rng(5).stream(Stream::shuffle, 1));
  std::vector<std::int64_t> found;
  for (std::int64_t step = 3; step < 6; ++step)
    for (const std::int64_t row : order.rows_of(step)) found.push_back(row);
  CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
  CHECK(order.samples_before(5) == 18);
  EpochOrder dropping(10, 4, EpochOrder::Short::drop, 5);
  CHECK(dropping.steps_per_epoch() == 2);
  CHECK(dropping.samples_before(4) == 16);
}

TEST_CASE("loop: rows in chunks come once an epoch, and those of few chunks one after the other") {
  constexpr std::int64_t rows = 59, step_rows = 7;
  constexpr RowChunks chunks{.rows = 4, .held = 3};
  const auto order = [&] {
    return EpochOrder(rows, step_rows, EpochOrder::Short::keep, 5, chunks);
  };
  EpochOrder whole = order();
  std::vector<std::vector<std::int64_t>> epochs;
  for (std::int64_t step = 0; step < 2 * whole.steps_per_epoch(); ++step) {
    const auto of_step = whole.rows_of(step);
    const std::vector<std::int64_t> found(of_step.begin(), of_step.end());
    EpochOrder alone = order();
    CHECK(std::ranges::equal(alone.rows_of(step), found));
    if (step % whole.steps_per_epoch() == 0) epochs.emplace_back();
    epochs.back().insert(epochs.back().end(), found.begin(), found.end());
  }
  CHECK(epochs[0] != epochs[1]);
  for (const std::vector<std::int64_t>& epoch : epochs) {
    CHECK(std::set(epoch.begin(), epoch.end()).size() == at(rows));
    CHECK(epoch.size() == at(rows));
    for (std::size_t begin = 0; begin < epoch.size(); begin += 12) {
      std::set<std::int64_t> used;
      const std::size_t end = std::min(begin + 12, epoch.size());
      for (std::size_t i = begin; i < end; ++i) used.insert(epoch[i] / chunks.rows);
      CHECK(used.size() == (end - begin + 3) / 4);
      CHECK_FALSE(std::is_sorted(epoch.begin() + static_cast<std::ptrdiff_t>(begin),
                                 epoch.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }
}

TEST_CASE("loop: a checkpoint of another shape is refused by name") {
  TrainingCase c{.options = small_options()};
  const auto outcome = train(c);
  MixtureModel other({.components = 7});
  MixtureTask task(other, ring_points(20, 3, Rng(1)), c.task);
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, c.options, {workers, *ranks}, {});
  try {
    loop.restore(outcome->sink.saved());
    FAIL("was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject() == "mixture/logits");
    CHECK(error.message() == "has shape [6], expected [7]");
  }
}

}  // namespace logpx::loop_test
