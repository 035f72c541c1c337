// Draws that need a logarithm or a cosine, bit-equal everywhere.   [det/README 6]
//
// By address, for tensors of noise, where an element must not depend on who asked before:
//   fill_normals(rng.stream(Stream::noise, step), first_element, noise);
// By cursor, for one thing after another:
//   DrawCursor draws(rng.stream(Stream::synthetic, 5), first_block);
//   const double angle = 0.1 * draws.normal();
#pragma once

#include "libcore/base/rng.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace logpx {

// Box-Muller: r = sqrt(-2 ln u_a), (r cos 2 pi u_b, r sin 2 pi u_b).
[[nodiscard]] std::array<double, 2> normal_pair(double u_a, double u_b);

[[nodiscard]] double gumbel_of(double u);       // -ln(-ln u)
[[nodiscard]] double exponential_of(double u);  // -ln u

// First j whose cumulative weight reaches u times the total; `cumulative` is the running sum.
[[nodiscard]] std::size_t category_of(std::span<const double> cumulative, double u);

// Log-weights become the running sums that category_of takes, of e^(weight - largest).
void accumulate_log_weights(std::span<double> log_weights);

// Element e comes from the words of pair e/2: words (0,1) or (2,3) of block e/4.
[[nodiscard]] double normal_at(const Substream& substream, std::uint64_t element);

// out[k] = normal_at(substream, first_element + k), rounded to float.
void fill_normals(const Substream& substream, std::uint64_t first_element, std::span<float> out);

class DrawCursor {
 public:
  explicit DrawCursor(Substream substream, std::uint64_t first_block = 0)
      : words_(substream, first_block) {}

  [[nodiscard]] std::uint32_t word() { return words_.word(); }
  [[nodiscard]] double uniform() { return words_.uniform(); }  // in (0, 1)
  [[nodiscard]] double uniform(double low, double high) {
    return low + (high - low) * words_.uniform();
  }
  [[nodiscard]] double uniform53() { return words_.uniform53(); }
  [[nodiscard]] std::uint32_t below(std::uint32_t m) { return words_.below(m); }

  // Two words make two normals: the cosine comes first, the sine is the next normal asked for,
  // whatever else is drawn between them.
  [[nodiscard]] double normal();

  [[nodiscard]] std::size_t categorical(std::span<const double> cumulative) {
    return category_of(cumulative, words_.uniform());
  }

  [[nodiscard]] std::uint64_t blocks_end() const { return words_.blocks_end(); }

 private:
  Cursor words_;
  std::optional<double> sine_;
};

}  // namespace logpx
