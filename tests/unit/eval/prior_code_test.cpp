#include "libcore/eval/prior_code.hpp"

#include "libcore/math/panel_cdf.hpp"
#include "tests/support/known_prior.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace logpx::prior_code_test {

using testing::KnownPrior;

namespace {

// One latent whose energy is a formula.
ToldComponent told(const char* function, BaseDensity::Kind base, double low, double high) {
  const KnownPrior prior(
      {.shape = {.latents = 1, .parts = 1},
       .base = {.kind = base, .mean = 0.25, .sd = 0.8},
       .low = low,
       .high = high,
       .components = {{.formula = {symbolic_function(function), 1, -0.4, -2, 1}}},
       .layers = {}});
  const PriorComponent component = prior.component(0, 0);
  return {component, examine(component, {})};
}

std::string run(const std::string& command) {
  REQUIRE(std::system(command.c_str()) == 0);
  return command;
}

// log p and quantiles as the code computes them: z, log_density(z), u, quantile(u) ...
std::vector<double> computed(const ToldComponent& component, CodeLanguage language) {
  const testing::ScratchFolder folder;
  const std::string stem = folder / "prior";
  const bool in_c = language == CodeLanguage::c;
  std::ofstream file(stem + (in_c ? ".c" : ".py"));
  file << prior_code({component}, language);
  if (in_c)
    file << "#include <stdio.h>\nint main(void) { int i; for (i = 1; i < 20; ++i) printf(\"%.17g "
            "%.17g\\n\", quantile_0_0(i / 20.0), log_density_0_0(quantile_0_0(i / 20.0))); return "
            "0; }\n";
  else
    file << "for i in range(1, 20):\n    z = quantile_0_0(i / 20)\n    print(repr(z), "
            "repr(log_density_0_0(z)))\n";
  file.close();
  run(in_c ? "cc -std=c99 -Wall -Werror " + stem + ".c -o " + stem + " -lm && " + stem + " > " +
                 stem + ".txt"
           : "python3 " + stem + ".py > " + stem + ".txt");
  std::ifstream output(stem + ".txt");
  std::vector<double> values;
  for (double value; output >> value;) values.push_back(value);
  return values;
}

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST_CASE("prior code: quantiles and densities are those of the formula, in both languages") {
  for (const CodeLanguage language : {CodeLanguage::c, CodeLanguage::python}) {
    if (!is_there(language == CodeLanguage::c ? "cc" : "python3")) continue;
    for (const ToldComponent& component : {told("x^2", BaseDensity::Kind::gaussian, -1.5, 1.5),
                                           told("abs", BaseDensity::Kind::none, -1, 1),
                                           told("sin", BaseDensity::Kind::lognormal, 0, 6),
                                           told("tanh", BaseDensity::Kind::uniform, -0.5, 1.5)}) {
      const Formula& formula = component.facts.symbolic.best().formula;
      CAPTURE(formula_text(formula));
      const PanelCdf density(density_of(with_formula(component.component, formula)));
      const std::vector<double> values = computed(component, language);
      REQUIRE(values.size() == 38);
      for (int i = 1; i < 20; ++i) {
        const double z = values[static_cast<std::size_t>(2 * i - 2)];
        CHECK(density.cdf(z) == doctest::Approx(i / 20.0).epsilon(1e-6));
        CHECK(values[static_cast<std::size_t>(2 * i - 1)] ==
              doctest::Approx(density.log_density(z)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("prior code: every component says how far its formula is from the density") {
  ToldComponent component = told("x^2", BaseDensity::Kind::gaussian, -1.5, 1.5);
  component.component.q = 3;
  component.component.p = 1;
  component.facts.kl_to_symbolic = 0.0125;
  const std::string code = prior_code({component}, CodeLanguage::c);
  CHECK(
      code.find("/* Component (3,1): f(z) = -2*(z - 0.4)^2 + 1; KL(p || this) = 0.0125 nats. */") !=
      std::string::npos);
  CHECK(code.find("double quantile_3_1(double u)") != std::string::npos);
}

}  // namespace logpx::prior_code_test
