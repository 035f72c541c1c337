// A density of bytes that is learned while it codes: nothing is trained, and nothing but the block
// itself is needed to decode it. Whole numbers alone, so that every machine codes the same bits.
// likely_form() chooses how to read a block.   [codec/README 5.2]
#pragma once

#include "libcore/codec/adaptive/advice.hpp"
#include "libcore/codec/adaptive/form.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

constexpr std::size_t no_limit = ~std::size_t{0};

// Stops when over `most` bytes have come out; what it returns is then longer than that, and of no
// use.
[[nodiscard]] std::vector<std::byte> encode(std::span<const std::uint8_t> data, const Form& form,
                                            const Start& start, std::size_t most = no_limit);
// What the bytes from `begin` on would take by themselves, at the normal level. Those before them
// are not learned from; but contexts see them, as they would in the middle of a block.
[[nodiscard]] std::size_t bytes_of_part(std::span<const std::uint8_t> data, std::size_t begin,
                                        const Form& form, std::size_t most = no_limit);
// Bytes that no encoder made give some data, too; a form that does not fit is a data error.
[[nodiscard]] std::vector<std::uint8_t> decode(std::span<const std::byte> coded, std::size_t size,
                                               const Form& form, const Start& start);

// The same with an adviser, which is asked about the block only, not about what is read before it.
// A decoder needs one that says the same.
[[nodiscard]] std::vector<std::byte> encode_advised(std::span<const std::uint8_t> data,
                                                    const Form& form, const Start& start,
                                                    Adviser& adviser, std::size_t most = no_limit);
[[nodiscard]] std::vector<std::uint8_t> decode_advised(std::span<const std::byte> coded,
                                                       std::size_t size, const Form& form,
                                                       const Start& start, Adviser& adviser);

// The memory that either takes besides the data, for a block of so many bytes with those before it.
[[nodiscard]] std::uint64_t memory_for(std::size_t size, Level level);

}  // namespace logpx::codec::adaptive
