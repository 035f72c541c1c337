// A small archive: one member of at most 64 KiB, in one block, with a single record in the place of
// all others. What its fields say is a run of that member alone.   [logpx-archive(5)]
#pragma once

#include "formats/archive/run.hpp"

#include <cstddef>
#include <cstdint>

namespace logpx::archive {

inline constexpr std::uint64_t small_bytes = 1u << 16;  // at most, of content and of the meta
inline constexpr std::uint64_t max_small_record = 1u << 18;

// In the header's flags: of a small archive, and of one that names a file that is read first.
inline constexpr unsigned small_flag = 64, primed_flag = 128;

// Whether a run can be all of a small archive, if it has so many blocks.
[[nodiscard]] bool may_be_small(const Run& run, std::size_t blocks);

void write_small_member(WireWriter& out, const Run::Entry& entry);
// Checked like any table when it is parsed as one.
[[nodiscard]] Run read_small_member(WireReader& in);

}  // namespace logpx::archive
