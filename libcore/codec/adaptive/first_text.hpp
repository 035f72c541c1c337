// A short text of many kinds (sources, markup, tables, prose), which a model may read before a
// small block. It is part of the format.   [logpx-archive(5)]
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace logpx::codec::adaptive {

[[nodiscard]] std::span<const std::uint8_t> first_text();
[[nodiscard]] std::string_view first_prose();  // its end

}  // namespace logpx::codec::adaptive
