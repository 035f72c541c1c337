// The interrupt flag that every long loop looks at between steps, and the temporaries that must not
// outlive a program that is told to stop at once. Both are touched by signal handlers, hence the
// only process-wide state of libcore.
#pragma once

#include <array>
#include <csignal>
#include <string>

namespace logpx::stop {

// What asks a program to stop: ^C, kill, a terminal that is gone.
inline constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

// 0 while nobody asked; else the number of the signal.
[[nodiscard]] int requested();
// Throws Interrupted when a stop has been asked for.
void check();

// Called by a signal handler: notes the first signal; at the second removes the registered
// temporaries and leaves the process with 128 + signal. SIGHUP is never the second: when a terminal
// goes, its shell and the kernel both send one. Async-signal-safe.
void on_signal(int signal) noexcept;

// For tests: forgets a request.
void reset();

// A file that a sudden end removes: registered for as long as the object lives.
class Temporary {
 public:
  Temporary() = default;
  explicit Temporary(const std::string& path);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace logpx::stop
