// What both tools take from the frame and tell it.
#pragma once

#include "tools/archives/figures.hpp"
#include "tools/archives/parameters.hpp"

#include <cstdint>
#include <string>

namespace logpx {
class App;
}

namespace logpx::compress {

// What coding may hold: --memory, or 2 GiB.
[[nodiscard]] std::uint64_t coding_memory(const App& app);
// How many blocks may be held, by threads and --memory.
[[nodiscard]] std::int64_t blocks_at_once(App& app, const archive::CodingUnits& units);

struct Done {
  std::string role, path, hash;
  double seconds = 0;
};
// Into the report, and as the line for people.
void tell(App& app, const Done& done, const Figures& figures);

// Threads and instruction set, into the report's result.
void tell_machine(App& app);

}  // namespace logpx::compress
