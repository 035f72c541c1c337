// The one test that every scheme must pass: what it encodes comes back, from any message and with
// any lanes, and the message before it is there again.
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

void check_inverse(const codec::Scheme& scheme, std::span<const std::uint8_t> items);

// The bits of each item on a message of its own full of random words, against -score / ln 2: the
// means agree to `tolerance` of the bound and 5 standard errors of the difference. (In a chain of
// items that a model finds odd, what is drawn depends on what was pushed.)
void check_length(const codec::Scheme& scheme, std::span<const std::uint8_t> items,
                  double tolerance);

// `count` symbols below `alphabet`.
[[nodiscard]] std::vector<std::uint8_t> random_symbols(std::size_t count, std::uint32_t alphabet);

}  // namespace logpx
