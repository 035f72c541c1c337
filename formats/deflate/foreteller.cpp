#include "formats/deflate/foreteller.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace logpx::deflate {

namespace {

// [zlib, deflate.c, configuration_table]: from `good` on a search tries a quarter of the chain;
// above `lazy` none looks for more at the next byte (or, where the search is greedy, no byte
// inside a longer match is entered); `nice` ends a search.
constexpr std::array<std::array<unsigned, 4>, 10> searches{{{0, 0, 0, 0},
                                                            {4, 4, 8, 4},
                                                            {4, 5, 16, 8},
                                                            {4, 6, 32, 32},
                                                            {4, 4, 16, 16},
                                                            {8, 16, 32, 32},
                                                            {8, 16, 128, 128},
                                                            {8, 32, 128, 256},
                                                            {32, 128, 258, 1024},
                                                            {32, 258, 258, 4096}}};
constexpr std::size_t margin = 262;  // what zlib keeps between its farthest match and its window
constexpr unsigned short_match = 5, too_far = 4096;

std::uint16_t two_bytes(const std::uint8_t* bytes) {
  std::uint16_t both;
  std::memcpy(&both, bytes, 2);
  return both;
}

}  // namespace

Foreteller::Foreteller(const Parameters& parameters)
    : parameters_(parameters),
      search_{searches[parameters.level][0], searches[parameters.level][1],
              searches[parameters.level][2], searches[parameters.level][3]},
      farthest_((std::size_t{1} << parameters.window) - margin),
      window_mask_((std::size_t{1} << parameters.window) - 1),
      hash_shift_((parameters.memory + 9u) / 3),
      hash_mask_((1u << (parameters.memory + 7)) - 1) {
  if (parameters.strategy == Strategy::runs || parameters.strategy == Strategy::literals) return;
  heads_.assign(hash_mask_ + std::size_t{1}, 0);
  back_.assign(window_mask_ + 1, 0);
}

void Foreteller::drop(std::size_t bytes) {
  const auto moved = [bytes](std::uint32_t place) {
    return place > bytes ? static_cast<std::uint32_t>(place - bytes) : 0;
  };
  std::ranges::transform(heads_, heads_.begin(), moved);
  position_ -= bytes;
  inserted_ -= std::min(inserted_, bytes);
}

Token Foreteller::foretell() {
  if (told_) return *told_;
  const auto token_of = [](Match match) {
    return match.length < shortest_match ? literal
                                         : Token{static_cast<std::uint16_t>(match.length),
                                                 static_cast<std::uint16_t>(match.distance)};
  };
  switch (parameters_.strategy) {
    case Strategy::literals: told_ = literal; break;
    case Strategy::runs: told_ = foretell_run(); break;
    case Strategy::greedy: told_ = token_of(find(position_, shortest_match - 1)); break;
    case Strategy::lazy:
    case Strategy::filtered: told_ = foretell_lazily(); break;
  }
  return *told_;
}

Token Foreteller::foretell_run() const {
  if (position_ == 0 || left() < shortest_match) return literal;
  const auto most = static_cast<unsigned>(std::min<std::size_t>(longest_match, left()));
  const unsigned length = shared(position_ - 1, position_, most);
  return length < shortest_match ? literal : Token{static_cast<std::uint16_t>(length), 1};
}

// A match stands unless the next position has a longer one.
Token Foreteller::foretell_lazily() {
  const Match here = ahead_ ? *ahead_ : find(position_, shortest_match - 1);
  after_ = left() > 1 ? find(position_ + 1, here.length) : Match{};
  if (here.length < shortest_match) return literal;
  if (after_->length > here.length) {
    put_off_ = here.length;
    return literal;
  }
  return {static_cast<std::uint16_t>(here.length), static_cast<std::uint16_t>(here.distance)};
}

void Foreteller::accept(Token token) {
  const std::size_t end = position_ + token.content();
  if (!back_.empty()) {
    if (parameters_.strategy == Strategy::greedy) {
      if (token.content() <= search_.lazy) insert_up_to(end);
      inserted_ = end;
    } else {
      insert_up_to(end);
    }
  }
  ahead_ = token.is_match() ? std::nullopt : after_;
  after_.reset();
  told_.reset();
  put_off_ = 0;
  position_ = end;
}

bool Foreteller::drops(Match match) const {
  if (match.length > short_match) return false;
  if (parameters_.strategy == Strategy::filtered) return true;
  return match.length == shortest_match && match.distance > too_far && !parameters_.far_threes;
}

Foreteller::Match Foreteller::find(std::size_t at, unsigned to_beat) {
  if (at + shortest_match > text_.size()) return {};
  if (inserted_ == at) insert(at);
  const std::size_t first = place_before(at);
  const bool greedy = parameters_.strategy == Strategy::greedy;
  if (first == 0 || at - first > farthest_ || (!greedy && to_beat >= search_.lazy)) return {};
  const Match match = search(at, first, to_beat);
  return match.distance == 0 || (!greedy && drops(match)) ? Match{} : match;
}

Foreteller::Match Foreteller::search(std::size_t at, std::size_t place, unsigned to_beat) {
  const std::size_t left = text_.size() - at;
  const auto most = static_cast<unsigned>(std::min<std::size_t>(longest_match, left));
  const unsigned nice = std::min(search_.nice, most);
  const std::size_t limit = at > farthest_ ? at - farthest_ : 0;
  unsigned chain = to_beat >= search_.good ? search_.chain >> 2 : search_.chain;
  Match best{to_beat, 0};
  if (to_beat >= most) return best;
  const std::uint8_t* text = text_.data();
  std::uint16_t last_two = two_bytes(text + at + to_beat - 1);
  do {
    ++steps_;
    if (two_bytes(text + place + best.length - 1) == last_two) {
      const unsigned length = shared(place, at, most);
      steps_ += length;
      if (length > best.length) {
        best = {length, static_cast<unsigned>(at - place)};
        if (length >= nice) break;
        last_two = two_bytes(text + at + length - 1);
      }
    }
    place = place_before(place);
  } while (place > limit && --chain != 0);
  return best;
}

unsigned Foreteller::shared(std::size_t a, std::size_t b, unsigned most) const {
  const std::uint8_t *left = text_.data() + a, *right = text_.data() + b;
  unsigned length = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; length + 8 <= most; length += 8) {
      std::uint64_t one, other;
      std::memcpy(&one, left + length, 8);
      std::memcpy(&other, right + length, 8);
      if (one != other) return length + static_cast<unsigned>(std::countr_zero(one ^ other)) / 8;
    }
  }
  while (length < most && left[length] == right[length]) ++length;
  return length;
}

void Foreteller::insert(std::size_t at) {
  inserted_ = at + 1;
  const std::uint32_t hash = ((std::uint32_t{text_[at]} << (2 * hash_shift_)) ^
                              (std::uint32_t{text_[at + 1]} << hash_shift_) ^ text_[at + 2]) &
                             hash_mask_;
  const std::size_t before = heads_[hash];
  const bool near = before != 0 && at - before <= farthest_match;
  back_[at & window_mask_] = near ? static_cast<std::uint16_t>(at - before) : std::uint16_t{0};
  heads_[hash] = static_cast<std::uint32_t>(at);
}

void Foreteller::insert_up_to(std::size_t end) {
  while (inserted_ < end && inserted_ + shortest_match <= text_.size()) insert(inserted_);
  inserted_ = std::max(inserted_, end);
}

}  // namespace logpx::deflate
