// What an npy array begins with, in C order, as NumPy writes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace logpx {

// `type` as NumPy calls it: "<f8", "|u1". The elements follow.
[[nodiscard]] std::string npy_header(const std::string& type, std::span<const std::int64_t> shape);

}  // namespace logpx
