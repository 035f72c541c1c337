// What is asked otherwise, or not at all, in the build whose memory is watched (make check-asan).
#pragma once

#include <doctest/doctest.h>

#include <cstddef>

namespace logpx::testing {

#ifdef LOGPX_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// `TEST_CASE("..." * of_numbers)`: trains or draws for long to see how good numbers become. Shorter
// tests go through the same code, and where it reads and writes does not depend on the numbers.
inline const doctest::skip of_numbers(sanitized);

// The step of a loop over many that are alike, such as the bits of an archive: each in the ordinary
// build, one of seven under the sanitizers, so that all places of a byte take their turns.
inline constexpr std::size_t step_of_many = sanitized ? 7 : 1;

}  // namespace logpx::testing
