// Messages of a step of a chain for every state that an automaton may be in before it, side by side
// as columns. A step's message is linear in what its leaves say and in what later steps say, so
//
//   carried_q = sum over groups g of letters of   f(leaves of g, later steps in state next(q, g))
//
// and what reads later steps only, the matrix of a hidden Markov model, is computed once for each
// state behind the step.   [pc/README 9.11]
#pragma once

#include "libcore/families/pc/passes/message.hpp"
#include "libcore/families/pc/passes/scaled_numbers.hpp"
#include "libcore/model/automaton.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// What a block says in some states of the automaton: y 2^exponent.
struct StateColumns {
  std::vector<int> states = {};
  std::vector<double> y = {};  // [size, states]
  std::vector<std::int64_t> exponent = {};

  [[nodiscard]] bool empty() const { return states.empty(); }
};

// What later steps say to a step, by the state of the automaton behind it.
struct Ahead {
  std::vector<int> states = {};
  std::vector<StateColumns> blocks = {};  // those of StatePass::borders()
};

// A group of letters that leads from a state to one of those of an Ahead.
struct Arrow {
  int state = 0, group = 0;
  int to = 0;  // column of Ahead
};

class StatePass {
 public:
  // A chain of one variable with categories, the symbols of the automaton. The arguments outlive
  // it.
  StatePass(const PassPlan& plan, std::span<const double> theta, const Automaton& automaton);

  [[nodiscard]] Ahead ahead_of_end() const;
  [[nodiscard]] Ahead ahead_of(const StateColumns& next);
  // The carried block of a step where x stands (-1: any letter), in those of these states from
  // which the rest is possible.
  [[nodiscard]] StateColumns carried(const Ahead& ahead, std::int32_t x,
                                     std::span<const int> states);
  // The root, from the carried block of the first step.
  [[nodiscard]] ScaledNumber root(const StateColumns& first);

  // For a way down: the arrows of a state, and the share of each in node j of the carried block.
  void fan_out(const Ahead& ahead, std::int32_t x, int state);
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] std::vector<double> shares(std::int64_t node) const;
  // The carried block in that state.
  [[nodiscard]] StateColumns sum_of_fan();
  // All blocks of a step for one of its arrows, and what follows it; then those above the first.
  [[nodiscard]] Work<double> step(std::int32_t x, int group, const StateColumns* next);
  [[nodiscard]] Work<double> head(const StateColumns& first);

  // Numbers that an Ahead keeps for each state.
  [[nodiscard]] std::int64_t kept_rows() const;

 private:
  // Messages of some columns.
  struct Bench {
    std::vector<Message<double>> messages = {};
    std::vector<double> room = {};
    std::int64_t columns = 0;
  };
  enum class Keeps { no, inner };
  void size(Bench& bench, std::int64_t columns, Keeps keeps) const;
  [[nodiscard]] Work<double> work(Bench& bench) const;
  void run(Bench& bench, std::span<const int> blocks) const;
  void set(Bench& bench, int block, const StateColumns& from) const;
  void find_parts();
  void read_letters();
  [[nodiscard]] Bench& letters(std::int32_t x);
  [[nodiscard]] std::vector<Arrow> arrows_of(const Ahead& ahead, std::int32_t x, int state) const;
  struct FewColumnsOf {
    const double* y;
    const std::int64_t* exponent;
    std::int64_t columns;
  };
  void spread(const FewColumnsOf& from, const std::vector<int>& place, int b);
  void join(const Ahead& ahead, std::int32_t x, std::span<const Arrow> arrows);
  void add_up(std::span<const Arrow> arrows, StateColumns& to) const;
  [[nodiscard]] double leaf_value(int block, std::int64_t node, std::int64_t x) const;

  const PassPlan& plan_;
  std::span<const double> theta_;
  const Automaton& automaton_;
  std::vector<int> early_, later_, joint_;   // blocks of a step, children first
  std::vector<int> fronts_, borders_;        // early and later ones that joint ones read
  std::vector<std::vector<double>> tables_;  // of leaves, by block
  Bench groups_, seen_, behind_, joined_, one_, head_;
  std::int32_t seen_letter_ = -1;
  std::vector<Arrow> arrows_;
};

}  // namespace logpx::pc
