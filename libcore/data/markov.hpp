// Random chains over symbols and what is known exactly about them: tables from structure draws,
// stationary distributions, the forward algorithm.
#pragma once

#include "libcore/data/generator.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// Rows of probabilities with their running sums, each row from weights (-ln u)^power.
class RandomTable {
 public:
  RandomTable(std::size_t rows, std::size_t columns, int power, DrawCursor& structure);

  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(p_).subspan(i * columns_, columns_);
  }
  [[nodiscard]] std::size_t draw(std::size_t i, DrawCursor& draws) const {
    return draws.categorical(std::span(cumulative_).subspan(i * columns_, columns_));
  }
  [[nodiscard]] std::size_t rows() const { return p_.size() / columns_; }
  [[nodiscard]] double row_entropy(std::size_t i) const;

 private:
  std::size_t columns_;
  std::vector<double> p_, cumulative_;
};

// The stationary distribution of a chain that goes from state i to target(i, column) with the
// probability of that column: power iteration until no probability changes by 1e-14.
[[nodiscard]] std::vector<double> stationary(
    const RandomTable& table, const std::function<std::size_t(std::size_t, std::size_t)>& target);

[[nodiscard]] std::vector<double> running_sum(std::span<const double> p);

// A hidden Markov model that starts in its stationary distribution: transition weights (-ln u)^4,
// emission weights (-ln u)^8.
class HiddenChain {
 public:
  HiddenChain(std::size_t states, std::size_t symbols, DrawCursor& structure);
  void draw(DrawCursor& draws, std::span<std::uint8_t> x) const;
  // The forward algorithm, rescaled at every symbol.
  [[nodiscard]] double log_p(std::span<const std::uint8_t> x) const;

 private:
  RandomTable transition_, emission_;
  std::vector<double> initial_, initial_sum_;
};

// Code points: space and a..z first, as in text27, then other printable ones. Alphabets of up to 26
// symbols start at a.
[[nodiscard]] std::vector<std::uint32_t> text_alphabet(std::int64_t symbols);

MakeGenerator make_word_text;

}  // namespace logpx
