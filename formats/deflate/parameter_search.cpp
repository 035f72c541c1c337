#include "formats/deflate/parameter_search.hpp"

#include "formats/deflate/foreteller.hpp"
#include "formats/deflate/teller.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace logpx::deflate {

namespace {

constexpr std::size_t window_margin = 262;  // zlib's matches keep off the end of its window

// What the tokens show without a search.
struct Traits {
  std::size_t content = 0;
  std::size_t tokens = 0, matches = 0, short_matches = 0;  // short: up to 5
  std::size_t largest_block = 0;
  unsigned farthest = 0;
  bool far_threes = false, all_fixed = true;
};

Traits traits_of(const Beginning& beginning) {
  Traits traits{.content = beginning.content.size()};
  for (const Beginning::Block& block : beginning.blocks) {
    traits.tokens += block.tokens.size();
    if (block.stored) continue;
    if (block.ended || !beginning.is_whole)
      traits.largest_block = std::max(traits.largest_block, block.tokens.size());
    traits.all_fixed &= block.fixed;
    for (const Token token : block.tokens) {
      if (!token.is_match()) continue;
      ++traits.matches;
      traits.short_matches += token.length <= 5 ? 1 : 0;
      traits.farthest = std::max<unsigned>(traits.farthest, token.distance);
      traits.far_threes |= token.length == shortest_match && token.distance > 4096;
    }
  }
  return traits;
}

// How many of the first tokens are not foretold; it gives up above `most`.
class Trial {
 public:
  explicit Trial(const Beginning& beginning) : beginning_(beginning) {}

  [[nodiscard]] std::size_t others(const Parameters& parameters, std::size_t tokens,
                                   std::size_t most) const {
    Foreteller foreteller(parameters);
    foreteller.see(beginning_.content, beginning_.is_whole ? Ends::here : Ends::later);
    std::size_t others = 0, seen = 0;
    for (const Beginning::Block& block : beginning_.blocks) {
      if (block.stored) {
        pass(foreteller, block.stored_bytes);
        continue;
      }
      for (const Token token : block.tokens) {
        if (++seen > tokens || !foreteller.ready() || others > most) return others;
        others += foreteller.foretell() == token ? 0 : 1;
        foreteller.accept(token);
      }
    }
    return others;
  }
  // How many ends of blocks are not foretold.
  [[nodiscard]] std::size_t other_ends(const Parameters& parameters) const {
    std::size_t others = 0, position = 0;
    for (const Beginning::Block& block : beginning_.blocks) {
      BlockSoFar so_far{.start = position};
      for (const Token token : block.tokens) {
        others += so_far.ends(parameters) ? 1 : 0;
        so_far.add(token, position);
        position += token.content();
      }
      position += block.stored_bytes;
      const bool last = beginning_.is_whole && position == beginning_.content.size();
      others += block.ended && !block.stored && !last && !so_far.ends(parameters) ? 1 : 0;
    }
    return others;
  }

 private:
  static void pass(Foreteller& foreteller, std::size_t bytes) {
    for (std::size_t left = bytes; left != 0 && foreteller.ready();) {
      Token token = foreteller.foretell();
      if (token.content() > left) token = literal;
      foreteller.accept(token);
      left -= token.content();
    }
  }
  const Beginning& beginning_;
};

// The best so far, and whatever is tried against it.
class Contest {
 public:
  Contest(const Trial& trial, std::size_t tokens) : trial_(trial), tokens_(tokens) {}

  void enter(const Parameters& parameters) {
    if (others_ == 0) return;
    const std::size_t others = trial_.others(parameters, tokens_, others_ - 1);
    if (others < others_) others_ = others, best_ = parameters;
  }
  [[nodiscard]] bool decided() const { return others_ == 0; }
  [[nodiscard]] const Parameters& best() const { return best_; }

 private:
  const Trial& trial_;
  std::size_t tokens_, others_ = std::numeric_limits<std::size_t>::max();
  Parameters best_;
};

Parameters of_level(Parameters parameters, std::uint8_t level, bool filtered) {
  parameters.level = level;
  parameters.strategy = level <= 3 ? Strategy::greedy
                        : filtered ? Strategy::filtered
                                   : Strategy::lazy;
  return parameters;
}

void try_levels(Contest& contest, bool filtered) {
  constexpr std::array<std::uint8_t, 9> by_use{6, 9, 1, 5, 7, 8, 4, 3, 2};
  const Parameters base = contest.best();
  for (const std::uint8_t level : by_use) {
    contest.enter(of_level(base, level, false));
    if (filtered && level > 3) contest.enter(of_level(base, level, true));
  }
}

// Windows that hold the farthest match, and that the content does not fit.
void try_windows(Contest& contest, unsigned farthest, std::size_t content) {
  Parameters other = contest.best();
  for (other.window = 9; other.window < 15; ++other.window) {
    const std::size_t size = std::size_t{1} << other.window;
    if (size >= farthest + window_margin && size < content + window_margin) contest.enter(other);
  }
}

void try_memories(Contest& contest) {
  Parameters other = contest.best();
  for (other.memory = 9; other.memory >= 1; --other.memory) contest.enter(other);
}

// The level by few tokens, then all by many.
Parameters search(const Trial& trial, const Traits& traits, const Parameters& first) {
  constexpr std::size_t few_tokens = 2000;
  const bool filtered = traits.short_matches == 0;
  Contest few(trial, few_tokens);
  few.enter(first);
  try_levels(few, filtered);
  try_windows(few, traits.farthest, traits.content);
  if (traits.tokens <= few_tokens) return few.best();
  Contest contest(trial, searched_tokens);
  contest.enter(few.best());
  if (few.decided()) try_levels(contest, filtered);
  try_windows(contest, traits.farthest, traits.content);
  try_memories(contest);
  try_levels(contest, filtered);
  return contest.best();
}

void find_ends(const Trial& trial, Parameters& parameters) {
  Parameters best = parameters;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  const auto enter = [&](std::uint8_t block, bool gzip) {
    Parameters other = parameters;
    other.block = block, other.gzip_ends = gzip;
    const std::size_t others = trial.other_ends(other);
    if (others < fewest) fewest = others, best = other;
  };
  enter(parameters.block, false);
  enter(15, true);
  for (std::uint8_t block = 15; block >= 7; --block) enter(block, false);
  parameters = best;
}

}  // namespace

Parameters find_parameters(const Beginning& beginning) {
  const Traits traits = traits_of(beginning);
  const Trial trial(beginning);
  Parameters parameters;
  parameters.far_threes = traits.far_threes;
  parameters.fixed_trees = traits.all_fixed && traits.tokens > 1000;
  if (traits.largest_block >= (1u << 14)) parameters.block = 15;
  find_ends(trial, parameters);
  if (!parameters.gzip_ends) parameters.memory = static_cast<std::uint8_t>(parameters.block - 6);
  if (traits.matches == 0 && traits.tokens > 0) {
    Contest contest(trial, searched_tokens);
    contest.enter(parameters);
    parameters.strategy = Strategy::literals;
    contest.enter(parameters);
    return contest.best();
  }
  if (traits.farthest == 1) {
    Contest contest(trial, searched_tokens);
    contest.enter(parameters);
    Parameters runs = parameters;
    runs.strategy = Strategy::runs;
    contest.enter(runs);
    if (contest.decided()) return contest.best();
  }
  return search(trial, traits, parameters);
}

}  // namespace logpx::deflate
