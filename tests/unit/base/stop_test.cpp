#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace logpx::stop_test {

TEST_CASE(
    "stop: the second SIGHUP of a terminal that goes does not end the clean-up of the first") {
  stop::on_signal(SIGHUP);
  stop::on_signal(SIGHUP);
  CHECK(stop::requested() == SIGHUP);
  CHECK_THROWS_AS(stop::check(), Interrupted);
  stop::reset();
}

TEST_CASE("stop: the first signal counts") {
  for (const int signal : stop::signals) {
    stop::on_signal(signal);
    stop::on_signal(SIGHUP);
    CHECK(stop::requested() == signal);
    stop::reset();
  }
}

}  // namespace logpx::stop_test
