#include "formats/deflate/tree_decisions.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <span>

namespace logpx::deflate {

namespace {

// Contexts; where an alphabet has its own, literals come first, then distances, then runs.
enum : std::size_t {
  any_difference = contexts::trees,
  sizes_differ,
  run_code_differs,
  run_count_differs,
  other_is_run,
  run_of_before,
  run_differs,                          // 4
  literal_size = run_differs + 4,       // 5 bits
  distance_size = literal_size + 32,    // 5 bits
  run_code_size = distance_size + 32,   // 4 bits
  differs = run_code_size + 16,         // 6 each
  shorter_code = differs + 18,          // 2
  unused_has_code = shorter_code + 2,   // 2 each
  unused_length = unused_has_code + 6,  // 4 bits each
  first_free = unused_length + 48
};
static_assert(first_free <= contexts::trees + 256);

[[noreturn]] void refuse_trees() {
  fail(ErrorKind::data, "DEFLATE stream", "the trees of its recipe are none");
}

// One alphabet's lengths. A used symbol has the length told, or one longer or shorter by; another
// has none, or some.
class LengthWalk {
 public:
  LengthWalk(Decisions& decisions, std::size_t alphabet, unsigned longest)
      : decisions_(decisions), alphabet_(alphabet), longest_(longest) {}

  [[nodiscard]] std::uint8_t code(bool used, std::uint8_t told, std::uint8_t actual) {
    const unsigned length = used ? code_used(told, actual) : code_unused(actual);
    if (length > longest_ || (used && length == 0)) refuse_trees();
    return static_cast<std::uint8_t>(length);
  }

 private:
  unsigned code_used(unsigned told, unsigned actual) {
    const std::size_t recent = 2 * std::min<std::size_t>(differed_, 2) + (last_up_ ? 1 : 0);
    const bool other = decisions_.code(actual != told, differs + 6 * alphabet_ + recent) != 0;
    differed_ = other ? differed_ + 1 : differed_ / 2;
    if (!other) return told;
    last_up_ = decisions_.code(actual < told, shorter_code + (last_up_ ? 1 : 0)) == 0;
    if (last_up_)
      return told + 1 + code_number(decisions_, actual - told - 1, contexts::lengths_up);
    const unsigned down = code_number(decisions_, told - actual - 1, contexts::lengths_down) + 1;
    return down > told ? 0 : told - down;
  }
  unsigned code_unused(unsigned actual) {
    const std::size_t place = 2 * alphabet_ + (had_code_ ? 1 : 0);
    had_code_ = decisions_.code(actual != 0, unused_has_code + place) != 0;
    if (!had_code_) return 0;
    return code_bits(decisions_, actual, 4, unused_length + 16 * alphabet_);
  }

  Decisions& decisions_;
  std::size_t alphabet_, differed_ = 0;
  unsigned longest_;
  bool last_up_ = true, had_code_ = false;
};

void code_sizes(Decisions& decisions, const Trees& told, const Trees& actual, Trees& trees) {
  trees.literals = told.literals, trees.distances = told.distances;
  const bool other = actual.literals != told.literals || actual.distances != told.distances;
  if (decisions.code(other, sizes_differ) == 0) return;
  const unsigned literals = actual.literals - 257u, distances = actual.distances - 1u;
  trees.literals =
      static_cast<std::uint16_t>(257 + code_bits(decisions, literals, 5, literal_size));
  trees.distances =
      static_cast<std::uint16_t>(1 + code_bits(decisions, distances, 5, distance_size));
  if (trees.literals > literal_symbols || trees.distances > distance_symbols) refuse_trees();
}

void code_lengths(Decisions& decisions, const SymbolCounts& counts, const Trees& told,
                  const Trees& actual, Trees& trees) {
  LengthWalk literal_walk(decisions, 0, longest_code), distance_walk(decisions, 1, longest_code);
  for (std::size_t i = 0; i < trees.literals; ++i)
    trees.literal_lengths[i] = literal_walk.code(counts.literals[i] != 0, told.literal_lengths[i],
                                                 actual.literal_lengths[i]);
  for (std::size_t i = 0; i < trees.distances; ++i)
    trees.distance_lengths[i] = distance_walk.code(
        counts.distances[i] != 0, told.distance_lengths[i], actual.distance_lengths[i]);
}

// A length alone, or a run of any size that fits; zeros have two symbols for that, and a third
// where zeros came before.
Run code_other_run(Decisions& decisions, const Trees& trees, std::size_t index, Run actual) {
  const std::uint8_t length = trees.length(index);
  if (decisions.code(actual.symbol >= 16, other_is_run) == 0) return {length, 0};
  const bool repeats = index > 0 && trees.length(index - 1) == length;
  bool before = length != 0;
  if (!before && repeats) before = decisions.code(actual.symbol == 16, run_of_before) != 0;
  const unsigned size = 3 + code_number(decisions, run_size(actual) - 3, contexts::run_sizes);
  const std::size_t left = trees.literals + std::size_t{trees.distances} - index;
  if (size > (before ? 6u : 138u) || size > left || (before && !repeats)) refuse_trees();
  for (std::size_t i = 0; i < size; ++i)
    if (trees.length(index + i) != length) refuse_trees();
  if (before) return {16, static_cast<std::uint8_t>(size - 3)};
  return size < 11 ? Run{17, static_cast<std::uint8_t>(size - 3)}
                   : Run{18, static_cast<std::uint8_t>(size - 11)};
}

void code_runs(Decisions& decisions, const Trees& actual, Trees& trees) {
  const std::size_t all = trees.literals + std::size_t{trees.distances};
  std::size_t recent = 0;
  for (std::size_t i = 0; i < all; i += run_size(trees.runs.back())) {
    const std::size_t at = trees.runs.size();
    const Run truth = at < actual.runs.size() ? actual.runs[at] : Run{};
    Run run = zlib_run(trees, i);
    const bool other = decisions.code(truth != run, run_differs + recent) != 0;
    if (other) run = code_other_run(decisions, trees, i, truth);
    recent = (2 * recent + (other ? 1 : 0)) % 4;
    trees.runs.push_back(run);
  }
}

void code_run_code(Decisions& decisions, const Trees& actual, Trees& trees) {
  set_run_code(trees);
  if (decisions.code(actual.run_lengths != trees.run_lengths, run_code_differs) != 0) {
    std::array<bool, run_symbols> used{};
    for (const Run run : trees.runs) used[run.symbol] = true;
    LengthWalk walk(decisions, 2, longest_run_code);
    for (std::size_t i = 0; i < run_symbols; ++i)
      trees.run_lengths[i] = walk.code(used[i], trees.run_lengths[i], actual.run_lengths[i]);
    trees.run_count = least_run_count(trees);
  }
  if (decisions.code(actual.run_count != trees.run_count, run_count_differs) != 0)
    trees.run_count = static_cast<std::uint16_t>(
        4 + code_bits(decisions, actual.run_count - 4u, 4, run_code_size));
  if (trees.run_count < least_run_count(trees) || trees.run_count > run_symbols) refuse_trees();
}

}  // namespace

Trees code_trees(Decisions& decisions, const SymbolCounts& counts, const Trees& told,
                 const Trees& actual) {
  if (decisions.code(actual != told, any_difference) == 0) return told;
  Trees trees;
  code_sizes(decisions, told, actual, trees);
  code_lengths(decisions, counts, told, actual, trees);
  code_runs(decisions, actual, trees);
  code_run_code(decisions, actual, trees);
  return trees;
}

}  // namespace logpx::deflate
