// The options that every tool has; a letter means the same in all tools.
#pragma once

#include "libcore/base/fields.hpp"
#include "tools/frame/messages.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

struct CommonOptions {
  int verbose = 0;
  bool quiet = false;
  When progress = When::auto_, color = When::auto_;
  std::uint64_t seed = 1;
  int threads = 0;
  Bytes memory;  // 0: 60 % of RAM
  std::vector<std::string> config, set;
  std::string report, generate;
  bool json = false, dry_run = false, print_config = false, force = false;

  void describe(Fields& fields);
  [[nodiscard]] std::uint64_t planned_memory() const;
};

}  // namespace logpx
