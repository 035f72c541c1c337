// What it takes to code a symbol: the integer cumulative table F of its distribution, with n()
// symbols and F(n) = 2^precision.   [codec/README 3]
//
//   push(message, Bernoulli(p[0], 24), bit);         bit = pop(message, Bernoulli(p[0], 24));
//   push_vector(message, pixels, [&](std::size_t i) { return Bernoulli(p[i], 24); });
//
// A distribution that a decoder pops (a likelihood, a prior) gives every symbol a part of F. One
// that an encoder pops (a posterior) need not: a symbol without a part is never drawn.
#pragma once

#include "libcore/codec/rans.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace logpx::codec {

template <typename D>
concept Dist = requires(const D& d, std::uint32_t i) {
  { d.n() } -> std::same_as<std::uint32_t>;
  { d.precision() } -> std::same_as<int>;
  { d.cdf(i) } -> std::same_as<std::uint32_t>;   // F(i) for 0 <= i <= n
  { d.find(i) } -> std::same_as<std::uint32_t>;  // the symbol s with F(s) <= i < F(s+1)
};

// The largest s found by halving with F(s) <= part; F(0) = 0 and part < F(n) are taken for granted.
// F may wiggle by a unit: the answer has F(s) <= part < F(s+1) all the same.
template <typename Cdf>
[[nodiscard]] std::uint32_t halving_search(std::uint32_t n, std::uint32_t part, Cdf cdf) {
  std::uint32_t low = 0, high = n;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (cdf(middle) <= part ? low : high) = middle;
  }
  return low;
}

// No part for a symbol outside the alphabet, or where F wiggles: push refuses it.
template <Dist D>
[[nodiscard]] Slot slot_of(const D& dist, std::uint32_t symbol) {
  if (symbol >= dist.n()) return {};
  const std::uint32_t begin = dist.cdf(symbol), end = dist.cdf(symbol + 1);
  return {begin, end > begin ? end - begin : 0};
}

template <Dist D>
void push(Message& message, const D& dist, std::uint32_t symbol, int lane = 0) {
  message.push(slot_of(dist, symbol), dist.precision(), lane);
}

template <Dist D>
[[nodiscard]] std::uint32_t pop(Message& message, const D& dist, int lane = 0) {
  const std::uint32_t symbol = dist.find(message.peek(dist.precision(), lane));
  message.pop(slot_of(dist, symbol), dist.precision(), lane);
  return symbol;
}

// Element i uses lane i mod lanes; pushes go from the last to the first, pops from the first on, so
// that dist_at(i) may look at the elements before i. The type that dist_at returns needs push and
// pop: those above, or its own.
template <typename Symbol, typename DistAt>
void push_vector(Message& message, std::span<const Symbol> symbols, DistAt dist_at) {
  const auto lanes = static_cast<std::size_t>(message.lanes());
  for (std::size_t i = symbols.size(); i-- > 0;)
    push(message, dist_at(i), symbols[i], static_cast<int>(i % lanes));
}
template <typename Symbol, typename DistAt>
void pop_vector(Message& message, std::span<Symbol> symbols, DistAt dist_at) {
  const auto lanes = static_cast<std::size_t>(message.lanes());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    symbols[i] = static_cast<Symbol>(pop(message, dist_at(i), static_cast<int>(i % lanes)));
}

// 2^bits equally likely symbols, and m of them.
struct UniformBits {
  int bits = 0;
};
inline void push(Message& message, UniformBits dist, std::uint32_t symbol, int lane = 0) {
  message.push_bits(symbol, dist.bits, lane);
}
[[nodiscard]] inline std::uint32_t pop(Message& message, UniformBits dist, int lane = 0) {
  return message.pop_bits(dist.bits, lane);
}
struct Uniform {
  std::uint32_t m = 1;
};
inline void push(Message& message, Uniform dist, std::uint32_t symbol, int lane = 0) {
  message.push_uniform(symbol, dist.m, lane);
}
[[nodiscard]] inline std::uint32_t pop(Message& message, Uniform dist, int lane = 0) {
  return message.pop_uniform(dist.m, lane);
}

// What happens to the message before each draw. Where a draw takes about the bits that the one
// before was paid with, it must be stirred, or the one follows the other: in a chain of many
// levels, and where q(z|x) is near p(z).
enum class BeforeDraws { nothing, stirred };

// A distribution that is drawn from a stirred message.
template <typename Dist>
struct Stirred {
  Dist dist;
  friend void push(Message& message, const Stirred& of, std::uint32_t symbol, int lane) {
    push(message, of.dist, symbol, lane);
    message.unstir(of.dist.precision(), lane);
  }
  friend std::uint32_t pop(Message& message, const Stirred& of, int lane) {
    message.stir(of.dist.precision(), lane);
    return pop(message, of.dist, lane);
  }
};

}  // namespace logpx::codec
