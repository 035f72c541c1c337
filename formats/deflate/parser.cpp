#include "formats/deflate/parser.hpp"

#include <algorithm>
#include <array>

namespace logpx::deflate {

namespace {

constexpr std::size_t text_kept_at = 8 * farthest_match;

}  // namespace

// Symbols by the next bits: those of short codes in a table, others by counting through the
// lengths.
class Parser::Decoder {
 public:
  // Whether the lengths make a code: complete, or of one symbol of one bit, or of none.
  [[nodiscard]] bool set(std::span<const std::uint8_t> lengths) {
    of_length_.fill(0);
    symbols_.fill(0);
    table_.fill(Entry{});
    for (const std::uint8_t length : lengths) ++of_length_[length];
    of_length_[0] = 0;
    int room = 1;
    std::array<std::uint16_t, longest_code + 2> next{};
    unsigned used = 0;
    for (unsigned length = 1; length <= longest_code; ++length) {
      room = 2 * room - of_length_[length];
      if (room < 0) return false;
      used += of_length_[length];
      next[length + 1] = static_cast<std::uint16_t>(next[length] + of_length_[length]);
    }
    if (room != 0 && !(used == 0 || (used == 1 && of_length_[1] == 1))) return false;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] != 0) symbols_[next[lengths[i]]++] = static_cast<std::uint16_t>(i);
    fill_table();
    return true;
  }

  // -1 for bits that are no code.
  [[nodiscard]] int read(BitReader& bits) const {
    const std::uint32_t word = bits.peek(longest_code);
    const Entry entry = table_[word & (table_.size() - 1)];
    if (entry.length != 0) {
      bits.skip(entry.length);
      return entry.symbol;
    }
    return read_slowly(word, bits);
  }

 private:
  static constexpr unsigned table_bits = 10;
  struct Entry {
    std::uint16_t symbol = 0, length = 0;
  };

  void fill_table() {
    unsigned code = 0, index = 0;
    for (unsigned length = 1; length <= table_bits; ++length, code <<= 1)
      for (unsigned i = 0; i < of_length_[length]; ++i, ++code, ++index) {
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < length; ++bit)
          reversed |= (code >> bit & 1) << (length - 1 - bit);
        for (; reversed < table_.size(); reversed += 1u << length)
          table_[reversed] = {symbols_[index], static_cast<std::uint16_t>(length)};
      }
  }
  [[nodiscard]] int read_slowly(std::uint32_t word, BitReader& bits) const {
    unsigned code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= longest_code; ++length, word >>= 1) {
      code |= word & 1;
      const unsigned count = of_length_[length];
      if (code < first + count) {
        bits.skip(length);
        return symbols_[index + code - first];
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    bits.skip(longest_code);
    return -1;
  }

  std::array<std::uint16_t, longest_code + 1> of_length_{};
  std::array<std::uint16_t, literal_codes> symbols_{};
  std::array<Entry, 1u << table_bits> table_{};
};

Parser::Parser()
    : literals_(std::make_unique<Decoder>()), distances_(std::make_unique<Decoder>()) {}
Parser::~Parser() = default;

std::size_t Parser::read(std::span<const std::byte> bytes) {
  const std::size_t before = pending_.size();
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  BitReader bits(pending_, bit_at_);
  while (state_ == StreamState::open) {
    const std::size_t start = bits.at();
    const Step done = step(bits);
    if (bits.overrun()) {  // what was read from zeros behind the end means nothing
      bits.go_to(start);
      break;
    }
    if (done == Step::more) break;
    const std::uint64_t stream = stream_bytes_ + (bits.at() + 7) / 8;
    if (done == Step::wrong || !is_worth_it(stream)) state_ = StreamState::refused;
  }
  if (state_ == StreamState::refused) return 0;
  const std::size_t whole = state_ == StreamState::ended ? (bits.at() + 7) / 8 : bits.at() / 8;
  bit_at_ = bits.at() - 8 * (bits.at() / 8);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(whole));
  stream_bytes_ += whole;
  return state_ == StreamState::ended ? whole - before : bytes.size();
}

// A picture may begin with much that is alike, so only the whole of a stream is held to its bound.
bool Parser::is_worth_it(std::uint64_t stream) const {
  constexpr std::uint64_t early_bytes = std::uint64_t{4} << 20;
  const std::uint64_t content = dropped_ + text_.size();
  const std::uint64_t free = state_ == StreamState::ended ? free_content : early_bytes;
  return content <= most_unfolding * stream + free && stream <= most_folding * content + free_bytes;
}

void Parser::content_taken() {
  given_ = text_.size();
  if (given_ < text_kept_at) return;
  const std::size_t bytes = given_ - farthest_match;
  text_.erase(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(bytes));
  given_ -= bytes;
  dropped_ += bytes;
}

Parser::Step Parser::step(BitReader& bits) {
  switch (place_) {
    case Place::between: return begin_block(bits);
    case Place::tokens: return read_token(bits);
    case Place::stored: return copy_stored(bits);
    case Place::padding: break;
  }
  end_padding_ = static_cast<std::uint8_t>(bits.take(bits.to_byte()));
  if (!bits.overrun()) state_ = StreamState::ended;
  return Step::done;
}

