// Formulas for curves against tests/golden/kaem.json.
#include "libcore/math/symbolic_fit.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::kaem_symbolic_test {

TEST_CASE("golden/kaem/symbolic") {
  const Json* symbolic = golden::field("kaem", "symbolic");
  if (!symbolic) return;
  const std::vector<double> x = golden_layer::tensor(symbolic->at("x")).data;
  const std::vector<double> weights(x.size(), 1);
  for (const Json& entry : symbolic->at("cases").items()) {
    CAPTURE(entry.at("formula").string());
    const std::vector<double> y = golden_layer::tensor(entry.at("y")).data;
    const SymbolicFits fits =
        fit_formulas({.z = x, .y = y, .weights = weights, .low = x.front(), .high = x.back()}, {});
    const Formula& formula = fits.best().formula;
    CAPTURE(formula_text(formula));
    CHECK(symbolic_functions()[static_cast<std::size_t>(formula.function)].name ==
          entry.at("expect_function").string());
    if (const Json& least = entry.at("min_r2"); !least.is_null())
      CHECK(fits.best().r2 >= golden::real(least));
    CHECK(!fits.poor);
  }
}

}  // namespace logpx::kaem_symbolic_test
