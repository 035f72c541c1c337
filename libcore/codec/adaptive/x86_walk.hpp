// Where bytes lie in instructions of x86-64: a walk from one to the next, which soon finds their
// beginnings again where it has come from data.
#pragma once

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

class X86Walk {
 public:
  void next_byte(std::uint8_t byte);

  // Whether the next four bytes are an address that counts from the end of the instruction, of
  // which so many bytes come behind it.
  [[nodiscard]] bool address_comes() const {
    return left_ == 4 && (field_ == Field::target || (field_ == Field::displacement && from_here_));
  }
  [[nodiscard]] std::uint32_t behind() const {
    return field_ == Field::displacement ? immediate_ : 0;
  }

  // The field of the next byte with its map, if it is an opcode, or how many bytes of it are left:
  // less than 128.
  [[nodiscard]] std::uint32_t place() const {
    return static_cast<std::uint32_t>(field_) | (field_ == Field::opcode ? map_ : left_) << 3;
  }
  // The same in fewer classes.
  static constexpr int kinds_of_places = 32;
  [[nodiscard]] std::uint32_t kind_of_place() const {
    return static_cast<std::uint32_t>(field_) |
           (field_ == Field::opcode ? map_ : static_cast<std::uint32_t>(left_ > 2)) << 3;
  }
  // What is known of this instruction, but for the bytes of the field; and those, behind a one.
  [[nodiscard]] std::uint64_t instruction() const {
    return place() | opcode_ << 8 | std::uint64_t{form_} << 18 | std::uint64_t{rex_} << 26 |
           std::uint64_t{prefix_} << 34;
  }
  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
  // The opcode of an instruction before, and which registers or memory it works on; 0: the last.
  [[nodiscard]] std::uint32_t before(std::size_t which) const { return before_[which]; }

 private:
  enum class Field : std::uint8_t { opcode, vector, form, index, displacement, immediate, target };

  void next_opcode(std::uint8_t byte);
  void next_form(std::uint8_t byte);
  void begin_field(Field field, std::uint32_t bytes);
  void begin_operands(char kind);
  void begin_displacement(std::uint32_t bytes);
  void begin_immediate();
  void end();

  Field field_ = Field::opcode;
  std::uint32_t left_ = 0;       // bytes of the field
  std::uint32_t map_ = 0;        // of opcodes: 0 of one byte, 1 behind 0F, 2 and 3 behind two bytes
  std::uint32_t opcode_ = 0;     // with its map above it
  std::uint32_t immediate_ = 0;  // its bytes
  std::uint8_t form_ = 0, rex_ = 0, prefix_ = 0, prefixes_ = 0;
  bool from_here_ = false, tests_ = false;
  std::uint32_t bytes_ = 0;
  std::array<std::uint32_t, 3> before_ = {};
};

}  // namespace logpx::codec::adaptive