// Heads are read whole, and again from their beginning if they were not there whole.
Parser::Step Parser::begin_block(BitReader& bits) {
  head_ = {};
  head_.last = bits.take(1) != 0;
  const std::uint32_t kind = bits.take(2);
  if (kind == 3) return Step::wrong;
  head_.kind = static_cast<BlockKind>(kind);
  if (head_.kind == BlockKind::stored) return begin_stored(bits);
  if (head_.kind == BlockKind::dynamic) {
    if (const Step read = begin_dynamic(bits); read != Step::done) return read;
  } else {
    (void)literals_->set(fixed_trees().literal_lengths);
    (void)distances_->set(fixed_trees().distance_lengths);
  }
  if (bits.overrun()) return Step::more;
  block_tokens_ = 0;
  heads.push_back(head_);
  place_ = Place::tokens;
  return Step::done;
}

Parser::Step Parser::begin_stored(BitReader& bits) {
  head_.padding = static_cast<std::uint8_t>(bits.take(bits.to_byte()));
  const std::uint32_t size = bits.take(16), complement = bits.take(16);
  if ((size ^ complement) != 0xffff) return Step::wrong;
  if (bits.overrun()) return Step::more;
  head_.stored_bytes = static_cast<std::uint16_t>(size);
  stored_left_ = size;
  heads.push_back(head_);
  place_ = Place::stored;
  return Step::done;
}

Parser::Step Parser::begin_dynamic(BitReader& bits) {
  Trees& trees = head_.trees;
  trees.literals = static_cast<std::uint16_t>(257 + bits.take(5));
  trees.distances = static_cast<std::uint16_t>(1 + bits.take(5));
  trees.run_count = static_cast<std::uint16_t>(4 + bits.take(4));
  if (trees.literals > literal_symbols || trees.distances > distance_symbols) return Step::wrong;
  for (unsigned i = 0; i < trees.run_count; ++i)
    trees.run_lengths[run_order[i]] = static_cast<std::uint8_t>(bits.take(3));
  if (const Step read = read_lengths(bits, trees); read != Step::done) return read;
  const bool fits = trees.literal_lengths[end_symbol] != 0 &&
                    literals_->set(trees.literal_lengths) &&
                    distances_->set(trees.distance_lengths);
  return fits ? Step::done : Step::wrong;
}

Parser::Step Parser::read_lengths(BitReader& bits, Trees& trees) const {
  Decoder decoder;
  if (!decoder.set(trees.run_lengths)) return Step::wrong;
  const std::size_t all = trees.literals + std::size_t{trees.distances};
  std::uint8_t before = 0;
  for (std::size_t at = 0; at < all;) {
    const int symbol = decoder.read(bits);
    if (symbol < 0 || (symbol == 16 && at == 0)) return Step::wrong;
    Run run{static_cast<std::uint8_t>(symbol), 0};
    run.extra = static_cast<std::uint8_t>(bits.take(run_bits(run.symbol)));
    if (symbol != 16) before = symbol < 16 ? run.symbol : std::uint8_t{0};
    if (at + run_size(run) > all) return Step::wrong;
    for (const std::size_t end = at + run_size(run); at < end; ++at)
      (at < trees.literals ? trees.literal_lengths[at]
                           : trees.distance_lengths[at - trees.literals]) = before;
    trees.runs.push_back(run);
  }
  return Step::done;
}

Parser::Step Parser::read_token(BitReader& bits) {
  const int symbol = literals_->read(bits);
  if (bits.overrun()) return Step::more;
  if (symbol < 0 || symbol >= static_cast<int>(literal_symbols)) return Step::wrong;
  if (symbol == static_cast<int>(end_symbol)) {
    tokens.push_back(end_of_block);
    end_block();
    return Step::done;
  }
  if (block_tokens_ + 1 >= most_tokens && head_.kind == BlockKind::dynamic) return Step::wrong;
  if (symbol < static_cast<int>(end_symbol)) {
    ++block_tokens_;
    text_.push_back(static_cast<std::uint8_t>(symbol));
    tokens.push_back(literal);
    return Step::done;
  }
  const unsigned of_length = static_cast<unsigned>(symbol) - first_length_symbol;
  const unsigned length = length_base(of_length) + bits.take(length_bits(of_length));
  const int of_distance = distances_->read(bits);
  if (of_distance < 0 || of_distance >= static_cast<int>(distance_symbols)) return Step::wrong;
  const auto place = static_cast<unsigned>(of_distance);
  const unsigned distance = distance_base(place) + bits.take(distance_bits(place));
  if (bits.overrun()) return Step::more;
  // 258 has a symbol of its own; who writes it otherwise is no known encoder.
  if (distance > text_.size() || length_symbol(length) != of_length) return Step::wrong;
  for (std::size_t from = text_.size() - distance, end = from + length; from < end; ++from)
    text_.push_back(text_[from]);
  ++block_tokens_;
  tokens.push_back({static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(distance)});
  return Step::done;
}

Parser::Step Parser::copy_stored(BitReader& bits) {
  const auto there = bits.rest().first(std::min(stored_left_, bits.rest().size()));
  for (const std::byte byte : there) text_.push_back(std::to_integer<std::uint8_t>(byte));
  bits.skip(static_cast<unsigned>(8 * there.size()));
  stored_left_ -= there.size();
  if (stored_left_ != 0) return Step::more;
  end_block();
  return Step::done;
}

void Parser::end_block() { place_ = head_.last ? Place::padding : Place::between; }

}  // namespace logpx::deflate
