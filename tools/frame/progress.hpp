// One line that says how far a long run is: redrawn in place on a terminal, at most 6 times a
// second, and erased at the end; elsewhere at most a line every LOGPX_LOG_INTERVAL seconds (30).
#pragma once

#include <string>

namespace logpx {

class Messages;

class Progress {
 public:
  // `total` 0: not known.
  Progress(Messages& messages, std::string unit, double total);
  ~Progress();  // erases the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap enough for every step. `note` is appended: "3.71 bits/dim  lr 2e-4". Also the place where
  // an interrupt is noticed: throws Interrupted.
  void update(double done, const std::string& note = {});
  void erase();

 private:
  [[nodiscard]] std::string line(double done, const std::string& note) const;
  [[nodiscard]] std::string eta(double done) const;

  Messages& messages_;
  std::string unit_;
  double total_, start_, last_drawn_;
  bool drawn_ = false;
};

}  // namespace logpx
