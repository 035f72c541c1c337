// Blocks of programs: how instructions are walked through, addresses moved, and both coded.
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/code_order.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/x86_walk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace logpx::code_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

Values bytes_of(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Values bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(value(digits[i]) << 4 | value(digits[i + 1])));
  return bytes;
}

Values random_bytes(std::size_t count) {
  Cursor random(Rng(31).stream(Stream::test, 560));
  Values bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return bytes;
}

void put(Values& block, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8)
    block.push_back(static_cast<std::uint8_t>(word >> shift));
}

// Calls of a few functions, each after a load of one of many constants.
Values x86_program(std::size_t calls) {
  Cursor random(Rng(31).stream(Stream::test, 561));
  Values block;
  for (std::size_t i = 0; i < calls; ++i) {
    block.insert(block.end(), {0x48, 0x8b, 0x3d});  // mov rdi, [rip + ...]
    put(block, 0x4000 + 8 * random.below(40) - static_cast<std::uint32_t>(block.size() + 4));
    block.push_back(0xe8);  // call
    put(block, 0x100 * random.below(20) - static_cast<std::uint32_t>(block.size() + 4));
  }
  return block;
}
Values arm_program(std::size_t calls) {
  Cursor random(Rng(31).stream(Stream::test, 562));
  Values block;
  for (std::size_t i = 0; i < calls; ++i) {
    const std::uint32_t page =
        100 + random.below(40) - static_cast<std::uint32_t>(block.size() >> 12);
    put(block, 0x90000000 | (page & 3) << 29 | (page >> 2 & 0x7ffff) << 5);  // adrp x0
    put(block, 0x91000000 | random.below(8) << 12);                          // add x0, x0
    for (std::uint32_t left = random.below(3); left > 0; --left) put(block, 0xd503201f);  // nop
    const auto here = static_cast<std::uint32_t>(block.size() / 4);
    put(block, 0x94000000 | ((0x100 * random.below(20) - here) & 0x03ffffff));  // bl
  }
  return block;
}

// No program: what a word begins with follows from how the three before it end.
Values words_by_three(std::size_t count) {
  Cursor random(Rng(31).stream(Stream::test, 563));
  std::array<std::uint32_t, 3> ends = {};
  Values block;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t mixed = (ends[0] + 16 * ends[1] + 256 * ends[2]) * 0x9E3779B1;
    ends = {random.below(16), ends[0], ends[1]};
    put(block, mixed >> 8 | ends[0] << 24);
  }
  return block;
}

}  // namespace

TEST_CASE("code: a walk through instructions of x86-64 finds where each begins") {
  // As LLVM's assembler writes them: of each kind of opcode, prefix, operand and immediate.
  for (const std::string_view instruction : {"55",
                                             "4889e5",
                                             "e834120000",
                                             "e978560000",
                                             "0f85bc9a0000",
                                             "7410",
                                             "488b0544332211",
                                             "488d3de0ffffff",
                                             "833d000100007f",
                                             "c7050002000078563412",
                                             "66c705000300003412",
                                             "66b83412",
                                             "b878563412",
                                             "48b8f0debc9a78563412",
                                             "a08877665544332211",
                                             "f6400801",
                                             "f7400803020100",
                                             "f75008",
                                             "488b4c2410",
                                             "8b14c544332211",
                                             "4c8b0c4b",
                                             "4869d000100000",
                                             "486bd008",
                                             "c8100001",
                                             "c20800",
                                             "f20f100544000000",
                                             "660f3800d1",
                                             "660f3a0fd103",
                                             "0fc6d102",
                                             "c5ed58d9",
                                             "c4e3fd00d14e",
                                             "62517c4828c1",
                                             "c4e2f5b81540000000",
                                             "0fc70f",
                                             "f30f1efa",
                                             "660f1f0400",
                                             "0f05",
                                             "cd80",
                                             "f348a5",
                                             "49c1e203"}) {
    CAPTURE(instruction);
    X86Walk walk;
    const Values bytes = bytes_of(instruction);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0) CHECK(walk.instruction() != 0);
      walk.next_byte(bytes[i]);
    }
    CHECK(walk.instruction() == 0);
    CHECK(walk.before(0) != 0);
  }
}

