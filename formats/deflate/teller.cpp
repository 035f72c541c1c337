#include "formats/deflate/teller.hpp"

#include "formats/deflate/tree_decisions.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <optional>

namespace logpx::deflate {

namespace {

// Contexts, from contexts::blocks on.
enum : std::size_t {
  is_stored = contexts::blocks,      // 2
  stored_otherwise = is_stored + 2,  // not where a block is foretold to end
  stored_other_size,                 // than the last such
  not_last,                          // 2: though the content ends; or last, though it does not
  other_kind = not_last + 2,         // 2
  block_goes_on = other_kind + 2,    // though its end was foretold
  padded,                            // then 7 bits
  blocks_end = padded + 8
};
// From contexts::others on; the first two where a literal was foretold, and a match.
enum : std::size_t {
  block_ends = contexts::others,
  ends_otherwise,
  other_size,
  is_shorter,
  others_end
};
static_assert(blocks_end <= contexts::stored_size && others_end <= contexts::literal_to_match);

constexpr std::uint64_t few_others = 50;
constexpr std::size_t most_places = 255, place_contexts = 32;
constexpr std::size_t kept = 3 * farthest_match, dropped_at = 8 * farthest_match;
constexpr std::uint64_t steps_per_byte = 1024, steps_per_block = 16384, free_steps = 1u << 22;

// Lengths of 3 to 8 and above, at four sizes of distances.
std::size_t match_class(Token token) {
  const std::size_t length = std::min<std::size_t>(token.length - shortest_match, 6);
  const unsigned distance = token.distance;
  return 4 * length + (distance < 256 ? 0 : distance < 2048 ? 1 : distance < 8192 ? 2 : 3);
}

[[noreturn]] void refuse_step() {
  fail(ErrorKind::data, "DEFLATE stream", "what its recipe says does not fit its content");
}

}  // namespace

void BlockSoFar::add(Token token, std::size_t position) {
  ++tokens;
  last_start = position;
  last_is_match = token.is_match();
  if (!last_is_match) return;
  ++matches;
  distance_bits += 5 + logpx::deflate::distance_bits(distance_symbol(token.distance));
}

bool BlockSoFar::is_full(const Parameters& parameters) const {
  return tokens == (1u << parameters.block) - 1;
}

// gzip(1) guesses at every 4,096 tokens whether the block is worth its trees.
bool BlockSoFar::ends(const Parameters& parameters) const {
  if (is_full(parameters)) return true;
  if (!parameters.gzip_ends || parameters.level <= 2 || tokens == 0 || tokens % 4096 != 0)
    return false;
  const std::size_t seen = last_start + (parameters.level > 3 ? 1 : 0) - start;
  return matches < tokens / 2 && (8 * std::uint64_t{tokens} + distance_bits) / 8 < seen / 2;
}

Teller::Teller(const Parameters& parameters, Decisions& decisions)
    : parameters_(parameters), decisions_(decisions), foreteller_(parameters) {}

void Teller::add(std::span<const std::uint8_t> content) {
  drop();
  text_.insert(text_.end(), content.begin(), content.end());
  foreteller_.see(text_, ends_);
}

void Teller::end_content() {
  ends_ = Ends::here;
  foreteller_.see(text_, ends_);
}

void Teller::drop() {
  const std::size_t position = foreteller_.position();
  if (position < dropped_at) return;
  const std::size_t bytes = (position - kept) / farthest_match * farthest_match;
  foreteller_.drop(bytes);
  text_.erase(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(bytes));
  const auto moved = [bytes](std::size_t& place) { place -= bytes; };
  moved(block_.start), moved(block_.last_start);
  if (stored_end_) moved(*stored_end_);
  dropped_ += bytes;
}

bool Teller::ready(std::size_t stored_bytes) const { return foreteller_.ready(stored_bytes); }

std::uint64_t Teller::steps() const { return foreteller_.steps() + steps_per_block * blocks_; }

bool Teller::overworked() const { return steps() > steps_per_byte * position() + free_steps; }

std::span<const std::uint8_t> Teller::stepped() const {
  return std::span(text_).subspan(foreteller_.position() - stepped_, stepped_);
}

void Teller::begin(const BlockHead& truth) {
  truth_ = truth;
  head_ = {};
  counts_ = {};
  block_ = {.start = foreteller_.position()};
  stored_end_.reset();
  ++blocks_;
  const bool stored = decisions_.code(truth.kind == BlockKind::stored, is_stored + before_) != 0;
  before_ = stored ? 1 : 0;
  if (!stored) return;
  head_.kind = BlockKind::stored;
  begin_stored();
}

// zlib stores what its codes make no shorter: such a block ends where its tokens would.
void Teller::begin_stored() {
  const bool otherwise = !stored_as_foretold(truth_.stored_bytes);
  head_.padding = code_padding(truth_.padding);
  if (decisions_.code(otherwise, stored_otherwise) == 0) return;
  ++other_blocks_;
  std::uint16_t bytes = last_stored_;
  if (decisions_.code(truth_.stored_bytes != bytes, stored_other_size) != 0) {
    const auto number = code_number(decisions_, truth_.stored_bytes, contexts::stored_size);
    if (number > 65535) refuse_step();
    bytes = static_cast<std::uint16_t>(number);
  }
  if (bytes > foreteller_.left() && ends_ == Ends::here) refuse_step();
  last_stored_ = bytes;
  stored_end_ = foreteller_.position() + bytes;
}

bool Teller::stored_as_foretold(std::size_t bytes) const {
  if (bytes == 0) return at_end();
  const std::size_t end = foreteller_.position() + bytes;
  const bool to_the_end = ends_ == Ends::here && end == text_.size();
  if (end > text_.size() || (bytes < 4096 && bytes + 1 < 1u << parameters_.block && !to_the_end))
    return false;
  Foreteller foreteller = foreteller_;
  BlockSoFar block = block_;
  while (!foreteller.at_end() && !block.ends(parameters_) && foreteller.position() < end) {
    const Token token = foreteller.foretell();
    block.add(token, foreteller.position());
    foreteller.accept(token);
  }
  return foreteller.position() == end && (foreteller.at_end() || block.ends(parameters_));
}

Token Teller::step(Token truth) {
  stepped_ = 0;
  return head_.kind == BlockKind::stored ? stored_step() : coded_step(truth);
}

Token Teller::stored_step() {
  const std::size_t position = foreteller_.position();
  const bool ended =
      stored_end_ ? position == *stored_end_ : foreteller_.at_end() || block_.ends(parameters_);
  if (ended) {
    head_.stored_bytes = static_cast<std::uint16_t>(position - block_.start);
    code_last();
    return end_of_block;
  }
  if (foreteller_.at_end()) refuse_step();
  Token token = foreteller_.foretell();
  const std::size_t left =
      stored_end_ ? *stored_end_ - position : 65535 - (position - block_.start);
  if (token.content() > left) {
    if (!stored_end_) refuse_step();
    token =
        left < shortest_match ? literal : Token{static_cast<std::uint16_t>(left), token.distance};
  }
  take(token);
  return token;
}

Token Teller::coded_step(Token truth) {
  const bool told_end = block_.ends(parameters_);
  if (foreteller_.at_end() ||
      (told_end && decisions_.code(truth != end_of_block, block_goes_on) == 0)) {
    end_coded();
    return end_of_block;
  }
  if (told_end) ++other_blocks_;
  const Token told = foreteller_.foretell();
  const bool other = decisions_.code(truth != told, flag_context(told)) != 0;
  recent_ = (2 * recent_ + (other ? 1 : 0)) % 16;
  const Token token = other ? other_token(told, truth) : told;
  if (token == end_of_block) {
    ++other_blocks_;
    end_coded();
    return token;
  }
  if (other) ++others_;
  counts_.add(token, foreteller_.byte());
  take(token);
  if (block_.tokens == most_tokens) {
    head_.kind = BlockKind::fixed;
    code_last();
  }
  return token;
}

// Few contexts where nearly all is as foretold, and so little to learn by.
std::size_t Teller::flag_context(Token told) const {
  if (others_ < few_others)
    return contexts::flags + 16 * (!told.is_match() ? 0 : told.length < 8 ? 1 : 2) + recent_;
  const std::size_t kind =
      told.is_match() ? match_class(told) : std::min(foreteller_.put_off(), 8u);
  return (told.is_match() ? contexts::match_flags : contexts::literal_flags) + 8 * kind +
         recent_ % 8;
}

void Teller::take(Token token) {
  block_.add(token, foreteller_.position());
  stepped_ = token.content();
  foreteller_.accept(token);
}

Token Teller::other_token(Token told, Token truth) {
  const std::size_t ends = told.is_match() ? ends_otherwise : block_ends;
  if (decisions_.code(truth == end_of_block, ends) != 0) return end_of_block;
  if (told.is_match() &&
      decisions_.code(!truth.is_match(), contexts::literals_instead + match_class(told)) != 0)
    return literal;
  const unsigned length = other_length(told, truth);
  if (length < shortest_match || length > longest_match || length > foreteller_.left())
    refuse_step();
  const unsigned distance = other_distance(told, length, truth.distance);
  return {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(distance)};
}

unsigned Teller::other_length(Token told, Token truth) {
  if (!told.is_match())
    return shortest_match +
           code_number(decisions_, truth.length - shortest_match, contexts::literal_to_match);
  const unsigned length = told.length;
  if (decisions_.code(truth.length != length, other_size) == 0) return length;
  if (decisions_.code(truth.length < length, is_shorter) == 0)
    return length + 1 + code_number(decisions_, truth.length - length - 1, contexts::longer);
  const unsigned less = code_number(decisions_, length - truth.length - 1, contexts::shorter) + 1;
  return less > length ? 0 : length - less;
}

// The nearest place where so much is the same, or the next one, ...; if it is none of these, the
// distance itself.
unsigned Teller::other_distance(Token told, unsigned length, unsigned truth) {
  const std::size_t kind = !told.is_match()        ? 0
                           : length == told.length ? 1
                           : length < told.length  ? 2
                                                   : 3;
  unsigned found = 0;
  std::size_t places = 0;
  foreteller_.each_place(length, [&](std::size_t distance) {
    const std::size_t context =
        contexts::places + place_contexts * kind + std::min(places, place_contexts - 1);
    if (decisions_.code(distance != truth, context) == 0) {
      found = static_cast<unsigned>(distance);
      return false;
    }
    return ++places < most_places;
  });
  if (found != 0) return found;
  const unsigned symbol =
      code_bits(decisions_, truth == 0 ? 0 : distance_symbol(truth), 5, contexts::distances);
  if (symbol >= distance_symbols) refuse_step();
  unsigned extra = truth - distance_base(symbol);
  const unsigned bits = distance_bits(symbol);
  unsigned value = 0;
  for (unsigned i = bits; i-- > 0;) {
    const int bit = decisions_.code(static_cast<int>(extra >> i & 1), contexts::distances + 32 + i);
    value |= static_cast<unsigned>(bit) << i;
  }
  const unsigned distance = distance_base(symbol) + value;
  if (distance > position()) refuse_step();
  return distance;
}

void Teller::end_coded() {
  if (is_long()) return;
  code_last();
  counts_.literals[end_symbol] = 1;
  const Trees told = zlib_trees(counts_);
  const std::uint64_t dynamic = description_bits(told) + block_bits(counts_, told);
  const bool fixed = parameters_.fixed_trees ||
                     (block_bits(counts_, fixed_trees()) + 10) / 8 <= (dynamic + 10) / 8;
  const bool other = decisions_.code((truth_.kind == BlockKind::fixed) != fixed,
                                     other_kind + (fixed ? 1 : 0)) != 0;
  head_.kind = fixed != other ? BlockKind::fixed : BlockKind::dynamic;
  if (head_.kind == BlockKind::dynamic)
    head_.trees = code_trees(decisions_, counts_, told, truth_.trees);
  if (other || (head_.kind == BlockKind::dynamic && head_.trees != told)) ++other_blocks_;
}

// zlib closes a full block before it knows that no more comes, but for a literal that waited for
// a longer match.
void Teller::code_last() {
  const bool waited =
      (parameters_.strategy == Strategy::lazy || parameters_.strategy == Strategy::filtered) &&
      !block_.last_is_match;
  const bool told = foreteller_.at_end() && (waited || !block_.ends(parameters_));
  const bool other = decisions_.code(truth_.last != told, not_last + (told ? 0 : 1)) != 0;
  head_.last = told != other;
}

std::uint8_t Teller::code_padding(std::uint8_t truth) {
  if (decisions_.code(truth != 0, padded) == 0) return 0;
  unsigned bits = 0;
  for (unsigned i = 0; i < 7; ++i)
    bits |= static_cast<unsigned>(decisions_.code(truth >> i & 1, padded + 1 + i)) << i;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace logpx::deflate
