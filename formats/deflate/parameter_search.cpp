#include "formats/deflate/parameter_search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace logpx::deflate {

namespace {

constexpr std::size_t window_margin = 262;  // zlib's matches keep off the end of its window
constexpr std::uint64_t most_steps = std::uint64_t{1} << 30;
constexpr std::uint64_t no_price = std::numeric_limits<std::uint64_t>::max();

// What decisions would cost, in 16ths of a bit, by chances that learn quickly.
class Price final : public Decisions {
 public:
  Price() : chances_(decision_contexts, one / 8) {}

  [[nodiscard]] int code(int bit, std::size_t context) override {
    std::uint16_t& chance = chances_[context];
    total_ += prices()[(bit != 0 ? chance : one - chance) >> 4];
    chance = static_cast<std::uint16_t>(bit != 0 ? chance + ((one - chance) >> 5)
                                                 : chance - (chance >> 5));
    return bit;
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  static constexpr std::uint32_t one = 65535;

  // -log2 of a chance of 12 bits: its square has twice the logarithm, four times over.
  static const std::array<std::uint8_t, 4096>& prices() {
    static const std::array<std::uint8_t, 4096> table = [] {
      std::array<std::uint8_t, 4096> made{};
      for (std::uint32_t i = 0; i < made.size(); ++i) {
        std::uint32_t power = std::max(i, 1u), bits = 0;
        for (int round = 0; round < 4; ++round) {
          power *= power;
          for (bits *= 2; power >= 1u << 16; power >>= 1) ++bits;
        }
        made[i] = static_cast<std::uint8_t>(12 * 16 - std::min(bits, 12u * 16));
      }
      return made;
    }();
    return table;
  }
  std::vector<std::uint16_t> chances_;
  std::uint64_t total_ = 0;
};

// What the tokens show without a search.
struct Traits {
  std::size_t content = 0, tokens = 0, matches = 0, short_matches = 0;  // short: up to 5
  unsigned farthest = 0;
  bool far_threes = false, all_fixed = true;
};

Traits traits_of(const Beginning& beginning) {
  Traits traits{.content = beginning.content.size()};
  for (const BlockHead& head : beginning.heads) traits.all_fixed &= head.kind != BlockKind::dynamic;
  for (const Token token : beginning.tokens) {
    if (token == end_of_block) continue;
    ++traits.tokens;
    if (!token.is_match()) continue;
    ++traits.matches;
    traits.short_matches += token.length <= 5 ? 1 : 0;
    traits.farthest = std::max<unsigned>(traits.farthest, token.distance);
    traits.far_threes |= token.length == shortest_match && token.distance > 4096;
  }
  return traits;
}

// The best of what was entered so far, by the price of the first tokens.
class Contest {
 public:
  Contest(const Beginning& beginning, std::size_t tokens, std::uint64_t& steps)
      : beginning_(beginning), tokens_(tokens), steps_(steps) {}

  void enter(const Parameters& parameters) {
    if (decided() || steps_ > most_steps) return;
    Price price;
    Teller teller(parameters, price);
    teller.add(beginning_.content);
    if (beginning_.is_whole) teller.end_content();
    std::vector<std::uint64_t> course;
    tell(teller, price, course);
    steps_ += teller.steps();
    if (price.total() >= price_ || falls_behind(course) || teller.overworked()) return;
    price_ = price.total();
    course_ = std::move(course);
    best_ = parameters;
    others_ = teller.others() + teller.other_blocks();
  }
  // Whether all is as foretold, or nearly so.
  [[nodiscard]] bool decided() const { return others_ == 0; }
  [[nodiscard]] bool is_near() const { return others_ < tokens_ / 12; }
  [[nodiscard]] const Parameters& best() const { return best_; }