TEST_CASE("code: addresses that count from an instruction are known, with what follows them") {
  struct Case {
    std::string_view digits;
    std::size_t at;
    std::uint32_t behind;
  };
  constexpr std::size_t nowhere = 99;
  for (const auto& [digits, at, behind] :
       std::initializer_list<Case>{{"e834120000", 1, 0},
                                   {"0f85bc9a0000", 2, 0},
                                   {"488b0544332211", 3, 0},
                                   {"833d000100007f", 2, 1},
                                   {"c7050002000078563412", 2, 4},
                                   {"66c705000300003412", 3, 2},
                                   {"8b14c544332211", nowhere, 0},
                                   {"b878563412", nowhere, 0},
                                   {"8b8044332211", nowhere, 0}}) {
    CAPTURE(digits);
    X86Walk walk;
    std::size_t found = nowhere, i = 0;
    for (const std::uint8_t byte : bytes_of(digits)) {
      if (walk.address_comes()) {
        found = i;
        CHECK(walk.behind() == behind);
      }
      walk.next_byte(byte);
      ++i;
    }
    CHECK(found == at);
  }
}

TEST_CASE("code: calls of one function from two places have the same bytes") {
  Values x86 = bytes_of(
      "e8fb000000"
      "90"
      "e8f5000000");  // both to 0x100
  order_x86(x86);
  CHECK(x86 == bytes_of("e800000100"
                        "90"
                        "e800000100"));
  restore_x86(x86);
  CHECK(x86 == bytes_of("e8fb000000"
                        "90"
                        "e8f5000000"));
  // Both to instruction 3; the page is that of the instruction.
  Values arm = bytes_of(
      "03000094"
      "02000094"
      "0100009000000000");
  order_arm(arm);
  CHECK(arm == bytes_of("94000003"
                        "94000003"
                        "9000000100000000"));
  restore_arm(arm);
  CHECK(arm == bytes_of("03000094"
                        "02000094"
                        "0100009000000000"));
}

TEST_CASE("code: any bytes come back from their order, wherever they are cut") {
  Values noise = random_bytes(20'000), x86 = x86_program(2000), arm = arm_program(2000);
  x86.insert(x86.end(), noise.begin(), noise.end());
  arm.insert(arm.end(), noise.begin(), noise.end());
  for (const Values& data : {x86, arm})
    for (std::size_t cut = 0; cut < 12; ++cut) {
      const Values block(data.begin() + static_cast<std::ptrdiff_t>(cut * cut),
                         data.end() - static_cast<std::ptrdiff_t>(cut));
      Values same = block;
      order_x86(same);
      CHECK(same != block);
      restore_x86(same);
      CHECK(same == block);
      order_arm(same);
      CHECK(same != block);
      restore_arm(same);
      CHECK(same == block);
    }
}

TEST_CASE("code: programs are known by what they lead to, and coded by it") {
  const auto bytes_as = [](const Values& data, const Form& form) {
    const auto coded = encode(data, form, Level::normal);
    CHECK(decode(coded, data.size(), form, Level::normal) == data);
    return coded.size();
  };
  for (const auto& [program, kind] : {std::pair{x86_program(4000), Kind::x86_code},
                                      std::pair{arm_program(4000), Kind::arm_code}}) {
    CHECK(likely_form(program, {}) == Form{kind});
    CHECK(5 * bytes_as(program, {kind}) < 4 * bytes_as(program, {Kind::records, 4}));
  }
  CHECK(likely_form(random_bytes(40'000), {}).kind != Kind::x86_code);
  CHECK(likely_form(words_by_three(20'000), {}) == Form{Kind::arm_code});
}

TEST_CASE("code: a program that is read first teaches the next one, and may have any length") {
  const Values program = arm_program(500);
  for (const std::size_t cut : {0, 1, 2, 3}) {
    const Start after(Level::normal, std::span(program).subspan(cut));
    const Form form{Kind::arm_code};
    const auto coded = encode(program, form, after);
    CHECK(decode(coded, program.size(), form, after) == program);
    if (cut == 0) CHECK(4 * coded.size() < encode(program, form, Level::normal).size());
  }
}

}  // namespace logpx::code_test
