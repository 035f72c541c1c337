#include "libcore/families/pc/patterns/matching.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/patterns/state_pass.hpp"
#include "libcore/families/pc/queries/paths.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace logpx::pc {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

// The way up through one row. What later steps say is kept for stretches of steps: of the first
// one from the way up itself, of the others it is computed again when the way down comes there.
class WayUp {
 public:
  // most_kept: numbers to keep for a way down; 0 if there is none.
  WayUp(StatePass& pass, const Automaton& automaton, std::span<const std::int32_t> x,
        std::int64_t most_kept)
      : pass_(pass), x_(x), steps_(std::ssize(x)), every_(std::max<std::int64_t>(1, steps_)) {
    const std::int64_t whole = steps_ * automaton.states() * pass.kept_rows();
    const Keeps keeps = most_kept == 0 ? Keeps::nothing : Keeps::all;
    if (keeps == Keeps::all && whole > most_kept)
      every_ = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(steps_))));
    find_reached(automaton);
    marks_.resize(at(steps_ / every_ + 1));
    for (std::int64_t end = steps_, begin = 0; end > 0; end = begin) {
      begin = (end - 1) / every_ * every_;
      first_ = stretch(begin, end, std::move(first_), keeps);
      marks_[at(begin / every_)] = first_;
    }
  }

  // The carried block of the first step; empty if nothing matches.
  [[nodiscard]] const StateColumns& first() const { return first_; }
  [[nodiscard]] std::int32_t x(std::int64_t step) const { return x_[at(step)]; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const Ahead& ahead(std::int64_t step) {
    if (step < begin_ || step >= begin_ + std::ssize(kept_)) {
      const std::int64_t begin = step / every_ * every_, end = std::min(steps_, begin + every_);
      static_cast<void>(stretch(begin, end, marks_[at(end / every_)], Keeps::all));
    }
    return kept_[at(step - begin_)];
  }

 private:
  enum class Keeps { nothing, all };
  // The states that the first letters can lead to.
  void find_reached(const Automaton& automaton) {
    std::vector<bool> now(at(automaton.states()));
    if (automaton.start() >= 0) now[at(automaton.start())] = true;
    for (const std::int32_t x : x_) {
      std::vector<bool> after(now.size());
      const int first = x < 0 ? 0 : automaton.group_of(x),
                end = x < 0 ? automaton.groups() : first + 1;
      for (int state = 0; state < automaton.states(); ++state)
        for (int group = first; now[at(state)] && group < end; ++group)
          if (const int next = automaton.next(state, group); next >= 0) after[at(next)] = true;
      reached_.push_back(std::exchange(now, std::move(after)));
    }
  }

  // Goes through steps begin to end - 1, given the carried block behind them.
  StateColumns stretch(std::int64_t begin, std::int64_t end, StateColumns next, Keeps keeps) {
    if (keeps == Keeps::all) kept_.assign(at(end - begin), {});
    begin_ = begin;
    for (std::int64_t step = end; step-- > begin;) {
      Ahead ahead = step + 1 == steps_ ? pass_.ahead_of_end() : pass_.ahead_of(next);
      std::vector<int> states;
      for (std::size_t state = 0; state < reached_[at(step)].size(); ++state)
        if (reached_[at(step)][state]) states.push_back(static_cast<int>(state));
      next = pass_.carried(ahead, x_[at(step)], states);
      if (keeps == Keeps::all) kept_[at(step - begin)] = std::move(ahead);
    }
    return next;
  }

  StatePass& pass_;
  std::span<const std::int32_t> x_;
  std::int64_t steps_, every_;
  std::vector<std::vector<bool>> reached_;  // before each step, by state
  StateColumns first_;
  std::vector<StateColumns> marks_;  // carried blocks of every every_-th step
  std::vector<Ahead> kept_;          // of a stretch that begins with step begin_
  std::int64_t begin_ = 0;
};

// One draw on its way down.
class Draw {
 public:
  Draw(const WayUp& up, DrawCursor cursor, int start)
      : chooser_({cursor}), way_(chooser_, filled), state_(start) {
    filled = {.count = 1, .steps = up.steps(), .lengths = {up.steps()}};
    for (std::int64_t step = 0; step < up.steps(); ++step) filled.x.push_back(up.x(step));
  }
  Draw(const Draw&) = delete;
  Draw& operator=(const Draw&) = delete;

  void begin(StatePass& pass, WayUp& up) {
    const Work<double> work = pass.head(up.first());
    way_.begin(work);
    const std::vector<int>& head = work.plan.head();
    for (auto b = head.rbegin(); b != head.rend(); ++b) way_.visit(work, *b, {.columns = filled});
    pass.fan_out(up.ahead(0), up.x(0), state_);
    weigh(pass, work.plan);
  }

