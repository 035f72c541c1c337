#include "formats/archive/png_rows.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace logpx::archive {
namespace {

// The one of left, above and corner that is nearest to left + above - corner.
int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int a = std::abs(guess - left), b = std::abs(guess - above), c = std::abs(guess - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

template <int filter>
int prediction(int left, int above, int corner) {
  if constexpr (filter == 1) return left;
  if constexpr (filter == 2) return above;
  if constexpr (filter == 3) return (left + above) / 2;
  if constexpr (filter == 4) return paeth(left, above, corner);
  return 0;
}

// visit(place, what is foretold there) for each byte of a row.
template <int filter, typename Visit>
void visit_row(std::size_t pixel, ByteView row, ByteView above, const Visit& visit) {
  const auto value = [](ByteView bytes, std::size_t at) { return std::to_integer<int>(bytes[at]); };
  const bool first = above.empty();
  const std::size_t edge = std::min(pixel, row.size());
  for (std::size_t i = 0; i < edge; ++i)
    visit(i, prediction<filter>(0, first ? 0 : value(above, i), 0));
  for (std::size_t i = edge; i < row.size(); ++i)
    visit(i, prediction<filter>(value(row, i - pixel), first ? 0 : value(above, i),
                                first ? 0 : value(above, i - pixel)));
}

template <typename Visit>
void each_prediction(int filter, std::size_t pixel, ByteView row, ByteView above,
                     const Visit& visit) {
  switch (filter) {
    case 0: return visit_row<0>(pixel, row, above, visit);
    case 1: return visit_row<1>(pixel, row, above, visit);
    case 2: return visit_row<2>(pixel, row, above, visit);
    case 3: return visit_row<3>(pixel, row, above, visit);
    default: return visit_row<4>(pixel, row, above, visit);
  }
}

}  // namespace

void filter_row(int filter, std::size_t pixel, ByteView row, ByteView above,
                std::span<std::byte> filtered) {
  each_prediction(filter, pixel, row, above, [&](std::size_t i, int foretold) {
    filtered[i] = static_cast<std::byte>(std::to_integer<int>(row[i]) - foretold);
  });
}

void unfilter_row(int filter, std::size_t pixel, ByteView filtered, ByteView above,
                  std::span<std::byte> row) {
  each_prediction(filter, pixel, row, above, [&](std::size_t i, int foretold) {
    row[i] = static_cast<std::byte>(std::to_integer<int>(filtered[i]) + foretold);
  });
}

int least_filter(std::size_t pixel, ByteView row, ByteView above) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  int best = 0;
  for (int filter = 0; filter < png_filters; ++filter) {
    std::uint64_t sum = 0;
    each_prediction(filter, pixel, row, above, [&](std::size_t i, int foretold) {
      const int difference = (std::to_integer<int>(row[i]) - foretold) & 255;
      sum += static_cast<std::uint64_t>(std::min(difference, 256 - difference));
    });
    if (sum < least) best = filter;
    least = std::min(least, sum);
  }
  return best;
}

int code_filter(deflate::Decisions& decisions, int filter, int foretold) {
  const std::size_t first = deflate::contexts::not_deflate;
  if (decisions.code(filter != foretold ? 1 : 0, first) == 0) return foretold;
  // Three bits, the highest first, by what was foretold instead.
  std::size_t seen = 1;
  for (int bit = 2; bit >= 0; --bit)
    seen =
        2 * seen + static_cast<std::size_t>(decisions.code(
                       filter >> bit & 1, first + 8 * static_cast<std::size_t>(foretold) + seen));
  const int found = static_cast<int>(seen) - 8;
  if (found >= png_filters) fail(ErrorKind::data, "recipe", "filters a row as PNG does not");
  return found;
}

}  // namespace logpx::archive