 private:
  // Prices are noted on the way, so that what costs far more than the best need not go on.
  [[nodiscard]] bool falls_behind(const std::vector<std::uint64_t>& course) const {
    const std::size_t noted = course.size();
    return noted != 0 && noted <= course_.size() &&
           course.back() > course_[noted - 1] + course_[noted - 1] / 4 + free_price;
  }
  void tell(Teller& teller, const Price& price, std::vector<std::uint64_t>& course) const {
    auto token = beginning_.tokens.begin();
    std::size_t told = 0;
    for (const BlockHead& head : beginning_.heads) {
      if (!teller.ready(head.stored_bytes)) return;
      teller.begin(head);
      const bool stored = head.kind == BlockKind::stored;
      for (Token step = literal; step != end_of_block;) {
        if (!teller.ready() || told == tokens_ || teller.overworked()) return;
        if (!stored && token == beginning_.tokens.end()) return;
        step = teller.step(stored ? literal : *token++);
        if (stored || ++told % noted_each != 0) continue;
        course.push_back(price.total());
        if (price.total() >= price_ || falls_behind(course)) return;
      }
    }
  }

  static constexpr std::size_t noted_each = 500;
  static constexpr std::uint64_t free_price = 16 * 64;
  const Beginning& beginning_;
  std::size_t tokens_;
  std::uint64_t& steps_;
  std::uint64_t price_ = no_price, others_ = no_price;
  std::vector<std::uint64_t> course_;
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
void try_windows(Contest& contest, const Traits& traits) {
  Parameters other = contest.best();
  for (other.window = 9; other.window < 15; ++other.window) {
    const std::size_t size = std::size_t{1} << other.window;
    if (size >= traits.farthest + window_margin && size < traits.content + window_margin)
      contest.enter(other);
  }
}

void try_memories(Contest& contest) {
  Parameters other = contest.best();
  for (other.memory = 9; other.memory >= 1; --other.memory) contest.enter(other);
}

// The level by few tokens, then all by many.
Parameters search(const Beginning& beginning, const Traits& traits, const Parameters& first) {
  constexpr std::size_t few_tokens = 2000;
  std::uint64_t steps = 0;
  Contest few(beginning, few_tokens, steps);
  few.enter(first);
  if (traits.matches == 0 || traits.farthest == 1) {
    Parameters simple = first;
    simple.strategy = traits.matches == 0 ? Strategy::literals : Strategy::runs;
    few.enter(simple);
  }
  const bool filtered = traits.short_matches == 0;
  try_levels(few, filtered);
  try_windows(few, traits);
  if (traits.tokens <= few_tokens) return few.best();
  Contest contest(beginning, searched_tokens, steps);
  contest.enter(few.best());
  if (few.best().strategy == Strategy::literals || few.best().strategy == Strategy::runs)
    return contest.best();
  try_levels(contest, filtered);
  const Parameters before = contest.best();
  try_windows(contest, traits);
  if (contest.is_near()) try_memories(contest);
  if (contest.best() != before) try_levels(contest, filtered);
  return contest.best();
}

// How many ends of blocks are not foretold, and the other way round.
std::size_t other_ends(const Beginning& beginning, const Parameters& parameters) {
  std::size_t others = 0, position = 0;
  auto token = beginning.tokens.begin();
  for (const BlockHead& head : beginning.heads) {
    BlockSoFar block{.start = position};
    position += head.stored_bytes;
    if (head.kind == BlockKind::stored) continue;
    for (; token != beginning.tokens.end() && *token != end_of_block; ++token) {
      others += block.ends(parameters) ? 1 : 0;
      block.add(*token, position);
      position += token->content();
    }
    if (token == beginning.tokens.end()) break;
    ++token;
    others += block.ends(parameters) || head.last ? 0 : 1;
  }
  return others;
}

void find_ends(const Beginning& beginning, Parameters& parameters) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  Parameters other = parameters;
  const auto enter = [&] {
    const std::size_t others = other_ends(beginning, other);
    if (others < fewest) fewest = others, parameters = other;
  };
  enter();
  other.block = 15, other.gzip_ends = true;
  enter();
  other.gzip_ends = false;
  for (; other.block >= 7; --other.block) enter();
}

}  // namespace

Parameters find_parameters(const Beginning& beginning) {
  const Traits traits = traits_of(beginning);
  Parameters first;
  first.far_threes = traits.far_threes;
  first.fixed_trees = traits.all_fixed && traits.tokens > 1000;
  find_ends(beginning, first);
  if (!first.gzip_ends) first.memory = static_cast<std::uint8_t>(first.block - 6);
  return search(beginning, traits, first);
}

}  // namespace logpx::deflate
