// What a likelihood that sees its neighbours takes for a dimension of x: what a decoder makes of z
// at its place, and the values of x that come before it.
//
//   const Var rows = with_context(features, x, table);   // [L,M,D,F + table->width()]
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace logpx {

// Which values each dimension sees. Dimension d is channel d / pixels of pixel d % pixels.
struct ContextTable {
  static constexpr std::int32_t outside = -1;  // of the picture: counts as 0
  static constexpr std::int32_t later = -2;    // comes after the dimension: the numbers are zeros

  std::int64_t pixels = 1, channels = 1;
  std::int64_t seen = 0;             // values that each dimension sees
  std::vector<std::int32_t> places;  // [dims, seen]: dimensions, or one of the above
  double scale = 1, shift = 0;       // a value v is read as scale v + shift
  std::optional<double> bright;      // if set, two marks for each value tell v = 0 and v >= bright

  [[nodiscard]] std::int64_t dims() const { return pixels * channels; }
  // Numbers of a context: values, marks, and which channel it is where there are several.
  [[nodiscard]] std::int64_t width() const {
    return seen * (bright ? 3 : 1) + (channels > 1 ? channels : 0);
  }
  [[nodiscard]] const std::int32_t* places_of(std::int64_t dim) const {
    return places.data() + dim * seen;
  }
  // The context of one dimension of a row x, to [width].
  template <typename T>
  void read(const T* x, std::int64_t dim, T* to) const;
};

template <typename T>
void ContextTable::read(const T* x, std::int64_t dim, T* to) const {
  const std::int32_t* const own = places_of(dim);
  const T factor = static_cast<T>(scale), offset = static_cast<T>(shift);
  for (std::int64_t i = 0; i < seen; ++i) {
    const T value = own[i] >= 0 ? x[own[i]] : T(0);
    to[i] = own[i] == later ? T(0) : value * factor + offset;
  }
  to += seen;
  if (bright) {
    const T least = static_cast<T>(*bright);
    for (std::int64_t i = 0; i < seen; ++i) {
      const T value = own[i] >= 0 ? x[own[i]] : T(0);
      to[i] = own[i] != later && value == 0 ? 1 : 0;
      to[seen + i] = value >= least ? 1 : 0;
    }
    to += 2 * seen;
  }
  if (channels == 1) return;
  for (std::int64_t c = 0; c < channels; ++c) to[c] = c == dim / pixels ? 1 : 0;
}

// features [L,M,pixels,F] and x [M,D] to [L,M,D,F + width], or, for dims [M,K] alone, to
// [L,M,K,F + width]. No gradient flows to x.
[[nodiscard]] Var with_context(Var features, Var x, std::shared_ptr<const ContextTable> table,
                               std::optional<Var> dims = {});

}  // namespace logpx
