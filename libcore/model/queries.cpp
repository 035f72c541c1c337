#include "libcore/model/queries.hpp"

#include "libcore/base/index.hpp"

namespace logpx {

std::span<std::int32_t> Evidence::row(std::int64_t i) {
  return std::span(x).subspan(at(i * width), at(width));
}

std::span<const std::int32_t> Evidence::row(std::int64_t i) const {
  return std::span(x).subspan(at(i * width), at(width));
}

void Evidence::keep_only(std::span<const std::uint8_t> known) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (known[i % at(width)] == 0) x[i] = -1;
}

Evidence Evidence::repeat(std::int64_t i, std::int64_t times) const {
  Evidence rows{.width = width, .first = first + i};
  rows.lengths.assign(at(times), lengths[at(i)]);
  rows.x.reserve(at(times * width));
  for (std::int64_t copy = 0; copy < times; ++copy)
    rows.x.insert(rows.x.end(), row(i).begin(), row(i).end());
  return rows;
}

Evidence unknown_row(std::int64_t length) {
  return {.width = length, .x = std::vector<std::int32_t>(at(length), -1), .lengths = {length}};
}

}  // namespace logpx
