// What zlib would write next, told from the content and the tokens so far. [RFC 1951, 4; zlib's
// deflate.c, whose order of steps is kept]
//
//   foreteller.see(text, Ends::later);
//   while (foreteller.ready()) {
//     const Token told = foreteller.foretell();
//     foreteller.accept(token);  // that the stream has there
//   }
#pragma once

#include "formats/deflate/parameters.hpp"
#include "formats/deflate/symbols.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::deflate {

// Whether the content ends with what is seen.
enum class Ends { later, here };

class Foreteller {
 public:
  // How far a step may look.
  static constexpr std::size_t lookahead = longest_match + shortest_match + 1;

  explicit Foreteller(const Parameters& parameters);

  // The content from its beginning, less what was dropped; it must stay where it is until the next.
  void see(std::span<const std::uint8_t> text, Ends ends) { text_ = text, ends_ = ends; }
  // The first bytes, a multiple of 32,768, are needed no more; at least 32,768 before the position
  // stay.
  void drop(std::size_t bytes);

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool at_end() const { return ends_ == Ends::here && position_ == text_.size(); }
  // Whether enough is seen to foretell as if all were, for as many bytes from here.
  [[nodiscard]] bool ready(std::size_t bytes = 0) const {
    return ends_ == Ends::here || position_ + bytes + lookahead <= text_.size();
  }
  // The token at the position, which is not the end.
  [[nodiscard]] Token foretell();
  // The length of a match at the position that was put off because the next one is longer, or 0.
  [[nodiscard]] unsigned put_off() const { return put_off_; }
  // What stands there: no longer than the content.
  void accept(Token token);

  // Earlier places that share at least `length` bytes with the position, the nearest first, as far
  // as they are in its chain; `visit` takes their distance and says whether to go on. Call
  // foretell() before.
  template <typename Visit>
  void each_place(std::size_t length, const Visit& visit);

  [[nodiscard]] std::uint8_t byte() const { return text_[position_]; }
  [[nodiscard]] std::size_t left() const { return text_.size() - position_; }
  // Links followed and bytes compared so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  struct Match {
    unsigned length = shortest_match - 1, distance = 0;
  };
  [[nodiscard]] Token foretell_run() const;
  [[nodiscard]] Token foretell_lazily();
  [[nodiscard]] Match find(std::size_t at, unsigned to_beat);
  [[nodiscard]] Match search(std::size_t at, std::size_t place, unsigned to_beat);
  [[nodiscard]] bool drops(Match match) const;
  void insert(std::size_t at);
  // 0: there is none.
  [[nodiscard]] std::size_t place_before(std::size_t place) const {
    const std::size_t back = back_[place & window_mask_];
    return back == 0 || back >= place ? 0 : place - back;
  }
  void insert_up_to(std::size_t end);
  [[nodiscard]] unsigned shared(std::size_t a, std::size_t b, unsigned most) const;

  Parameters parameters_;
  struct Search {
    unsigned good, lazy, nice, chain;
  } search_;
  std::size_t farthest_, window_mask_;
  unsigned hash_shift_;
  std::uint32_t hash_mask_;
  std::span<const std::uint8_t> text_;
  Ends ends_ = Ends::later;
  std::size_t position_ = 0, inserted_ = 0;
  std::vector<std::uint32_t> heads_;  // the last place with a hash; the first of all is never found
  std::vector<std::uint16_t> back_;   // from a place to the one before it with its hash, or 0
  std::optional<Token> told_;
  std::optional<Match> ahead_;  // at the position, where a literal came before
  std::optional<Match> after_;  // found at the next position while foretelling this one
  unsigned put_off_ = 0;
  std::uint64_t steps_ = 0;
};

template <typename Visit>
void Foreteller::each_place(std::size_t length, const Visit& visit) {
  if (back_.empty() || left() < shortest_match) return;
  std::size_t place = place_before(position_);
  while (place != 0 && position_ - place <= farthest_match) {
    ++steps_;
    const unsigned most = static_cast<unsigned>(length);
    if (shared(place, position_, most) == most && !visit(position_ - place)) return;
    steps_ += most;
    place = place_before(place);
  }
}

}  // namespace logpx::deflate
