#include "tools/frame/failure.hpp"

#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "tools/frame/messages.hpp"

#include <cstdlib>
#include <string>

#include <time.h>

namespace logpx {
namespace {

// The launcher sends a signal to the remaining ranks when one has failed.
bool ended_by_rank_0() {
  constexpr int tenths = 20;
  for (int i = 0; i < tenths && stop::requested() == 0; ++i) {
    const timespec tenth{.tv_sec = 0, .tv_nsec = 100'000'000};
    nanosleep(&tenth, nullptr);
  }
  return stop::requested() != 0;
}

}  // namespace

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::io: return 1;
    case ErrorKind::usage: return 2;
    case ErrorKind::data: return 3;
    case ErrorKind::numeric: return 4;
    case ErrorKind::refused: break;
  }
  return 5;
}

int launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"})
    if (const char* text = std::getenv(name); text != nullptr)
      if (const auto rank = parse_integer(text); rank && *rank >= 0) return static_cast<int>(*rank);
  return 0;
}

int say_failure(Messages& messages, const Error& error) {
  const int rank = launched_rank();
  if (rank == 0) messages.error(error);
  else if (!ended_by_rank_0()) messages.error(error.within("rank " + std::to_string(rank)));
  return exit_code(error.kind());
}

}  // namespace logpx
