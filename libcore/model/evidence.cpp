#include "libcore/model/evidence.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <utility>

namespace logpx {

std::span<std::int32_t> Evidence::row(std::int64_t i) {
  return std::span(x).subspan(at(i * width), at(width));
}

std::span<const std::int32_t> Evidence::row(std::int64_t i) const {
  return std::span(x).subspan(at(i * width), at(width));
}

bool Evidence::has_new_value(std::int64_t i) const {
  return std::ranges::find(row(i), new_value) != row(i).end();
}

void Evidence::keep_only(std::span<const std::uint8_t> known) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (known[i % at(width)] == 0) x[i] = -1;
}

void Evidence::become(FilledRows filled) {
  x = std::move(filled.x);
  reals = std::move(filled.reals);
}

Evidence Evidence::repeat(std::int64_t i, std::int64_t times) const {
  Evidence rows{.width = width, .first = first + i, .regions = regions};
  rows.lengths.assign(at(times), lengths[at(i)]);
  const auto copy_row = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    const auto own = std::span(from).subspan(at(i * width), at(width));
    to.reserve(at(times * width));
    for (std::int64_t copy = 0; copy < times; ++copy) to.insert(to.end(), own.begin(), own.end());
  };
  copy_row(x, rows.x);
  copy_row(reals, rows.reals);
  return rows;
}

void Evidence::set(std::int64_t i, std::int64_t place, std::int32_t category) {
  x[at(i * width + place)] = category;
}

void Evidence::set_real(std::int64_t i, std::int64_t place, double value) {
  reals.resize(x.size());
  reals[at(i * width + place)] = static_cast<float>(value);
  x[at(i * width + place)] = 0;
}

Evidence unknown_row(std::int64_t length) {
  return {.width = length, .x = std::vector<std::int32_t>(at(length), -1), .lengths = {length}};
}

}  // namespace logpx
