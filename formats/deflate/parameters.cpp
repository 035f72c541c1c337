#include "formats/deflate/parameters.hpp"

#include "libcore/base/error.hpp"

namespace logpx::deflate {

namespace {

// As usual, or another of 2^bits values.
std::uint8_t code_unusual(Decisions& decisions, std::uint8_t value, std::uint8_t usual,
                          std::size_t context) {
  constexpr unsigned bits = 4;
  if (decisions.code(value != usual, context) == 0) return usual;
  return static_cast<std::uint8_t>(code_bits(decisions, value, bits, context));
}

std::uint8_t usual_block(const Parameters& parameters) {
  return static_cast<std::uint8_t>(parameters.memory + 6);
}

void check(const Parameters& p) {
  const bool greedy = p.strategy == Strategy::greedy;
  const bool fits = p.strategy <= Strategy::literals && p.level >= 1 && p.level <= 9 &&
                    (greedy ? p.level <= 3 : p.level >= 4) && p.memory >= 1 && p.memory <= 9 &&
                    p.window >= 9 && p.window <= 15 && p.block >= 7 && p.block <= 15;
  if (!fits) fail(ErrorKind::data, "DEFLATE stream", "the parameters of its recipe are none");
}

}  // namespace

Parameters code_parameters(Decisions& decisions, const Parameters& parameters) {
  constexpr std::size_t each = 17;
  std::size_t context = contexts::parameters;
  const auto unusual = [&](std::uint8_t value, std::uint8_t usual) {
    const std::uint8_t coded = code_unusual(decisions, value, usual, context);
    context += each;
    return coded;
  };
  const auto flag = [&](bool value) { return decisions.code(value, context++) != 0; };
  const Parameters usual;
  Parameters p;
  p.strategy = static_cast<Strategy>(unusual(static_cast<std::uint8_t>(parameters.strategy),
                                             static_cast<std::uint8_t>(usual.strategy)));
  p.level = unusual(parameters.level, usual.level);
  p.memory = unusual(parameters.memory, usual.memory);
  p.window = unusual(parameters.window, usual.window);
  p.block = unusual(parameters.block, usual_block(p));
  p.far_threes = flag(parameters.far_threes);
  p.gzip_ends = flag(parameters.gzip_ends);
  p.fixed_trees = flag(parameters.fixed_trees);
  check(p);
  return p;
}

std::string in_words(const Parameters& parameters) {
  std::string text =
      (parameters.gzip_ends ? "gzip level " : "zlib level ") + std::to_string(parameters.level);
  switch (parameters.strategy) {
    case Strategy::runs: text = "zlib, runs"; break;
    case Strategy::literals: text = "zlib, literals"; break;
    case Strategy::filtered: text += ", filtered"; break;
    case Strategy::greedy:
    case Strategy::lazy: break;
  }
  if (parameters.memory != 8) text += ", memory " + std::to_string(parameters.memory);
  if (parameters.window != 15) text += ", window " + std::to_string(parameters.window);
  if (parameters.fixed_trees) text += ", fixed codes";
  return text;
}

}  // namespace logpx::deflate
