#include "libcore/train/pace.hpp"

namespace logpx {
namespace {

constexpr int steps_that_tell = 3;  // short ones, after the first

}  // namespace

void Pace::add_step(double seconds) {
  if (first_seconds_ < 0) {
    first_seconds_ = seconds;
    return;
  }
  later_seconds_ += seconds;
  ++later_;
}

bool Pace::is_known() const { return first_seconds_ >= long_step || later_ >= steps_that_tell; }

double Pace::step_seconds() const { return later_ > 0 ? later_seconds_ / later_ : first_seconds_; }

}  // namespace logpx
