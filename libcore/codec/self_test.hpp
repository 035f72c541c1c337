// Does this build, on this machine, compute "logpx numerics 1"? A fixed sweep over everything that
// reaches the coder, hashed; about a millisecond.   [det/README 7]
#pragma once

#include <string>
#include <vector>

namespace logpx::codec {

struct SelfTest {
  struct Part {
    const char* name;
    std::string hash;  // 16 hex digits
  };
  std::vector<Part> parts;
  std::string hash;  // of all
  [[nodiscard]] bool passed() const;
};

[[nodiscard]] SelfTest det_selftest();

// The error of a build that fails: it may neither write nor read archives.
void require_numerics();

}  // namespace logpx::codec
