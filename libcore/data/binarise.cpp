#include "libcore/data/binarise.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <string_view>

namespace logpx {

Binarisation parse_binarisation(const std::string& text) {
  constexpr std::string_view threshold = "threshold";
  if (text == "none") return {};
  if (text == "static") return {.rule = Binarise::fixed};
  if (text == "dynamic") return {.rule = Binarise::dynamic};
  if (text == threshold) return {.rule = Binarise::threshold};
  if (text.starts_with("threshold:")) {
    const auto value = parse_integer(std::string_view(text).substr(threshold.size() + 1));
    if (value && *value >= 1 && *value <= 255)
      return {.rule = Binarise::threshold, .threshold = static_cast<int>(*value)};
  }
  fail(ErrorKind::usage, "--binarise",
       "'" + text + "' is not one of none, threshold, threshold:1..255, static, dynamic");
}

Condition static_draw(const std::string& rule) {
  return {[&rule] { return parse_binarisation(rule).rule == Binarise::fixed; },
          "--binarise static"};
}

Substream evaluation_bits(std::uint64_t seed) { return {seed, Stream::binarise, 0xffffffff}; }
Substream training_bits(Rng rng, std::uint32_t epoch) {
  return rng.stream(Stream::binarise, epoch);
}

void binarise_by_threshold(std::span<std::uint8_t> x, int threshold) {
  for (std::uint8_t& value : x) value = value >= threshold ? 1 : 0;
}

void binarise_by_draw(std::span<std::uint8_t> x, std::uint64_t first_element, Substream bits) {
  Words4 words{};
  std::uint64_t block = ~std::uint64_t{0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t element = first_element + i;
    if (element / 4 != block) {
      block = element / 4;
      words = bits.block(block);
    }
    x[i] = uniform_of(words[element % 4]) < static_cast<double>(x[i]) / 255 ? 1 : 0;
  }
}

}  // namespace logpx
