// Wall and CPU time, UTC stamps, and SOURCE_DATE_EPOCH.
#pragma once

#include <cstdint>
#include <string>

namespace logpx {

[[nodiscard]] double wall_seconds();             // monotonic, from an arbitrary start
[[nodiscard]] double cpu_seconds();              // user + system, of this process
[[nodiscard]] std::int64_t peak_memory_bytes();  // the most this process has had in memory
[[nodiscard]] std::string utc_stamp();           // 2026-11-21T10:27:48Z

// True when SOURCE_DATE_EPOCH is set: what does not decide the content is then left out of
// provenance and reports, so that equal settings and inputs give equal bytes.
[[nodiscard]] bool reproducible_build();

}  // namespace logpx