  // Chooses the letter of a step, and its state of the next one.
  void step(StatePass& pass, WayUp& up, const Automaton& automaton, std::int64_t step) {
    const Arrow arrow = arrows_[chooser_.choose(0, shares_)];
    const bool last = step + 1 == up.steps();
    state_ = automaton.next(state_, arrow.group);
    std::optional<StateColumns> next;
    if (!last) {
      pass.fan_out(up.ahead(step + 1), up.x(step + 1), state_);
      next = pass.sum_of_fan();
    }
    const Work<double> work = pass.step(up.x(step), arrow.group, last ? nullptr : &*next);
    const StepView view{.columns = filled, .step = step, .ending = last ? 1 : 0};
    way_.choose_among(&automaton.members(arrow.group));
    const std::vector<int>& blocks = work.plan.steps();
    for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) way_.visit(work, *b, view);
    way_.end_step(work, view);
    if (!last) weigh(pass, work.plan);
  }

  [[nodiscard]] const std::vector<std::int64_t>& states() const { return way_.states(); }

  Columns filled;

 private:
  void weigh(const StatePass& pass, const PassPlan& plan) {
    arrows_ = pass.arrows();
    shares_ = pass.shares(way_.reached(plan.circuit().carried, 0));
  }

  DrawnChoice chooser_;
  Paths<double> way_;
  int state_;
  std::vector<Arrow> arrows_;
  std::vector<double> shares_;
};

// Letters of a row; a new value counts as missing.
std::vector<std::int32_t> letters_of(const Evidence& rows, std::int64_t i) {
  std::vector<std::int32_t> x;
  for (std::int64_t v = 0; v < rows.lengths[at(i)]; ++v)
    x.push_back(std::max(rows.row(i)[at(v)], -1));
  return x;
}

double log_p_of(StatePass& pass, const Automaton& automaton, const WayUp& up) {
  if (up.steps() == 0) return automaton.accepts(automaton.start()) ? 0 : impossible;
  return up.first().empty() ? impossible : pass.root(up.first()).ln();
}

}  // namespace

std::string refuse_automaton(const Circuit& circuit, std::int64_t symbols) {
  if (!circuit.chained()) return "it is about sequences, and this is no model of them";
  if (circuit.variables.size() > 1)
    return "it is read a letter a step, and a step of this model has " +
           std::to_string(circuit.variables.size()) + " values";
  if (circuit.styles > 1) return "it is for models without styles";
  if (circuit.variables[0].categories != symbols)
    return "it is about " + std::to_string(symbols) + " symbols, and this model reads " +
           std::to_string(circuit.variables[0].categories);
  return "";
}

std::vector<double> Matching::log_p(const Evidence& rows) const {
  single_threaded_kernels();
  StatePass pass(plan_, *theta_, automaton_);
  std::vector<double> nats(at(rows.count()), impossible);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    if (rows.has_new_value(i)) continue;
    const std::vector<std::int32_t> x = letters_of(rows, i);
    nats[at(i)] = log_p_of(pass, automaton_, {pass, automaton_, x, 0});
  }
  return nats;
}

void Matching::fill_alike(const Evidence& rows, std::int64_t begin, std::int64_t end,
                          Draws& draws) const {
  StatePass pass(plan_, *theta_, automaton_);
  const std::vector<std::int32_t> x = letters_of(rows, begin);
  WayUp up(pass, automaton_, x, most_kept_);
  const double nats = log_p_of(pass, automaton_, up);
  if (!std::isfinite(nats)) return;
  std::vector<std::unique_ptr<Draw>> ways;  // the draws of a row, then those of the next one
  for (std::int64_t row = begin; row < end; ++row) {
    const Substream own =
        draws.rng.stream(Stream::evaluation, static_cast<std::uint32_t>(rows.first + row));
    for (std::uint32_t draw = draws.range.first; draw < draws.range.end; ++draw)
      ways.push_back(std::make_unique<Draw>(up, DrawCursor(own, std::uint64_t{draw} << 32),
                                            automaton_.start()));
  }
  for (std::int64_t step = 0; step < up.steps(); ++step)
    for (const auto& way : ways) {
      if (step == 0) way->begin(pass, up);
      way->step(pass, up, automaton_, step);
    }
  const std::size_t each = draws.filled.size();
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const std::int64_t row = begin + static_cast<std::int64_t>(w / each);
    FilledRows& to = draws.filled[w % each];
    std::ranges::copy(ways[w]->filled.x, to.x.begin() + row * rows.width);
    std::ranges::copy(ways[w]->states(), to.states.begin() + row * rows.width);
    to.nats[at(row)] = nats;
  }
}

std::vector<FilledRows> Matching::fill(const Evidence& rows, Rng rng, DrawRange range) const {
  single_threaded_kernels();
  const std::int64_t count = rows.count();
  const FilledRows none{.x = std::vector<std::int32_t>(rows.x.size(), -1),
                        .reals = {},
                        .nats = std::vector<double>(at(count), impossible),
                        .states = std::vector<std::int64_t>(rows.x.size(), -1)};
  Draws draws{.rng = rng, .range = range};
  draws.filled.assign(range.end - range.first, none);
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    end = begin + 1;
    if (rows.has_new_value(begin)) continue;
    while (end < count && rows.lengths[at(end)] == rows.lengths[at(begin)] &&
           std::ranges::equal(rows.row(end), rows.row(begin)))
      ++end;
    fill_alike(rows, begin, end, draws);
  }
  return std::move(draws.filled);
}

}  // namespace logpx::pc
