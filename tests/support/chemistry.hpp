// Whether this build reads SMILES: tests of it say so and skip where it does not.
#pragma once

#include "formats/mol/chemistry.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::testing {

inline bool has_chemistry() {
  try {
    (void)chemistry();
    return true;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    MESSAGE("skipped: " << error.what());
    return false;
  }
}

}  // namespace logpx::testing
