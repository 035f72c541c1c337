// What both tools read from the frame and report to it.
#pragma once

#include "tools/archives/figures.hpp"
#include "tools/archives/parameters.hpp"

#include <cstdint>
#include <string>

namespace logpx {
class App;
}

namespace logpx::compress {

// How much memory coding may take: --memory, or 2 GiB.
[[nodiscard]] std::uint64_t coding_memory(const App& app);
// How many blocks may be held, given threads and --memory.
[[nodiscard]] std::int64_t blocks_at_once(App& app, const archive::CodingUnits& units);

struct Done {
  std::string role, path, hash;
  double seconds = 0;
};
// Adds figures to the report and prints the summary line.
void tell(App& app, const Done& done, const Figures& figures);

// Adds threads and instruction set to the report's result.
void tell_machine(App& app);

}  // namespace logpx::compress
