#include "libcore/codec/adaptive/x86_walk.hpp"

#include <string_view>

namespace logpx::codec::adaptive {
namespace {

// What follows an opcode: - nothing, b w z q an immediate of 1, 2, 4 or (behind REX.W) 8 bytes, a
// one of 8 always, e one of 3, m a byte of registers and memory, B Z that and an immediate, t T
// that, and an immediate if it is a test, j a target; p is a prefix, r REX, 0 a further map, 2 3 4
// as many bytes of vector prefixes with the first.
constexpr std::string_view behind_one =
    "mmmmbz--mmmmbz-0mmmmbz--mmmmbz--mmmmbzp-mmmmbzp-mmmmbzp-mmmmbzp-"
    "rrrrrrrrrrrrrrrr------------------4mppppzZbB----bbbbbbbbbbbbbbbb"
    "BZBBmmmmmmmmmmmm----------------aaaa----bz------bbbbbbbbqqqqqqqq"
    "BBw-32BZe-w--b--mmmmbb--mmmmmmmmbbbbbbbbjj-b----p-pp--tT------mm";
constexpr std::string_view behind_two =
    "mmmm---------m--mmmmmmmmmmmmmmmmmmmm----mmmmmmmm--------0-0-----"
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmBBBBmmm-mm--mmmm"
    "jjjjjjjjjjjjjjjjmmmmmmmmmmmmmmmm---mBm-----mBmmmmmmmmmmmmmBmmmmm"
    "mmBmBBBm--------mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";
static_assert(behind_one.size() == 256 && behind_two.size() == 256);

constexpr std::uint8_t half_size = 0x66;  // the prefix of operands of 16 bits
constexpr std::uint8_t most_prefixes = 6;

}  // namespace

void X86Walk::next_byte(std::uint8_t byte) {
  const Field before = field_;
  switch (field_) {
    case Field::opcode: next_opcode(byte); break;
    case Field::vector:
      if (left_ == 2) map_ = (byte & 3) == 0 ? 1 : byte & 3;
      if (--left_ == 0) field_ = Field::opcode;
      break;
    case Field::form: next_form(byte); break;
    case Field::index:
      begin_displacement(form_ >> 6 == 1 ? 1 : form_ >> 6 == 2 || (byte & 7) == 5 ? 4 : 0);
      break;
    case Field::displacement:
      if (--left_ == 0) begin_immediate();
      break;
    case Field::immediate:
    case Field::target:
      if (--left_ == 0) end();
      break;
  }
  bytes_ = field_ == before && field_ != Field::opcode ? bytes_ << 8 | byte | 1u << 31 : 0;
}

void X86Walk::next_opcode(std::uint8_t byte) {
  const char kind = map_ == 0   ? behind_one[byte]
                    : map_ == 1 ? behind_two[byte]
                    : map_ == 2 ? 'm'
                                : 'B';
  switch (kind) {
    case 'p':
    case 'r':
      (kind == 'r' ? rex_ : prefix_) = byte;
      if (++prefixes_ > most_prefixes) end();
      break;
    case '0': map_ = map_ == 0 ? 1 : byte == 0x38 ? 2 : 3; break;
    case '2':
    case '3':
    case '4':
      map_ = 1;
      begin_field(Field::vector, static_cast<std::uint32_t>(kind - '1'));
      break;
    default: opcode_ = map_ << 8 | byte; begin_operands(kind);
  }
}

void X86Walk::begin_operands(char kind) {
  const std::uint32_t whole = prefix_ == half_size ? 2 : 4;
  tests_ = kind == 't' || kind == 'T';
  switch (kind) {
    case 'b':
    case 'B':
    case 't': immediate_ = 1; break;
    case 'w': immediate_ = 2; break;
    case 'e': immediate_ = 3; break;
    case 'z':
    case 'Z':
    case 'T': immediate_ = whole; break;
    case 'q': immediate_ = (rex_ & 8) != 0 ? 8 : whole; break;
    case 'a': immediate_ = 8; break;
    default: break;
  }
  if (kind == 'j') return begin_field(Field::target, 4);
  if (kind == 'm' || kind == 'B' || kind == 'Z' || tests_) return begin_field(Field::form, 0);
  begin_immediate();
}

void X86Walk::next_form(std::uint8_t byte) {
  form_ = byte;
  const unsigned mode = byte >> 6, base = byte & 7;
  if (tests_ && (byte >> 3 & 7) > 1) immediate_ = 0;
  if (mode == 3) return begin_immediate();
  if (base == 4) return begin_field(Field::index, 0);
  from_here_ = mode == 0 && base == 5;
  begin_displacement(mode == 1 ? 1 : mode == 2 || from_here_ ? 4 : 0);
}

void X86Walk::begin_field(Field field, std::uint32_t bytes) {
  field_ = field;
  left_ = bytes;
}

void X86Walk::begin_displacement(std::uint32_t bytes) {
  if (bytes == 0) return begin_immediate();
  begin_field(Field::displacement, bytes);
}

void X86Walk::begin_immediate() {
  if (immediate_ == 0) return end();
  begin_field(Field::immediate, immediate_);
}

void X86Walk::end() {
  const std::uint32_t done = opcode_ | (form_ & 0xf8u) << 10;
  const std::array<std::uint32_t, 3> before = {done, before_[0], before_[1]};
  *this = X86Walk();
  before_ = before;
}

}  // namespace logpx::codec::adaptive
