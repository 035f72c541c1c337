// Coded messages against their golden values.
#pragma once

#include "formats/json/value.hpp"
#include "libcore/codec/rans.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx::golden {

[[nodiscard]] std::vector<std::uint32_t> words_of(const Json& list);
[[nodiscard]] std::vector<double> reals_of(const Json& list);  // nested lists: all rows together
[[nodiscard]] std::vector<std::uint8_t> bytes_of(const Json& list);
[[nodiscard]] std::string hex_of(std::span<const std::byte> bytes);

// item[state] (of lane 0), item["words"] and, where there, item["borrowed"].
void check_message(const codec::Message& message, const Json& item, const std::string& state);

}  // namespace logpx::golden
