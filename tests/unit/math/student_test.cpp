#include "libcore/math/student.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace logpx::student_test {

TEST_CASE("student: quantiles are those of tables") {
  // p, degrees of freedom, t: by scipy.stats.t.
  constexpr std::array<std::array<double, 3>, 6> known = {{{0.975, 1, 12.706204736174694},
                                                           {0.975, 9, 2.262157162798205},
                                                           {0.95, 4, 2.1318467863266495},
                                                           {0.995, 30, 2.7499956535672254},
                                                           {0.025, 9, -2.262157162798205},
                                                           {0.975, 1e6, 1.959966356814107}}};
  for (const auto& [p, freedom, t] : known) {
    CHECK(student_quantile(p, freedom) == doctest::Approx(t).epsilon(1e-9));
    CHECK(student_cdf(t, freedom) == doctest::Approx(p).epsilon(1e-9));
  }
  CHECK(student_quantile(0.5, 3) == 0);
  // One degree of freedom is Cauchy's distribution.
  CHECK(student_cdf(2, 1) == doctest::Approx(0.5 + std::atan(2.0) / M_PI).epsilon(1e-12));
}

}  // namespace logpx::student_test
