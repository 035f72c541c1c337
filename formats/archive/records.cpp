#include "formats/archive/records.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace logpx::archive {
namespace {

void append_canonical(const Json& value, std::string& out) {
  if (value.is_bool()) out += value.boolean() ? '1' : '0';
  else if (value.is_number() && !value.is_integer())
    out += Json(hex_float(value.number())).dump(-1);
  else if (value.is_array()) {
    const char* before = "[";
    for (const Json& item : value.items()) {
      append_canonical(item, out += before);
      before = ",";
    }
    out += value.size() == 0 ? "[]" : "]";
  } else if (value.is_object()) {
    std::vector<const Json::Member*> members;
    for (const Json::Member& member : value.members()) members.push_back(&member);
    std::ranges::sort(
        members, {}, [](const Json::Member* m) -> auto& { return m->first; });
    const char* before = "{";
    for (const Json::Member* member : members) {
      out += before + Json(member->first).dump(-1) + ':';
      append_canonical(member->second, out);
      before = ",";
    }
    out += value.size() == 0 ? "{}" : "}";
  } else out += value.dump(-1);
}

}  // namespace

const char* word_of(MemberKind kind) {
  static constexpr std::array words = {"bytes", "text", "pnm", "idx", "npy", "pixels", "own-png"};
  return words[static_cast<std::size_t>(kind)];
}

const char* word_of(BlockCoder coder) {
  static constexpr std::array words = {"stored", "fallback", "model", "adaptive", "mixed"};
  return words[static_cast<std::size_t>(coder)];
}

const char* word_of(Effort effort) {
  static constexpr std::array words = {"fast", "normal", "best"};
  return words[static_cast<std::size_t>(effort)];
}

std::string canonical_json(const Json& value) {
  std::string text;
  append_canonical(value, text);
  return text;
}

std::string hex_float(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::string sign = bits >> 63 != 0 ? "-" : "";
  if (biased == 0 && fraction == 0) return sign + "0x0.0p+0";
  std::array<char, 16> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), fraction, 16);
  const std::string text(digits.data(), written.ptr);
  const int exponent = biased == 0 ? -1022 : biased - 1023;
  return sign + (biased == 0 ? "0x0." : "0x1.") + std::string(13 - text.size(), '0') + text + 'p' +
         (exponent < 0 ? "" : "+") + std::to_string(exponent);
}

}  // namespace logpx::archive
