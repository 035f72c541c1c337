#include "libcore/codec/rans.hpp"

#include "libcore/base/error.hpp"

#include <cmath>
#include <limits>

namespace logpx::codec {
namespace {

void append(std::vector<std::byte>& bytes, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// Reads little-endian numbers; the caller knows that they are there.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
      value |= std::to_integer<std::uint64_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(width);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

void corrupt(const std::string& what) { fail(ErrorKind::data, "", "corrupt data: " + what); }

std::uint32_t seed_word(std::uint32_t i) {
  std::uint64_t z = 0x4C50585345454431 + (std::uint64_t{i} + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  z ^= z >> 31;
  return static_cast<std::uint32_t>(z >> 32);
}

Message::Message(int lanes) : lanes_(lanes) {
  LOGPX_ASSERT(lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8);
  for (int lane = 0; lane < lanes; ++lane) states_[at(lane)] = lowest;
}

Message Message::parse(std::span<const std::byte> bytes, int lanes) {
  if (lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8)
    corrupt(std::to_string(lanes) + " lanes, expected 1, 2, 4 or 8");
  Message message(lanes);
  message.side_ = Side::decoder;
  const std::size_t head = 8 * at(lanes) + 4;
  if (bytes.size() < head)
    corrupt("a message of " + std::to_string(bytes.size()) + " bytes, expected at least " +
            std::to_string(head));
  Reader reader(bytes);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint64_t x = reader.number(8);
    if (x < lowest || x >= lowest << 32) corrupt("state " + std::to_string(lane) + " out of range");
    message.states_[at(lane)] = x;
  }
  const std::uint64_t count = reader.number(4);
  if (bytes.size() - head != 4 * count)
    corrupt(std::to_string(count) + " words in " + std::to_string(bytes.size() - head) + " bytes");
  message.words_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
    message.words_.push_back(static_cast<std::uint32_t>(reader.number(4)));
  return message;
}

std::size_t Message::serialised_bytes() const { return 8 * at(lanes_) + 4 + 4 * words_.size(); }

std::vector<std::byte> Message::serialise() const {
  if (words_.size() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::refused, "", "a block codes to more than 16 GiB", "use smaller blocks");
  std::vector<std::byte> bytes;
  bytes.reserve(serialised_bytes());
  for (int lane = 0; lane < lanes_; ++lane) append(bytes, states_[at(lane)], 8);
  append(bytes, words_.size(), 4);
  for (const std::uint32_t word : words_) append(bytes, word, 4);
  return bytes;
}

void Message::check_end(std::uint32_t borrowed) const {
  for (int lane = 0; lane < lanes_; ++lane)
    if (states_[at(lane)] != lowest) corrupt("the message does not end where it began");
  if (words_.size() != borrowed)
    corrupt("the message ends with " + std::to_string(words_.size()) + " words, expected " +
            std::to_string(borrowed));
  for (std::uint32_t i = 0; i < borrowed; ++i)
    if (words_[borrowed - 1 - i] != seed_word(i))
      corrupt("the message does not end with its seed words");
}

void Message::push_uniform(std::uint32_t symbol, std::uint32_t m, int lane) {
  if (symbol >= m || m >= lowest) refuse({symbol, m}, 0);
  if (m == 1) return;
  std::uint64_t& x = states_[at(lane)];
  const std::uint64_t q = lowest / m;
  if (x >= q << 32) x = spill(x);
  x = x * m + symbol;
  if (x < lowest) x = refill(x);
}

std::uint32_t Message::pop_uniform(std::uint32_t m, int lane) {
  if (m == 0 || m >= lowest) refuse({0, m}, 0);
  if (m == 1) return 0;
  std::uint64_t& x = states_[at(lane)];
  const std::uint64_t q = lowest / m;
  if (x >= (q * m) << 32) x = spill(x);
  const auto symbol = static_cast<std::uint32_t>(x % m);
  x /= m;
  if (x < lowest) x = refill(x);
  return symbol;
}

double Message::bits() const {
  double bits = 32.0 * (static_cast<double>(words_.size()) - static_cast<double>(borrowed_));
  for (int lane = 0; lane < lanes_; ++lane)
    bits += std::log2(static_cast<double>(states_[at(lane)])) - 31;
  return bits;
}

void Message::refuse(Slot slot, int precision) const {
  if (side_ == Side::decoder) corrupt("a symbol that the model gives no probability");
  fail(ErrorKind::numeric, "",
       "internal error: a symbol with " + std::to_string(slot.frequency) + " parts from " +
           std::to_string(slot.start) + " on of 2^" + std::to_string(precision));
}

std::uint32_t Message::borrow() {
  if (side_ == Side::decoder) corrupt("message exhausted");
  if (borrowed_ == most_borrowed)
    fail(ErrorKind::refused, "", "a block would borrow more than 2^24 seed words",
         "use fewer latent bits or smaller blocks");
  return seed_word(borrowed_++);
}

namespace {

constexpr std::uint32_t stirring = 0x5bd1e995;

constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t inverse = odd;  // right in three bits; each round doubles them
  for (int round = 0; round < 4; ++round) inverse *= 2 - odd * inverse;
  return inverse;
}
static_assert(stirring * inverse_of(stirring) == 1);

// A permutation of the numbers below 2^bits, and its inverse. Adding the upper half to the lower
// one by exclusive or undoes itself.
struct Permutation {
  int bits;
  [[nodiscard]] std::uint32_t low(std::uint32_t x) const { return x & ((1u << bits) - 1); }
  [[nodiscard]] std::uint32_t folded(std::uint32_t x) const { return x ^ (x >> ((bits + 1) / 2)); }
  [[nodiscard]] std::uint32_t of(std::uint32_t x) const {
    return low(folded(low(folded(x) * stirring)) * stirring);
  }
  [[nodiscard]] std::uint32_t back(std::uint32_t x) const {
    return folded(low(folded(low(x * inverse_of(stirring))) * inverse_of(stirring)));
  }
};

// What the high bits add to the low ones, before those are stirred.
std::uint32_t shift_of(std::uint64_t high) {
  return static_cast<std::uint32_t>((high * 0x9e3779b97f4a7c15) >> 33);
}

}  // namespace

void Message::stir(int bits, int lane) {
  std::uint64_t& x = states_[at(lane)];
  const std::uint64_t high = x >> bits;
  const Permutation permutation{bits};
  x = (high << bits) |
      permutation.of(permutation.low(static_cast<std::uint32_t>(x) + shift_of(high)));
}

void Message::unstir(int bits, int lane) {
  std::uint64_t& x = states_[at(lane)];
  const std::uint64_t high = x >> bits;
  const Permutation permutation{bits};
  const std::uint32_t low = permutation.back(permutation.low(static_cast<std::uint32_t>(x)));
  x = (high << bits) | permutation.low(low - shift_of(high));
}

}  // namespace logpx::codec
